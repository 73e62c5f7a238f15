// One game, watched: the table, the moves, the score over time, and everything that goes through it.

import { Board } from "./board.js";
import { chanceLine, scoreLine } from "./lines.js";
import { Chart } from "./chart.js";
import { dialog, isTyping, problem, say, screen, showKeys } from "./chrome.js";
import { el, fill, painted } from "./dom.js";
import { Guess } from "./guess.js";
import { Log } from "./log.js";
import { seatName } from "./seats.js";
import { Story, beginsChapter } from "./story.js";
import { texts } from "./texts.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
/** A move is shown so long at ordinary speed, in milliseconds. */
const PACE = 1200;

/**
 * Shows a game.
 *
 * `source` has load(viewer, first, count), drawing(game) and, where there are: analysis, or review(), which promises
 * {analysis, file, number, review}; mount of the panel and its request(question), help(story, drawing), a button, back (an element that leads away), link(at, viewer), which is told where one
 * is, and `viewers: false` if there is one view only.
 * Returns a function that ends it.
 */
export function watch(page, source, { at = 0, viewer = null } = {}) {
  const state = { story: null, timer: null, speed: 1, seat: "", ended: false };
  state.guess = new Guess(() => state.chart?.draw());

  async function open(seat, frame) {
    state.story?.stop();
    const story = new Story((first, count) => source.load(seat, first, count));
    await story.open(frame);
    if (state.ended) return;
    const drawing = await source.drawing(story.game);
    if (state.ended) return;
    const fresh = state.story === null;
    state.story = story;
    if (fresh) frameOf(page, source, story, parts, state, { open, drawing });
    show(state, parts, source, drawing);
    const failed = (error) => fill(parts.wrong, problem(error.message));
    if (fresh) state.reviewed = painted().then(findReview).catch(failed);
    // The table is on the screen before anybody works on what is beside it.
    await painted();
    if (state.ended || state.story !== story) return;
    state.showBeside();
    story.complete().catch(failed);
  }

  /** Asks for a review that was written before, and shows it. */
  async function findReview() {
    const found = source.analysis ? null : await source.review?.();
    if (state.ended || !found) return;
    state.unreviewed = found;
    source.analysis = found.analysis;
    if (!found.analysis) return;
    show(state, parts, source, state.board.drawing);
    state.showBeside();
  }

  const opened = open(viewer, at);
  const parts = build(state, source); // while the game is on its way
  const keys = (event) => pressed(event, state, parts, source, open);
  addEventListener("keydown", keys);
  opened.catch((error) => {
    screen(page, { title: texts.games, left: [source.back ?? null] }, problem(error.message));
  });
  return () => {
    state.ended = true;
    clearInterval(state.timer);
    state.story?.stop();
    state.board?.close();
    state.panel?.close();
    removeEventListener("keydown", keys);
  };
}

function build(state, source) {
  const button = (name, words, action, sign) =>
    el("button", { type: "button", class: name, title: words, "aria-label": words, onclick: action }, sign ?? words);
  const go = (frame) => frame !== null && state.story.go(frame);
  const slider = el("input", { type: "range", min: 0, class: "slider", "aria-label": texts.slider });
  slider.addEventListener("input", () => state.story.go(Number(slider.value)));
  const speed = el(
    "select",
    { "aria-label": texts.speed, onchange: (event) => setSpeed(state, Number(event.target.value)) },
    SPEEDS.map((each) => el("option", { value: each, selected: each === 1 }, texts.times(each))),
  );
  const seat = el("select", { "aria-label": texts.decisionOf });
  seat.addEventListener("change", () => (state.seat = seat.value));
  const parts = {
    slider,
    seat,
    table: el("div", { class: "table" }),
    place: el("p", { class: "place" }),
    log: el("div", { class: "log-box", tabindex: "0", role: "region", "aria-label": texts.moves }),
    chart: el("div", { class: "chart" }),
    panel: el("section", { class: "panel" }),
    wrong: el("div"),
    playing: button("go", texts.play, () => toggle(state, parts), "▶"),
    mistake: button("mistake", texts.nextMistake, () => goToMistake(state, source), texts.nextMistake),
  };
  parts.controls = el(
    "div",
    { class: "controls" },
    slider,
    el(
      "div",
      { class: "buttons" },
      button("", texts.first, () => go(0), "⇤"),
      button("", texts.previous, () => go(state.story.at - 1), "←"),
      parts.playing,
      button("", texts.next, () => go(state.story.at + 1), "→"),
      button("", texts.last, () => go(state.story.last), "⇥"),
      speed,
      parts.place,
      el(
        "div",
        { class: "jumps" },
        button("", texts.nextRound, () => go(nextChapter(state, 1)), texts.nextRound),
        button("", texts.nextDecision, () => go(nextDecision(state)), texts.nextDecision),
        seat,
        source.analysis || source.review ? parts.mistake : null,
      ),
    ),
  );
  return parts;
}

/** Builds the screen, once the game is known. */
function frameOf(page, source, story, parts, state, { open, drawing }) {
  const { game } = story;
  const names = game.agents;
  const choices = [["", texts.everybody], ...names.map((name, seat) => [String(seat), texts.named(seat, name)])];
  const viewer = el(
    "select",
    { class: "viewer", onchange: (event) => open(seatOf(event.target.value), state.story.at) },
    choices.map(([value, words]) => el("option", { value, selected: value === String(story.viewer ?? "") }, words)),
  );
  parts.viewer = viewer;
  fill(parts.seat, [["", texts.anySeat], ...choices.slice(1)].map(([value, words]) => el("option", { value }, words)));
  const keys = el("button", { type: "button", class: "plain", onclick: () => showKeys(texts.keyList) }, texts.keys);
  const seen = source.viewers === false ? null : el("label", { class: "seen" }, el("span", {}, texts.view), viewer);
  screen(
    page,
    { title: game.title, left: [source.back ?? null], right: [seen, source.help?.(story, drawing) ?? null, keys], name: "watch" },
    parts.wrong,
    el("div", { class: "who" }, names.map((name, seat) => seatName(seat, name))),
    el("div", { class: "stage" }, parts.table, parts.controls),
    el("div", { class: "side" }, parts.chart, el("h2", {}, texts.moves), parts.log, parts.panel),
  );
}

/** Shows the table of a story on the screen that is there; `state.showBeside()` shows the rest. */
function show(state, parts, source, drawing) {
  const { story } = state;
  const names = story.game.agents;
  state.board?.close();
  const board = new Board(parts.table, drawing);
  state.board = board;
  const lines = [drawing?.score && scoreLine(story, drawing), source.analysis && chanceLine(story, source.analysis)].filter(Boolean);
  const chart = lines.length ? new Chart(parts.chart, story, lines, { chosen: state.chart?.line.label, guess: state.guess }) : null;
  state.chart = chart;
  fill(parts.log);
  const log = new Log(parts.log, story);
  parts.slider.max = story.last;
  const verdicts = source.analysis?.decisions ?? {};
  const marks = Object.fromEntries(Object.entries(verdicts).map(([k, found]) => [k, found.verdict]));
  const draw = (animated) => {
    board.show(story.frame, { names, previous: story.frames[story.at - 1]?.view ?? null }, animated);
    log.mark();
    chart?.follow();
    parts.slider.value = story.at;
    parts.table.dataset.at = story.at;
    parts.place.textContent = texts.move(story.at, story.last);
    source.link?.(story.at, story.viewer);
    if (story.at === story.last) pause(state, parts);
  };
  story.listen((news) => {
    if (news.moved) {
      draw(Math.abs(news.before - story.at) === 1);
      if (!state.timer) say(story.frame.lines.map((line) => line.trim()).join(" "));
    }
    if (news.loaded) {
      log.update(marks);
      if (chart && story.whole) chart.draw();
    }
  });
  draw(false);
  state.showBeside = () => {
    log.update(marks);
    chart?.draw();
    state.panel?.close();
    const { analysis = null, request } = source;
    state.panel = source.mount?.(parts.panel, { timeline: story, analysis, request, guess: state.guess });
  };
}

const seatOf = (value) => (value === "" ? null : Number(value));

// ---------------------------------------------------------------------------- going through

function toggle(state, parts) {
  if (state.timer) {
    pause(state, parts);
    return;
  }
  if (state.story.at === state.story.last) state.story.go(0);
  parts.playing.textContent = "❚❚";
  parts.playing.setAttribute("aria-label", texts.pause);
  parts.playing.title = texts.pause;
  setTimer(state);
}

function setTimer(state) {
  state.timer = setInterval(() => state.story.go(state.story.at + 1), PACE / state.speed);
}

function setSpeed(state, speed) {
  state.speed = speed;
  if (state.timer) {
    clearInterval(state.timer);
    setTimer(state);
  }
}

function pause(state, parts) {
  clearInterval(state.timer);
  state.timer = null;
  parts.playing.textContent = "▶";
  parts.playing.setAttribute("aria-label", texts.play);
  parts.playing.title = texts.play;
}

const nextChapter = (state, step) => state.story.find(beginsChapter, step) ?? (step > 0 ? state.story.last : 0);

function nextDecision(state) {
  const decides = (frame) => frame.view.to_move !== null && (state.seat === "" || frame.view.to_move === Number(state.seat));
  return state.story.find(decides);
}

async function goToMistake(state, source) {
  await state.reviewed;
  if (!source.analysis) {
    if (state.unreviewed) dialog(texts.nextMistake, el("p", {}, texts.noReview), el("pre", { tabindex: "0" }, texts.reviewCommands(state.unreviewed)));
    return;
  }
  const found = state.story.find((_, k) => source.analysis.decisions[k]?.verdict === "mistake");
  if (found === null) dialog(texts.nextMistake, el("p", {}, texts.noMistake));
  else state.story.go(found);
}

function pressed(event, state, parts, source, open) {
  const { story } = state;
  if (!story || isTyping(event)) return;
  const slides = event.target === parts.slider && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key);
  if (slides || (event.key === " " && event.target.tagName === "BUTTON")) return;
  const go = (frame) => frame !== null && story.go(frame);
  const actions = {
    ArrowLeft: () => go(story.at - 1),
    ArrowRight: () => go(story.at + 1),
    Home: () => go(0),
    End: () => go(story.last),
    " ": () => toggle(state, parts),
    r: () => go(nextChapter(state, 1)),
    R: () => go(nextChapter(state, -1)),
    d: () => go(nextDecision(state)),
    m: () => parts.mistake.isConnected && goToMistake(state, source),
    v: () => {
      if (source.viewers === false) return;
      const next = story.viewer === null ? 0 : story.viewer + 1;
      const seat = next < story.game.players ? next : null;
      parts.viewer.value = seat ?? "";
      open(seat, story.at);
    },
    "?": () => showKeys(texts.keyList),
  };
  const action = actions[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}
