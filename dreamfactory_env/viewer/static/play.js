// A game in play, seen from a seat: what is legal can be clicked, what others do is told.

import { asker, listen } from "./api.js";
import { Board } from "./board.js";
import { movesOf, showButtons } from "./buttons.js";
import { dialog, isTyping, problem, say, screen, showKeys } from "./chrome.js";
import { Clicks } from "./clicks.js";
import { el, fill } from "./dom.js";
import { loadDrawing } from "./drawing.js";
import { unfolded } from "./difference.js";
import { showEnding } from "./ending.js";
import { Log, linesOf } from "./log.js";
import { mount } from "./panel.js";
import { rulesButton } from "./rules.js";
import { seatMark } from "./seats.js";
import { Story } from "./story.js";
import { texts } from "./texts.js";
import { watch } from "./watch.js";

/** After the server is gone, it is looked for so often, in milliseconds. */
const AGAIN = 1000;

/** Shows the game of a seat, by the token of its link; returns a function that ends it. */
export function showTable(page, token) {
  const table = new PlayedTable(page, token);
  table.open().catch((error) => screen(page, { title: texts.product }, problem(error.message)));
  return () => table.close();
}

class PlayedTable {
  constructor(page, token) {
    Object.assign(this, { page, token, ask: asker(token), ended: new AbortController(), sending: false });
    this.parts = {
      table: el("div", { class: "table" }),
      status: el("p", { class: "status", role: "status" }),
      who: el("div", { class: "who" }),
      moves: el("section", { class: "moves", "aria-label": texts.yourMoves }),
      told: el("div", { class: "told-now" }),
      log: el("div", { class: "log-box", tabindex: "0", role: "region", "aria-label": texts.happened }),
      wrong: el("div"),
      end: el("section", { class: "ending" }),
      panel: el("section", { class: "panel" }),
    };
    this.keys = (event) => this.pressed(event);
    addEventListener("keydown", this.keys);
    this.focused = null;
    this.focusing = (event) => {
      const { table, moves } = this.parts;
      if (event.type === "pointerdown") this.focused = null;
      else this.focused = table.contains(event.target) ? "table" : moves.contains(event.target) ? "moves" : null;
    };
    for (const name of ["focusin", "pointerdown"]) addEventListener(name, this.focusing);
  }

  async open() {
    this.story = new Story(async (first, count) => {
      const reply = await this.ask(`/api/table?first=${first}&count=${count}`);
      this.state = reply.state;
      return reply;
    });
    await this.story.open(0);
    await this.story.complete();
    this.story.at = this.story.last;
    this.drawing = await loadDrawing(this.story.game);
    if (this.ended.signal.aborted) return;
    this.build();
    this.show(false);
    this.follow();
  }

  build() {
    const { parts, story } = this;
    const keys = el("button", { type: "button", class: "plain", onclick: () => showKeys(texts.playKeys) }, texts.keys);
    const back = el("button", { type: "button", class: "plain", onclick: () => this.takeBack() }, texts.takeBack);
    this.backButton = back;
    screen(
      this.page,
      { title: story.game.title, right: [back, rulesButton(story, this.drawing), keys], name: "play" },
      parts.wrong,
      parts.who,
      el("div", { class: "stage" }, parts.status, parts.table),
      el("div", { class: "side" }, parts.end, parts.told, parts.moves, parts.panel, el("h2", {}, texts.happened), parts.log),
    );
    this.board = new Board(parts.table, this.drawing, true);
    this.board.drawn = (svg) => this.offer(svg);
    this.log = new Log(parts.log, story);
    this.panel?.close();
    const request = (question) => this.ask("/api/analyse", question);
    if (this.state.hints) this.panel = mount(parts.panel, { timeline: story, request });
    story.go = () => {}; // a game in play is looked at as it is now
  }

  // -------------------------------------------------------------------------- what happens

  /** Listens to the server until the end, and looks for it when it is gone. */
  async follow() {
    while (!this.ended.signal.aborted) {
      try {
        const path = `/api/table/stream?at=${this.story.last}&revision=${this.state.revision}`;
        await listen(path, this.token, this.ended.signal, (news) => this.hear(news));
      } catch (error) {
        if (this.ended.signal.aborted) return;
        if (error.status === 403) {
          fill(this.parts.wrong, problem(error.message));
          return;
        }
      }
      fill(this.parts.wrong, problem(texts.lost));
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }

  hear({ state, frames, again }) {
    const { story } = this;
    fill(this.parts.wrong);
    this.state = state;
    const before = story.last;
    if (again) story.frames = unfolded(frames);
    else story.frames.push(...unfolded(frames, story.frames.at(-1).view));
    story.game = { ...story.game, moves: story.frames.length - 1, result: state.result };
    story.at = story.last;
    this.sending = false;
    if (frames.length) this.show(!again && frames.length < 4, before);
    else this.showStatus();
  }

  show(animated, before = 0) {
    const { story, parts } = this;
    this.log.update();
    story.tell({ moved: true, before });
    const names = this.names();
    this.board.show(story.frame, { names, previous: story.frames[story.at - 1]?.view ?? null }, animated);
    parts.table.dataset.at = story.at;
    const fresh = story.frames.slice(Math.max(before + 1, story.last - 3)).filter((frame) => frame.move);
    fill(parts.told, (fresh.length ? fresh : [story.frame]).map((frame) => this.sentence(frame)));
    this.showStatus();
    const heard = fresh.flatMap((frame) => frame.lines.map((line) => line.trim())).join(" ");
    say(this.mine ? texts.nowYou(heard) : heard);
    this.panel?.show();
    if (this.state.over) this.showEnd();
    else fill(parts.end);
  }

  sentence(frame) {
    const seat = frame.move?.seat;
    return el("p", { class: "sentence" }, seat === undefined ? null : seatMark(seat), el("span", { class: "lines" }, linesOf(frame)));
  }

  get mine() {
    return this.state.to_move === this.state.seat && !this.state.over;
  }

  /** Returns what the players are called on the table: people by their seats. */
  names() {
    return this.story.game.agents.map((name, seat) => (this.state.people[seat] ? texts.seat(seat) : name));
  }

  showStatus() {
    const { state, parts } = this;
    const names = this.names();
    const name = state.to_move === null ? "" : names[state.to_move];
    const person = state.to_move !== null && state.people[state.to_move];
    const waiting = person ? texts.waitingFor(name) : texts.thinking(name);
    parts.status.textContent = state.over ? texts.over : this.mine ? `${texts.yourTurn}. ${texts.choose}` : waiting;
    parts.status.classList.toggle("mine", this.mine);
    this.backButton.hidden = !state.take_back;
    fill(parts.who, names.map((each, seat) => this.person(seat === state.seat ? texts.you : each, seat)));
    if (state.problem) {
      const retry = () => this.ask("/api/table/retry", {}).catch((error) => this.failed(error));
      fill(parts.wrong, problem(state.problem), el("button", { type: "button", onclick: retry }, texts.retry));
    }
    if (!this.mine || this.story.at !== this.story.last) fill(parts.moves);
  }

  person(name, seat) {
    const { state } = this;
    const here = state.people[seat] ? (state.present[seat] ? texts.present : texts.absent) : "";
    const looks = `seat-name${seat === state.to_move ? " to-move" : ""}${here && !state.present[seat] ? " away" : ""}`;
    return el("span", { class: looks, title: here }, seatMark(seat), el("span", { class: "name" }, name));
  }

  // -------------------------------------------------------------------------- moves

  /** Offers the legal moves, on the table and as buttons. */
  offer(svg) {
    this.clicks = null;
    if (!this.mine) return;
    const view = this.story.frame.view;
    if (svg) {
      const targets = this.drawing.targets(view);
      this.clicks = new Clicks(svg, targets, (action) => this.send(action), (count) => this.chosen(count));
    }
    this.showMoves(view);
    // Who plays by keys goes on where the last move was made.
    if (this.focused === "table") this.clicks?.focusFirst();
    if (this.focused === "moves") this.parts.moves.querySelector("input, button")?.focus();
  }

  showMoves(view) {
    const moves = movesOf(view, this.drawing);
    this.moves = moves;
    showButtons(this.parts.moves, moves, (action) => this.send(action));
  }

  chosen(count) {
    const words = count ? texts.thenChoose : `${texts.yourTurn}. ${texts.choose}`;
    this.parts.status.textContent = words;
  }

  async send(action) {
    if (this.sending || !this.mine) return;
    this.sending = true;
    this.parts.status.textContent = "…";
    try {
      const { story, state } = this;
      await this.ask("/api/table/play", { action, at: story.last, revision: state.revision });
    } catch (error) {
      this.failed(error);
    }
  }

  failed(error) {
    this.sending = false;
    fill(this.parts.wrong, problem(error.message));
    this.showStatus();
  }

  takeBack() {
    this.ask("/api/table/back", {}).catch((error) => this.failed(error));
  }

  pressed(event) {
    if (!this.board || isTyping(event)) return;
    if (event.key === "?") {
      showKeys(texts.playKeys);
    } else if (event.key === "Escape") {
      this.clicks?.reset();
    } else if (this.mine && event.key.length === 1) {
      const move = this.moves?.find(({ key }) => key !== null && key.toLowerCase() === event.key.toLowerCase());
      if (move) {
        event.preventDefault();
        this.send(move.action);
      }
    }
  }

  // -------------------------------------------------------------------------- the end

  showEnd() {
    const told = this.drawing?.ending?.(this.story.frame.view, { names: this.names() }) ?? [];
    fill(this.parts.told);
    showEnding(this.parts.end, told, this.board, () => this.replay());
  }

  /** Shows the whole game with everything in it; now that it is over, all may see it. */
  replay() {
    const leave = () => {
      stop();
      this.build();
      this.show(false);
    };
    const source = {
      load: (_, first, count) => this.ask(`/api/table?everything=1&first=${first}&count=${count}`),
      drawing: loadDrawing,
      viewers: false,
      back: el("button", { type: "button", class: "plain back", onclick: leave }, `‹ ${texts.backToGame}`),
    };
    this.board.close();
    const stop = watch(this.page, source, { at: 0 });
  }

  close() {
    this.ended.abort();
    removeEventListener("keydown", this.keys);
    for (const name of ["focusin", "pointerdown"]) removeEventListener(name, this.focusing);
    this.board?.close();
  }
}
