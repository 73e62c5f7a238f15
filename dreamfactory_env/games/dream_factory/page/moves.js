// Which parts of the table are clicked for a move of Dream Factory, and what its button says.

import { filmPart, spacePart } from "./pieces.js";

/** The action space: docs/dream_factory/actions.md. */
const [PASS, BID, STUDIO, PICK, DECLINE, PLACE, DISCARD] = [0, 1, 52, 57, 62, 63, 117];
const [SLOTS, SPACES, GUEST] = [3, 6, 5];
/** So many bids stand on the table; higher ones have buttons alone. */
const BIDS_SHOWN = 12;

/** Returns the bids that stand on the table: the lowest of the legal ones. */
export function shownBids(view) {
  const bids = Object.values(view.legal).filter((action) => action >= BID && action < STUDIO);
  return bids.map((action) => action - BID).sort((a, b) => a - b).slice(0, BIDS_SHOWN);
}

export const canPass = (view) => Object.values(view.legal).includes(PASS);
export const canDecline = (view) => Object.values(view.legal).includes(DECLINE);
export const canDiscard = (view) => Object.values(view.legal).some((action) => action >= DISCARD);

export const lotPart = (view, place) => `tile-${view.location}-${place}`;

/** Returns what is clicked for each legal action, in order; nothing where there is only a button. */
export function targets(view) {
  const bids = new Set(shownBids(view));
  const found = {};
  for (const action of Object.values(view.legal)) {
    found[action] = partsOf(view, action, bids);
  }
  return found;
}

function partsOf(view, action, bids) {
  if (action === PASS) return ["pass"];
  if (action < STUDIO) return bids.has(action - BID) ? [`bid-${action - BID}`] : [];
  if (action < PICK) return [`studio-${action - STUDIO + 1}`];
  if (action < DECLINE) return [lotPart(view, action - PICK)];
  if (action === DECLINE) return ["decline"];
  if (action >= DISCARD) return [`hand-${action - DISCARD}`, "box"];
  const { place, film, index } = placing(view, action);
  return [`hand-${place}`, spacePart(film, index)];
}

function placing(view, action) {
  const place = Math.floor((action - PLACE) / (SLOTS * SPACES));
  const slot = Math.floor((action - PLACE) / SPACES) % SLOTS;
  const column = (action - PLACE) % SPACES;
  const film = view.players[view.to_move].production[slot];
  return { place, film, index: column === GUEST ? film.spaces.length - 1 : column };
}

/** Returns the words on the button of a move, and the group it stands in. */
export function label(view, action, words) {
  if (action === PASS) return { group: "Bid", text: "Pass", key: "p" };
  if (action < STUDIO) {
    const bid = action - BID;
    return { group: "Bid", text: `Bid ${bid}`, ...(bid < 10 ? { key: String(bid) } : {}) };
  }
  if (action < PICK) return { group: "Studio", text: `Studio ${action - STUDIO + 1}`, key: String(action - STUDIO + 1) };
  if (action < DECLINE) {
    return { group: "Party", text: `Take ${view.lot[action - PICK]}`, key: String(action - PICK + 1) };
  }
  if (action === DECLINE) return { group: "Party", text: "Take none", key: "n" };
  if (action >= DISCARD) {
    const tile = view.hand[action - DISCARD];
    const alone = view.hand.filter(Boolean).length === 1;
    return { group: `Place ${tile}`, text: "Discard", ...(alone ? { key: "d" } : {}) };
  }
  const { place, film, index } = placing(view, action);
  return { group: `Place ${view.hand[place]}`, text: `${film.title}: ${film.spaces[index].name}` };
}

/** Returns the parts that the last move touched, as far as the table shows them now. */
export function marked(view, last) {
  if (!last) return [];
  const { seat, words } = last;
  if (words.startsWith("place ")) {
    const where = words.slice(words.indexOf(" on ") + 4);
    const [title, name] = [where.slice(0, where.lastIndexOf("/")), where.slice(where.lastIndexOf("/") + 1)];
    const films = [...view.players[seat].production, ...view.players[seat].finished];
    const film = films.find((each) => each?.title === title);
    if (!film) return [];
    const done = view.players[seat].finished.includes(film);
    const index = film.spaces.findIndex((space) => space.name === name);
    return [done ? filmPart(film) : spacePart(film, index)];
  }
  if (words.startsWith("bid ") || words === "pass") return [`bidder-${seat}`, `seat-${seat}`];
  if (words.startsWith("pick ")) return ["hand-0"];
  if (words.startsWith("discard ")) return ["discarded"];
  return [`seat-${seat}`];
}

/** Returns from which parts of the table before it a move has brought things here. */
export function origins(view, last, previous) {
  if (!last || !previous) return {};
  const { action } = last;
  if (previous.auction && !view.auction && view.phase === "placing") {
    return Object.fromEntries(view.hand.map((_, place) => [`hand-${place}`, lotPart(previous, place)]));
  }
  if (action >= PICK && action < DECLINE) return { "hand-0": lotPart(previous, action - PICK) };
  if (action < PLACE || action >= DISCARD) return {};
  const { place, film, index } = placing(previous, action);
  return { [spacePart(film, index)]: `hand-${place}` };
}
