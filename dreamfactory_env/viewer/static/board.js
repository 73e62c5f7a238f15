// The table: the game's own drawing, or its text, with help and with things that move.

import { el, fill, reducedMotion } from "./dom.js";
import { texts } from "./texts.js";

const MOVING = { duration: 380, easing: "cubic-bezier(.3,.7,.2,1)", composite: "add" };

/**
 * Shows frames of a game in an element.
 *
 * `drawing` is the module of the game's page, null for a game without one. `active` says whether what
 * is legal is marked as something to click.
 */
export class Board {
  constructor(place, drawing, active = false) {
    Object.assign(this, { place, drawing, active, frame: null, context: {} });
    this.width = 0;
    this.drawn = () => {};
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(place);
    this.tip = el("div", { class: "tip", role: "tooltip", hidden: true });
    place.after(this.tip);
    for (const name of ["pointerover", "focusin"]) place.addEventListener(name, (event) => this.help(event));
    for (const name of ["pointerout", "focusout", "pointerdown"]) {
      place.addEventListener(name, () => (this.tip.hidden = true));
    }
  }

  /** Shows a frame; what has moved since the one before glides to its new place. */
  show(frame, context, animated = true) {
    const before = animated && !reducedMotion() ? this.places() : null;
    const next = this.frame?.view === context.previous;
    this.frame = frame;
    this.context = context;
    this.render();
    if (before) this.glide(before, next);
  }

  render() {
    const { frame, drawing } = this;
    if (!drawing) {
      fill(this.place, el("pre", { class: "as-text", tabindex: "0" }, frame.text ?? ""));
      this.drawn(null);
      return;
    }
    this.width = this.place.clientWidth;
    const view = this.active ? frame.view : { ...frame.view, legal: {} };
    const context = { texts, reducedMotion: reducedMotion(), width: this.width, last: frame.move, ...this.context };
    const svg = drawing.draw(view, context);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    fill(this.place, svg);
    this.drawn(svg);
  }

  resized() {
    if (this.frame && this.drawing && Math.abs(this.place.clientWidth - this.width) > 1) this.render();
  }

  /** Returns where each part is now. */
  places() {
    const found = new Map();
    for (const part of this.place.querySelectorAll("[data-part]")) {
      found.set(part.dataset.part, part.getBoundingClientRect());
    }
    return found;
  }

  /** Lets parts glide from where they were; in the next frame also from what they were called. */
  glide(before, next) {
    const svg = this.place.querySelector("svg");
    if (!svg || !before.size) return;
    const scale = svg.viewBox.baseVal.width / svg.clientWidth || 1;
    const shifts = new Map();
    for (const part of svg.querySelectorAll("[data-part]")) {
      const old = (next && before.get(part.dataset.from)) || before.get(part.dataset.part);
      const above = shifts.get(part.parentElement?.closest("[data-part]")) ?? [0, 0];
      if (!old || !old.width) {
        shifts.set(part, above);
        continue;
      }
      const now = part.getBoundingClientRect();
      const shift = [old.x - now.x, old.y - now.y];
      shifts.set(part, shift);
      // A part in another one moves along with it.
      const [x, y] = [shift[0] - above[0], shift[1] - above[1]];
      if (Math.hypot(x, y) > 2) {
        const from = `translate(${x * scale}px, ${y * scale}px)`;
        part.animate([{ transform: from }, { transform: "translate(0px, 0px)" }], MOVING);
      }
    }
  }

  /** Says what something on the table is, in the language of the game. */
  help(event) {
    const part = event.target.closest?.("[data-kind]");
    const words = part && this.drawing?.help?.(this.frame.view)[part.dataset.kind];
    if (!words) return;
    this.tip.textContent = words;
    this.tip.hidden = false;
    const around = part.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const left = Math.min(Math.max(around.x + around.width / 2 - width / 2, 8), innerWidth - width - 8);
    const above = around.y - height - 8;
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${above > 8 ? above : Math.min(around.bottom + 8, innerHeight - height - 8)}px`;
  }

  /** Marks parts of the table for a moment, and brings the first into sight. */
  point(parts) {
    for (const old of this.place.querySelectorAll(".pointed")) old.classList.remove("pointed");
    const found = parts.map((name) => this.part(name)).filter(Boolean);
    for (const part of found) part.classList.add("pointed");
    found[0]?.scrollIntoView({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" });
  }

  part(name) {
    return this.place.querySelector(`[data-part="${CSS.escape(name)}"]`);
  }

  close() {
    this.watcher.disconnect();
    this.tip.remove();
  }
}
