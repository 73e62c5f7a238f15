// The list of games: filters, columns to sort by, and a link to each game.

import { problem, screen } from "./chrome.js";
import { el, fill } from "./dom.js";
import { seatMark } from "./seats.js";
import { texts } from "./texts.js";

const FILTERS = ["game", "players", "agent", "winner", "points_from", "points_to", "moves_from", "moves_to"];

/** Shows the list; `ask` asks the server, `agent` is who is looked for. Returns a function that ends it. */
export function showList(page, ask, agent = "") {
  const state = { sort: "number", down: false, rows: [], found: 0 };
  const form = el("form", { class: "filters", role: "search", "aria-label": texts.filters });
  const count = el("p", { class: "count", role: "status" });
  const body = el("tbody");
  const head = el("tr");
  const table = el("table", { class: "games" }, el("caption", { class: "hidden" }, texts.games), el("thead", {}, head), body);
  const more = el("button", { type: "button", onclick: () => load(state.rows.length) }, texts.more);
  const wrong = el("div");
  let timer = null;

  async function load(first = 0) {
    const asked = new URLSearchParams({ sort: state.sort, down: state.down ? "1" : "0", first });
    for (const name of FILTERS) {
      const value = form.elements[name]?.value.trim();
      if (value) asked.set(name, value);
    }
    try {
      const reply = await ask(`/api/games?${asked}`);
      state.rows = first ? [...state.rows, ...reply.rows] : reply.rows;
      count.textContent = texts.found(reply.found, reply.total) + (reply.indexing ? ` · ${texts.indexing}` : "");
      if (first) body.append(...reply.rows.map(row));
      else fill(body, reply.rows.length ? reply.rows.map(row) : empty(reply.indexing));
      more.hidden = state.rows.length >= reply.found;
      fill(wrong);
      if (reply.indexing && !first) schedule(500);
    } catch (error) {
      fill(wrong, problem(error.message));
    }
  }

  function schedule(wait) {
    clearTimeout(timer);
    timer = setTimeout(() => load(), wait);
  }

  function heads() {
    fill(
      head,
      Object.entries(texts.columns).map(([column, words]) => {
        const sorted = state.sort === column;
        const order = sorted ? (state.down ? "descending" : "ascending") : "none";
        const sort = () => {
          state.down = sorted ? !state.down : column === "points" || column === "moves";
          state.sort = column;
          heads();
          load();
        };
        return el(
          "th",
          { scope: "col", "aria-sort": order },
          el("button", { type: "button", onclick: sort, title: texts.sortBy(words) }, words),
        );
      }),
    );
  }

  const results = el("a", { href: "#results=1", class: "back", hidden: true }, texts.results);
  fill(form, filters(ask, agent, results, problemIn(wrong)));
  form.addEventListener("input", () => schedule(200));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => schedule(0));
  heads();
  const below = el("p", { class: "more" }, more);
  screen(page, { title: texts.games, left: [results], name: "list" }, folded(form), wrong, count, el("div", { class: "wide" }, table), below);
  load();
  return () => clearTimeout(timer);
}

/** Returns the filters so that they take no room on a phone until somebody wants them. */
const folded = (form) => el("details", { class: "folded", open: innerWidth > 640 }, el("summary", {}, texts.filters), form);

const problemIn = (place) => (error) => fill(place, problem(error.message));

function filters(ask, agent, results, failed) {
  const games = el("select", { name: "game" }, el("option", { value: "" }, texts.anyGame));
  ask("/api/library")
    .then((library) => {
      games.append(...Object.entries(library.games).map(([value, title]) => el("option", { value }, title)));
      results.hidden = !library.results;
      if (library.problem) failed(new Error(library.problem));
    })
    .catch(failed);
  const counts = ["", 2, 3, 4, 5].map((n) => el("option", { value: n }, n ? String(n) : texts.anyNumber));
  const field = (words, input) => el("label", {}, el("span", {}, words), input);
  const text = (name, value = "") => el("input", { name, type: "search", maxlength: "200", value });
  const number = (name) => el("input", { name, type: "number", inputmode: "numeric", min: "-999", max: "9999" });
  return [
    field(texts.game, games),
    field(texts.players, el("select", { name: "players" }, counts)),
    field(texts.agent, text("agent", agent)),
    field(texts.winner, text("winner")),
    field(texts.pointsFrom, number("points_from")),
    field(texts.pointsTo, number("points_to")),
    field(texts.movesFrom, number("moves_from")),
    field(texts.movesTo, number("moves_to")),
    el("button", { type: "reset", class: "plain" }, texts.clear),
  ];
}

const empty = (indexing) =>
  el("tr", {}, el("td", { colspan: Object.keys(texts.columns).length }, indexing ? texts.indexing : texts.none));

function row(game) {
  const link = el("a", { href: `#game=${game.number}`, title: texts.watchGame(game.number) }, String(game.number));
  if (game.problem) {
    return el("tr", { class: "damaged" }, el("td", {}, String(game.number)), el("td", { colspan: 6 }, game.problem));
  }
  const open = (event) => {
    if (!event.target.closest("a")) location.hash = `game=${game.number}`;
  };
  const cells = [
    ["number", link],
    ["game", game.game],
    ["players", String(game.agents.length)],
    ["agents", game.agents.map((name, seat) => el("span", { class: "seat-name" }, seatMark(seat), name))],
    ["winner", winner(game)],
    ["points", (game.shared ? game.points.slice(0, 1) : game.points).join(" · ")], // those of a team are all the same
    ["moves", String(game.moves)],
  ];
  return el(
    "tr",
    { onclick: open },
    cells.map(([name, inside]) => el("td", { class: `col-${name}`, "data-label": texts.columns[name] }, inside)),
  );
}

function winner(game) {
  if (!game.points.length) return texts.unfinished;
  if (!game.winners.length) return texts.nobody;
  if (game.winners.length === game.agents.length) return texts.all;
  return game.winners.map((seat) => el("span", { class: "seat-name" }, seatMark(seat), game.agents[seat]));
}
