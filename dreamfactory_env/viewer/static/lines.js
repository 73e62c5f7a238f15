// What the line over time shows: the score, and the chances to win where a review has them.

import { texts } from "./texts.js";

/** Returns the line of the score, as the drawing of the game tells it. */
export function scoreLine(story, drawing) {
  const { agents: names } = story.game;
  return { label: texts.score, at: (k) => story.frames[k] && drawing.score(story.frames[k].view, { names }) };
}

/**
 * Returns the line of the chances to win: what a review found after each move that was no forced one, and at
 * the end how it ended. A seat sees those of its own decisions, for others know other things.
 */
export function chanceLine(story, analysis) {
  const { game } = story;
  const named = (values) =>
    game.shared ? texts.percent(values[0]) : values.map((value, seat) => `${game.agents[seat]} ${texts.percent(value)}`).join(" · ");
  return {
    label: texts.chances,
    at: (k) => {
      const values = (k === game.moves && ended(game)) || judged(analysis.decisions[k - 1], story);
      return values && { values, text: texts.chancesAt(named(values), analysis.settings) };
    },
  };
}

function ended({ shared, players, result }) {
  if (!result) return null;
  const seats = Array.from({ length: shared ? 1 : players }, (_, seat) => seat);
  return seats.map((seat) => (result.winners.includes(seat) ? 1 : 0));
}

function judged(decision, { game, viewer }) {
  if (!decision?.chances || (viewer !== null && viewer !== decision.seat)) return null;
  const best = decision.chances.map((places) => places[0]);
  return game.shared ? best.slice(0, 1) : best;
}
