// A button for every legal move, in groups, with a field to find one where there are many.

import { el, fill } from "./dom.js";
import { texts } from "./texts.js";

/** So many buttons are shown at once. */
const MOST = 48;

/** Returns the legal moves of a view: [{action, words, group, text, key}]. */
export function movesOf(view, drawing) {
  return Object.entries(view.legal).map(([words, action]) => {
    const label = drawing?.label?.(view, action, words) ?? {};
    return { action, words, group: label.group ?? "", text: label.text ?? words, key: label.key ?? null };
  });
}

/** Shows the buttons; `play(action)` is called with the one that was pressed. */
export function showButtons(place, moves, play) {
  const list = el("div", { class: "groups" });
  const note = el("p", { class: "note" });
  const find = el("input", { type: "search", placeholder: texts.find, "aria-label": texts.find, maxlength: "60" });
  const many = moves.length > MOST;

  function show() {
    const wanted = find.value.trim().toLowerCase();
    const found = moves.filter((move) => !wanted || `${move.text} ${move.words}`.toLowerCase().includes(wanted));
    // What is written exactly so comes first, then what begins so.
    const rank = ({ text }) => (text.toLowerCase() === wanted ? 0 : text.toLowerCase().startsWith(wanted) ? 1 : 2);
    const shown = (wanted ? [...found].sort((a, b) => rank(a) - rank(b)) : found).slice(0, MOST);
    const groups = new Map();
    for (const move of shown) groups.set(move.group, [...(groups.get(move.group) ?? []), move]);
    fill(
      list,
      [...groups].map(([group, all]) =>
        el(
          "div",
          { class: "group", role: "group", "aria-label": group || texts.yourMoves },
          group ? el("h3", {}, group) : null,
          all.map((move) =>
            el(
              "button",
              { type: "button", class: "move", "data-action": move.action, title: move.words, onclick: () => play(move.action) },
              move.text,
              move.key ? el("kbd", {}, move.key.toUpperCase()) : null,
            ),
          ),
        ),
      ),
    );
    note.textContent = found.length > shown.length ? texts.notAllShown(shown.length, moves.length) : "";
  }

  find.addEventListener("input", show);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("button")?.click();
  });
  show();
  fill(place, el("h2", {}, texts.yourMoves), many ? find : null, list, note);
}
