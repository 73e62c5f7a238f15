// The vials of La Fabrique à rêves: standing side by side, or lying where there is little room.

import { box, columns, group, icon, leaf, lines, make, mark, part, seatMark, text, widthOf } from "/static/svg.js";
import { insidePart } from "./moves.js";
import { pointWords, say, toolName } from "./phrases.js";

/** What is drawn for tools, on a grid of 16 by 16. */
const ICONS = {
  broom: "11.6 0.6 13.6 1.8 8.8 9 7 7.8 | 5 7.4 10.4 10.8 7 15.4 1 15.4",
  doubt: "6 1 10 1 10 5.6 14 13.4 12.8 15.2 3.2 15.2 2 13.4 6 5.6",
  dust: "8 0.7 10 5.7 15.4 6.1 11.2 9.6 12.6 14.8 8 11.9 3.4 14.8 4.8 9.6 0.6 6.1 6 5.7",
  "dust+2":
    "5 1 6.4 4.8 10.4 5.1 7.3 7.6 8.4 11.5 5 9.3 1.6 11.5 2.7 7.6 -0.4 5.1 3.6 4.8 " +
    "| 12 7 13 9.6 15.8 9.8 13.6 11.6 14.3 14.4 12 12.9 9.7 14.4 10.4 11.6 8.2 9.8 11 9.6",
  spill: "1 8 6 3 11 8 6 13 | 11 9 15 11.5 15.4 13.4 12.4 12.4",
  quill: "14.6 1 9.8 2 4.6 7.6 2.6 13 1 15.4 3.8 13.8 9 12 13.6 6.4",
};
/** How many words a vial holds. */
const FULL = 3;
const LABEL = 40;
const FOOT = 100; // room for thoughts or points below a vial
export const GAP = 10;

export function toolMark(tool, x, y, size) {
  const ground = make("circle", { cx: x, cy: y, r: size / 2, class: "fab-tool-ground" });
  return group(`fab-${tool.replace("+", "-")}`, ground, icon(ICONS[tool] ?? ICONS.dust, x, y, size * 0.62, "fab-on-tool"));
}

/** Writes a word as large as there is room for. */
export function fitted(x, y, words, room, most, style = {}) {
  const wide = widthOf(words, { size: 100, ...style }) / 100;
  const size = Math.max(10.5, Math.min(most, room / Math.max(wide, 0.01)));
  return text(x, y, words, { ...style, size, anchor: "middle", room });
}

/** Draws all vials; returns elements and height. */
export function vials(view, names, area, narrow) {
  if (narrow) {
    const high = 96;
    const drawn = view.vials.map((vial, k) => lying(view, names, vial, { ...area, y: area.y + k * (high + 8), h: high }));
    return { drawn, height: view.vials.length * (high + 8) - 8 };
  }
  // Everybody's view has no thoughts below the vials.
  const foot = view.viewer === null && !view.result ? 14 : FOOT;
  const high = 234 + foot;
  const places = columns(area.x, area.w, view.vials.length, GAP);
  const drawn = view.vials.map((vial, k) => standing(view, names, vial, { ...places[k], y: area.y, h: high }, foot));
  return { drawn, height: high };
}

function describe(view, vial) {
  const words = vial.words.map((word) => word.shown).join(", ") || say(view, "empty");
  const token = vial.token ? `; ${toolName(view, vial.token)}` : "";
  const score = view.result ? `; ${scoreWords(view, vial.number)}` : "";
  return `${say(view, "vial", { number: vial.number })}: ${words}${token}${vial.asked ? `; ${say(view, "asked")}` : ""}${score}`;
}

/** Draws a word in a vial as a label: who put it there, and whether the quill has written it. */
function label(view, names, vial, place, area) {
  const { x, y, w, h } = area;
  const word = vial.words[place];
  const middle = y + h / 2;
  const key = word.written ? "written by" : "put by";
  const title = say(view, key, { word: word.shown, name: names[word.player] });
  return part(
    insidePart(vial.number, place),
    "inside",
    title,
    box(area, word.written ? "fab-paper fab-written" : "fab-paper", 7),
    seatMark(word.player, x + 13, middle, 16),
    fitted(x + 22 + (w - 26) / 2, middle, word.shown, w - 34, 16, { weight: 600, name: "fab-on-paper" }),
    word.written ? icon(ICONS.quill, x + w - 9, y + 9, 11, "fab-quill-sign") : [],
  );
}

// ---------------------------------------------------------------------------- standing

function standing(view, names, vial, area, foot) {
  const { x, y, w, h } = area;
  const middle = x + w / 2;
  const neck = Math.min(64, w * 0.4);
  const top = y + 32;
  const bottom = y + h - foot;
  const glass = glassPath(x + 6, x + w - 6, middle, neck, top, bottom);
  const first = bottom - 14 - LABEL;
  const labels = vial.words.map((_, k) =>
    label(view, names, vial, k, { x: x + 16, y: first - k * (LABEL + 5), w: w - 32, h: LABEL }),
  );
  const level = vial.words.length ? first - (vial.words.length - 1) * (LABEL + 5) - 8 : null;
  return leaf(
    `vial-${vial.number}`,
    "vial",
    describe(view, vial),
    box(area, vial.asked ? "t-panel fab-asked" : "t-panel", 14),
    level === null ? [] : liquid(x + 9, x + w - 9, level, bottom - 3),
    make("path", { d: glass, class: "fab-glass" }),
    neckMark(view, vial, middle, top),
    labels,
    below(view, vial, { x: x + 14, y: bottom + 10, w: w - 28 }),
    mark(area, 14),
  );
}

function glassPath(left, right, middle, neck, top, bottom) {
  const [a, b] = [middle - neck / 2, middle + neck / 2];
  const shoulder = top + 30;
  const r = 22;
  return [
    `M ${a - 5} ${top} H ${b + 5} M ${a} ${top} V ${top + 8}`,
    `C ${a} ${top + 22} ${left} ${top + 14} ${left} ${shoulder + 12}`,
    `V ${bottom - r} Q ${left} ${bottom} ${left + r} ${bottom} H ${right - r} Q ${right} ${bottom} ${right} ${bottom - r}`,
    `V ${shoulder + 12} C ${right} ${top + 14} ${b} ${top + 22} ${b} ${top + 8} V ${top}`,
  ].join(" ");
}

/** Draws what has been filled in, with a wave on top. */
function liquid(left, right, level, bottom) {
  const wide = right - left;
  const r = 19;
  const d = [
    `M ${left} ${level} q ${wide / 4} -9 ${wide / 2} 0 t ${wide / 2} 0`,
    `V ${bottom - r} Q ${right} ${bottom} ${right - r} ${bottom} H ${left + r} Q ${left} ${bottom} ${left} ${bottom - r} Z`,
  ].join(" ");
  return make("path", { d, class: "fab-liquid" });
}

function neckMark(view, vial, x, y) {
  if (!vial.token) return text(x, y - 15, vial.number, { size: 18, serif: true, weight: 700, anchor: "middle" });
  return [
    text(x - 18, y - 15, vial.number, { size: 18, serif: true, weight: 700, anchor: "middle" }),
    toolMark(vial.token, x + 12, y - 12, 26),
  ];
}

/** Writes what the viewer thinks of a vial, or what it has scored. */
function below(view, vial, area) {
  const { x, y, w } = area;
  if (view.result) {
    const { points } = view.result.vials[vial.number - 1];
    const style = { size: 30, serif: true, weight: 700, name: points ? "t-gold" : "t-quiet" };
    const room = w - 44;
    return [
      text(x, y + 18, points, style),
      lines(x + 40, y + 8, dreamWords(view, vial.number), { size: 12.5, name: "t-ink" }, room, 4),
    ];
  }
  if (!vial.closest.length) return [];
  return [
    text(x, y + 6, say(view, "closest to you"), { size: 11, name: "t-quiet", room: w }),
    vial.closest.map((dream, k) => thought(dream, k, { x, y: y + 25 + k * 20, w })),
  ];
}

function thought(dream, place, { x, y, w }) {
  const sum = String(dream.sum);
  return group(
    "",
    text(x, y, dream.shown, { size: 13, weight: place ? 400 : 600, room: w - 40, name: place ? "t-quiet" : "t-ink" }),
    text(x + w, y, sum, { size: 12, anchor: "end", name: "t-quiet" }),
  );
}

// ---------------------------------------------------------------------------- lying

function lying(view, names, vial, area) {
  const { x, y, w, h } = area;
  const left = x + 34;
  const places = columns(left, w - 42, FULL, 5);
  const bottle = { x: left - 5, y: y + 9, w: w - 34, h: 48 };
  const scored = view.result?.vials[vial.number - 1];
  const closest = vial.closest.map((dream) => `${dream.shown} ${dream.sum}`).join(" · ");
  const told = scored ? scoreWords(view, vial.number) : closest;
  const labels = vial.words.map((_, k) => label(view, names, vial, k, { ...places[k], y: y + 14, h: 38 }));
  const filled = vial.words.length ? { ...bottle, w: (bottle.w * vial.words.length) / FULL } : null;
  return leaf(
    `vial-${vial.number}`,
    "vial",
    describe(view, vial),
    box({ x, y, w, h }, vial.asked ? "t-panel fab-asked" : "t-panel", 12),
    text(x + 15, y + (vial.token ? 22 : 33), vial.number, { size: 17, serif: true, weight: 700, anchor: "middle" }),
    vial.token ? toolMark(vial.token, x + 15, y + 46, 21) : [],
    filled ? box(filled, "fab-liquid", 12) : [],
    box(bottle, "fab-glass", 14),
    labels,
    text(x + 12, y + h - 19, told, { size: 12.5, room: w - 24, name: scored?.points ? "t-gold" : "t-quiet" }),
    mark(area, 12),
  );
}

// ---------------------------------------------------------------------------- words of the end

/** Returns what was dreamt alike at a vial. */
export function dreamWords(view, number) {
  const scored = view.result.vials[number - 1];
  if (scored.dream === null) return say(view, "unequal");
  const written = view.players.flatMap((player) => player.slate?.[number - 1] ?? []);
  const shown = written.find((word) => word?.word === scored.dream)?.shown ?? scored.dream;
  return say(view, "equal", { group: scored.group, players: view.players.length, dream: shown });
}

/** Returns what was dreamt alike at a vial, and what that scores. */
export function scoreWords(view, number) {
  return `${dreamWords(view, number)}, ${pointWords(view, view.result.vials[number - 1].points)}`;
}
