// The table of Dream Factory, drawn from a view alone: docs/dream_factory/view.md.

import { frame, headline, namesOf, sheet, text } from "/static/svg.js";
import { awards, locations, pile, ring, tokens } from "./board.js";
import { label, marked, origins, targets } from "./moves.js";
import { GAP } from "./pieces.js";
import { doing, stage, studioChoice } from "./stage.js";
import { ending, help, score } from "./story.js";
import { studios } from "./studios.js";

export { ending, help, label, score, targets };

const MARGIN = 8;
const CELL = 98; // the height of a location

/** Draws the table as the viewer sees it. */
export function draw(view, context = {}) {
  const { narrow, w } = frame(context);
  const names = namesOf(view, context, "Player");
  const area = { x: MARGIN, y: MARGIN, w: w - 2 * MARGIN };
  const parts = narrow ? stacked(view, names, area) : wide(view, names, area);
  const title = `${view.title}: ${where(view)}, ${doing(view, names)}`;
  const size = { w, h: parts.bottom + MARGIN };
  const { last, previous } = context;
  const moves = { targets: targets(view), marked: marked(view, last), origins: origins(view, last, previous) };
  return sheet("df-table", title, size, moves, parts.drawn);
}

function where(view) {
  if (view.phase === "over") return "The end";
  if (view.location === null) return "Before the first round";
  return `Round ${view.round} of ${view.rounds} · ${view.locations[view.location].name}`;
}

function head(view, names, area, narrow) {
  const looks = view.phase === "over" ? "t-gold" : "t-ink";
  const above = `${view.title} · ${where(view)}`;
  return headline(area.x + 4, area.y, area.w - 8, above, doing(view, names), narrow, looks);
}

function wide(view, names, area) {
  const { x, w } = area;
  const seats = names.map((_, seat) => seat);
  const said = head(view, names, area, false);
  const top = area.y + said.height + GAP;
  if (view.phase === "studio") {
    const choice = studioChoice(view, names, { x, y: top, w }, w > 1150 ? 5 : 3);
    const players = studios(view, names, { x, y: top + choice.height + GAP, w }, seats);
    return { drawn: [said.drawn, choice.drawn, players.drawn], bottom: top + choice.height + GAP + players.height };
  }
  const boardWidth = Math.round(w * 0.58);
  const side = { x: x + boardWidth + GAP, w: w - boardWidth - GAP };
  const first = pile(view, { ...side, y: top });
  const second = tokens(view, { ...side, y: top + first.height + GAP });
  const third = awards(view, names, { ...side, y: top + first.height + second.height + 2 * GAP }, side.w > 330 ? 2 : 1);
  const beside = first.height + second.height + third.height + 2 * GAP;
  const middle = Math.max(256, beside - 2 * CELL - 2 * GAP);
  const sizes = { cell: CELL, middle, side: Math.max(118, Math.round(boardWidth * 0.21)) };
  const laid = ring(view.locations.length, { x, y: top, w: boardWidth }, sizes);
  const whole = { x, y: top, w: boardWidth, h: laid.height };
  const around = view.phase === "over" ? [] : locations(view, laid.cells);
  const now = stage(view, names, view.phase === "over" ? whole : laid.middle);
  const below = top + Math.max(laid.height, beside) + GAP;
  const players = studios(view, names, { x, y: below, w }, seats);
  return {
    drawn: [said.drawn, around, now, first.drawn, second.drawn, third.drawn, players.drawn],
    bottom: below + players.height,
  };
}

/** Lays everything out in one column: the stage below the board, the viewer's studio first. */
function stacked(view, names, area) {
  const { x, w } = area;
  const drawn = [];
  let { y } = area;
  const add = (piece) => {
    drawn.push(piece.drawn);
    y += piece.height + GAP;
  };
  add(head(view, names, area, true));
  const own = view.viewer ?? view.to_move ?? 0;
  const seats = names.map((_, k) => (own + k) % names.length);
  if (view.phase === "studio") {
    add(studioChoice(view, names, { x, y, w }, 1));
    add(studios(view, names, { x, y, w }, seats));
    return { drawn, bottom: y - GAP };
  }
  if (view.phase !== "over") {
    const sizes = { cell: 88, middle: 88, side: Math.floor((w - 2 * GAP) / 3) };
    add(smallBoard(view, ring(view.locations.length, { x, y, w }, sizes)));
  }
  const high = view.phase === "auction" && Object.keys(view.legal).length ? 300 : 240;
  add({ drawn: stage(view, names, { x, y, w, h: high }), height: high });
  add(studios(view, names, { x, y, w }, seats));
  add(pile(view, { x, y, w }));
  add(tokens(view, { x, y, w }));
  add(awards(view, names, { x, y, w }, 2));
  return { drawn, bottom: y - GAP };
}

/** Draws the locations with the number of the round in their middle. */
function smallBoard(view, laid) {
  const drawn = locations(view, laid.cells);
  if (laid.cells.length !== 8) return { drawn, height: laid.height - laid.middle.h - GAP };
  return { drawn: [drawn, round(view, laid.middle)], height: laid.height };
}

function round(view, area) {
  const x = area.x + area.w / 2;
  return [
    text(x, area.y + area.h / 2 - 8, `${view.round}/${view.rounds}`, { size: 22, serif: true, weight: 700, anchor: "middle" }),
    text(x, area.y + area.h / 2 + 14, "round", { size: 11, anchor: "middle", name: "t-quiet" }),
  ];
}
