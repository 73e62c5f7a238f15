// A line for each seat over the moves of a game, which can be clicked.

import { el, fill } from "./dom.js";
import { texts } from "./texts.js";

const NS = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, MARGIN] = [640, 120, 6];

function svg(name, attributes, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Lines over time, one for each seat or one for all.
 *
 * Each of `lines` has a `label` and `at(k)`, which gives {values, text} for frame k, or null while it is not
 * known there. Where there are several, one of them is chosen to be looked at, first that with the label `chosen`.
 * Who wants to guess first (`guess.first`) is shown nothing of what comes after the frame that is looked at.
 */
export class Chart {
  constructor(place, story, lines, { chosen, guess }) {
    const line = lines.find(({ label }) => label === chosen) ?? lines[0];
    Object.assign(this, { place, story, lines, line, guess });
    this.caption = el("p", { class: "caption" });
    this.drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    this.place.onclick = (event) => this.clicked(event);
  }

  choice() {
    if (this.lines.length < 2) return null;
    const options = this.lines.map((each, k) => el("option", { value: k, selected: each === this.line }, each.label));
    const chosen = (event) => {
      this.line = this.lines[event.target.value];
      this.trace();
    };
    return el("select", { class: "line-choice", "aria-label": texts.lineChoice, onchange: chosen }, options);
  }

  draw() {
    fill(this.place, this.choice(), this.drawing, this.caption);
    this.trace();
  }

  /** Traces all lines, as far as they are known and may be seen. */
  trace() {
    const { story } = this;
    // Later points are not even in the page, nor do they set its scale: they tell how good the next move was.
    const end = this.guess.first ? story.at : story.last;
    const values = Array.from({ length: end + 1 }, (_, k) => this.line.at(k)?.values ?? null);
    const all = values.filter(Boolean).flat();
    const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
    const x = (k) => MARGIN + ((WIDTH - 2 * MARGIN) * k) / Math.max(story.last, 1);
    const y = (value) => HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - low)) / (high - low);
    this.x = x;
    const seats = Math.max(0, ...values.filter(Boolean).map((each) => each.length));
    const lines = Array.from({ length: seats }, (_, seat) => {
      const points = values
        .map((each, k) => (each && each[seat] !== null ? `${x(k).toFixed(1)},${y(each[seat]).toFixed(1)}` : null))
        .filter(Boolean);
      return svg("polyline", { points: points.join(" "), class: `line line-${seats > 1 ? seat % 8 : "all"}` });
    });
    this.marker = svg("line", { y1: 0, y2: HEIGHT, class: "marker" });
    this.drawing.setAttribute("aria-label", texts.chart(this.line.label));
    fill(this.drawing, svg("line", { x1: 0, x2: WIDTH, y1: y(0), y2: y(0), class: "zero" }), lines, this.marker);
    this.mark();
  }

  /** Follows to another frame, once there is a drawing. */
  follow() {
    if (!this.marker) return;
    if (this.guess.first) this.trace();
    else this.mark();
  }

  /** Marks the frame that is looked at. */
  mark() {
    const x = this.x(this.story.at);
    this.marker.setAttribute("x1", x);
    this.marker.setAttribute("x2", x);
    this.caption.textContent = this.line.at(this.story.at)?.text ?? "";
  }

  clicked(event) {
    if (!this.drawing.contains(event.target)) return;
    const { left, width } = this.drawing.getBoundingClientRect();
    const share = ((event.clientX - left) / width) * WIDTH;
    this.story.go(Math.round(((share - MARGIN) / (WIDTH - 2 * MARGIN)) * this.story.last));
  }
}
