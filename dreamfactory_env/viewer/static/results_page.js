// The results of tournaments and benchmarks, as a screen.

import { problem, screen } from "./chrome.js";
import { el, fill } from "./dom.js";
import { mount } from "./results.js";
import { texts } from "./texts.js";

/** Shows the results; `ask` asks the server. */
export function showResults(page, ask) {
  const place = el("div", { class: "results" }, texts.loading);
  const games = el("a", { href: "#", class: "back" }, texts.games);
  screen(page, { title: texts.results, left: [games], name: "list" }, place);
  ask("/api/results")
    .then((all) => {
      const sections = all.map((results) => {
        const section = el("section");
        const open = (names) => (location.hash = `agent=${encodeURIComponent(names.join(","))}`);
        mount(section, { results, open: results.files ? open : null });
        return section;
      });
      fill(place, sections);
    })
    .catch((error) => fill(place, problem(error.message)));
}
