// The Film in the shape of its mode: cards, empty places, and the places that are offered.

import { box, group, heading, leaf, make, part, text } from "/static/svg.js";
import { choosesAction, offered } from "./moves.js";
import { filmCard, filmPart, placePart, sign } from "./pieces.js";
import { ACROSS, EXTENT, isLines, lineOf, outlineOf, spotOf } from "./shapes.js";

const NAME = 15; // the height of the name of a place, above its card
const PAD = 14;
/** How high a card is by its width. */
const HIGH = { series: 0.76, arcs: 0.82, studio: 0.84 };
const WIDEST = { series: 150, arcs: 116, studio: 134 };

/** Draws the Film in a panel of a width and a least height; returns elements and height. */
export function film(view, names, area, narrow, least = 0) {
  const lay = isLines(view) ? lines : shape;
  const needed = lay(view, area, narrow).height + 2 * PAD + 14;
  const high = Math.max(needed, least);
  const laid = lay(view, { ...area, y: area.y + (high - needed) / 2 }, narrow);
  const panel = { x: area.x, y: area.y, w: area.w, h: high };
  const count = `${view.film.length} of ${view.aim.cards.reduce((a, b) => a + b, 0)}`;
  const acting = choosesAction(view);
  const cards = view.film.map((lying) => {
    const at = laid.at(lying.place);
    return [
      filmCard(filmPart(lying.place), lying, at, `place ${lying.place}`, names, view.phase === "over"),
      text(at.x + 3, at.y - NAME / 2, lying.place, { size: 10.5, name: "t-quiet" }),
    ];
  });
  // While a card is chosen for the Film as a whole, the whole panel takes the click.
  const on = make("g", acting ? { "pointer-events": "none" } : {}, laid.ground, cards, laid.offers);
  const drawn = [
    leaf("film", "film", `the Film, ${count} cards`, box(panel, acting ? "t-panel fr-open" : "t-panel", 12)),
    heading(area.x + PAD, area.y + 14, `The Film · ${count}`),
    on,
  ];
  return { drawn, height: high };
}

function empty(area, words, looks = "t-empty") {
  const style = { size: 11.5, anchor: "middle", name: "t-quiet" };
  return group("", box(area, looks, 7), text(area.x + area.w / 2, area.y + area.h / 2, words, style));
}

// ---------------------------------------------------------------------------- lines

function lines(view, area, narrow) {
  const across = narrow ? 4 : 8;
  const gap = narrow ? 11 : 14;
  const w = Math.min(114, (area.w - 2 * PAD - gap * (across + 1)) / across);
  const h = w * 1.3;
  const step = h + NAME + 8;
  const inner = area.x + (area.w - across * (w + gap) + gap) / 2;
  const letters = view.aim.cards.length > 1 ? ["A", "B"] : [""];
  const starts = {};
  const found = {};
  let rows = 0;
  letters.forEach((letter, k) => {
    found[letter] = view.film.filter((lying) => lineOf(lying.place).letter === letter).length;
    starts[letter] = rows;
    rows += Math.ceil(Math.max(found[letter], view.aim.cards[k]) / across);
  });
  const top = area.y + PAD + 20 + NAME;
  const split = (letter) => (letter === "B" ? 8 : 0);
  const spot = (letter, number) => {
    const [row, column] = [Math.floor((number - 1) / across), (number - 1) % across];
    return { x: inner + column * (w + gap), y: top + (starts[letter] + row) * step + split(letter), w, h };
  };
  const at = (place) => {
    const { letter, number } = lineOf(place);
    return spot(letter, number);
  };
  const ground = letters.flatMap((letter, k) =>
    Array.from({ length: Math.max(0, view.aim.cards[k] - found[letter]) }, (_, more) => {
      const number = found[letter] + more + 1;
      return empty(spot(letter, number), `${letter}${number}`);
    }),
  );
  const offers = offered(view).map((place) => {
    const { letter, number } = lineOf(place);
    // Behind the last card of a full row the mark stands at its right.
    const behind = number > Math.max(found[letter], view.aim.cards[letters.indexOf(letter)]) && (number - 1) % across === 0;
    const next = behind ? { ...spot(letter, number - 1) } : spot(letter, number);
    return gapMark(place, behind ? next.x + w + gap / 2 : next.x - gap / 2, next);
  });
  return { at, ground, offers, height: rows * step + split(letters[letters.length - 1]) + 8 };
}

/** Draws the mark between two cards where one can be put. */
function gapMark(place, x, { y, h }) {
  return leaf(
    placePart(place),
    "place",
    `put the card at ${place}`,
    make("rect", { x: x - 17, y: y - NAME, width: 34, height: h + NAME + 6, class: "fr-reach" }),
    make("line", { x1: x, y1: y - 2, x2: x, y2: y + h + 2, class: "fr-gap" }),
    make("circle", { cx: x, cy: y + h / 2, r: 9, class: "fr-gap-dot" }),
    text(x, y + h / 2, "+", { size: 15, weight: 700, anchor: "middle", name: "t-on-gold" }),
  );
}

// ---------------------------------------------------------------------------- grid, losange, pyramid

/** Returns how far a Film reaches: as far as it may, or where there is little room as it does. */
function reach(view, mode, narrow) {
  if (!narrow || mode === "series") return EXTENT[mode];
  const spots = [...view.film.map((lying) => lying.place), ...offered(view)].map((place) => spotOf(mode, place));
  if (!spots.length) return EXTENT[mode];
  const [xs, ys] = [spots.map((spot) => spot.x), spots.map((spot) => spot.y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function shape(view, area, narrow) {
  const mode = view.options.mode;
  const extent = reach(view, mode, narrow);
  const across = (extent.right - extent.left) / ACROSS[mode] + 1;
  const gap = narrow ? 4 : 8;
  const room = area.w - 2 * PAD;
  const w = Math.min(WIDEST[mode], (room - gap * (across - 1)) / across);
  const h = w < 60 ? w * 1.15 : Math.max(w * HIGH[mode], 62);
  const step = { x: (w + gap) / ACROSS[mode], y: (h + gap + (mode === "arcs" ? 8 : NAME)) / 2 };
  const left = area.x + (area.w - across * (w + gap) + gap) / 2;
  const top = area.y + PAD + 20 + NAME;
  const at = (place) => {
    const spot = spotOf(mode, place);
    return { x: left + (spot.x - extent.left) * step.x, y: top + (spot.y - extent.top) * step.y, w, h };
  };
  const same = (a, b) => spotOf(mode, a).x === spotOf(mode, b).x && spotOf(mode, a).y === spotOf(mode, b).y;
  const offers = offered(view);
  const taken = [...view.film.map((lying) => lying.place), ...offers];
  const free = narrow && mode !== "series" ? [] : outlineOf(mode).filter((place) => !taken.some((other) => same(place, other)));
  const hazards = view.hazards.filter((hazard) => hazard.place);
  const ground = free.map((place) => {
    const hazard = hazards.find((each) => each.place === place);
    return hazard ? hazardCell(hazard, at(place)) : empty(at(place), mode === "series" ? place : "", "t-empty fr-outline");
  });
  const height = (extent.bottom - extent.top) * step.y + h + NAME + 8;
  return { at, ground, offers: offers.map((place) => cell(place, at(place))), height };
}

function cell(place, area) {
  const style = { size: 12, weight: 600, anchor: "middle", name: "t-gold" };
  const drawn = [box(area, "fr-offer", 7), text(area.x + area.w / 2, area.y + area.h / 2, place, style)];
  return leaf(placePart(place), "place", `put the card at ${place}`, drawn);
}

function hazardCell(hazard, area) {
  const x = area.x + area.w / 2;
  const words = hazard.name ?? "hazard";
  const y = area.y + area.h / 2;
  return part(
    `lying-${placePart(hazard.place)}`,
    "hazard",
    `hazard at ${hazard.place}: ${hazard.name ?? "face down"}`,
    box(area, hazard.now ? "fr-hazard t-now" : "fr-hazard", 7),
    sign("hazard", x, y - 11, 20, "fr-hazard-sign"),
    text(x, y + 13, words, { size: 12, weight: 600, anchor: "middle", room: area.w - 8, name: "fr-hazard-ink" }),
  );
}
