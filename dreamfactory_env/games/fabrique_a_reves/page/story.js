// What is told about a game of La Fabrique à rêves: its end, its score over time, what things are.

import { namesOf } from "/static/svg.js";
import { askedVial } from "./moves.js";
import { helpWords, pointWords, say, scaleWords } from "./phrases.js";
import { dreamWords } from "./vials.js";

const DUST = { dust: 1, "dust+2": 2 };

/** Returns the names of the seats: those given, else their numbers in the language of the game. */
export function namesIn(view, context = {}) {
  return namesOf(view, context, view.options.language === "fr" ? "Joueur" : "Player");
}

/** Returns who does what, or how the game has ended. */
export function doing(view, names) {
  if (view.result) {
    return say(view, view.result.winners.length ? "won" : "lost", view.result);
  }
  const key = view.phase === "dreams" && view.proposal === 2 ? "dreams 2" : view.phase;
  return say(view, key, { name: names[view.to_move], vial: askedVial(view) });
}

/** Returns what the vials score, one by one, and the total. */
export function ending(view, context = {}) {
  const { result } = view;
  if (!result) return [];
  const seats = namesIn(view, context).map((_, seat) => seat);
  const told = result.vials.map((scored, k) => {
    const number = view.vials[k].number;
    const filled = { number, cards: scored.cards, how: dreamWords(view, number), points: pointWords(view, scored.points) };
    return { text: say(view, "explained", filled), parts: [`vial-${number}`, ...seats.map((seat) => `slate-${seat}-${number}`)] };
  });
  const total = { points: result.points, aim: result.aim, scale: scaleWords(view, result.scale) };
  const all = view.vials.map((vial) => `vial-${vial.number}`);
  return [{ text: say(view, "waking"), parts: all }, ...told, { text: say(view, "total", total), parts: all }];
}

/** Returns the points for the line over time: before the end what is at stake, then what was scored. */
export function score(view) {
  if (view.result) {
    const { points, aim, scale } = view.result;
    return { values: [points], text: say(view, "total", { points, aim, scale: scaleWords(view, scale) }) };
  }
  const worth = (vial) => (vial.words.length ? 1 + vial.words.length + (DUST[vial.token] ?? 0) : 0);
  const points = view.vials.reduce((sum, vial) => sum + worth(vial), 0);
  return { values: [points], text: say(view, "stake", { points, aim: view.aim }) };
}

/** Returns what each kind of thing on the table is, in the language of a view if one is given. */
export function help(view = null) {
  return helpWords(view);
}

/** Returns the file of the rules in the language of the game. */
export function rules(view) {
  return view.options.language === "fr" ? "rules.fr.txt" : "rules.txt";
}
