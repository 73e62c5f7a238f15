// Help for the first time: the rules of the game on one page, and what each thing on the table is.

import { beside } from "./chrome.js";
import { el, fill } from "./dom.js";
import { texts } from "./texts.js";

/** Returns a button that shows the rules of the game of a story. */
export function rulesButton(story, drawing) {
  return el("button", { type: "button", class: "plain", onclick: () => showRules(story, drawing) }, texts.rules);
}

async function showRules({ game, frame }, drawing) {
  const body = el("div", { class: "rules" }, texts.loading);
  beside(`${game.title}: ${texts.rules}`, body);
  const file = drawing?.rules?.(frame.view) ?? "rules.txt";
  const rules = game.page ? await fetch(`/games/${encodeURIComponent(game.name)}/${file}`).catch(() => null) : null;
  const text = rules?.ok ? await rules.text() : "";
  body.lang = /\.(\w\w)\.txt$/.exec(file)?.[1] ?? "en"; // it is read aloud in that language
  const things = Object.values(drawing?.help?.(frame.view) ?? {}).map((words) => el("li", {}, words));
  fill(body, paragraphs(text), things.length ? [el("h3", {}, texts.things), el("ul", {}, things)] : null);
}

/** Returns a plain text as elements: a line that begins with # is a heading, with - an item. */
export function paragraphs(text) {
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map((block) => {
      const lines = block.trim().split("\n");
      if (lines[0].startsWith("# ")) return el("h3", {}, lines[0].slice(2));
      if (lines[0].startsWith("- ")) {
        const items = block.trim().split(/\n(?=- )/).map((item) => el("li", {}, item.slice(2).replace(/\s+/g, " ")));
        return el("ul", {}, items);
      }
      return el("p", {}, lines.join(" "));
    });
}
