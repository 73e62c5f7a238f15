// The board of Dream Factory: its locations clockwise around the stage, and what lies beside it.

import { box, columns, counted, group, heading, leaf, part, seatMark, text } from "/static/svg.js";
import { GAP, filmCard, filmHeight, medalMark, shortGenre, tileRows, tokenMark } from "./pieces.js";

/** The places of eight locations in a square of three by three, clockwise from the top left. */
const RING = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1]];

/**
 * Returns where the locations lie, where the middle is, and how high the board is.
 * @param {number} count How many locations there are.
 * @param {Object} area x, y and w.
 * @param {{cell: number, middle: number, side: number}} sizes Heights of cells and of the middle,
 *   and the width of a cell at a side.
 */
export function ring(count, area, sizes) {
  const { x, y, w } = area;
  if (count !== RING.length) {
    const across = Math.min(count, Math.max(2, Math.floor(w / 110)));
    const rows = Math.ceil(count / across);
    const places = columns(x, w, across, GAP);
    const cells = Array.from({ length: count }, (_, k) => {
      const top = y + Math.floor(k / across) * (sizes.cell + GAP);
      return { ...places[k % across], y: top, h: sizes.cell };
    });
    const top = y + rows * (sizes.cell + GAP);
    return { cells, middle: { x, y: top, w, h: sizes.middle }, height: top + sizes.middle - y };
  }
  const wide = [sizes.side, w - 2 * sizes.side - 2 * GAP, sizes.side];
  const high = [sizes.cell, sizes.middle, sizes.cell];
  const left = [x, x + sizes.side + GAP, x + w - sizes.side];
  const top = [y, y + sizes.cell + GAP, y + sizes.cell + sizes.middle + 2 * GAP];
  const cells = RING.map(([i, j]) => ({ x: left[i], y: top[j], w: wide[i], h: high[j] }));
  const middle = { x: left[1], y: top[1], w: wide[1], h: high[1] };
  return { cells, middle, height: 2 * sizes.cell + sizes.middle + 2 * GAP };
}

/** Draws the locations with what lies there; the tiles of the one that is visited are on the stage. */
export function locations(view, cells) {
  const ends = [cells[0], cells[2] ?? cells[0], cells[4] ?? cells[0]];
  const around = cells.length === RING.length;
  const [left, top] = [ends[0].x + 20, ends[0].y + 20];
  const right = ends[1].x + ends[1].w - 20;
  const bottom = ends[2].y + ends[2].h - 20;
  const path = box({ x: left, y: top, w: right - left, h: bottom - top }, "df-path", 24);
  return [around ? path : [], view.locations.map((location, k) => cell(view, location, k, cells[k]))];
}

function cell(view, location, index, area) {
  const { x, y, w, h } = area;
  const now = view.location === index;
  const started = view.location !== null && index < view.location;
  const shown = now ? 0 : location.count;
  const pieces = Array.from({ length: shown }, (_, k) => ({
    name: `tile-${index}-${k}`,
    tile: location.tiles?.[k] ?? null,
    down: !location.face_up,
  }));
  const past = started || view.phase === "over";
  const what = counted(location.count, "tile");
  const state = now ? ", visited now" : past ? ", done" : "";
  const style = { size: 12.5, weight: 600, anchor: "middle", room: w - 16, name: now ? "t-gold" : past ? "t-quiet" : "t-ink" };
  const kind = { size: 10.5, anchor: "middle", name: "t-quiet", room: w - 12 };
  return part(
    `location-${index}`,
    "location",
    `${location.name}, ${location.kind}: ${what}${state}`,
    group(
      "",
      box(area, now ? "t-panel df-here" : past ? "df-past" : "t-panel", 10),
      text(x + w / 2, y + 16, location.name, style),
      pieces.length ? [] : text(x + w / 2, y + h / 2 + 10, now ? "now" : past ? "" : location.kind, kind),
    ),
    tileRows(pieces, { x: x + 8, y: y + 28, w: w - 16, h: h - 36 }, 44),
  );
}

// ---------------------------------------------------------------------------- beside the board

/** Draws the pile with its top screenplay; returns the height. */
export function pile(view, area) {
  const { x, y, w } = area;
  const { left, top, below } = view.pile;
  const under = below.length ? ` Below, in an unknown order: ${below.join(", ")}` : "";
  const words = `Screenplays · ${left} left`;
  const high = top ? filmHeight(w - 16) + 36 : 56;
  const deck = leaf(
    "deck",
    "deck",
    `${counted(view.deck.left, "tile")} still to come`,
    text(x + w - 12, y + 15, `${counted(view.deck.left, "tile")} to come`, { size: 11.5, anchor: "end", name: "t-quiet" }),
  );
  const panel = box({ x, y, w, h: high }, "t-panel", 10);
  const drawn = [
    leaf("pile", "pile", `${words}.${under}`, panel, heading(x + 12, y + 15, words, w - 130)),
    deck,
    top
      ? filmCard(top, { x: x + 8, y: y + 28, w: w - 16 }, "screenplay")
      : text(x + 12, y + 38, "The pile is empty.", { size: 13, name: "t-quiet" }),
  ];
  return { drawn, height: high };
}

/** Draws the tokens, lowest first, those taken faint; returns the height. */
export function tokens(view, area) {
  const { x, y, w } = area;
  const across = Math.max(6, Math.min(15, Math.floor((w - 20) / 34)));
  const rows = Math.ceil(view.tokens.length / across);
  const places = columns(x + 10, w - 20, across, 4);
  const high = 30 + rows * 25 + 6;
  const drawn = view.tokens.map((token, k) => {
    const spot = { ...places[k % across], y: y + 28 + Math.floor(k / across) * 25, h: 21 };
    const title = `token ${token.token}: ${token.free ? "free" : `taken by ${token.film}`}`;
    return leaf(`token-${k}`, "token", title, tokenMark(token.token, spot, token.free ? "t-token" : "df-taken"));
  });
  return { drawn: [box({ x, y, w, h: high }, "t-panel", 10), heading(x + 12, y + 15, "Value tokens"), drawn], height: high };
}

/** Draws the awards: who has them, and who would get those that are still open; returns the height. */
export function awards(view, names, area, across) {
  const { x, y, w } = area;
  const rows = Math.ceil(view.awards.length / across);
  const places = columns(x + 10, w - 20, across, 8);
  const high = 30 + rows * 42 + 4;
  const drawn = view.awards.map((award, k) => {
    const spot = { ...places[k % across], y: y + 28 + Math.floor(k / across) * 42, h: 37 };
    return awardCard(view, names, award, k, spot);
  });
  return { drawn: [box({ x, y, w, h: high }, "t-panel", 10), heading(x + 12, y + 15, "Awards"), drawn], height: high };
}

function awardCard(view, names, award, index, area) {
  const { x, y, w } = area;
  const lead = award.open ? leader(view, award.award) : null;
  const seat = award.player ?? lead?.seat ?? null;
  const holder = award.film ?? lead?.film ?? (seat === null ? null : names[seat]);
  const given = award.player !== null;
  const left = seat === null ? 8 : 26;
  const words = given ? holder : lead ? `leads: ${holder}` : award.open ? "open" : "nobody";
  const name = shortGenre(award.award.replace(/^best film round/, "best of round"));
  const who = given || lead ? `${given ? "" : "now "}${holder}, ${names[seat]}` : words;
  const title = `${award.award}, ${award.points} points: ${who}`;
  return leaf(
    `award-${index}`,
    "award",
    title,
    box(area, given ? "df-given" : "t-card", 7),
    text(x + 8, y + 11.5, name, { size: 12, weight: 600, room: w - 40 }),
    medalMark(award.points, x + w - 14, y + 11.5), // above the second line, which may be long
    seat === null ? [] : seatMark(seat, x + 15, y + 27, 14, !given),
    text(x + left, y + 27, words, { size: 11.5, least: 10.5, name: "t-quiet", room: w - left - 6 }),
  );
}

// ---------------------------------------------------------------------------- who leads

/** Returns the rank of a film: that of its token; those without one are below all. */
function rankOf(view, film) {
  const rank = view.tokens.findIndex((token) => token.token === film.token);
  return rank >= 0 ? rank : -1 - view.finished.indexOf(film.title);
}

/** Returns who would get an award if it were given now, as far as films on the table tell. */
export function leader(view, award) {
  if (award === "best director") return directing(view);
  if (award.startsWith("first ")) return null;
  const genre = award.startsWith("best film") ? null : award.replace(/^best /, "");
  const found = [];
  view.players.forEach((player, seat) => {
    for (const film of player.finished) {
      if (award === "worst film" || genre === null || film.genre === genre) {
        found.push({ seat, film: film.title, rank: rankOf(view, film) });
      }
    }
  });
  found.sort((a, b) => (award === "worst film" ? a.rank - b.rank : b.rank - a.rank));
  return found[0] ?? null;
}

/** Returns the stars on the directors of a player's finished films. */
export function directorStars(player) {
  const spaces = player.finished.flatMap((film) => film.spaces);
  const tiles = spaces.filter((space) => space.kind === "director" && space.tile?.startsWith("director"));
  return tiles.reduce((sum, space) => sum + Number(space.tile.split(" ")[1]), 0);
}

function directing(view) {
  const stars = view.players.map(directorStars);
  const most = Math.max(...stars);
  const seats = stars.flatMap((count, seat) => (count === most ? [seat] : []));
  return seats.length === 1 ? { seat: seats[0], film: null } : null;
}
