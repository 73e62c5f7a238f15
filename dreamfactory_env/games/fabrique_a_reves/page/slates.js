// The slates of the players: what they have dreamt, as far as the viewer may read it.

import { box, columns, group, leaf, mark, part, seatMark, text, widthOf } from "/static/svg.js";
import { say } from "./phrases.js";
import { GAP } from "./vials.js";

const HEAD = 42;
const LINE = 29;

/** Draws all slates; returns elements and height. Before the dreams they are empty and short. */
export function slates(view, names, area, seats) {
  const most = Math.max(1, Math.floor((area.w + GAP) / 168));
  const across = Math.ceil(seats.length / Math.ceil(seats.length / most));
  const places = columns(area.x, area.w, across, GAP);
  const dreaming = view.phase === "dreams" || view.phase === "over";
  const high = HEAD + (dreaming ? view.vials.length * LINE + 6 : 0);
  const drawn = seats.map((seat, k) => {
    const spot = { ...places[k % across], y: area.y + Math.floor(k / across) * (high + GAP), h: high };
    return slate(view, names, seat, spot, dreaming);
  });
  return { drawn, height: Math.ceil(seats.length / across) * (high + GAP) - GAP };
}

function slate(view, names, seat, area, dreaming) {
  const { x, y, w, h } = area;
  const player = view.players[seat];
  const began = view.first_player === seat ? say(view, "began") : "";
  const facts = [began, player.passed ? say(view, "passed") : ""].filter(Boolean);
  const all = facts.join(", ");
  const needed = widthOf(all, { size: 11.5 }) + 8;
  const told = w - 50 - needed > Math.min(80, widthOf(names[seat], { size: 14, weight: 600 })) ? all : "";
  const room = w - 50 - (told ? needed : 0);
  const wide = Math.min(room, widthOf(names[seat], { size: 14, weight: 600 }));
  const heading = part(
    `seat-${seat}`,
    "seat",
    [names[seat], ...facts].join(", "),
    box({ x: x + 5, y: y + 5, w: w - 10, h: HEAD - 10 }, "t-mark", 8),
    seatMark(seat, x + 21, y + 21),
    text(x + 39, y + 21, names[seat], { size: 14, weight: 600, room }),
    text(x + 47 + wide, y + 21.5, told, { size: 11.5, name: "t-quiet", room: w - 55 - wide }),
  );
  return group(
    `t-seat-${seat}`,
    box(area, "t-panel", 12),
    seat === view.to_move ? box({ x: x + 1.5, y: y + 1.5, w: w - 3, h: h - 3 }, "t-seat-frame", 11) : [],
    heading,
    dreaming ? entries(view, names[seat], seat, { x: x + 8, y: y + HEAD - 2, w: w - 16 }) : [],
  );
}

function entries(view, name, seat, area) {
  const player = view.players[seat];
  let decided = player.decided;
  return view.vials.map((vial, k) => {
    const asked = vial.token === "doubt" ? 2 : 1;
    const count = Math.min(decided, asked);
    decided -= count;
    const spot = { x: area.x, y: area.y + k * LINE, w: area.w, h: LINE - 4 };
    const line = entry(view, player.slate?.[k] ?? null, count, vial.number);
    const title = say(view, "slate line", { name, number: vial.number, words: line.title });
    return leaf(
      `slate-${seat}-${vial.number}`,
      "slate",
      title,
      box(spot, "t-well", 6),
      text(spot.x + 9, spot.y + spot.h / 2, vial.number, { size: 11.5, name: "t-quiet" }),
      text(spot.x + 24, spot.y + spot.h / 2, line.words, { size: 13, room: spot.w - 30, ...line.style }),
      mark(spot),
    );
  });
}

/** Returns what stands on a line of a slate: words, how they look, and what is read aloud. */
function entry(view, written, count, number) {
  if (written === null) {
    const title = say(view, count ? "secret" : "not yet");
    return { words: "● ".repeat(count).trim(), title, style: { size: 10, name: "t-quiet" } };
  }
  if (!written.length) return { words: "", title: say(view, "not yet"), style: {} };
  const words = written.map((word) => word?.shown ?? say(view, "nothing")).join(" / ");
  const dream = view.result?.vials[number - 1].dream ?? null;
  const alike = dream !== null && written.some((word) => word?.word === dream);
  const name = view.result ? (alike ? "t-good" : "t-quiet") : "t-ink";
  return { words: alike ? `✓ ${words}` : words, title: words, style: { name, weight: alike ? 600 : 400 } };
}
