// Which parts of the table are clicked for a move of Faux Raccords, and what its button says.

import { lineOf } from "./shapes.js";
import { cutPart, filmPart, handPart, placePart } from "./pieces.js";

/** What is asked where a place answers with a card put there, not with one that lies there. */
const PUTTING = ["place", "put", "show at"];
/** What is asked where a card of the Cut answers. */
const OF_CUT = ["reuse", "swap"];
/** What is asked where a card of the hand answers. */
const OF_HAND = ["show", "pass", "bin"];
/** Moves that name nothing: what stands on the table for them, and a key. */
const PLAIN = {
  end: ["The Film is finished", "f"],
  "no effect": ["No effect", "n"],
  enough: ["Enough", "n"],
  "no hint": ["No hint", "n"],
  "hint good": ["Hint: well placed", "g"],
  "hint bad": ["Hint: badly placed", "b"],
};
const VERBS = { place: "Place", call: "Call", "view with": "View with" };
const GOALS = { place: "film", call: "cut", "view with": "bin" };
const GROUPS = { place: "Place into the Film", call: "Call from the Cut", "view with": "View a card" };

const lastWord = (words) => words.slice(words.lastIndexOf(" ") + 1);
const beforeLast = (words) => words.slice(0, words.lastIndexOf(" "));
const sayPart = (words) => `say-${words.replace(" ", "-")}`;

/** Returns the moves that stand on the table as words: [part, words, title]. */
export function sayings(view) {
  if (view.viewer === null) return [];
  const said = Object.keys(view.legal).filter((words) => Object.hasOwn(PLAIN, words));
  return said.map((words) => [sayPart(words), PLAIN[words][0], PLAIN[words][0]]);
}

/** Returns the places at which a card can be put now. */
export function offered(view) {
  if (!PUTTING.includes(view.phase)) return [];
  return Object.keys(view.legal).filter((words) => !Object.hasOwn(PLAIN, words)).map(lastWord);
}

/** Tells whether a card of the hand is chosen now, and whether it goes to the Film, Cut or bin. */
export const choosesAction = (view) => view.phase === "action" && Object.keys(view.legal).length > 0;

/** Returns what is clicked for each legal action, in order; nothing where there is only a button. */
export function targets(view) {
  return Object.fromEntries(Object.entries(view.legal).map(([words, action]) => [action, partsOf(view, words)]));
}

function partsOf(view, words) {
  if (Object.hasOwn(PLAIN, words)) return view.viewer === null ? [] : [sayPart(words)];
  const named = lastWord(words);
  if (view.phase === "action") return [handPart(named), GOALS[beforeLast(words)]];
  if (view.phase === "give to") return [`seat-${named}`];
  if (OF_CUT.includes(view.phase)) return [cutPart(named)];
  if (OF_HAND.includes(view.phase)) return [handPart(named)];
  return [PUTTING.includes(view.phase) ? placePart(named) : filmPart(named)];
}

/** Returns the words on the button of a move, and the group it stands in. */
export function label(view, action, words) {
  if (Object.hasOwn(PLAIN, words)) {
    const [text, key] = PLAIN[words];
    return { group: words === "end" ? "End" : "Answer", text, key };
  }
  const verb = beforeLast(words);
  if (view.phase === "action") {
    return { group: GROUPS[verb], text: `${VERBS[verb]} ${named(view, lastWord(words))}` };
  }
  const text = words.replace(/^./, (letter) => letter.toUpperCase());
  if (OF_CUT.includes(view.phase) || OF_HAND.includes(view.phase)) {
    return { group: "Card", text: `${verb.replace(/^./, (letter) => letter.toUpperCase())} ${named(view, lastWord(words))}` };
  }
  return { group: view.phase === "give to" ? "Player" : "Place of the Film", text };
}

/** Returns a card with its symbol and member, as far as it is in the mover's hand or in the Cut. */
function named(view, name) {
  const cards = [...(view.players[view.to_move]?.hand ?? []), ...view.cut.cards];
  const card = cards.find((each) => each.card === name);
  return card ? `${name} (${card.symbol}, ${card.member})` : name;
}

/** Returns what the place is called at which a card was put: in a shape one put at 0 shifts all names. */
const lyingAt = (place) => (place.includes("/") ? place.replace(/\b0\b/g, "1") : place);

/** Returns the parts that the last move touched, as far as the table shows them now. */
export function marked(view, last) {
  if (!last) return [];
  const { seat, words } = last;
  const name = lastWord(words);
  if (/^(at|put at) /.test(words)) {
    return [filmPart(lyingAt(name))];
  }
  if (/^(call|swap) /.test(words)) return [cutPart(name)];
  if (/^(look at|move clap from|on|for|with|clash|cover|reshoot|take clap from) /.test(words)) return [filmPart(name)];
  return seat === view.to_move ? [] : [`seat-${seat}`];
}

/** Returns from which parts of the table before it a move has brought things here. */
export function origins(view, last, previous) {
  if (!last || !previous) return {};
  const { seat, words } = last;
  const name = lastWord(words);
  const owner = previous.players[seat];
  if (words.startsWith("call ")) return { [cutPart(name)]: owner.hand ? handPart(name) : `seat-${seat}` };
  const putting = /^(at|put at) /.test(words);
  const place = putting ? name : (previous.film.find((lying) => lying.chosen)?.place ?? name);
  if (!/\d/.test(place)) return {};
  const inShape = place.includes("/");
  if (!putting) return inShape ? {} : lineShift(view, previous, place);
  const held = owner.hand && owner.pending ? handPart(owner.pending.card) : `seat-${seat}`;
  const found = inShape ? shifted(view, place) : lineShift(view, previous, place);
  return { ...found, [filmPart(lyingAt(place))]: previous.taken.length ? "taken-0" : held };
}

/** In a line the cards from a place on move up when one is put there, and back when one leaves. */
function lineShift(view, previous, place) {
  const { letter, number } = lineOf(place);
  const count = (table) => table.film.filter((lying) => lineOf(lying.place).letter === letter).length;
  const step = count(view) - count(previous);
  const moved = {};
  for (let k = step > 0 ? number + 1 : number; step && k <= count(view); k += 1) {
    moved[filmPart(`${letter}${k}`)] = filmPart(`${letter}${k - step}`);
  }
  return moved;
}

/** In a shape a card put at 0 shifts the names of all others by one. */
function shifted(view, place) {
  const [first, second] = place.split("/").map((number) => (number === "0" ? 1 : 0));
  if (!first && !second) return {};
  const before = (name) => name.split("/").map((number, k) => number - (k ? second : first)).join("/");
  return Object.fromEntries(view.film.map((lying) => [filmPart(lying.place), filmPart(before(lying.place))]));
}
