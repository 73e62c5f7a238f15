// What every drawing of a table must hold, looked at in the page.

const load = (name) => import(`/games/${name}/table.js`);

/** Returns everything that is wrong with the drawings of some frames: [{view, context}]. */
export async function wrongs(name, frames) {
  const table = await load(name);
  const found = [];
  for (const [k, { view, context }] of frames.entries()) {
    const say = (words) => found.push(`frame ${k}, ${view.phase}: ${words}`);
    const svg = table.draw(view, context);
    checkDrawing(svg, table.help(view), say);
    checkTargets(svg, table, view, say);
    if (context.previous) checkOrigins(svg, table.draw(context.previous, context), say);
  }
  return found.slice(0, 20);
}

const partsOf = (svg) => [...svg.querySelectorAll("[data-part]")];

function checkDrawing(svg, kinds, say) {
  const parts = partsOf(svg);
  const names = parts.map((part) => part.dataset.part);
  if (new Set(names).size < names.length) say(`parts twice: ${names.filter((part, k) => names.indexOf(part) !== k)}`);
  for (const part of parts) {
    if (!part.querySelector(":scope > title")?.textContent) say(`${part.dataset.part} has no title`);
    if (!kinds[part.dataset.kind]) say(`no help for ${part.dataset.kind}`);
  }
  if (svg.querySelector("[style], script, foreignObject, image, a, [onclick]")) say("more than shapes and texts");
  if (/NaN|undefined|\[object/.test(svg.outerHTML)) say(`not a number, or nothing: ${svg.outerHTML.match(/.{60}(NaN|undefined|\[object).{30}/)?.[0]}`);
  const { width, height } = svg.viewBox.baseVal;
  if (!(width >= 340 && width <= 1400 && height > 200 && height < 6000)) say(`size ${width} by ${height}`);
}

/** What has come from somewhere has come from what was there before. */
function checkOrigins(svg, before, say) {
  const parts = new Set(partsOf(before).map((part) => part.dataset.part));
  for (const part of svg.querySelectorAll("[data-from]")) {
    if (!parts.has(part.dataset.from)) say(`${part.dataset.part} from ${part.dataset.from}, which was not there`);
  }
}

function checkTargets(svg, table, view, say) {
  const parts = new Map(partsOf(svg).map((part) => [part.dataset.part, part]));
  const targets = table.targets(view);
  const legal = Object.entries(view.legal);
  if (Object.keys(targets).length !== legal.length) say("targets of other actions");
  const used = new Map();
  for (const [words, action] of legal) {
    const wanted = targets[action];
    if (!Array.isArray(wanted)) {
      say(`no targets for ${words}`);
      continue;
    }
    for (const part of wanted) if (!parts.has(part)) say(`${words}: there is no ${part}`);
    const key = wanted.join(" > ");
    if (key && used.has(key)) say(`${words} and ${used.get(key)} are both ${key}`);
    used.set(key, words);
    if (!wanted.length && !/^bid \d+$/.test(words) && view.viewer !== null) say(`only a button for ${words}`);
    const label = table.label(view, action, words);
    if (!label.text || !label.group) say(`${words} has no label`);
  }
  for (const key of used.keys()) {
    const before = key.slice(0, Math.max(0, key.lastIndexOf(" > ")));
    if (before && used.has(before)) say(`${key} goes on from ${before}`);
  }
  const named = new Set(Object.values(targets).flat());
  for (const [name, part] of parts) {
    if ((part.getAttribute("role") === "button") !== named.has(name)) say(`${name}: a button, or not`);
    if (named.has(name) && !part.getAttribute("aria-label")) say(`${name} has no name for readers`);
  }
}

/** Tells whether something in a drawing says that it was elsewhere before. */
export async function came_from_elsewhere(name, { view, context }) {
  return (await load(name)).draw(view, context).querySelector("[data-from]") !== null;
}

/** Returns the drawing of a view as markup. */
export async function markup(name, view, context = {}) {
  return (await load(name)).draw(view, context).outerHTML;
}

/** Shows a drawing in the page, and returns the texts that do not stay within it. */
export async function overflowing(name, view, context) {
  const svg = await shown(name, view, context);
  const { width, height } = svg.viewBox.baseVal;
  return [...svg.querySelectorAll("text")]
    .map((text) => ({ words: text.textContent, around: text.getBBox() }))
    .filter(({ around: { x, y, width: w, height: h } }) => x < -1 || y < -1 || x + w > width + 1 || y + h > height + 1)
    .map(({ words, around }) => `${words} at ${Math.round(around.x)}, ${Math.round(around.y)}`);
}

async function shown(name, view, context) {
  const svg = (await load(name)).draw(view, context);
  document.getElementById("place").replaceChildren(svg);
  return svg;
}

// ---------------------------------------------------------------------------- contrast

/** Returns the texts that are too close in colour to what lies under them (WCAG AA). */
export async function faint(name, view, context) {
  const svg = await shown(name, view, context);
  const found = [];
  for (const text of svg.querySelectorAll("text")) {
    if (!text.textContent.trim()) continue;
    const { y, width, height } = text.getBoundingClientRect();
    scrollTo(0, Math.max(0, scrollY + y - 300));
    const moved = text.getBoundingClientRect();
    const ground = colourUnder(svg, text, moved.x + width / 2, moved.y + height / 2);
    const style = getComputedStyle(text);
    const ink = over(parse(style.fill), opacityOf(text, svg) * Number(style.fillOpacity), ground);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = contrast(ink, ground);
    if (ratio < (large ? 3 : 4.5)) found.push(`“${text.textContent}” (${text.getAttribute("class")}): ${ratio.toFixed(2)}`);
  }
  scrollTo(0, 0);
  return [...new Set(found)];
}

const parse = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
const over = (top, share, below) => top.map((part, k) => part * share + below[k] * (1 - share));

function opacityOf(element, root) {
  let share = 1;
  for (let each = element; each && each !== root; each = each.parentElement) share *= Number(getComputedStyle(each).opacity);
  return share;
}

/** Returns the colour of what lies under a text at a point, from the page up. */
function colourUnder(svg, text, x, y) {
  const every = document.createTreeWalker(svg, NodeFilter.SHOW_ELEMENT);
  let colour = parse(getComputedStyle(document.body).backgroundColor);
  for (let each = every.nextNode(); each && each !== text; each = every.nextNode()) {
    if (!["rect", "circle", "path", "polygon"].includes(each.localName)) continue;
    const style = getComputedStyle(each);
    if (style.fill === "none" || style.fill.endsWith(", 0)")) continue;
    const inverse = each.getScreenCTM().inverse();
    if (each.isPointInFill(new DOMPoint(x, y).matrixTransform(inverse))) {
      colour = over(parse(style.fill), opacityOf(each, svg) * Number(style.fillOpacity), colour);
    }
  }
  return colour;
}

function contrast(one, other) {
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
