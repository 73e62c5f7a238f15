// The parts of the review panel: each is made from plain data, texts as texts.

import { el } from "./dom.js";
import { seatMark } from "./seats.js";
import { reviewTexts as words } from "./texts.js";

/** So many moves are listed before one asks for more. */
const FIRST_MOVES = 6;

const about = (text) => el("p", { class: "rv-about" }, text);

/** Returns a bar of a share from 0 to 1; figures stand beside it, so that it is only to be seen. */
function bar(share, kind = "") {
  const filled = el("span", { class: `rv-bar-fill ${kind}` });
  filled.style.inlineSize = `${(100 * Math.min(Math.max(share, 0), 1)).toFixed(2)}%`;
  return el("span", { class: "rv-bar", "aria-hidden": "true" }, filled);
}

/** Returns what is said of the move that was played; nothing if none was. */
export function verdictOf(decision, settings) {
  const { verdict, played, preferred } = decision;
  if (!verdict) return el("div", { class: "rv-verdict" }, el("p", { class: "rv-said" }, words.prefers(preferred)));
  const same = played === preferred;
  const facts = { ...decision, same, floor: settings.floor };
  return el(
    "div",
    { class: `rv-verdict rv-${verdict}` },
    el("p", { class: "rv-said" }, el("strong", { class: "rv-badge" }, words.verdicts[verdict]), " ", words.played(played)),
    verdict === "forced" || same ? null : el("p", { class: "rv-prefers" }, words.prefers(preferred)),
    about(words.verdictAbout[verdict](facts)),
    verdict === "forced" || same ? null : about(words.howCompared({ ...settings, deals: decision.deals })),
  );
}

/** Returns the legal moves with what the judge says of each. */
export function movesOf(decision, settings) {
  const { moves, played } = decision;
  if (settings.kind === "policy") return about(words.about.policy);
  const most = Math.max(1, ...moves.map((move) => move.visits ?? 0));
  const columns = ["p", "visits", "mean"].filter((key) => moves.some((move) => move[key] !== undefined));
  if (!columns.length) return null; // a search does not look at the only move
  const cell = {
    p: (move) => [bar(move.p), words.percent(move.p)],
    visits: (move) => [bar(move.visits / most), words.count(move.visits)],
    mean: (move) => [words.spread(move.mean, move.se)],
  };
  const row = (move, k) =>
    el(
      "tr",
      { class: `${k === 0 ? "rv-best" : ""} ${move.words === played ? "rv-played" : ""}`, hidden: k >= FIRST_MOVES && move.words !== played },
      el("th", { scope: "row" }, move.words),
      columns.map((key) => el("td", { class: `rv-${key}` }, cell[key](move))),
    );
  const rows = moves.map(row);
  const hidden = rows.filter((each) => each.hidden);
  const more = el("button", { type: "button", class: "plain", onclick: () => {
    hidden.forEach((each) => (each.hidden = false));
    more.remove();
  } }, words.more(hidden.length));
  const heads = ["move", ...columns].map((key) => el("th", { scope: "col" }, words.columns[key]));
  const told = words.about[settings.kind];
  return el(
    "section",
    { class: "rv-part" },
    el("h3", {}, words.moves),
    el("table", { class: "rv-moves" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)),
    hidden.length ? more : null,
    about(typeof told === "function" ? told(settings) : told),
    typeof decision.expected === "number" ? about(words.expected(decision.expected, settings.foresees)) : null,
  );
}

/** Returns what the scripted policies would play. */
export function scriptedOf(decision) {
  const names = Object.keys(decision.scripted ?? {});
  if (!names.length) return null;
  const same = (name) => (decision.scripted[name] === decision.preferred ? "rv-agrees" : "");
  return el(
    "section",
    { class: "rv-part" },
    el("h3", {}, words.scripted),
    el("dl", { class: "rv-scripted" }, names.flatMap((name) => [el("dt", {}, name), el("dd", { class: same(name) }, decision.scripted[name])])),
    about(words.scriptedAbout),
  );
}

/** Returns values, points and chances of the seats; nothing where a move was forced. */
export function chancesOf(decision, settings, names) {
  const { points, chances, values } = decision;
  if (!chances) return null;
  const facts = { ...settings, deals: decision.deals };
  return el(
    "section",
    { class: "rv-part" },
    el("h3", {}, words.values),
    settings.shared ? teamOf(points[0], values?.[0], chances[0]) : seatsOf(points, values, chances, names),
    about(words.chancesAbout(facts, Boolean(decision.played))),
    values ? about(words.worthAbout(settings)) : null,
  );
}

function seatsOf(points, values, chances, names) {
  const places = names.map((_, place) => words.place(place + 1));
  const columns = values ? 3 : 2;
  const rows = names.flatMap((name, seat) => [
    el(
      "tr",
      {},
      seatHead(seat, name),
      el("td", {}, points[seat].toFixed(1)),
      values ? el("td", {}, words.value(values[seat])) : null,
    ),
    el("tr", { class: "rv-places" }, el("td", { colspan: columns }, stackOf(chances[seat], places, false))),
  ]);
  const heads = [words.seatColumn, words.meanPoints, ...(values ? [words.worth] : [])];
  return el(
    "table",
    { class: "rv-seats" },
    el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows),
  );
}

const seatHead = (seat, name, scope = "row") => el("th", { scope, title: name }, el("span", { class: "rv-who" }, seatMark(seat), el("span", {}, name)));

function teamOf(points, value, chances) {
  return el("div", {}, el("p", {}, words.team(points, value)), stackOf(chances, [words.won, words.lost], true));
}

/** Returns shares that sum to 1, as a bar and in words. */
function stackOf(shares, labels, shared) {
  const text = shares.map((share, k) => `${labels[k]} ${words.percent(share)}`).join(", ");
  const parts = shares.map((share, k) => {
    const part = el("span", { class: `rv-share rv-share-${shared && k ? 4 : Math.min(k, 4)}` });
    part.style.inlineSize = `${(100 * share).toFixed(2)}%`;
    return part;
  });
  return [el("span", { class: "rv-stack", "aria-hidden": "true" }, parts), el("span", { class: "rv-shares" }, text)];
}

/** Returns the observation in words, to be opened. */
export function observationOf(decision) {
  if (!decision.observation) return null;
  return el(
    "details",
    { class: "rv-part rv-observation" },
    el("summary", {}, words.observation),
    about(words.observationAbout),
    el("pre", { tabindex: "0" }, decision.observation),
  );
}

/** Returns how often which verdict was given to whom. */
export function totalsOf(analysis, names) {
  const count = (key) => (total) => words.count(total[key]);
  // What is counted stands in rows, so that the table of all seats fits beside the game and on a phone.
  const counted = {
    mistake: count("mistake"),
    lost: (total) => total.lost.toFixed(1),
    unclear: count("unclear"),
    fine: count("fine"),
    same: count("same"),
    decisions: (total) => words.count(total.decisions - total.forced),
  };
  const rows = Object.entries(counted).map(([key, told]) =>
    el("tr", {}, el("th", { scope: "row" }, words.totalRows[key]), analysis.totals.map((total) => el("td", {}, told(total)))),
  );
  return el(
    "section",
    { class: "rv-part rv-totals" },
    el("h3", {}, words.totals),
    el(
      "div",
      { class: "rv-wide", tabindex: "0", role: "region", "aria-label": words.totals },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("td", {}), analysis.totals.map((_, seat) => seatHead(seat, names[seat], "col")))),
        el("tbody", {}, rows),
      ),
    ),
    about(words.totalsAbout(analysis.settings)),
  );
}

/** Returns the question of *guess first*: all legal moves in an order that says nothing. */
export function questionOf(decision, guessed) {
  const moves = [...decision.moves].sort((one, other) => one.action - other.action);
  const buttons = moves.map((move) => el("button", { type: "button", onclick: () => guessed(move.words) }, move.words));
  const find = (event) => {
    const text = event.target.value.trim().toLowerCase();
    buttons.forEach((button) => (button.hidden = !button.textContent.toLowerCase().includes(text)));
  };
  const filter = el("input", { type: "search", placeholder: words.filter, "aria-label": words.filter, oninput: find });
  return el(
    "div",
    { class: "rv-question" },
    el("h3", {}, words.question(decision.seat)),
    moves.length > 12 ? filter : null,
    el("div", { class: "rv-choices" }, buttons),
  );
}

/** Returns what came of a guess. */
export function guessOf(decision, guess) {
  const { preferred } = decision;
  const text = guess === preferred ? words.guessedRight(guess) : words.guessedOther(guess, preferred);
  return el("p", { class: `rv-guess ${guess === preferred ? "rv-agrees" : ""}`, role: "status" }, text);
}
