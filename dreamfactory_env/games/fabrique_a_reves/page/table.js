// The table of La Fabrique à rêves, drawn from a view alone: docs/fabrique_a_reves/view.md.

import {
  box, chips, columns, frame, group, heading, headline, leaf, lines, mark, sheet, text, wrap,
} from "/static/svg.js";
import { askedVial, canPass, label, marked, origins, targets, toolPart, wordPart, writable } from "./moves.js";
import { modeName, say, toolName } from "./phrases.js";
import { doing, ending, help, namesIn, rules, score } from "./story.js";
import { slates } from "./slates.js";
import { GAP, fitted, toolMark, vials } from "./vials.js";

export { ending, help, label, rules, score, targets };

const MARGIN = 8;

/** Draws the table as the viewer sees it. */
export function draw(view, context = {}) {
  const { narrow, w } = frame(context);
  const names = namesIn(view, context);
  const area = { x: MARGIN, w: w - 2 * MARGIN };
  const drawn = [];
  let y = MARGIN;
  const add = (piece) => {
    drawn.push(piece.drawn);
    y += piece.height + GAP;
  };
  add(head(view, names, { ...area, y }, narrow));
  add(narrow ? themes(view, { ...area, y }) : themesAndTools(view, { ...area, y }));
  if (narrow) add(tools(view, { ...area, y }, 2));
  if (view.phase === "thoughts" || view.phase === "quill") add(reservoirs(view, { ...area, y }, narrow));
  add(vials(view, names, { ...area, y }, narrow));
  if (writable(view).length) add(words(view, { ...area, y }, narrow));
  const own = narrow ? (view.viewer ?? view.to_move ?? 0) : 0;
  const seats = names.map((_, k) => (own + k) % names.length);
  add(slates(view, names, { ...area, y }, seats));
  const title = `${view.title}, ${modeName(view)}: ${doing(view, names)}`;
  const size = { w, h: y - GAP + MARGIN };
  const { last, previous } = context;
  const moves = { targets: targets(view), marked: marked(view, last), origins: origins(view, last, previous) };
  return sheet("fab-table", title, size, moves, drawn);
}

function head(view, names, area, narrow) {
  const { x, y, w } = area;
  const title = `${view.title} · ${modeName(view)} · ${say(view, "aim", { aim: view.aim })}`;
  const looks = view.result?.winners.length ? "t-gold" : "t-ink";
  const pass = canPass(view) ? [["pass", say(view, "pass"), say(view, "pass")]] : [];
  const room = w - 8 - (pass.length ? 96 : 0);
  const { drawn, height } = headline(x + 4, y, room, title, doing(view, names), narrow, looks);
  return { drawn: [drawn, chips(x + w - 92, y + (narrow ? 16 : 20), 90, pass).drawn], height };
}

// ---------------------------------------------------------------------------- themes and tools

function themes(view, area, least = 0) {
  const { x, y, w } = area;
  const level = view.options.level === null ? "" : ` · ${say(view, "level", { level: view.options.level })}`;
  const shown = view.themes.length ? view.themes : [{ id: "none", title: say(view, "no theme"), about: "" }];
  const places = columns(x + 14, w - 28, shown.length, 20);
  const drawn = shown.map((theme, k) => {
    const style = { size: 12.5, name: "t-quiet" };
    return leaf(
      `theme-${k}`,
      "theme",
      theme.about ? `${theme.title}: ${theme.about}` : theme.title,
      text(places[k].x, y + 40, theme.title, { size: 19, serif: true, weight: 700, room: places[k].w, name: "t-gold" }),
      lines(places[k].x, y + 63, theme.about, style, places[k].w, 3),
    );
  });
  const key = view.themes.length > 1 ? "themes" : "theme";
  const head = view.themes.length ? heading(x + 14, y + 16, `${say(view, key)}${level}`, w - 28) : [];
  const rows = Math.max(...shown.map((theme, k) => wrap(theme.about, { size: 12.5 }, places[k].w, 3).length));
  const high = Math.max(least, 56 + rows * 17);
  return { drawn: [box({ x, y, w, h: high }, "t-panel", 12), head, drawn], height: high };
}

function tools(view, area, across) {
  const { x, y, w } = area;
  const all = [...view.tools, ...view.used];
  const places = columns(x + 12, w - 24, across, 8);
  const high = 30 + Math.ceil(all.length / across) * 36 + 4;
  const drawn = all.map((tool, k) => {
    const spot = { ...places[k % across], y: y + 27 + Math.floor(k / across) * 36, h: 32 };
    return toolCard(view, tool, spot);
  });
  const panel = box({ x, y, w, h: Math.max(high, area.least ?? 0) }, "t-panel", 12);
  return { drawn: [panel, heading(x + 14, y + 16, say(view, "tools")), drawn], height: high };
}

function toolCard(view, tool, area) {
  const left = view.tools.includes(tool);
  const { x, y, w, h } = area;
  const style = left ? { weight: 600, name: "t-ink" } : { name: "fab-used-ink" };
  const words = left ? toolName(view, tool) : `${toolName(view, tool)} · ${say(view, "used")}`;
  return leaf(
    toolPart(tool),
    "tool",
    words,
    box(area, left ? "t-card" : "fab-used", 8),
    group(left ? "" : "t-faint", toolMark(tool, x + 17, y + h / 2, 24)),
    text(x + 36, y + h / 2, toolName(view, tool), { ...style, size: 13, least: 11, room: w - 42 }),
    mark(area),
  );
}

function themesAndTools(view, area) {
  const wide = Math.min(520, area.w * 0.46);
  const at = { x: area.x + area.w - wide, y: area.y, w: wide };
  const across = wide > 460 ? 3 : 2;
  const all = view.tools.length + view.used.length;
  const high = Math.max(106, 30 + Math.ceil(all / across) * 36 + 4);
  const second = tools(view, { ...at, least: high }, across);
  const first = themes(view, { ...area, w: area.w - wide - GAP }, high);
  return { drawn: [first.drawn, second.drawn], height: high };
}

// ---------------------------------------------------------------------------- reservoirs and words

function reservoirs(view, area, narrow) {
  const { x, y, w } = area;
  const across = narrow ? 4 : view.reservoirs.length;
  const rows = Math.ceil(view.reservoirs.length / across);
  const places = columns(x + 12, w - 24, across, narrow ? 6 : 10);
  const high = narrow ? 66 : 88;
  const drawn = view.reservoirs.map((reservoir, k) => {
    const spot = { ...places[k % across], y: y + 28 + Math.floor(k / across) * (high + 6), h: high };
    return reservoirCard(view, reservoir, spot);
  });
  const total = 30 + rows * (high + 6) + 4;
  const panel = box({ x, y, w, h: total }, "t-panel", 12);
  return { drawn: [panel, heading(x + 14, y + 15, say(view, "reservoirs")), drawn], height: total };
}

function reservoirCard(view, reservoir, area) {
  const { x, y, w, h } = area;
  const { number, top, left } = reservoir;
  const name = say(view, "reservoir", { number });
  const count = say(view, "left", { left });
  const card = { x, y: y + 6, w, h: h - 24 };
  const low = y + h - 8;
  const foot = [
    text(x + 2, low, number, { size: 12, weight: 700, name: "t-ink" }),
    text(x + w - 2, low, w > 90 ? count : left, { size: 11, anchor: "end", name: "t-quiet" }),
  ];
  if (!top) {
    const words = text(x + w / 2, card.y + card.h / 2, say(view, "empty"), { size: 12, anchor: "middle", name: "t-quiet" });
    return leaf(`reservoir-${number}`, "reservoir", `${name}: ${say(view, "empty")}`, box(card, "t-empty", 8), words, foot);
  }
  const under = (step) => ({ ...card, x: card.x + step / 2, y: card.y - step, w: card.w - step });
  const behind = [6, 3].filter((step) => left > step / 3).map((step) => box(under(step), "fab-under", 8));
  return leaf(
    `reservoir-${number}`,
    "reservoir",
    `${name}: ${top.shown}, ${count}`,
    behind,
    box(card, "fab-paper", 8),
    fitted(x + w / 2, card.y + card.h / 2, top.shown, w - 10, 19, { weight: 600, name: "fab-on-paper" }),
    foot,
    mark(card),
  );
}

/** Draws all dreams, or words of the quill, that can be written now. */
function words(view, area, narrow) {
  const { x, y, w } = area;
  const offered = writable(view);
  const across = narrow ? 3 : Math.floor((w - 24) / 128);
  const places = columns(x + 12, w - 24, across, 6);
  const step = 32;
  const how = say(view, view.options.labels === "mind" ? "closest first" : "as listed");
  const title = view.phase === "quill" ? say(view, "your word") : say(view, "your dream", { how });
  const high = 32 + Math.ceil(offered.length / across) * step + 6;
  const drawn = offered.map(([action, , shown], k) => {
    const spot = { ...places[k % across], y: y + 30 + Math.floor(k / across) * step, h: 27 };
    return leaf(
      wordPart(action),
      "word",
      `${shown}, ${say(view, "vial", { number: askedVial(view) })}`,
      box(spot, "fab-word", 13),
      fitted(spot.x + spot.w / 2, spot.y + 13.5, shown, spot.w - 12, 13.5, { name: "t-ink" }),
    );
  });
  return { drawn: [box({ x, y, w, h: high }, "t-panel", 12), heading(x + 14, y + 16, title, w - 28), drawn], height: high };
}
