// Elements, texts and shapes in SVG: what the drawings of all tables share.
//
// Nothing here writes markup or a style attribute: texts become text nodes, looks are classes and
// presentation attributes, so a page may forbid inline script and style.

const NS = "http://www.w3.org/2000/svg";
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const SERIF = 'Georgia, "Times New Roman", "DejaVu Serif", serif';
/** No text is measured, drawn or read aloud beyond this many characters. */
const LONGEST = 240;
/** Below this width a table is stacked in one column. */
const NARROW = 700;
const LEAST = { narrow: 340, wide: 880 };
const MOST = { narrow: 560, wide: 1400 };

// ---------------------------------------------------------------------------- elements

/**
 * Makes an element.
 * @param {string} name Its name, such as "rect".
 * @param {Object} attributes Those that are null, undefined or false are left out.
 * @param {...*} children Elements, texts, or lists of them; null is left out.
 * @returns {SVGElement}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, typeof value === "number" ? round(value) : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
}

const round = (number) => Math.round(number * 100) / 100;

export function group(name, ...children) {
  return make("g", { class: name }, ...children);
}

export function box(area, name, radius = 6, attributes = {}) {
  const { x, y, w, h } = area;
  return make("rect", { x, y, width: w, height: h, rx: radius, class: name, ...attributes });
}

/**
 * Makes something that can be pointed at: it has a name of its own in the drawing, a kind for which
 * there is help, and a title that is read aloud.
 */
export function part(name, kind, title, ...children) {
  return make(
    "g",
    { "data-part": name, "data-kind": kind, class: `t-part t-${kind}` },
    make("title", {}, clipped(title)),
    ...children,
  );
}

/** A part without parts in it: readers take it as one picture with a name. */
export function leaf(name, kind, title, ...children) {
  const element = part(name, kind, title, ...children);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", clipped(title));
  return element;
}

/** Returns a text as a piece of a part's name: letters, digits and a number for the whole. */
export function key(words) {
  let sum = 0x811c9dc5;
  for (const sign of String(words)) {
    sum = Math.imul(sum ^ sign.codePointAt(0), 0x01000193) >>> 0;
  }
  return `${String(words).slice(0, 40).replace(/[^a-z0-9]+/gi, "_")}-${sum.toString(36)}`;
}

/**
 * Makes the whole drawing.
 * @param {string} name The class of the game's drawings.
 * @param {string} title What it shows, for readers.
 * @param {{w: number, h: number}} area Its size.
 * @param {Object} moves targets, {action: parts}: what can be clicked is marked as a button; marked,
 *   the parts that the last move touched; origins, {part: part of the drawing before it}: from where
 *   things have come, for whoever animates them.
 * @param {...*} children What is drawn.
 */
export function sheet(name, title, area, { targets, marked, origins }, ...children) {
  const size = { width: area.w, height: area.h, viewBox: `0 0 ${round(area.w)} ${round(area.h)}` };
  const looks = { class: `t-table ${name}`, "font-family": SANS, role: "group" };
  const ground = box({ x: 0, y: 0, ...area }, "t-ground", 0);
  const svg = make("svg", { ...size, ...looks, "aria-label": clipped(title) }, ground, ...children);
  adoptRules();
  const parts = new Map();
  for (const element of svg.querySelectorAll("[data-part]")) {
    parts.set(element.getAttribute("data-part"), element);
  }
  for (const wanted of new Set(Object.values(targets).flat())) {
    const element = parts.get(wanted);
    element?.setAttribute("role", "button");
    element?.setAttribute("aria-label", element.querySelector("title").textContent);
    element?.classList.add("t-open");
  }
  for (const touched of marked) {
    parts.get(touched)?.classList.add("t-last");
  }
  for (const [moved, from] of Object.entries(origins)) {
    parts.get(moved)?.setAttribute("data-from", from);
  }
  return svg;
}

// ---------------------------------------------------------------------------- looks

/**
 * What the classes of this module look like. The rules weigh nothing, so that the style sheet of a
 * game changes whatever it names, above all the colours.
 */
const RULES = `
:where(.t-table) {
  --t-ground: light-dark(#efe8da, #14151a); --t-panel: light-dark(#fbf8f1, #22252b);
  --t-card: light-dark(#f2ecdf, #2b2f36); --t-well: light-dark(#e7dfcf, #191b1f);
  --t-line: light-dark(#cbbfa8, #474d58); --t-ink: light-dark(#221e19, #f1eee7);
  --t-quiet: light-dark(#5d5447, #b6b1a7); --t-gold: light-dark(#80540a, #f0c866);
  --t-gold-ground: light-dark(#f3d88f, #e6be5c); --t-on-gold: #2a1e05;
  --t-good: light-dark(#1d6b3a, #7fd598); --t-bad: light-dark(#a3271c, #ff9d90);
  --t-seat-0: #ee8078; --t-seat-1: #7db1f5; --t-seat-2: #7ccb82; --t-seat-3: #e6cf55;
  --t-seat-4: #d296de; --t-on-seat: #16171b;
}
:where(.t-table text) { user-select: none; }
:where(.t-ink) { fill: var(--t-ink); }
:where(.t-quiet) { fill: var(--t-quiet); }
:where(.t-gold) { fill: var(--t-gold); }
:where(.t-good) { fill: var(--t-good); }
:where(.t-bad) { fill: var(--t-bad); }
:where(.t-ground) { fill: var(--t-ground); }
:where(.t-panel) { fill: var(--t-panel); }
:where(.t-card) { fill: var(--t-card); }
:where(.t-well) { fill: var(--t-well); stroke: var(--t-line); }
:where(.t-frame) { fill: none; stroke: var(--t-line); }
:where(.t-now) { fill: none; stroke: var(--t-gold); stroke-width: 2; }
:where(.t-empty) { fill: none; stroke: var(--t-line); stroke-dasharray: 4 4; }
:where(.t-token) { fill: var(--t-gold-ground); }
:where(.t-on-gold) { fill: var(--t-on-gold); }
:where(.t-seat-0) { --t-seat: var(--t-seat-0); }
:where(.t-seat-1) { --t-seat: var(--t-seat-1); }
:where(.t-seat-2) { --t-seat: var(--t-seat-2); }
:where(.t-seat-3) { --t-seat: var(--t-seat-3); }
:where(.t-seat-4) { --t-seat: var(--t-seat-4); }
:where(.t-seat-ground) { fill: var(--t-seat); }
:where(.t-seat-hollow) { fill: var(--t-panel); stroke: var(--t-seat); stroke-width: 2; }
:where(.t-seat-frame) { fill: none; stroke: var(--t-seat); stroke-width: 3; }
:where(.t-on-seat) { fill: var(--t-on-seat); }
:where(.t-chip-ground) { fill: var(--t-card); stroke: var(--t-gold); stroke-width: 1.5; }
:where(.t-chip-ink) { fill: var(--t-ink); }
:where(.t-faint) { opacity: 0.5; }
:where(.t-mark) { fill: none; stroke: none; pointer-events: none; }
:where(.t-last > .t-mark) { stroke: var(--t-gold); stroke-width: 2.5; stroke-dasharray: 6 3; }
`;
let adopted = false;

/** Gives the page the rules, once; made by script, they are no inline style. */
function adoptRules() {
  if (!adopted) {
    const rules = new CSSStyleSheet();
    rules.replaceSync(RULES);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
    adopted = true;
  }
}

/** Draws a frame that shows only on a part that the last move touched. */
export function mark(area, radius = 8) {
  const { x, y, w, h } = area;
  return box({ x: x - 2, y: y - 2, w: w + 4, h: h + 4 }, "t-mark", radius);
}

// ---------------------------------------------------------------------------- texts

const known = new Map();
let pen = null;

/** Returns how wide a text is: style has size, weight and serif. */
export function widthOf(words, style = {}) {
  const font = `${style.weight ?? 400} 100px ${style.serif ? SERIF : SANS}`;
  const asked = `${font}|${words}`;
  let width = known.get(asked);
  if (width === undefined) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = font;
    width = pen.measureText(words).width / 100;
    if (known.size > 4000) {
      known.clear();
    }
    known.set(asked, width);
  }
  return width * (style.size ?? 13) + (style.spacing ?? 0) * words.length;
}

function clipped(words) {
  const text = String(words).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Returns a text, its end replaced by an ellipsis if there is no room for it. */
function shorten(words, style, room) {
  const text = clipped(words);
  // A text that was made as large as there is room for may be wider by a rounding.
  if (!text || room === undefined || widthOf(text, style) <= room + 0.01) {
    return text;
  }
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(`${text.slice(0, middle).trimEnd()}…`, style) <= room) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low ? `${text.slice(0, low).trimEnd()}…` : "";
}

/** Returns a text as at most so many lines that fit into a width. */
export function wrap(words, style, room, most = 3) {
  const lines = [];
  let rest = clipped(words).split(/\s+/).filter(Boolean);
  while (rest.length && lines.length < most) {
    let count = 1;
    while (count < rest.length && widthOf(rest.slice(0, count + 1).join(" "), style) <= room) {
      count += 1;
    }
    const last = lines.length === most - 1;
    lines.push(shorten((last ? rest : rest.slice(0, count)).join(" "), style, room));
    rest = rest.slice(count);
  }
  return lines;
}

/**
 * Writes a text; its middle is at y.
 * @param {number} x Where it begins, ends or has its middle, by `style.anchor`.
 * @param {number} y The height of its middle.
 * @param {string} words The text.
 * @param {Object} style size, weight, serif, anchor, spacing, room, name (its class), and least: the
 *   size down to which a text is made smaller before it is cut.
 */
export function text(x, y, words, style = {}) {
  const { weight, serif, anchor, spacing, room, name } = style;
  const size = fittingSize(words, style);
  const attributes = {
    x,
    y: y + 0.355 * size,
    "font-size": size,
    "font-weight": weight,
    "font-family": serif ? SERIF : null,
    "text-anchor": anchor,
    "letter-spacing": spacing,
    class: name ?? "t-ink",
  };
  return make("text", attributes, shorten(words, { ...style, size }, room));
}

function fittingSize(words, { size = 13, least = size, ...style }) {
  if (least === size || style.room === undefined) return size;
  const needed = widthOf(clipped(words), { ...style, size });
  return needed <= style.room ? size : Math.max(least, (size * style.room) / needed);
}

/** Writes a text on several lines from y on; returns the elements. */
export function lines(x, y, words, style, room, most) {
  const high = (style.size ?? 13) * 1.3;
  return wrap(words, style, room, most).map((line, k) => text(x, y + k * high, line, style));
}

/** Writes what is being done, with what is played above it; returns elements and height. */
export function headline(x, y, room, above, words, narrow, looks = "t-ink") {
  const style = { size: narrow ? 18 : 23, serif: true, weight: 700, name: looks };
  const top = y + (narrow ? 33 : 37);
  const said = lines(x, top, words, style, room, 2);
  const drawn = [text(x, y + 10, above, { size: narrow ? 12.5 : 13.5, name: "t-quiet", room }), said];
  return { drawn, height: (narrow ? 46 : 54) + (said.length - 1) * style.size * 1.3 };
}

/** Writes a small heading in capitals. */
export function heading(x, y, words, room) {
  const style = { size: 11, weight: 600, spacing: 1.1, name: "t-quiet", room };
  return text(x, y, String(words).toUpperCase(), style);
}

// ---------------------------------------------------------------------------- shapes

/**
 * Draws an icon given on a grid of 16 by 16: circles (x y radius) and polygons (x y x y …), with
 * "|" between them.
 */
export function icon(shapes, x, y, size, name) {
  const at = `translate(${round(x - size / 2)} ${round(y - size / 2)}) scale(${round(size / 16)})`;
  // A table has hundreds of shapes: an icon is one element, and its outline is put together once.
  if (!outlines.has(shapes)) outlines.set(shapes, shapes.split("|").map(outlineOf).join(""));
  return make("path", { class: name, d: outlines.get(shapes), transform: at, "aria-hidden": "true" });
}

const outlines = new Map();

function outlineOf(shape) {
  const numbers = shape.trim().split(/\s+/).map(Number);
  if (numbers.length !== 3) return `M${clockwise(numbers).join(" ")}z`;
  const [x, y, r] = numbers;
  return `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
}

/** Returns the corners of a polygon clockwise: where two shapes that turn otherwise overlap is a hole. */
function clockwise(corners) {
  const points = Array.from({ length: corners.length / 2 }, (_, k) => [corners[2 * k], corners[2 * k + 1]]);
  const doubled = points.reduce((sum, [x, y], k) => {
    const [nextX, nextY] = points[(k + 1) % points.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return (doubled < 0 ? points.reverse() : points).flat();
}

/** Draws the number of a seat on its colour, or within its colour if it is out or not sure. */
export function seatMark(seat, x, y, size = 22, hollow = false) {
  const area = { x: x - size / 2, y: y - size / 2, w: size, h: size };
  const style = { size: size * 0.6, weight: 700, anchor: "middle", name: hollow ? "t-ink" : "t-on-seat" };
  const ground = box(area, hollow ? "t-seat-hollow" : "t-seat-ground", size * 0.28);
  return group(`t-seat-${seat}`, ground, text(x, y, seat, style));
}

/** Draws a small button with words, such as "Pass". */
export function chip(name, words, title, area) {
  const style = { size: 13, weight: 600, anchor: "middle", room: area.w - 8, name: "t-chip-ink" };
  const middle = { x: area.x + area.w / 2, y: area.y + area.h / 2 };
  return leaf(name, "chip", title, box(area, "t-chip-ground", area.h / 2), text(middle.x, middle.y, words, style));
}

/** Draws chips one after another in rows; each is [part, words, title]. Returns elements and height. */
export function chips(x, y, room, offered) {
  const drawn = [];
  let [left, top] = [x, y];
  for (const [name, words, title] of offered) {
    const w = Math.min(room, Math.max(40, widthOf(words, { size: 13, weight: 600 }) + 24));
    if (left + w > x + room && left > x) {
      [left, top] = [x, top + 34];
    }
    drawn.push(chip(name, words, title, { x: left, y: top, w, h: 28 }));
    left += w + 6;
  }
  return { drawn, height: offered.length ? top - y + 28 : 0 };
}

// ---------------------------------------------------------------------------- layout

/** Returns the width in which a table is laid out, and whether it is stacked. */
export function frame(context = {}) {
  const given = context.width ?? 1200;
  const narrow = given < NARROW;
  const kind = narrow ? "narrow" : "wide";
  return { narrow, w: Math.min(Math.max(given, LEAST[kind]), MOST[kind]) };
}

/** Returns equal parts of a width side by side. */
export function columns(x, w, count, gap) {
  const each = (w - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, k) => ({ x: x + k * (each + gap), w: each }));
}

/** Returns the names of the seats: those given, else a word for players and their numbers; with both where two are alike. */
export function namesOf(view, context, player) {
  const names = view.players.map((_, seat) => clipped(context.names?.[seat] ?? `${player} ${seat}`));
  return names.map((name, seat) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${seat})`));
}

/** Returns a number of things in words: "1 tile", "2 tiles". */
export function counted(number, what) {
  return `${number} ${what}${Math.abs(String(number).replace("−", "-")) === 1 ? "" : "s"}`;
}

/** Returns things as a list in words: "a", "a and b", "a, b and c". */
export function listed(words, and = "and") {
  const last = words[words.length - 1];
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${and} ${last}`;
}
