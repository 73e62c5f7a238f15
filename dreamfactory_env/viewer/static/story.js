// The frames of a game, loaded piece by piece, and the place that is looked at.

import { unfolded } from "./difference.js";

/** So many frames are asked for at once. */
const MOST = 64;

/**
 * A game as a viewer sees it.
 *
 * `load(first, count)` promises {game, viewer, first, frames}, perhaps fewer than asked for. `frames[k]` is what is seen after move k, or
 * undefined while it is not there. Listeners hear of everything: {moved, loaded}.
 */
export class Story {
  constructor(load) {
    this.load = load;
    this.frames = [];
    this.game = null;
    this.viewer = null;
    this.at = 0;
    this.listeners = new Set();
    this.stopped = false;
  }

  /** Opens the game at a frame; the rest is loaded behind it. */
  async open(at) {
    await this.fetch(Math.max(at, 0), 1);
    this.at = Math.min(Math.max(at, 0), this.last);
    return this;
  }

  async fetch(first, count = MOST) {
    const reply = await this.load(first, count);
    this.game = reply.game;
    this.viewer = reply.viewer;
    unfolded(reply.frames).forEach((frame, k) => (this.frames[reply.first + k] = frame));
    this.tell({ loaded: true });
    return reply;
  }

  /** Loads what is not there yet, from the beginning to the end. */
  async complete() {
    for (let k = 0; k <= this.game.moves && !this.stopped; k += 1) {
      if (!this.frames[k]) await this.fetch(k);
    }
  }

  get whole() {
    for (let k = 0; k <= this.game.moves; k += 1) if (!this.frames[k]) return false;
    return true;
  }

  get frame() {
    return this.frames[this.at];
  }

  get last() {
    return this.game.moves;
  }

  /** Goes to a frame, which is loaded if it is not there. */
  async go(at) {
    const wanted = Math.min(Math.max(at, 0), this.last);
    if (wanted === this.at) return;
    const before = this.at;
    this.at = wanted;
    if (!this.frames[wanted]) await this.fetch(wanted);
    if (this.at === wanted) this.tell({ moved: true, before });
  }

  /** Returns the next frame, forwards or backwards, of which something is true; null if none is. */
  find(wanted, step = 1) {
    for (let k = this.at + step; k >= 0 && k <= this.last; k += step) {
      if (this.frames[k] && wanted(this.frames[k], k)) return k;
    }
    return null;
  }

  tell(news) {
    for (const listener of this.listeners) listener(news);
  }

  /** Listens to what happens; returns a function that ends it. */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  stop() {
    this.stopped = true;
    this.listeners.clear();
  }
}

/** Tells whether a chapter begins with a frame: a line of it that stands at the margin says so. */
export const beginsChapter = (frame) => frame.lines.some((line) => !line.startsWith(" "));
