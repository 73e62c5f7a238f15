// What is legal is what can be clicked: parts of the table, in the order that a move asks for.

/**
 * Lets a person choose a move on a drawing: by clicks, by dragging one part onto another, or with the
 * keys Tab, arrows and Enter.
 *
 * `targets` is {action: [part, …]}; `play(action)` is called with what was chosen, `changed(count)`
 * whenever another number of parts is chosen.
 */
export class Clicks {
  constructor(svg, targets, play, changed) {
    Object.assign(this, { svg, play, changed, chosen: [], drag: null });
    this.moves = Object.entries(targets).filter(([, parts]) => parts.length > 0);
    this.parts = new Map();
    for (const part of svg.querySelectorAll("[data-part]")) this.parts.set(part.dataset.part, part);
    svg.addEventListener("click", (event) => this.clicked(event));
    svg.addEventListener("keydown", (event) => this.pressed(event));
    svg.addEventListener("pointerdown", (event) => this.grab(event));
    svg.addEventListener("pointermove", (event) => this.carry(event));
    svg.addEventListener("pointerup", (event) => this.drop(event));
    svg.addEventListener("pointercancel", () => this.letGo());
    this.mark();
  }

  /** Returns the moves that go on from what is chosen. */
  open(chosen = this.chosen) {
    return this.moves.filter(([, parts]) => chosen.every((name, k) => parts[k] === name));
  }

  /** Returns the names of the parts that can be chosen next. */
  next(chosen = this.chosen) {
    return new Set(this.open(chosen).map(([, parts]) => parts[chosen.length]).filter(Boolean));
  }

  mark() {
    const next = this.next();
    const first = this.chosen.length ? this.next([]) : next;
    for (const [name, part] of this.parts) {
      const can = next.has(name) || first.has(name);
      part.classList.toggle("can", next.has(name));
      part.classList.toggle("chosen", this.chosen.includes(name));
      if (can) {
        part.setAttribute("tabindex", "0");
        part.setAttribute("role", "button");
        part.setAttribute("aria-pressed", String(this.chosen.includes(name)));
      } else if (part.getAttribute("role") === "button") {
        // It belongs to a move, but something else comes first.
        part.removeAttribute("tabindex");
        part.removeAttribute("aria-pressed");
        part.setAttribute("role", "img");
      }
    }
  }

  partAt(element) {
    for (let part = element?.closest?.("[data-part]"); part; part = part.parentElement?.closest("[data-part]")) {
      const name = part.dataset.part;
      if (this.next().has(name) || this.next([]).has(name)) return name;
    }
    return null;
  }

  clicked(event) {
    if (this.dragged) {
      this.dragged = false; // the click that ends a drag
      return;
    }
    const name = this.partAt(event.target);
    if (name === null) this.reset();
    else this.choose(name);
  }

  choose(name) {
    if (this.chosen.at(-1) === name && !this.next().has(name)) {
      this.reset();
      return;
    }
    this.chosen = this.next().has(name) ? [...this.chosen, name] : [name];
    const open = this.open();
    const done = open.filter(([, parts]) => parts.length === this.chosen.length);
    if (done.length && open.length === done.length) {
      this.play(Number(done[0][0]));
      return;
    }
    this.mark();
    this.changed(this.chosen.length);
    if (document.activeElement?.closest("svg") === this.svg) this.focusFirst();
  }

  reset() {
    if (!this.chosen.length) return;
    this.chosen = [];
    this.mark();
    this.changed(0);
  }

  /** Returns the move that is complete with what is chosen, though others go on; null if none is. */
  complete() {
    const done = this.open().filter(([, parts]) => parts.length === this.chosen.length);
    return this.chosen.length && done.length ? Number(done[0][0]) : null;
  }

  // -------------------------------------------------------------------------- keys

  focusable() {
    const next = this.next();
    return [...this.parts].filter(([name]) => next.has(name)).map(([, part]) => part);
  }

  focusFirst() {
    this.focusable()[0]?.focus();
  }

  pressed(event) {
    if (event.key === "Enter" || event.key === " ") {
      const name = this.partAt(event.target);
      if (name !== null) {
        event.preventDefault();
        event.stopPropagation();
        this.choose(name);
      }
    } else if (event.key === "Escape") {
      this.reset();
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      event.stopPropagation();
      const step = event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1;
      const all = this.focusable();
      const now = all.indexOf(document.activeElement);
      all[(now + step + all.length) % all.length]?.focus();
    }
  }

  // -------------------------------------------------------------------------- dragging

  grab(event) {
    const name = this.partAt(event.target);
    if (event.button !== 0 || name === null || !this.next([]).has(name)) return;
    if (![...this.next([name])].length) return;
    this.drag = { name, x: event.clientX, y: event.clientY, moved: false };
  }

  carry(event) {
    const { drag } = this;
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < 8) return;
    if (!drag.moved) {
      drag.moved = true;
      this.svg.setPointerCapture(event.pointerId);
      this.chosen = [drag.name];
      this.mark();
      this.changed(1);
    }
    const part = this.parts.get(drag.name);
    const scale = this.svg.viewBox.baseVal.width / this.svg.clientWidth || 1;
    part.style.translate = `${x * scale}px ${y * scale}px`;
    part.classList.add("dragged");
  }

  drop(event) {
    const { drag } = this;
    this.letGo();
    if (!drag?.moved) return;
    this.dragged = true;
    setTimeout(() => (this.dragged = false), 50);
    const below = document.elementsFromPoint(event.clientX, event.clientY);
    const names = below.map((element) => this.partAt(element));
    const name = names.find((each) => each !== null && each !== drag.name && this.next().has(each));
    if (name) this.choose(name);
    else this.reset();
  }

  letGo() {
    if (this.drag) {
      const part = this.parts.get(this.drag.name);
      part.style.translate = "";
      part.classList.remove("dragged");
    }
    this.drag = null;
  }
}
