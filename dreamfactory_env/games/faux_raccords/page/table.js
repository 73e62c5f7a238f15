// The table of Faux Raccords, drawn from a view alone: docs/faux_raccords/view.md.

import { chips, frame, headline, namesOf, sheet } from "/static/svg.js";
import { film } from "./film.js";
import { label, marked, origins, sayings, targets } from "./moves.js";
import { GAP } from "./pieces.js";
import { hazards, players, strip, wanted } from "./sides.js";
import { doing, ending, help, score } from "./story.js";

export { ending, help, label, score, targets };

const MARGIN = 8;

/** Draws the table as the viewer sees it. */
export function draw(view, context = {}) {
  const { narrow, w } = frame(context);
  const names = namesOf(view, context, "Player");
  const area = { x: MARGIN, y: MARGIN, w: w - 2 * MARGIN };
  const laid = narrow ? stacked(view, names, area) : wide(view, names, area);
  const title = `${view.title}, ${view.options.mode}: ${doing(view, names)}`;
  const size = { w, h: laid.bottom + MARGIN };
  const { last, previous } = context;
  const moves = { targets: targets(view), marked: marked(view, last), origins: origins(view, last, previous) };
  return sheet("fr-table", title, size, moves, laid.drawn);
}

/** Draws the headline and the moves that are words; returns elements and height. */
function head(view, names, area, narrow) {
  const { x, y, w } = area;
  const looks = view.result?.winners.length ? "t-gold" : "t-ink";
  const title = `${view.title} · ${view.options.mode}`;
  const { drawn, height } = headline(x + 4, y, w - 8, title, doing(view, names), narrow, looks);
  const said = chips(x + 2, y + height + 4, w, sayings(view));
  return { drawn: [drawn, said.drawn], height: height + (said.height ? said.height + 6 : 0) };
}

function wide(view, names, area) {
  const { x, w } = area;
  const top = head(view, names, area, false);
  const y = area.y + top.height + GAP;
  const side = Math.max(236, Math.min(300, w * 0.24));
  const asked = wanted(view, { x: x + w - side, y, w: side });
  const dangers = hazards(view, { x: x + w - side, y: y + asked.height + GAP, w: side }, 1);
  const middle = film(view, names, { x, y, w: w - side - GAP }, false, asked.height + GAP + dangers.height);
  const below = y + middle.height + GAP;
  const row = strip(view, names, { x, y: below, w }, false);
  const seats = names.map((_, seat) => seat);
  const hands = players(view, names, { x, y: below + row.height + GAP, w }, seats);
  return {
    drawn: [top.drawn, middle.drawn, asked.drawn, dangers.drawn, row.drawn, hands.drawn],
    bottom: below + row.height + GAP + hands.height,
  };
}

/** Lays everything out in one column, the viewer's hand right below the Film. */
function stacked(view, names, area) {
  const { x, w } = area;
  const drawn = [];
  let y = area.y;
  const add = (piece) => {
    drawn.push(piece.drawn);
    y += piece.height + GAP;
  };
  const own = view.viewer ?? view.to_move ?? view.turn;
  const seats = names.map((_, k) => (own + k) % names.length);
  add(head(view, names, area, true));
  add(film(view, names, { x, y, w }, true));
  add(players(view, names, { x, y, w }, seats.slice(0, 1)));
  add(strip(view, names, { x, y, w }, true));
  add(wanted(view, { x, y, w }));
  add(players(view, names, { x, y, w }, seats.slice(1)));
  add(hazards(view, { x, y, w }, 2));
  return { drawn, bottom: y - GAP };
}
