// What lies in front of the players of Dream Factory: money, points, films in production and finished.

import { box, columns, group, leaf, mark, part, text, widthOf } from "/static/svg.js";
import { GAP, filmCard, filmHeight, finishedFilm, seatWithName, symbol } from "./pieces.js";

const HEAD = 64;

/** Draws all studios in rows; returns the height. */
export function studios(view, names, area, seats) {
  const most = Math.max(1, Math.floor((area.w + GAP) / 260));
  const across = Math.ceil(seats.length / Math.ceil(seats.length / most));
  const places = columns(area.x, area.w, across, GAP);
  const drawn = [];
  let top = area.y;
  for (let first = 0; first < seats.length; first += across) {
    const row = seats.slice(first, first + across);
    const high = Math.max(...row.map((seat) => studioHeight(view.players[seat], places[0].w)));
    drawn.push(row.map((seat, k) => studio(view, names, seat, { ...places[k], y: top, h: high })));
    top += high + GAP;
  }
  return { drawn, height: top - area.y - GAP };
}

const filmsAcross = (w) => Math.max(1, Math.floor((w - 16 + 8) / 215));

function studioHeight(player, w) {
  const across = filmsAcross(w);
  const places = columns(0, w - 16, across, 8);
  const films = player.production.filter(Boolean).length;
  const lines = Math.ceil(player.finished.length / across);
  return HEAD + Math.ceil(films / across) * (filmHeight(places[0].w) + 6) + lines * 31 + 6;
}

function studio(view, names, seat, area) {
  const { x, y, w, h } = area;
  const player = view.players[seat];
  const active = seat === view.to_move;
  const across = filmsAcross(w);
  const places = columns(x + 8, w - 16, across, 8);
  const films = player.production.filter(Boolean);
  const high = filmHeight(places[0].w) + 6;
  const below = y + HEAD + Math.ceil(films.length / across) * high;
  return group(
    `t-seat-${seat}`,
    box(area, "t-panel", 12),
    active || view.winners.includes(seat) ? box({ x: x + 1.5, y: y + 1.5, w: w - 3, h: h - 3 }, "t-seat-frame", 11) : [],
    header(view, names, seat, { x: x + 10, y, w: w - 20 }),
    films.map((film, k) => filmCard(film, { ...places[k % across], y: y + HEAD + Math.floor(k / across) * high })),
    player.finished.map((film, k) =>
      finishedFilm(film, view.awards, { ...places[k % across], y: below + Math.floor(k / across) * 31 }),
    ),
  );
}

function header(view, names, seat, area) {
  const { x, y, w } = area;
  const player = view.players[seat];
  const first = view.first_player === seat && view.phase !== "over";
  const where = player.studio === null ? "" : `studio ${player.studio}`;
  const tag = first ? 62 : 0;
  const room = w - tag - widthOf(where, { size: 12 }) - 14;
  const title = `${names[seat]}, ${where || "no studio yet"}${first ? ", first player" : ""}`;
  const nameWidth = Math.min(room, 29 + widthOf(names[seat], { size: 14, weight: 600 }));
  return [
    part(
      `seat-${seat}`,
      "seat",
      title,
      box({ x: x - 6, y: y + 4, w: w + 12, h: 30 }, "t-mark", 8),
      seatWithName(seat, names[seat], x, y + 19, room),
      text(x + nameWidth + 8, y + 19.5, where, { size: 12, name: "t-quiet" }),
      first ? firstMark(x + w, y + 19) : [],
    ),
    facts(player, names[seat], seat, { x, y: y + 46 }),
  ];
}

function firstMark(right, y) {
  const area = { x: right - 56, y: y - 10, w: 56, h: 20 };
  return group(
    "df-first",
    box(area, "df-first-ground", 6),
    symbol("first", area.x + 12, y, 12, "df-on-first"),
    text(area.x + 22, y, "first", { size: 12, weight: 600, name: "df-on-first" }),
  );
}

/** Writes money (or the screen that hides it), points and famous faces. */
function facts(player, name, seat, at) {
  const hidden = player.money === null;
  const money = hidden ? "hidden" : String(player.money);
  const points = hidden ? `${player.points_without_money} + money` : String(player.points);
  const told = [
    ["money", hidden ? "screen" : "coin", money, `${name}: money ${hidden ? "hidden behind the screen" : money}`],
    ["points", "medal", points, `${name}: ${points} points so far`],
    ["red", "actor", String(player.red), `${name}: ${player.red} visible actors and guest stars`],
  ];
  let left = at.x;
  return told.map(([kind, sign, words, title]) => {
    const style = { size: 13, weight: 600 };
    const wide = 20 + widthOf(words, style);
    const area = { x: left - 2, y: at.y - 11, w: wide + 4, h: 22 };
    const drawn = leaf(
      `${kind}-${seat}`,
      kind,
      title,
      symbol(sign, left + 7, at.y, 14, `df-sign df-sign-${sign}`),
      text(left + 19, at.y, words, style),
      mark(area),
    );
    left += wide + 16;
    return drawn;
  });
}
