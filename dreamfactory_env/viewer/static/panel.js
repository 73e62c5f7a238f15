// The review of a position: what judges say of it, the verdict on what was played, and guess first.

import { el, fill } from "./dom.js";
import { Guess } from "./guess.js";
import { chancesOf, guessOf, movesOf, observationOf, questionOf, scriptedOf, totalsOf, verdictOf } from "./panel_parts.js";
import { reviewTexts as words } from "./texts.js";

/** A judge is asked when nobody has moved on for so long, in milliseconds. */
const PAUSE = 350;

/**
 * Shows the review panel in an element.
 *
 * `timeline` has game, viewer, frames, at, last, go(frame) and listen(listener). `analysis` is that of
 * the whole game, if there is one; `request(question)` asks the server, and is absent in a file. `guess`
 * is kept by whoever mounts another panel after this one.
 * Returns an object with show() and close().
 */
export function mount(element, { timeline, analysis = null, request = null, guess = new Guess() }) {
  const panel = new Panel(element, timeline, analysis, request, guess);
  panel.build();
  panel.show();
  return panel;
}

/** Returns the Python that makes a position, by that of the deal and the actions that were played. */
export function positionCode(start, actions) {
  return actions.length ? `${start}for action in [${actions.join(", ")}]:\n    game.play(action)\n` : start;
}

class Panel {
  constructor(element, timeline, analysis, request, guess) {
    Object.assign(this, { element, timeline, analysis, request, guess });
    this.start = analysis?.start ?? null;
    this.judge = analysis?.judge ?? "";
    this.other = "";
    this.answers = new WeakMap(); // by frame: one that was taken back is another one
    this.timer = null;
    this.shown = null;
    // What is loaded elsewhere changes nothing here.
    this.heard = timeline.listen((news) => (news.moved || this.shown !== this.frame) && this.show());
  }

  build() {
    const { analysis, request } = this;
    const checked = this.guess.first;
    const guess = el("input", { type: "checkbox", checked, onchange: (event) => this.guessFirst(event.target.checked) });
    const guessLabel = el("label", { class: "rv-switch", title: words.guessAbout }, guess, el("span", {}, words.guess));
    const next = el("button", { type: "button", class: "rv-next", onclick: () => this.nextMistake() }, words.next);
    this.body = el("div", { class: "rv-body" });
    this.foot = el("div", { class: "rv-foot" });
    this.choices = el("div", { class: "rv-judges" });
    this.note = el("p", { class: "rv-note", role: "status" });
    this.element.classList.add("rv");
    fill(
      this.element,
      el("header", { class: "rv-head" }, el("h2", {}, words.title), guessLabel, analysis ? next : null),
      this.choices,
      this.note,
      this.body,
      this.foot,
    );
    this.hideMarks();
    if (request) this.askForJudges();
    else if (analysis) fill(this.choices, el("p", { class: "rv-by" }, `${words.judge}: ${analysis.judge}`));
  }

  close() {
    clearTimeout(this.timer);
    this.heard?.();
    document.documentElement.removeAttribute("data-guessing");
    fill(this.element);
  }

  // -------------------------------------------------------------------------- who judges

  async askForJudges() {
    try {
      const { judges, start } = await this.request({});
      this.start = start ?? this.start;
      this.offer(judges);
      this.showFoot();
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  offer(judges) {
    const own = this.analysis && !judges.includes(this.analysis.judge) ? [this.analysis.judge] : [];
    const choice = (label, key) => {
      const names = ["", ...own, ...judges];
      const options = names.map((name) => el("option", { value: name, selected: name === this[key] }, name || words.nobody));
      const changed = (event) => {
        this[key] = event.target.value;
        this.show(0);
      };
      return el("label", {}, el("span", {}, label), el("select", { onchange: changed }, options));
    };
    fill(this.choices, choice(words.judge, "judge"), choice(words.compare, "other"));
  }

  /** Returns what a judge has said of a frame: {decision, settings}, {error}, {pending} or null. */
  answer(judge, frame) {
    const { analysis, timeline } = this;
    if (!judge) return null;
    if (analysis?.judge === judge && analysis.decisions[frame]) {
      return { decision: analysis.decisions[frame], settings: analysis.settings };
    }
    return this.answers.get(timeline.frames[frame])?.get(judge) ?? null;
  }

  async ask(judge, frame) {
    const place = this.timeline.frames[frame];
    const said = this.answers.get(place) ?? new Map();
    this.answers.set(place, said.set(judge, { pending: true }));
    try {
      const found = await this.request({ frame, judge });
      this.start = found.start ?? this.start;
      said.set(judge, found);
    } catch (error) {
      said.set(judge, { error: error.message });
    }
    this.show();
  }

  // -------------------------------------------------------------------------- what is shown

  get frame() {
    return this.timeline.frames[this.timeline.at];
  }

  get seat() {
    return this.frame?.view.to_move ?? null;
  }

  /** Shows the position that is looked at; asks whoever has not said anything of it after a while. */
  show(pause = PAUSE) {
    clearTimeout(this.timer);
    const { timeline } = this;
    if (!this.frame) return;
    this.shown = this.frame;
    const judges = [this.judge, this.other].filter(Boolean);
    const unasked = judges.filter((judge) => !this.answer(judge, timeline.at));
    if (this.request && unasked.length && this.mayShow()) {
      this.timer = setTimeout(() => unasked.forEach((judge) => this.ask(judge, timeline.at)), pause);
    }
    fill(this.body, this.content(judges));
    this.showFoot();
  }

  /** Tells whether the decision is one that the viewer may see judged. */
  mayShow() {
    const { viewer } = this.timeline;
    return this.seat !== null && (viewer === null || viewer === this.seat);
  }

  content(judges) {
    if (this.seat === null) return el("p", { class: "rv-empty" }, words.over);
    if (!this.mayShow()) return el("p", { class: "rv-empty" }, words.otherSeat(this.seat));
    if (!judges.length) return el("p", { class: "rv-empty" }, words.choose);
    const found = judges.map((judge) => this.answer(judge, this.timeline.at));
    const asked = this.guess.first ? found.find((each) => each?.decision) : null;
    const guess = this.guess.moves.get(this.timeline.at);
    if (asked && asked.decision.moves.length > 1 && guess === undefined) {
      return questionOf(asked.decision, (move) => {
        this.guess.moves.set(this.timeline.at, move);
        this.show();
      });
    }
    const columns = judges.map((judge, k) => this.column(judge, found[k], judges.length > 1, guess));
    const first = found.find((each) => each?.decision);
    return [
      el("div", { class: `rv-columns rv-columns-${columns.length}` }, columns),
      first ? [scriptedOf(first.decision), observationOf(first.decision)] : null,
    ].flat();
  }

  column(judge, found, named, guess) {
    const heading = named ? el("h3", {}, judge) : null;
    if (!found || found.pending) {
      return el("div", { class: "rv-column" }, heading, el("p", { class: "rv-empty" }, this.request ? words.thinking(judge) : words.notJudged));
    }
    if (found.error) return el("div", { class: "rv-column" }, heading, el("p", { class: "problem" }, found.error));
    const { decision, settings } = found;
    return el(
      "div",
      { class: "rv-column" },
      heading,
      guess === undefined ? null : guessOf(decision, guess),
      verdictOf(decision, settings),
      movesOf(decision, settings),
      chancesOf(decision, settings, this.timeline.game.agents),
    );
  }

  showFoot() {
    const { analysis, timeline } = this;
    const known = timeline.viewer === null && this.start !== null;
    const copy = el("button", { type: "button", class: "plain rv-copy", onclick: () => this.copy() }, words.copy);
    const totals = analysis?.totals.length ? totalsOf(analysis, timeline.game.agents) : null;
    // An answer may come while somebody copies by hand: the code stays as long as its position is looked at.
    const code = known && this.copied?.frame === this.frame ? this.copied.box : null;
    fill(this.foot, known ? copy : null, code, totals);
  }

  // -------------------------------------------------------------------------- what one can do

  guessFirst(wanted) {
    this.guess.begin(wanted);
    this.hideMarks();
    this.show();
  }

  /** Hides the marks of mistakes elsewhere on the page while somebody guesses, for they would give something away. */
  hideMarks() {
    document.documentElement.toggleAttribute("data-guessing", this.guess.first);
  }

  nextMistake() {
    const { timeline, analysis } = this;
    const { viewer } = timeline;
    for (let k = timeline.at + 1; k <= timeline.last; k += 1) {
      const found = analysis.decisions[k];
      if (found?.verdict === "mistake" && (viewer === null || viewer === found.seat)) {
        this.note.textContent = "";
        timeline.go(k);
        return;
      }
    }
    this.note.textContent = words.noMore;
  }

  /** Copies the position as Python; where the browser does not let it, shows it to be copied. */
  async copy() {
    const { timeline, frame } = this;
    const actions = timeline.frames.slice(1, timeline.at + 1).map((frame) => frame.move.action);
    const code = positionCode(this.start, actions);
    const shown = el("textarea", { class: "rv-code", readonly: true, rows: 6, "aria-label": words.code }, code);
    let told = words.copied;
    try {
      await navigator.clipboard.writeText(code);
    } catch {
      told = words.copyByHand;
    }
    this.copied = { frame, box: el("div", { class: "rv-code-box" }, el("p", { role: "status" }, told), shown) };
    this.showFoot();
    shown.select();
  }
}
