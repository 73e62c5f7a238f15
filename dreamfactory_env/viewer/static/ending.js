// The end of a game: what is given, one by one, and how the score comes about.

import { el, fill } from "./dom.js";
import { texts } from "./texts.js";

/** Tells the end step by step; `told` is [{text, parts}] and `replay` shows the whole game. */
export function showEnding(place, told, board, replay) {
  const list = el("ol", { class: "told-end", tabindex: "0", "aria-live": "polite" }); // it may be long, and is scrolled by keys, too
  const next = el("button", { type: "button", class: "primary", onclick: () => step() }, texts.endNext);
  const all = el("button", { type: "button", onclick: () => steps(told.length) }, texts.endAll);
  const again = el("button", { type: "button", onclick: replay }, texts.replay);
  let shown = 0;

  function step() {
    const item = told[shown];
    if (!item) return;
    shown += 1;
    list.append(el("li", {}, item.text));
    list.lastChild.scrollIntoView({ block: "nearest" });
    board.point(item.parts);
    finish();
  }

  function steps(count) {
    while (shown < count) step();
  }

  function finish() {
    next.hidden = all.hidden = shown >= told.length;
  }

  fill(place, el("h2", {}, texts.endTitle), list, el("div", { class: "buttons" }, next, all, again));
  finish();
  if (told.length) step();
}
