// What lies around the Film: what is wanted, hazards, the Cut, pile and bin, and the players' hands.

import {
  box, columns, counted, group, heading, leaf, lines, make, part, seatMark, text, widthOf, wrap,
} from "/static/svg.js";
import { choosesAction } from "./moves.js";
import {
  GAP, cardWords, clap, cutPart, filmCard, handPart, plainCard, sign, symbolMark,
} from "./pieces.js";

const PAD = 14;
/** What is asked for, by the mode. */
const ASKED = {
  tutorial: "a line of 12 cards, rising",
  feature: "a line of 16 cards, rising, no value twice",
  shorts: "two lines of 8 cards, each rising, no value twice in both together",
  series: "16 cards in a grid, rising to the right and downwards, no value twice",
  arcs: "16 cards in a losange, rising to the right, no value twice",
  studio: "15 cards in a pyramid, at most two symbols on a level, no symbol on two levels",
};
export const CONDITIONS = {
  size: "as many cards as wanted",
  order: "values rise",
  doubles: "no value twice",
  genre: "enough cards of the genre",
  levels: "two symbols a level at most",
  symbols: "no symbol on two levels",
};

// ---------------------------------------------------------------------------- what is wanted

/** Draws what is wanted, at the end whether it is there; returns elements and height. */
export function wanted(view, area) {
  const { x, y, w } = area;
  const room = w - 2 * PAD;
  const style = { size: 13, name: "t-ink" };
  const asked = wrap(ASKED[view.options.mode] ?? "", style, room, 4);
  let top = y + 34;
  const drawn = asked.map((line, k) => text(x + PAD, top + k * 17, line, style));
  top += asked.length * 17 + 4;
  view.genres.forEach((genre, k) => {
    drawn.push(genreLine(view, genre, k, { x: x + PAD, y: top + 6, w: room }));
    top += 34;
  });
  for (const [condition, met] of Object.entries(view.result?.conditions ?? {})) {
    drawn.push(conditionLine(condition, met, { x: x + PAD, y: top + 2, w: room }));
    top += 22;
  }
  const high = top - y + 6;
  return { drawn: [box({ x, y, w, h: high }, "t-panel", 12), heading(x + PAD, y + 14, "Wanted"), drawn], height: high };
}

function genreLine(view, genre, index, { x, y, w }) {
  const reached = view.result?.genre[index];
  const needed = reached === undefined ? `${genre.needed} cards` : `${reached} of ${genre.needed}`;
  const line = view.genres.length > 1 ? `${"AB"[index]}: ` : "";
  const name = `${line}${genre.name ?? genre.moods.join(" and ")}`;
  const right = widthOf(needed, { size: 13, weight: 600 });
  return leaf(
    `genre-${index}`,
    "genre",
    `genre ${name}: ${genre.needed} cards with ${genre.moods.join(", ")} or joker`,
    genre.moods.map((mood, k) => symbolMark(mood, x + 11 + k * 25, y + 6, 22)),
    text(x + 56, y + 6, name, { size: 13, least: 10.5, serif: true, weight: 600, room: w - 62 - right }),
    text(x + w, y + 6, needed, { size: 13, weight: 600, anchor: "end", name: "t-gold" }),
  );
}

function conditionLine(condition, met, { x, y, w }) {
  const words = CONDITIONS[condition] ?? condition;
  return leaf(
    `condition-${condition}`,
    "condition",
    `${words}: ${met ? "met" : "not met"}`,
    text(x, y + 6, met ? "✓" : "✗", { size: 15, weight: 700, name: met ? "t-good" : "t-bad" }),
    text(x + 22, y + 6, words, { size: 13, room: w - 22 }),
  );
}

/** Draws the hazards in their order; returns elements and height. */
export function hazards(view, area, across) {
  if (!view.hazards.length) return { drawn: [], height: -GAP };
  const { x, y, w } = area;
  const places = columns(x + 10, w - 20, across, 8);
  const high = 62;
  const drawn = view.hazards.map((hazard, k) => {
    const spot = { ...places[k % across], y: y + 28 + Math.floor(k / across) * (high + 6), h: high };
    return hazardCard(hazard, k, spot);
  });
  const total = 30 + Math.ceil(view.hazards.length / across) * (high + 6) + 4;
  return { drawn: [box({ x, y, w, h: total }, "t-panel", 12), heading(x + PAD, y + 14, "Hazards"), drawn], height: total };
}

function hazardCard(hazard, index, area) {
  const { x, y, w } = area;
  const state = hazard.now ? "now" : hazard.happened ? "done" : "face down";
  const title = `hazard due at ${hazard.due}: ${hazard.name ?? "face down"}${hazard.effect ? `, ${hazard.effect}` : ""}`;
  const name = { size: 13, weight: 600, room: w - 80, name: hazard.now ? "fr-hazard-ink" : "t-ink" };
  const about = hazard.effect ?? `due: ${hazard.due}`;
  return leaf(
    `hazard-${index}`,
    "hazard",
    title,
    box(area, hazard.now ? "fr-hazard fr-now" : hazard.happened ? "t-well" : "fr-facedown", 8),
    sign("hazard", x + 15, y + 15, 14, "fr-hazard-sign"),
    text(x + 28, y + 15, hazard.name ?? "?", name),
    text(x + w - 8, y + 15, state, { size: 11, anchor: "end", name: "t-quiet" }),
    lines(x + 9, y + 34, about, { size: 11.5, name: "t-quiet" }, w - 16, 2),
  );
}

// ---------------------------------------------------------------------------- Cut, pile, bin

/** Draws the Cut, the cards in the editor's hand, the pile and the bin; returns elements and height. */
export function strip(view, names, area, narrow) {
  const { x, y, w } = area;
  const places = Math.max(narrow ? 5 : 6, view.cut.cards.length);
  const beside = narrow ? 0 : 190 + view.taken.length * 96;
  const gap = narrow ? 5 : 8;
  const wide = Math.min(86, (w - 2 * PAD - beside - gap * (places - 1)) / places);
  const high = wide < 60 ? wide * 1.3 : Math.max(84, wide * 1.08);
  const row = { x: x + PAD, y: y + 26, w: wide, h: high };
  const acting = choosesAction(view);
  const cards = Array.from({ length: places }, (_, k) => {
    const spot = { ...row, x: row.x + k * (wide + gap) };
    const card = view.cut.cards[k];
    return card ? cutCard(view, card, k, spot) : k < 5 ? box(spot, "t-empty", 7) : [];
  });
  const below = y + 26 + high + 10;
  const rest = narrow ? { x: x + PAD, y: below } : { x: x + w - PAD - beside + 12, y: y + 26 };
  const panel = { x, y, w, h: narrow ? high + 46 + (view.taken.length ? 88 : 84) : high + 38 };
  const drawn = [
    leaf("cut", "cut", `the Cut, ${counted(view.cut.cards.length, "card")}`, box(panel, acting ? "t-panel fr-open" : "t-panel", 12)),
    heading(x + PAD, y + 14, "The Cut"),
    make("g", acting ? { "pointer-events": "none" } : {}, cards),
    stacks(view, { ...rest, h: narrow ? 72 : high }),
    taken(view, names, { x: rest.x + 176, y: rest.y, w: narrow ? 60 : 84, h: narrow ? 72 : high }),
  ];
  return { drawn, height: panel.h };
}

function cutCard(view, card, index, area) {
  const called = view.cut.called === card.card;
  const chosen = view.cut.chosen === card.card;
  const leaves = index === 0 ? ", leaves first" : "";
  const title = `in the Cut: ${cardWords(card)}${called ? ", called in this turn" : ""}${leaves}`;
  const tag = { x: area.x + area.w / 2, y: area.y + area.h - 15 };
  const drawn = plainCard(cutPart(card.card), "cutcard", card, area, "up", title, chosen);
  if (called && area.w >= 56) {
    drawn.append(text(tag.x, tag.y, "called", { size: 11, weight: 700, anchor: "middle", name: "fr-tag" }));
  }
  return drawn;
}

function stacks(view, area) {
  const open = choosesAction(view);
  const known = view.bin_cards.map((card) => card.card).join(", ");
  const among = known ? `, among them ${known}` : "";
  const two = [
    ["pile", "pile", view.pile, `the draw pile: ${counted(view.pile, "card")}`, "fr-facedown"],
    ["bin", "bin", view.bin, `the bin: ${counted(view.bin, "card")}${among}`, open ? "t-well fr-open" : "t-well"],
  ];
  const size = 76;
  return two.map(([name, kind, count, title, looks], k) => {
    const spot = { x: area.x + k * (size + 8), y: area.y, w: size, h: area.h };
    const middle = spot.x + size / 2;
    const style = { size: 10.5, anchor: "middle", room: size - 8, name: "t-quiet" };
    const cards = kind === "bin" ? text(middle, spot.y + area.h - 12, known, style) : [];
    return leaf(
      name,
      kind,
      title,
      box(spot, looks, 8),
      text(middle, spot.y + area.h * 0.36, count, { size: 22, weight: 700, anchor: "middle" }),
      text(middle, spot.y + area.h * 0.36 + 21, kind, { size: 11.5, anchor: "middle", name: "t-quiet" }),
      cards,
    );
  });
}

function taken(view, names, area) {
  return view.taken.map((lying, k) => {
    const spot = { ...area, x: area.x + k * (area.w + 8) };
    return filmCard(`taken-${k}`, lying, spot, `taken by the editor, number ${k + 1}`, names);
  });
}

// ---------------------------------------------------------------------------- players

/** Draws all players; returns elements and height. */
export function players(view, names, area, seats) {
  const across = Math.min(seats.length, Math.max(1, Math.floor((area.w + GAP) / 250)));
  const places = columns(area.x, area.w, across, GAP);
  const drawn = [];
  let top = area.y;
  for (let first = 0; first < seats.length; first += across) {
    const row = seats.slice(first, first + across);
    const high = Math.max(...row.map((seat) => 46 + handLayout(view.players[seat], places[0].w).height + 12));
    drawn.push(row.map((seat, k) => player(view, names, seat, { ...places[k], y: top, h: high })));
    top += high + GAP;
  }
  return { drawn, height: top - area.y - GAP };
}

function handLayout(owner, w) {
  const count = Math.max(3, owner.count);
  const gap = 7;
  const most = owner.hand ? 82 : owner.sure.length ? 66 : 48;
  const wide = Math.max(40, Math.min(most, (w - 2 * 10 - gap * (count - 1)) / count));
  const across = Math.max(1, Math.floor((w - 20 + gap) / (wide + gap)));
  const high = wide < 60 ? wide * 1.3 : wide * 1.16;
  return { wide, high, gap, across, height: Math.ceil(owner.count / across) * (high + gap) - (owner.count ? gap : 0) };
}

function player(view, names, seat, area) {
  const { x, y, w, h } = area;
  const owner = view.players[seat];
  const active = seat === view.to_move;
  const laid = handLayout(owner, w);
  const spot = (k) => ({
    x: x + 10 + (k % laid.across) * (laid.wide + laid.gap),
    y: y + 46 + Math.floor(k / laid.across) * (laid.high + laid.gap),
    w: laid.wide,
    h: laid.high,
  });
  return group(
    `t-seat-${seat}`,
    box(area, "t-panel", 12),
    active ? box({ x: x + 1.5, y: y + 1.5, w: w - 3, h: h - 3 }, "t-seat-frame", 11) : [],
    header(view, names, seat, { x: x + 10, y, w: w - 20 }),
    Array.from({ length: owner.count }, (_, k) => held(owner, names[seat], seat, k, spot(k))),
  );
}

function held(owner, name, seat, index, area) {
  if (owner.hand) {
    const card = owner.hand[index];
    const chosen = owner.pending?.card === card.card;
    return plainCard(handPart(card.card), "handcard", card, area, "up", `in the hand of ${name}: ${cardWords(card)}`, chosen);
  }
  const card = owner.sure[index] ?? null;
  const title = `in the hand of ${name}: ${card ? `surely ${cardWords(card)}, remembered` : "a card that you do not see"}`;
  const shown = owner.pending && card?.card === owner.pending.card;
  return plainCard(`held-${seat}-${index}`, "handcard", card, area, card ? "known" : "back", title, shown);
}

function header(view, names, seat, area) {
  const { x, y, w } = area;
  const owner = view.players[seat];
  const shown = owner.pending && !owner.hand ? `shows ${owner.pending.card}` : owner.has_passed ? "has chosen" : "";
  const tag = shown || (view.first_player === seat ? "began" : "");
  const tokens = owner.claps_left * 20 + (owner.hint_left ? 34 : 0);
  const style = { size: 14, weight: 600, room: w - tokens - 34 - (tag ? widthOf(tag, { size: 11.5 }) + 10 : 0) };
  const left = `${counted(owner.claps_left, "Clap")} in reserve, ${owner.hint_left ? "a" : "no"} hint left`;
  const title = `${names[seat]}: ${counted(owner.count, "card")}, ${left}`;
  const wide = Math.min(style.room, widthOf(names[seat], style));
  const claps = Array.from({ length: owner.claps_left }, (_, k) => clap(seat, x + w - 10 - k * 20, y + 22, 17));
  const reserve = owner.hint_left ? hintLeft(seat, x + w - owner.claps_left * 20 - 16, y + 22) : [];
  return part(
    `seat-${seat}`,
    "seat",
    title,
    box({ x: x - 5, y: y + 5, w: w + 10, h: 34 }, "t-mark", 8),
    box({ x: x - 5, y: y + 5, w: w + 10, h: 34 }, "fr-reach", 8),
    seatMark(seat, x + 11, y + 22),
    text(x + 30, y + 22, names[seat], style),
    text(x + 38 + wide, y + 22.5, tag, { size: 11.5, name: "t-quiet" }),
    claps,
    reserve,
  );
}

function hintLeft(seat, x, y) {
  const style = { size: 11, weight: 700, anchor: "middle", name: "t-ink" };
  return group(`t-seat-${seat}`, box({ x: x - 13, y: y - 8.5, w: 26, h: 17 }, "fr-hint", 5), text(x, y, "+ −", style));
}
