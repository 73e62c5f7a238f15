// The page that the server serves: which screen the address asks for.

import { asker } from "./api.js";
import { hash, placeIn, placeWords, problem, screen } from "./chrome.js";
import { el } from "./dom.js";
import { showList } from "./list.js";
import { mount } from "./panel.js";
import { showResults } from "./results_page.js";
import { showTable } from "./play.js";
import { rulesButton } from "./rules.js";
import { loadDrawing } from "./drawing.js";
import { texts } from "./texts.js";
import { watch } from "./watch.js";

const page = document.getElementById("page");
let end = () => {};
let shown = null;
let known = null; // the token of a link that was followed here

/** Returns the token of the library: from the link, else the one of this page before. */
function libraryToken(asked) {
  const given = asked.get("token");
  if (given) {
    known = given;
    // Not now: storage is slow when it is used first, and what is asked for should be on the screen before.
    const keep = () => localStorage.setItem("token", given);
    setTimeout(keep, 1000);
    addEventListener("pagehide", keep, { once: true });
    asked.delete("token");
    history.replaceState(null, "", `#${asked}`);
  }
  return known ?? localStorage.getItem("token");
}

function route() {
  const asked = hash();
  if (asked.has("seat")) {
    switchTo(`seat ${asked.get("seat")}`, () => showTable(page, asked.get("seat")));
    return;
  }
  const token = libraryToken(asked);
  if (!token) {
    switchTo("nothing", () => screen(page, { title: texts.product }, problem(texts.noLink)));
  } else if (asked.has("game")) {
    const number = Number(asked.get("game"));
    switchTo(`game ${number}`, () => showGame(number, asked, token));
  } else if (asked.has("results")) {
    switchTo("results", () => showResults(page, asker(token)));
  } else {
    const agent = asked.get("agent") ?? "";
    switchTo(`list ${agent}`, () => showList(page, asker(token), agent));
  }
}

function switchTo(what, show) {
  if (what === shown) return;
  end();
  shown = what;
  end = show() ?? (() => {});
}

function showGame(number, asked, token) {
  const ask = asker(token);
  let timer = null;
  const source = {
    load: (viewer, first, count) => ask(`/api/games/${number}?viewer=${viewer ?? ""}&first=${first}&count=${count}`),
    drawing: loadDrawing,
    back: el("a", { href: "#", class: "back" }, `‹ ${texts.back}`),
    mount,
    help: rulesButton,
    review: () => ask(`/api/games/${number}/review`),
    request: (question) => ask("/api/analyse", { game: number, ...question }),
    link: (at, viewer) => {
      // Browsers refuse to be told of too many addresses in a short time.
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (shown === `game ${number}`) {
          history.replaceState(null, "", `#game=${number}&${placeWords(at, viewer)}`);
        }
      }, 200);
    },
  };
  const stop = watch(page, source, placeIn(asked));
  return () => {
    clearTimeout(timer);
    stop();
  };
}

addEventListener("hashchange", () => {
  const asked = hash();
  // A link to another move of the game that is shown is followed, too.
  if (asked.has("game") && shown === `game ${Number(asked.get("game"))}`) shown = null;
  route();
});
route();
