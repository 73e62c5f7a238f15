// Which parts of the table are clicked for a move of La Fabrique à rêves, and what its button says.

import { say, toolName } from "./phrases.js";

const TOOL_MOVE = /^(doubt|dust|dust\+2|spill|quill)(?: on)? (\d+)$/;
const TAKE = /^take (\d+) into (\d+)$/;

export const toolPart = (tool) => `tool-${tool.replace("+", "-")}`;
export const wordPart = (action) => `word-${action}`;
export const insidePart = (vial, place) => `inside-${vial}-${place}`;

/** Returns the dreams or words of the quill that can be written now, as [action, words, shown]. */
export function writable(view) {
  if (!["dreams", "quill"].includes(view.phase)) return [];
  return Object.entries(view.legal)
    .sort((a, b) => a[1] - b[1])
    .map(([words, action]) => [action, words, shownOf(view, words)]);
}

export const canPass = (view) => view.viewer !== null && Object.hasOwn(view.legal, "pass");
export const askedVial = (view) => view.vials.find((vial) => vial.asked)?.number;

function shownOf(view, words) {
  return / none$/.test(words) && !Object.hasOwn(view.shown, words) ? say(view, "none") : (view.shown[words] ?? words);
}

/** Returns what is clicked for each legal action, in order; nothing where there is only a button. */
export function targets(view) {
  return Object.fromEntries(Object.entries(view.legal).map(([words, action]) => [action, partsOf(view, action, words)]));
}

function partsOf(view, action, words) {
  if (["dreams", "quill"].includes(view.phase)) return [wordPart(action)];
  if (words === "pass") return canPass(view) ? ["pass"] : [];
  if (words === "broom") return [toolPart("broom")];
  const take = words.match(TAKE);
  if (take) return [`reservoir-${take[1]}`, `vial-${take[2]}`];
  const [, tool, vial] = words.match(TOOL_MOVE);
  return [toolPart(tool), `vial-${vial}`];
}

/** Returns the words on the button of a move, and the group it stands in. */
export function label(view, action, words) {
  if (view.phase === "dreams") return { group: say(view, "dream of", { number: askedVial(view) }), text: shownOf(view, words) };
  if (view.phase === "quill") return { group: say(view, "write", { number: askedVial(view) }), text: shownOf(view, words) };
  if (words === "pass") return { group: say(view, "tools"), text: say(view, "pass"), key: "p" };
  if (words === "broom") return { group: say(view, "tools"), text: toolName(view, "broom") };
  const take = words.match(TAKE);
  if (take) {
    const top = view.reservoirs[Number(take[1]) - 1].top;
    return { group: say(view, "into", { number: take[2] }), text: top.shown };
  }
  const [, tool, vial] = words.match(TOOL_MOVE);
  return { group: say(view, "tools"), text: `${toolName(view, tool)} → ${say(view, "vial", { number: vial })}` };
}

/** Returns the parts that the last move touched, as far as the table shows them now. */
export function marked(view, last) {
  if (!last) return [];
  const { seat, words } = last;
  const take = words.match(TAKE);
  if (take) return [`vial-${take[2]}`];
  const tool = words.match(TOOL_MOVE);
  if (tool) return [`vial-${tool[2]}`];
  const dream = words.match(/^dream (\d+) /);
  if (dream) return [`slate-${seat}-${dream[1]}`];
  if (words.startsWith("write ")) {
    const vial = view.vials.find((each) => each.words.some((word) => word.written));
    return vial ? [`vial-${vial.number}`] : [];
  }
  return [`seat-${seat}`];
}

/** Returns from which parts of the table before it a move has brought things here. */
export function origins(view, last, previous) {
  if (!last || !previous) return {};
  const { seat, action, words } = last;
  const newest = (number) => insidePart(number, view.vials[number - 1].words.length - 1);
  const take = words.match(TAKE);
  if (take) return { [newest(Number(take[2]))]: `reservoir-${take[1]}` };
  const shown = Object.keys(previous.legal).length > 0;
  const dream = words.match(/^dream (\d+) /);
  if (dream) return shown ? { [`slate-${seat}-${dream[1]}`]: wordPart(action) } : {};
  if (words.startsWith("write ")) return { [newest(askedVial(previous))]: shown ? wordPart(action) : `seat-${seat}` };
  return {};
}
