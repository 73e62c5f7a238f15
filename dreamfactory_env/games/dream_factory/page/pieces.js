// The pieces of Dream Factory: tiles, spaces, films, tokens, and the names of their parts.

import { box, counted, group, icon, key, leaf, make, mark, part, seatMark, text } from "/static/svg.js";

/** What is drawn on tiles, on a grid of 16 by 16. */
const ICONS = {
  director: "1 6 6 6 14 2 14 14 6 10 1 10 | 3.4 10 6 10 7 15 4.4 15",
  actor: "8 4.6 3.6 | 1.5 15 2.2 11.4 5 9.3 11 9.3 13.8 11.4 14.5 15",
  camera: "1 7 11 7 11 14 1 14 | 11.8 9.6 15.4 7.2 15.4 14 11.8 11.6 | 3.6 3.8 2.7 | 9 3.8 2.7",
  music: "4.2 12.4 2.7 | 11.6 11 2.7 | 5.4 3 14.3 1.4 14.3 11 12.8 11 12.8 5 7 6 7 12 5.4 12",
  effects: "9.6 0.8 2.8 9 7.2 9 5.6 15.4 13.2 6.4 8.6 6.4",
  agency: "1 5 15 5 15 9 1 9 | 1 10 15 10 15 14 1 14 | 5 5 5 2 11 2 11 5 10 5 10 3 6 3 6 5",
  guest: "2.2 11.4 1 4 5 7.6 8 2 11 7.6 15 4 13.8 11.4 | 2.4 12.4 13.6 12.4 13.6 14.4 2.4 14.4",
  blank: "3 8 1.4 | 8 8 1.4 | 13 8 1.4",
  coin: "8 8 7",
  medal: "8 10.4 5 | 2.6 0.6 6 0.6 9 6 6 8 | 13.4 0.6 10 0.6 7 6 10 8",
  star: "8 0.7 10 5.7 15.4 6.1 11.2 9.6 12.6 14.8 8 11.9 3.4 14.8 4.8 9.6 0.6 6.1 6 5.7",
  screen: "1 3 5 1.6 5 13 1 14.4 | 6 1.6 10 1.6 10 13 6 13 | 11 1.6 15 3 15 14.4 11 13",
  box: "1 5 15 5 13.6 15 2.4 15 | 0.4 2 15.6 2 15.6 4.2 0.4 4.2",
  first: "1 7 15 7 15 15 1 15 | 1 3.4 14.6 0.6 15 3 1.4 5.8",
};
const SHORTER = { entertainment: "entertain.", adventure: "adventure", drama: "drama" };
export const GAP = 10;

export const filmPart = (film) => `film-${key(film.title)}`;
export const spacePart = (film, index) => `space-${key(film.title)}-${index}`;

export function symbol(name, x, y, size, looks) {
  return icon(ICONS[name] ?? ICONS.blank, x, y, size, looks);
}

/** Returns the kind and the stars of a tile such as "actor 2". */
export function readTile(words) {
  const [kind, stars] = words.split(" ");
  return { kind, stars: stars.replace("-", "−") };
}

export function tileWords(words) {
  const { kind, stars } = readTile(words);
  return `${kind === "guest" ? "guest star" : kind}, ${counted(stars, "star")}`;
}

/** Draws the face of a tile. */
export function tileFace(words, area, looks = "") {
  const { kind, stars } = readTile(words);
  const { x, y, w, h } = area;
  const size = Math.min(w * 0.56, h * 0.42);
  const font = Math.min(w * 0.42, h * 0.34, 22);
  const middle = x + w / 2;
  const low = y + h * 0.77;
  const wide = font * 0.6 * stars.length;
  return group(
    `df-tile df-${kind} ${looks}`,
    box(area, "df-tile-ground", Math.min(7, w / 6)),
    symbol(kind, middle, y + h * 0.34, size, "df-on-tile"),
    text(middle - font * 0.42, low, stars, { size: font, weight: 700, anchor: "middle", name: "df-on-tile" }),
    symbol("star", middle + wide / 2 + font * 0.12, low, font * 0.78, "df-on-tile"),
  );
}

/** Draws the back of a tile. */
export function tileBack(area) {
  const style = { size: area.w * 0.5, weight: 600, anchor: "middle", name: "df-on-back" };
  return group(
    "df-back",
    box(area, "df-back-ground", 6),
    text(area.x + area.w / 2, area.y + area.h / 2, "?", style),
  );
}

/** Draws tiles in the middle of an area, in as many rows as make them largest; each piece is {name, tile, seen}. */
export function tileRows(pieces, area, most) {
  const gap = 5;
  const rowsOf = (perRow) => Math.ceil(pieces.length / perRow) || 1;
  const sizeOf = (perRow) => {
    const inRow = Math.max(Math.min(perRow, pieces.length), 1);
    return Math.min(most, (area.w - gap * (inRow - 1)) / inRow, (area.h / rowsOf(perRow) - gap) / 1.22);
  };
  const perRow = [5, 4, 3, 2, 1].reduce((best, each) => (sizeOf(each) > sizeOf(best) ? each : best));
  const [rows, w] = [rowsOf(perRow), sizeOf(perRow)];
  const h = w * 1.22;
  const top = area.y + (area.h - rows * h - (rows - 1) * gap) / 2;
  return pieces.map((piece, k) => {
    const row = Math.floor(k / perRow);
    const count = Math.min(perRow, pieces.length - row * perRow);
    const left = area.x + (area.w - count * w - (count - 1) * gap) / 2;
    const place = { x: left + (k % perRow) * (w + gap), y: top + row * (h + gap), w, h };
    return piece.tile === null
      ? leaf(piece.name, "back", "a tile, face down", tileBack(place))
      : tilePart(piece.name, piece.tile, place, piece.down ? "df-down" : "");
  });
}

export function tilePart(name, tile, area, looks = "") {
  const down = looks ? ", face down for the players" : "";
  return leaf(name, "tile", `${tileWords(tile)}${down}`, tileFace(tile, area, looks), mark(area));
}

// ---------------------------------------------------------------------------- films

export function genreMark(genre, x, y, size = 17) {
  const style = { size: size * 0.68, weight: 700, anchor: "middle", name: "df-on-genre" };
  const area = { x: x - size / 2, y: y - size / 2, w: size, h: size };
  const letter = String(genre).slice(0, 1).toUpperCase();
  return group(`df-genre df-${genre}`, box(area, "df-genre-ground", 4), text(x, y, letter, style));
}

function spaceOf(film, index, area) {
  const space = film.spaces[index];
  const kind = space.kind === "guest" ? "guest star" : space.kind;
  const lies = space.tile ? tileWords(space.tile) : "empty";
  const title = `${film.title}, ${kind} space: ${lies}`;
  const face = space.tile
    ? [box({ ...area, y: area.y + area.h - 1, h: 3 }, `df-edge df-${space.kind}`, 1), tileFace(space.tile, area)]
    : [
        box(area, `df-space df-${space.kind}`, 6),
        symbol(space.kind, area.x + area.w / 2, area.y + area.h / 2, area.w * 0.52, `df-ghost df-${space.kind}`),
      ];
  return leaf(spacePart(film, index), "space", title, face, mark(area));
}

/** Returns how high a film in production is drawn in a width. */
export function filmHeight(w) {
  return 30 + slotWidth(w) * 1.22 + 10;
}

function slotWidth(w) {
  return Math.min(40, (w - 16 - 5 * 4 - 8) / 6);
}

/** Draws a film in production, or a screenplay, with its spaces. */
export function filmCard(film, area, kind = "film") {
  const { x, y, w } = area;
  const slot = slotWidth(w);
  const high = filmHeight(w);
  const line = y + 16;
  const stars = String(film.stars);
  const counted = 22 + stars.length * 8;
  const title = `${film.title}, ${film.genre}, ${film.printed} printed stars, ${film.stars} so far`;
  const last = film.spaces.length - 1;
  const spaces = film.spaces.map((space, k) => {
    const left = k === last && space.kind === "guest" ? x + w - 8 - slot : x + 8 + k * (slot + 4);
    return spaceOf(film, k, { x: left, y: y + 30, w: slot, h: slot * 1.22 });
  });
  return part(
    filmPart(film),
    kind,
    title,
    box({ x, y, w, h: high }, "t-card", 8),
    genreMark(film.genre, x + 17, line),
    text(x + 31, line, film.title, { size: 14, least: 11.5, serif: true, weight: 600, room: w - 44 - counted }),
    text(x + w - 26, line, stars, { size: 15, weight: 700, anchor: "end", name: "t-gold" }),
    symbol("star", x + w - 16, line, 13, "t-gold"),
    spaces,
  );
}

/** Draws a finished film as a line: its token, title and awards. */
export function finishedFilm(film, awards, area) {
  const { x, y, w } = area;
  const middle = y + 13;
  const worth = film.token ?? "0";
  const medals = film.awards.map((name) => awards.find((award) => award.award === name)?.points ?? "");
  const room = w - 62 - medals.length * 24;
  const given = film.awards.length ? `; awards: ${film.awards.join(", ")}` : "";
  const tiles = film.spaces.map((space) => space.tile).filter(Boolean).join(", ");
  const how = `finished with ${film.stars} stars, token ${film.token ?? "none"}`;
  const title = `${film.title}, ${film.genre}, ${how}${given}; ${tiles}`;
  return leaf(
    filmPart(film),
    "finished",
    title,
    box({ x, y, w, h: 26 }, "t-well", 6),
    tokenMark(worth, { x: x + 3, y: y + 3, w: 34, h: 20 }),
    genreMark(film.genre, x + 48, middle, 15),
    text(x + 59, middle, film.title, { size: 13, least: 11, serif: true, room }),
    medals.map((points, k) => medalMark(points, x + w - 14 - 24 * k, middle)),
    mark({ x, y, w, h: 26 }),
  );
}

export function tokenMark(words, area, looks = "t-token") {
  const style = { size: 12.5, weight: 700, anchor: "middle", name: looks === "t-token" ? "t-on-gold" : "t-quiet" };
  return group("", box(area, looks, 5), text(area.x + area.w / 2, area.y + area.h / 2, words, style));
}

export function medalMark(points, x, y) {
  const style = { size: 11, weight: 700, anchor: "middle", name: "df-on-medal" };
  return group("", make("circle", { cx: x, cy: y, r: 10, class: "df-medal" }), text(x, y, points, style));
}

/** Returns what the points of a seat come from (D29). */
export function pointsOf(view, seat) {
  const player = view.players[seat];
  const films = player.finished.reduce((sum, film) => sum + (parseInt(film.token, 10) || 0), 0);
  const given = view.awards.filter((award) => award.player === seat);
  const awards = given.reduce((sum, award) => sum + award.points, 0);
  return { films, awards, money: player.money ?? 0 };
}

/** Returns what a genre is called where there is little room. */
export function shortGenre(words) {
  return words.replace(/entertainment|adventure|drama/, (genre) => SHORTER[genre]);
}

export function seatWithName(seat, name, x, y, room, size = 22) {
  return [
    seatMark(seat, x + size / 2, y, size),
    text(x + size + 7, y, name, { size: 14, weight: 600, room: room - size - 7 }),
  ];
}
