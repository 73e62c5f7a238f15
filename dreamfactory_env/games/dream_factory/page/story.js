// What is told about a game of Dream Factory: its end, its score over time, and what things are.

import { listed, namesOf } from "/static/svg.js";
import { directorStars } from "./board.js";
import { filmPart, pointsOf } from "./pieces.js";

/** Returns what is given at the end, one by one, and how each score comes about. */
export function ending(view, context = {}) {
  if (view.phase !== "over") return [];
  const names = namesOf(view, context, "Player");
  const told = view.awards.map((award, k) => ({ text: awardWords(view, award, names), parts: awardParts(view, award, k) }));
  const seats = names.map((_, seat) => seat).sort((a, b) => view.players[a].points - view.players[b].points);
  for (const seat of seats) {
    told.push({ text: sumWords(view, seat, names), parts: [`final-${seat}`, `seat-${seat}`] });
  }
  const won = listed(view.winners.map((seat) => names[seat]));
  const words = `${won} ${view.winners.length > 1 ? "win together" : "wins"}${tieWords(view)}.`;
  told.push({ text: words, parts: view.winners.map((seat) => `final-${seat}`) });
  return told;
}

function awardWords(view, award, names) {
  const head = `${award.award.replace(/^./, (sign) => sign.toUpperCase())}, ${award.points} points`;
  if (award.player === null) return `${head}: nobody.`;
  const name = names[award.player];
  if (award.film) return `${head}: ${award.film}, ${name}.`;
  return `${head}: ${name}, ${directorStars(view.players[award.player])} stars on directors of finished films.`;
}

function awardParts(view, award, index) {
  const found = [`award-${index}`];
  if (award.film) found.push(filmPart({ title: award.film }));
  else if (award.player !== null) found.push(`seat-${award.player}`);
  return found;
}

/** Returns how the points of a seat add up: tokens, awards, money (D29). */
function sumWords(view, seat, names) {
  const { films, awards, money } = pointsOf(view, seat);
  const sum = view.players[seat].points;
  return `${names[seat]}: ${films} for films + ${awards} for awards + ${money} money = ${sum}.`;
}

function tieWords(view) {
  const most = Math.max(...view.players.map((player) => player.points));
  const tied = view.players.filter((player) => player.points === most).length;
  return tied > view.winners.length ? ": of those with equal points, the one with the highest film" : "";
}

/** Returns the points of each seat for the line over time, all of one kind. */
export function score(view, context = {}) {
  const names = namesOf(view, context, "Player");
  const open = view.players.every((player) => player.points !== null);
  const values = view.players.map((player) => (open ? player.points : player.points_without_money));
  const kind = open ? "Points: films, awards and money" : "Points without money, which is hidden";
  return { values, text: `${kind}. ${names.map((name, seat) => `${name} ${values[seat]}`).join(", ")}.` };
}

/** Returns what each kind of thing on the table is. */
export function help() {
  return {
    tile: "A tile: its kind and its stars. It goes onto a space of its kind; an agency onto any but the guest star's.",
    back: "A tile that lies face down until its party begins.",
    location: "A location. All are visited clockwise: at auctions the winner takes all tiles, at parties everybody takes one.",
    bidder: "A player's last bid, or the place in the order of choosing at a party.",
    pot: "Money that could not be divided evenly; it is added to the next price.",
    box: "The box: a tile that you do not want, or that fits nowhere, goes here for good.",
    film: "A film in production. Once every space but the guest star's has a tile it is finished; the number is its stars so far.",
    screenplay: "A screenplay with its genre, printed stars and empty spaces.",
    space: "A space of a film. It takes the kind that it shows; one with three dots takes an actor, camera, music or effects.",
    finished: "A finished film: its value token, its genre, and the awards that lie on it.",
    token: "A value token. A finished film takes that of its stars, or the next lower one; + ranks above its twin.",
    award: "An award: 5 points on the way, 10 at the end. A paler seat shows who would get it now.",
    pile: "The pile of screenplays. Whoever finishes a film takes the top one.",
    deck: "How many tiles have not been drawn yet.",
    seat: "A player, with the studio. The marker shows who speaks first in the next auction.",
    money: "Money, which is a point each at the end. A screen hides it from others.",
    points: "Points so far: value tokens, awards, and money where it is known.",
    red: "Famous faces: visible actors and guest stars. Whoever has most chooses first at a party.",
    studio: "A studio that can be chosen, with the three screenplays that it begins with.",
    final: "The points of a player at the end.",
    chip: "A move that you can make now.",
  };
}
