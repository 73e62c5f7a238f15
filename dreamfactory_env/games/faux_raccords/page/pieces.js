// The pieces of Faux Raccords: Rush cards, Claps and hints, and the names of their parts.

import { box, group, icon, leaf, make, mark, text } from "/static/svg.js";

/** The symbols of cards, on a grid of 16 by 16. */
const SYMBOLS = {
  love: "4.7 5.2 3.7 | 11.3 5.2 3.7 | 1.6 7.4 14.4 7.4 8 15",
  laughter: "1 5 15 5 14 9.6 11.4 13 8 14.4 4.6 13 2 9.6",
  drama: "8 10 5 | 3.4 8 8 0.6 12.6 8",
  fear: "8 6.4 5.4 | 2.6 6.4 13.4 6.4 13.4 15 10.7 12.6 8 15 5.3 12.6 2.6 15",
  action: "9.6 0.8 2.8 9 7.2 9 5.6 15.4 13.2 6.4 8.6 6.4",
  mystery: "5 8 4 | 8 6.8 15.4 6.8 15.4 11.6 13 11.6 13 9.4 11 9.4 11 11 9 11 9 9.4 8 9.4",
  neutral: "2 4.6 14 4.6 14 7 2 7 | 2 9.2 14 9.2 14 11.6 2 11.6",
  joker: "8 0.7 10 5.7 15.4 6.1 11.2 9.6 12.6 14.8 8 11.9 3.4 14.8 4.8 9.6 0.6 6.1 6 5.7",
};
/** All other signs, likewise. */
const SIGNS = {
  clap: "1 7 15 7 15 15 1 15 | 1 3.4 14.6 0.6 15 3.2 1.4 6",
  eye: "1 8 4.5 4.4 8 3.4 11.5 4.4 15 8 11.5 11.6 8 12.6 4.5 11.6",
  cloud: "9.6 5.6 4.4 | 5 12 2.2 | 2 15 1",
  hazard: "8 1 15.4 14.6 0.6 14.6",
};
export const GAP = 10;

const safe = (name) => String(name).replace(/[^a-z0-9]/gi, "-");
export const filmPart = (place) => `film-${safe(place)}`;
export const placePart = (place) => `place-${safe(place)}`;
export const handPart = (card) => `hand-${safe(card)}`;
export const cutPart = (card) => `cut-${safe(card)}`;

export function sign(name, x, y, size, looks) {
  return icon(SIGNS[name], x, y, size, looks);
}

/** Draws the symbol of a card on its colour; one that is unknown here by its first letter. */
export function symbolMark(symbol, x, y, size) {
  const area = { x: x - size / 2, y: y - size / 2, w: size, h: size };
  const style = { size: size * 0.62, weight: 700, anchor: "middle", name: "fr-on-symbol" };
  const own = Object.hasOwn(SYMBOLS, symbol);
  return group(
    `fr-symbol ${own ? `fr-${symbol}` : ""}`,
    box(area, "fr-symbol-ground", size * 0.26),
    own ? icon(SYMBOLS[symbol], x, y, size * 0.66, "fr-on-symbol") : text(x, y, symbol.slice(0, 1).toUpperCase(), style),
  );
}

/** Returns all that a card shows, for readers. */
export function cardWords(card) {
  const member = card.member === "script" ? "script supervisor" : card.member;
  return `${card.card}, ${card.symbol}, ${member}`;
}

/**
 * Draws a card.
 * @param {Object|null} card What it shows, null if the viewer does not know.
 * @param {Object} area Where it lies.
 * @param {string} looks "up", "seen" (face down, but the viewer may look), "known" (remembered), "back".
 * @param {boolean} laden Whether tokens lie on it, at its right: where it is small, its symbol makes room.
 */
export function cardFace(card, area, looks, laden = false) {
  const { x, y, w, h } = area;
  const strip = Math.max(4, Math.min(8, h * 0.08));
  const holes = [y + strip / 2, y + h - strip / 2].map((at) =>
    make("line", { x1: x + 5, y1: at, x2: x + w - 4, y2: at, class: "fr-holes", "stroke-width": strip * 0.5 }),
  );
  return group(
    `fr-${looks}`,
    box(area, "fr-ground", Math.min(7, w / 9)),
    holes,
    looks === "known" ? box({ x: x + 2.5, y: y + 2.5, w: w - 5, h: h - 5 }, "fr-dashes", 5) : [],
    card ? shown(card, area, strip, looks, laden) : unknown(area),
  );
}

function unknown({ x, y, w, h }) {
  const style = { size: Math.min(24, w * 0.34), weight: 600, anchor: "middle", name: "fr-quiet" };
  return text(x + w / 2, y + h / 2, "?", style);
}

function shown(card, { x, y, w, h }, strip, looks, laden) {
  const small = w < 56;
  const size = Math.min(26, w * (small ? 0.36 : 0.27));
  const mood = Math.min(24, w * (small ? 0.42 : 0.26), h * 0.34);
  const head = y + strip + Math.max(size, mood) / 2 + 3;
  const under = head + Math.max(size, mood) / 2 + 9;
  const inset = Math.max(4, w * 0.07);
  const font = Math.max(10, Math.min(12.5, w * 0.13));
  const line = font * 1.15;
  // As many words as leave room for what lies at the foot of the card.
  const fitting = small ? 0 : Math.max(0, Math.floor((y + h - strip - 15 - under + line / 2) / line));
  const words = [card.symbol, card.member].slice(0, fitting).map((word, k) =>
    text(x + inset, under + k * line, word, { size: font, name: k ? "fr-quiet" : "fr-ink", room: w - 2 * inset }),
  );
  const how = { seen: "eye", known: "cloud" }[looks];
  const below = small
    ? symbolMark(card.symbol, laden ? x + inset + mood / 2 : x + w / 2, y + h - strip - mood / 2 - 2, mood)
    : symbolMark(card.symbol, x + w - inset - mood / 2, head, mood);
  return [
    text(small ? x + w / 2 : x + inset, head, card.card, { size, weight: 700, name: "fr-ink", anchor: small ? "middle" : null }),
    below,
    words,
    how && !small ? howKnown(how, x + inset + 7, y + h - strip - 8) : [],
  ];
}

function howKnown(how, x, y) {
  const pupil = how === "eye" ? make("circle", { cx: x, cy: y, r: 2.4, class: "fr-pupil" }) : [];
  return group("", sign(how, x, y, 15, "fr-quiet-fill"), pupil);
}

// ---------------------------------------------------------------------------- tokens

export function clap(seat, x, y, size = 18) {
  const style = { size: size * 0.55, weight: 700, anchor: "middle", name: "t-on-seat" };
  return group(`t-seat-${seat}`, sign("clap", x, y, size, "t-seat-ground fr-token"), text(x, y + size * 0.19, seat, style));
}

/** Draws a hint: whose it is, and whether it is good. */
export function hint(seat, good, x, y, size = 17) {
  const left = { x: x - size * 0.8, y: y - size / 2, w: size * 1.6, h: size };
  const style = { size: size * 0.66, weight: 700, anchor: "middle" };
  return group(
    `t-seat-${seat}`,
    box(left, "fr-hint", 5),
    box({ ...left, w: size * 0.8 }, "t-seat-ground", 5),
    text(x - size * 0.4, y, seat, { ...style, name: "t-on-seat" }),
    text(x + size * 0.4, y, good ? "+" : "−", { ...style, size: size * 0.85, name: good ? "t-good" : "t-bad" }),
  );
}

/** Draws a card of the Film, or one that the editor has taken, with all that lies on it. */
export function filmCard(name, lying, area, where, names, turned = false) {
  const looks = lying.face_up || (turned && lying.card) ? "up" : lying.card ? "seen" : lying.sure ? "known" : "back";
  const card = lying.card ?? lying.sure;
  const how = { up: "face up", seen: "face down, you may look", known: "face down, remembered", back: "face down" }[looks];
  const claps = lying.claps.map((seat) => `, Clap of ${names[seat]}`).join("");
  const hints = lying.hints.map((each) => `, ${each.good ? "good" : "bad"} hint of ${names[each.player]}`).join("");
  const title = `${where}: ${card ? cardWords(card) : "unknown card"}, ${how}${claps}${hints}${lying.chosen ? ", chosen" : ""}`;
  const size = Math.min(18, area.w * 0.26);
  const right = area.x + area.w - size * 0.65 - 3;
  const low = area.y + area.h - size * 0.6 - 3;
  const above = low - (lying.claps.length ? size : 0);
  return leaf(
    name,
    "filmcard",
    title,
    cardFace(card, area, looks, lying.claps.length + lying.hints.length > 0),
    lying.claps.map((seat, k) => clap(seat, right - k * size * 1.08, low, size)),
    lying.hints.map((each, k) => hint(each.player, each.good, right - size * 0.2, above - k * size * 0.95, size * 0.86)),
    lying.chosen ? box({ x: area.x - 2, y: area.y - 2, w: area.w + 4, h: area.h + 4 }, "t-now", 8) : [],
    mark(area),
  );
}

/** Draws a card that lies open or in a hand, as a part. */
export function plainCard(name, kind, card, area, looks, title, chosen = false) {
  const frame = { x: area.x - 2, y: area.y - 2, w: area.w + 4, h: area.h + 4 };
  return leaf(name, kind, title, cardFace(card, area, looks), chosen ? box(frame, "t-now", 8) : [], mark(area));
}
