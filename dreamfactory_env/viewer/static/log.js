// What has happened, move by move, in the words of the game.

import { el, fill } from "./dom.js";
import { seatMark } from "./seats.js";
import { texts } from "./texts.js";

/** Returns the lines of a frame; those at the margin are headings. */
export function linesOf(frame) {
  return frame.lines.map((line) =>
    el("span", { class: line.startsWith(" ") ? "told" : "heading" }, line.trim()),
  );
}

/** The list of moves: each is a button that goes there. */
export class Log {
  constructor(place, story) {
    Object.assign(this, { place, story, items: [], scrolling: null });
    this.list = el("ol", { class: "log", start: "0" });
    fill(place, this.list);
  }

  /** Adds what has been loaded, and forgets what is not there any more. */
  update(verdicts = {}) {
    const { story } = this;
    while (this.items.length > story.last + 1) this.items.pop().remove();
    for (let k = 0; k <= story.last; k += 1) {
      const frame = story.frames[k];
      if (this.items[k]?.frame === frame && this.items[k]) continue;
      const item = frame ? this.item(frame, k, verdicts[k - 1]) : el("li");
      item.frame = frame;
      if (this.items[k]) this.items[k].replaceWith(item);
      else this.list.append(item);
      this.items[k] = item;
    }
    this.mark();
  }

  item(frame, k, verdict) {
    const seat = frame.move?.seat;
    const inside = frame.lines.length ? linesOf(frame) : [frame.move?.words ?? texts.deal];
    return el(
      "li",
      { class: verdict ? `verdict-${verdict}` : "" },
      el(
        "button",
        { type: "button", onclick: () => this.story.go(k) },
        el("span", { class: "count" }, String(k)),
        seat === undefined ? null : seatMark(seat),
        el("span", { class: "lines" }, inside),
      ),
    );
  }

  /** Marks the move that is looked at, and keeps it in sight. */
  mark() {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.items[this.story.at]?.querySelector("button")?.setAttribute("aria-current", "step");
    // With the next frame of the screen: to ask where things are lays out all of the page.
    this.scrolling ??= requestAnimationFrame(() => this.scroll());
  }

  scroll() {
    this.scrolling = null;
    const item = this.items[this.story.at];
    if (!item) return;
    const [top, bottom] = [item.offsetTop, item.offsetTop + item.offsetHeight];
    const { scrollTop, clientHeight } = this.place;
    if (top < scrollTop) this.place.scrollTop = top - 8;
    else if (bottom > scrollTop + clientHeight) this.place.scrollTop = bottom - clientHeight + 8;
  }
}
