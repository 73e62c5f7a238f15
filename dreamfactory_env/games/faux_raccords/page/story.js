// What is told about a game of Faux Raccords: its end, its score over time, and what things are.

import { namesOf } from "/static/svg.js";
import { filmPart } from "./pieces.js";
import { concerned } from "./shapes.js";
import { CONDITIONS } from "./sides.js";

/** What the player to move does, by the phase. */
const DOES = {
  action: "chooses an action",
  place: "places a card",
  look: "chooses a card to look at",
  "move clap": "moves a Clap",
  reuse: "may reuse a card of the Cut",
  take: "may take a card of the Film",
  "take more": "may take a second card",
  put: "puts a card back",
  swap: "may swap a card of the Cut",
  "swap for": "chooses the card of the Film to swap",
  give: "may give a card of the Film away",
  "give to": "chooses who gets the card",
  show: "may show a card",
  "show at": "places the shown card",
  hint: "may give a hint",
  "hint on": "lays the hint",
  "take clap": "takes a Clap back",
  lose: "chooses the card that is lost",
  clash: "chooses a card that clashes",
  "clash with": "chooses the other card",
  reshoot: "chooses the card to shoot again",
  pass: "passes a card on",
  cover: "turns a card face down",
  bin: "bins a card",
};

/** Returns who does what, or how the game has ended. */
export function doing(view, names) {
  if (view.result) {
    const won = view.result.winners.length > 0;
    return `${won ? "Won" : "Lost"}: score ${view.result.score} of 100`;
  }
  const now = view.hazards.find((hazard) => hazard.now);
  const whose = view.to_move === view.turn ? "" : `, in the turn of ${names[view.turn]}`;
  return `${names[view.to_move]} ${DOES[view.phase] ?? view.phase}${whose}${now ? ` (${now.name})` : ""}`;
}

/** Returns how the Film is judged, condition by condition, and the score. */
export function ending(view, context = {}) {
  const { result } = view;
  if (!result) return [];
  const names = namesOf(view, context, "Player");
  const how = result.ending === "end" ? "says that the Film is finished" : "has no card left";
  const told = [{ text: `${names[result.player]} ${how}. The Film is turned up and judged.`, parts: ["film"] }];
  for (const [condition, met] of Object.entries(result.conditions)) {
    told.push({ text: conditionWords(view, condition, met), parts: conditionParts(view, condition, met) });
  }
  const missed = Object.values(result.conditions).filter((met) => !met).length;
  const won = result.winners.length > 0;
  const all = Object.keys(result.conditions).length;
  const lost = `${missed} of ${all} conditions not met: the game is lost`;
  const words = won ? "All conditions are met: everybody wins" : lost;
  told.push({ text: `${words}. Graded score ${result.score} of 100, which only a won game has in full.`, parts: ["film"] });
  return told;
}

function conditionWords(view, condition, met) {
  const head = `${(CONDITIONS[condition] ?? condition).replace(/^./, (sign) => sign.toUpperCase())}: ${met ? "yes" : "no"}`;
  const wrong = met ? [] : concerned(view, condition).map((lying) => lying.card?.card);
  if (condition === "size") {
    return `${head}, ${view.film.length} cards lie there, ${view.aim.cards.join(" + ")} were wanted.`;
  }
  if (condition === "genre") {
    return `${head}, ${view.genres.map((genre, k) => `${view.result.genre[k]} of ${genre.needed}`).join(" and ")}.`;
  }
  return wrong.length ? `${head}: look at ${[...new Set(wrong)].join(", ")}.` : `${head}.`;
}

function conditionParts(view, condition, met) {
  const shown = condition === "size" || (met && condition !== "genre") ? view.film : concerned(view, condition);
  return [`condition-${condition}`, ...shown.map((lying) => filmPart(lying.place))];
}

/** Returns how far the Film has grown for the line over time; nobody knows more before its end. */
export function score(view) {
  const wanted = view.aim.cards.reduce((sum, cards) => sum + cards, 0);
  const judged = view.result ? ` ${doing(view, [])}.` : "";
  return { values: [view.film.length], text: `${view.film.length} of ${wanted} cards lie in the Film.${judged}` };
}

/** Returns what each kind of thing on the table is. */
export function help() {
  return {
    film: "The Film. Put a card of your hand here to place it face down, with one of your Claps on it.",
    filmcard: "A card of the Film. Pale ones lie face up; an eye: your Clap lets you look; a cloud: you remember it.",
    place: "A place where the card can be put.",
    handcard: "A card in hand: its value, its symbol, and the member of the production whom it calls.",
    cut: "The Cut, an open row. Put a card here to call its member; beyond five cards the first leaves.",
    cutcard: "A card of the Cut, which everybody sees.",
    pile: "The draw pile. Each turn ends with drawing one.",
    bin: "The bin, face down. Put a card here to view one of the Film.",
    genre: "The genre: so many cards of the Film must show one of its two moods, or the joker.",
    condition: "A condition: all must be met to win.",
    hazard: "A hazard. It lies face down until it is due, and then happens at once.",
    seat: "A player: Claps in reserve, and + − while the one hint is not given yet.",
    chip: "A move that you can make now.",
  };
}
