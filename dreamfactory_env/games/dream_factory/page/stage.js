// The middle of the board: what is decided now, be it an auction, a party, or tiles to place.

import {
  box, chips, columns, counted, group, heading, leaf, listed, mark, seatMark, text, widthOf,
} from "/static/svg.js";
import { canDecline, canDiscard, canPass, lotPart, shownBids } from "./moves.js";
import { GAP, filmCard, filmHeight, pointsOf, symbol, tilePart, tileRows } from "./pieces.js";

/** Returns who does what now. */
export function doing(view, names) {
  const name = names[view.to_move];
  const does = {
    studio: "chooses a studio",
    auction: "bids or passes",
    party: "takes a tile",
    placing: "places tiles",
  };
  if (view.phase !== "over") {
    return `${name} ${does[view.phase]}`;
  }
  const won = listed(view.winners.map((seat) => names[seat]));
  return `${won} ${view.winners.length > 1 ? "win together" : "wins"}`;
}

/** Draws the stage in an area. */
export function stage(view, names, area) {
  const inner = { x: area.x + 12, y: area.y + 12, w: area.w - 24, h: area.h - 24 };
  const content = { auction, party, placing, over }[view.phase](view, names, inner);
  return group("df-stage", box(area, "df-stage-ground", 12), content);
}

function pot(view, x, y, words = `${view.pot} in the middle`) {
  if (!view.pot) return [];
  const title = `${view.pot} money in the middle, to be divided with the next price`;
  const style = { size: 12, weight: 600, anchor: "end", name: "t-quiet" };
  return [
    leaf("pot", "pot", title, text(x - 20, y, words, style), symbol("coin", x - 9, y, 13, "df-coin")),
  ];
}

function lot(view, area) {
  const pieces = view.lot.map((tile, k) => ({ name: lotPart(view, k), tile })).filter((piece) => piece.tile);
  return tileRows(pieces, area, 62);
}

// ---------------------------------------------------------------------------- auctions

function auction(view, names, area) {
  const { x, y, w } = area;
  const { high_bid: high } = view.auction;
  const words = high === null ? "No bid yet" : `Highest bid ${high}`;
  const offered = shownBids(view).map((bid) => [`bid-${bid}`, String(bid), `bid ${bid}`]);
  const pass = canPass(view) ? [["pass", "Pass", "pass: out of this auction"]] : [];
  const bidders = columns(x, w, names.length, 6);
  return [
    heading(x, y + 6, words),
    pot(view, x + w, y + 6, w < 260 ? view.pot : undefined),
    lot(view, { x, y: y + 20, w, h: 76 }),
    bidders.map((place, seat) => bidder(view, seat, names[seat], { x: place.x, y: y + 106, w: place.w, h: 64 })),
    chips(x, y + 180, w, [...pass, ...offered]).drawn,
  ];
}

function bidder(view, seat, name, area) {
  const { x, y, w, h } = area;
  const { bids, passed, high_bid: high } = view.auction;
  const [bid, out] = [bids[seat], passed[seat]];
  const best = bid !== null && bid === high;
  const words = out ? "passed" : best ? "highest" : seat === view.to_move ? "to bid" : "";
  const title = `${name}: ${bid === null ? "no bid" : `bid ${bid}`}${words ? `, ${words}` : ""}`;
  const middle = x + w / 2;
  const tight = w < 60; // the number stands below the seat, not beside it, and words are short
  const shorter = { passed: "out", highest: "high", "to bid": "now" };
  const at = tight ? [middle, y + 34] : [middle + 8, y + 24];
  const looks = best ? "t-gold" : out ? "t-quiet" : "t-ink";
  return leaf(
    `bidder-${seat}`,
    "bidder",
    title,
    box(area, seat === view.to_move ? "t-card df-turn" : "t-card", 8),
    bid === null ? [] : box({ x: x + 6, y: y + h - 5, w: ((w - 12) * bid) / Math.max(high, 1), h: 3 }, "df-climb", 1.5),
    tight ? seatMark(seat, middle, y + 13, 16, out) : seatMark(seat, x + 14, y + 14, 18, out),
    text(...at, bid === null ? "–" : bid, { size: tight ? 19 : 24, weight: 700, anchor: "middle", name: looks }),
    text(middle, y + h - 12, tight ? (shorter[words] ?? "") : words, { size: 11.5, anchor: "middle", name: "t-quiet", room: w - 4 }),
    mark(area),
  );
}

// ---------------------------------------------------------------------------- parties

function party(view, names, area) {
  const { x, y, w } = area;
  const decline = canDecline(view) ? [["decline", "Take none", "decline: take no tile"]] : [];
  return [
    heading(x, y + 6, w < 300 ? "Famous faces first" : "Most famous faces choose first", w),
    lot(view, { x, y: y + 22, w, h: 86 }),
    order(view, names, { x, y: y + 120, w }),
    chips(x, y + 180, w, decline).drawn,
  ];
}

function order(view, names, area) {
  const { order: seats, turn } = view.party;
  return columns(area.x, area.w, seats.length, 6).map((place, k) => {
    const spot = { x: place.x, y: area.y, w: place.w, h: 46 };
    const words = k < turn ? "done" : k === turn ? "now" : `${k + 1}.`;
    const middle = place.x + place.w / 2;
    const title = `${names[seats[k]]} chooses as number ${k + 1}${k < turn ? ", done" : ""}`;
    return leaf(
      `bidder-${seats[k]}`,
      "bidder",
      title,
      box(spot, k === turn ? "t-card df-turn" : "t-card", 8),
      seatMark(seats[k], middle, area.y + 16, 20, k < turn),
      text(middle, area.y + 36, words, { size: 11.5, anchor: "middle", name: "t-quiet" }),
    );
  });
}

// ---------------------------------------------------------------------------- placing

function placing(view, names, area) {
  const { x, y, w } = area;
  const high = 84;
  const held = view.hand.map((tile, k) => ({ tile, k })).filter((piece) => piece.tile);
  const wide = 66;
  const room = w - wide - GAP;
  const each = Math.min(64, (room - 8 * (held.length - 1)) / Math.max(held.length, 1));
  const tiles = held.map((piece, at) =>
    tilePart(`hand-${piece.k}`, piece.tile, { x: x + at * (each + 8), y: y + 22, w: each, h: each * 1.25 }),
  );
  const left = view.lot.some(Boolean);
  return [
    heading(x, y + 6, `Hand of ${names[view.to_move]}`, w),
    tiles,
    discard(view, { x: x + w - wide, y: y + 22, w: wide, h: high - 4 }),
    left ? heading(x, y + 128, "Left at the party") : [],
    left ? lot(view, { x, y: y + 138, w, h: 52 }) : pot(view, x + w, y + 134),
    view.party && !left ? order(view, names, { x, y: y + 146, w }) : [],
  ];
}

function discard(view, area) {
  const middle = area.x + area.w / 2;
  const open = canDiscard(view);
  const style = { size: 11, anchor: "middle", name: "t-quiet" };
  return leaf(
    "box",
    "box",
    `the box: ${counted(view.discarded, "tile")} discarded so far`,
    box(area, open ? "t-empty df-drop" : "t-empty", 8),
    symbol("box", middle, area.y + 28, 24, "t-quiet"),
    text(middle, area.y + 54, "discard", style),
    text(middle, area.y + 69, view.discarded, style),
  );
}

// ---------------------------------------------------------------------------- the end

function over(view, names, area) {
  const { x, y, w, h } = area;
  const seats = names.map((_, seat) => seat).sort((a, b) => view.players[b].points - view.players[a].points);
  const most = Math.max(1, ...view.players.map((player) => player.points ?? 0));
  const high = Math.min(96, (h - 22) / seats.length);
  return [
    heading(x, y + 6, "Final points: films, awards, money", w),
    seats.map((seat, k) => finalRow(view, names[seat], seat, most, { x, y: y + 22 + k * high, w, h: high })),
  ];
}

/** Draws what a player has at the end as a bar: films, then awards, then money. */
function finalRow(view, name, seat, most, area) {
  const { x, y, w, h } = area;
  const player = view.players[seat];
  const won = view.winners.includes(seat);
  const sums = pointsOf(view, seat);
  const unit = (w - 100) / most; // beside it are three digits and a star
  const bar = { y: y + h * 0.46, h: Math.max(8, h * 0.36) };
  let left = x + 30;
  const bars = Object.entries(sums).map(([kind, points]) => {
    const drawn = box({ x: left, ...bar, w: Math.max(0, points * unit - 1.5) }, `df-bar df-bar-${kind}`, 3);
    left += points * unit;
    return drawn;
  });
  const { films, awards, money } = sums;
  const told = `${films} films + ${awards} awards + ${money} money`;
  const short = w < 400 ? `${films} + ${awards} + ${money}` : told;
  const style = { size: 20, weight: 700, anchor: "end", name: won ? "t-gold" : "t-ink" };
  const line = y + h * 0.26;
  const wide = Math.min(w * 0.4, widthOf(name, { size: 14, weight: 600 }));
  return leaf(
    `final-${seat}`,
    "final",
    `${name}: ${told} = ${player.points} points${won ? ", winner" : ""}`,
    seatMark(seat, x + 12, line),
    text(x + 30, line, name, { size: 14, weight: 600, room: w * 0.4 }),
    text(x + 42 + wide, line, short, { size: 12, name: "t-quiet", room: w - wide - 100 }),
    group(`t-seat-${seat}`, bars),
    text(x + w - 24, y + h / 2, player.points, style),
    won ? symbol("star", x + w - 10, y + h / 2, 18, "t-gold") : [],
  );
}

// ---------------------------------------------------------------------------- studios to choose

/** Draws the studios that can be chosen, in place of the board; returns the height. */
export function studioChoice(view, names, area, across) {
  const rows = [];
  let top = area.y;
  const places = columns(area.x, area.w, across, GAP);
  for (let first = 0; first < view.studios.length; first += across) {
    const studios = view.studios.slice(first, first + across);
    const w = places[0].w;
    const high = 40 + 3 * (filmHeight(w - 16) + 6) + 4;
    rows.push(studios.map((studio, k) => studioCard(studio, names, { ...places[k], y: top, h: high })));
    top += high + GAP;
  }
  return { drawn: rows, height: top - area.y - GAP };
}

function studioCard(studio, names, area) {
  const { x, y, w, h } = area;
  const taken = studio.player !== null;
  const words = taken ? `taken by ${names[studio.player]}` : studio.free ? "free" : "";
  const films = studio.films.map((film, k) =>
    filmCard(film, { x: x + 8, y: y + 40 + k * (filmHeight(w - 16) + 6), w: w - 16 }, "screenplay"),
  );
  return leaf(
    `studio-${studio.number}`,
    "studio",
    `studio ${studio.number}, ${words}: ${studio.films.map((film) => film.title).join(", ")}`,
    box({ x, y, w, h }, "t-panel", 10),
    text(x + 14, y + 20, `Studio ${studio.number}`, { size: 17, serif: true, weight: 700 }),
    text(x + w - 12, y + 20, words, { size: 12, anchor: "end", name: "t-quiet", room: w - 120 }),
    films,
    mark({ x, y, w, h }),
  );
}
