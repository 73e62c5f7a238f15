// Results of tournaments and benchmarks: ratings, and matrices whose cells lead to their games.

import { el, fill } from "./dom.js";
import { resultTexts as words } from "./texts.js";

/** Cells are shaded in so many steps above the lightest. */
const SHADES = 4;

/**
 * Shows results in an element.
 *
 * `results` is what `viewer.results` says. `open(names)`, if there are records, shows the games at which
 * the policies of these names sat together.
 */
export function mount(element, { results, open = null }) {
  element.classList.add("rs");
  fill(
    element,
    el("h2", {}, results.title),
    results.about.map((text) => el("p", { class: "rs-about" }, text)),
    el("p", { class: "rs-about" }, open ? words.linked : words.unlinked),
    results.sections.map((section) => sectionOf(section, results.title, open)),
  );
}

function sectionOf(section, above, open) {
  // What is scrolled by itself has a name of its own for readers of screens.
  const region = ({ title }) => [above, section.title, title].filter(Boolean).join(", ");
  return el(
    "section",
    { class: "rs-section" },
    section.title ? el("h3", {}, section.title) : null,
    section.tables.map((table) => tableOf(table, region(table))),
    section.matrices.map((matrix) => matrixOf(matrix, region(matrix), open)),
  );
}

const written = {
  rating: (value) => value.toFixed(0).replace("-", "−"),
  percent: (value) => `${(100 * value).toFixed(1)} %`,
  score: (value) => value.toFixed(3),
  points: (value) => value.toFixed(2),
};

function tableOf(table, region) {
  const cell = (found) =>
    found
      ? el("td", {}, written[found.kind](found.value), found.low === found.high ? null : el("span", { class: "rs-range" }, words.range(written[found.kind](found.low), written[found.kind](found.high))))
      : el("td", { class: "rs-none" }, "–");
  const rows = table.rows.map((row) => el("tr", {}, el("th", { scope: "row", title: row.name }, row.label), row.cells.map(cell)));
  const heads = ["", ...table.columns].map((text) => (text ? el("th", { scope: "col" }, text) : el("td", {})));
  return el(
    "div",
    {},
    el("div", { class: "rs-wide", tabindex: "0", role: "region", "aria-label": region }, el("table", { class: "rs-figures" }, el("caption", {}, table.title), el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows))),
    table.about ? el("p", { class: "rs-about" }, table.about) : null,
  );
}

function matrixOf(matrix, region, open) {
  const values = matrix.cells.flat().filter(Boolean).map((cell) => cell.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const shade = (value) => Math.round((SHADES * (value - low)) / Math.max(high - low, 1e-9));
  const write = written[matrix.kind];
  const cell = (found, row, column) => {
    if (!found) return el("td", { class: "rs-none" }, "–");
    const [one, other] = [matrix.labels[row], matrix.labels[column]];
    const about = words.cell(one, other, write(found.value), words.range(write(found.low), write(found.high)), found.games);
    const looks = `rs-cell rs-${shade(found.value)}`;
    const names = [matrix.names[row], matrix.names[column]];
    const inside = open
      ? el("button", { type: "button", class: looks, title: about, "aria-label": `${about} ${words.toGames}`, onclick: () => open(names) }, write(found.value))
      : el("span", { class: looks, title: about }, write(found.value));
    return el("td", {}, inside);
  };
  const rows = matrix.cells.map((cells, row) => el("tr", {}, el("th", { scope: "row" }, matrix.labels[row]), cells.map((found, column) => cell(found, row, column))));
  const heads = [el("td", {}), ...matrix.labels.map((label) => el("th", { scope: "col" }, label))];
  return el(
    "div",
    {},
    el("div", { class: "rs-wide", tabindex: "0", role: "region", "aria-label": region }, el("table", { class: "rs-matrix" }, el("caption", {}, matrix.title), el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows))),
    matrix.about ? el("p", { class: "rs-about" }, matrix.about) : null,
  );
}
