// The frame of all screens: heading, colours, dialogs, messages.

import { el, fill } from "./dom.js";
import { texts } from "./texts.js";

const THEMES = ["system", "light", "dark"];

function stored(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null; // a page of a file may have no storage
  }
}

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

/** Returns the choice of colours: as the system has them, light, or dark. */
function themeChoice() {
  const theme = THEMES.includes(stored("theme")) ? stored("theme") : "system";
  applyTheme(theme);
  const choose = (event) => {
    stored("theme", event.target.value);
    applyTheme(event.target.value);
  };
  return el(
    "label",
    { class: "theme" },
    el("span", { class: "hidden" }, texts.theme),
    el(
      "select",
      { onchange: choose },
      THEMES.map((name) => el("option", { value: name, selected: name === theme }, texts[name])),
    ),
  );
}

/** Builds the frame of a screen: `left` and `right` of its heading, and what it shows. */
export function screen(page, { title, left = [], right = [], name = "" }, ...content) {
  document.title = `${title} · ${texts.product}`;
  fill(
    page,
    el("header", { class: "top" }, left, el("h1", {}, title), el("div", { class: "room" }), right, themeChoice()),
    el("main", { class: name }, content),
    el("div", { class: "said hidden", role: "status", "aria-live": "polite", id: "said" }),
  );
}

/** Says something to readers of screens. */
export function say(words) {
  const place = document.getElementById("said");
  if (place) place.textContent = words;
}

/** Returns a message that something is wrong. */
export function problem(words) {
  return el("p", { class: "problem", role: "alert" }, words);
}

function dialogOf(title, content) {
  const heading = el("h2", { id: "dialog-title" }, title);
  const close = el("button", { type: "button", class: "plain", onclick: () => box.close() }, texts.close);
  const box = el("dialog", { "aria-labelledby": "dialog-title" }, el("div", { class: "dialog-head" }, heading, close), content);
  box.addEventListener("close", () => box.remove());
  document.querySelector("dialog")?.close();
  document.body.append(box);
  return box;
}

/** Shows a dialog until it is closed. */
export function dialog(title, ...content) {
  const box = dialogOf(title, content);
  box.addEventListener("click", (event) => event.target === box && box.close());
  box.showModal();
}

/** Shows something beside the page, which can be used meanwhile. */
export function beside(title, ...content) {
  const box = dialogOf(title, content);
  const before = document.activeElement;
  box.classList.add("beside");
  box.addEventListener("keydown", (event) => event.key === "Escape" && box.close());
  box.addEventListener("close", () => before?.focus());
  box.show();
}

/** Shows the keys of a page. */
export function showKeys(list) {
  const rows = list.map(([keys, words]) => [el("dt", {}, el("kbd", {}, keys)), el("dd", {}, words)]);
  dialog(texts.keysTitle, el("dl", { class: "keys" }, rows));
}

/** Tells whether a key is meant for something that takes text, or for a dialog. */
export function isTyping(event) {
  const { tagName, type } = event.target;
  const writes = tagName === "TEXTAREA" || tagName === "SELECT" || (tagName === "INPUT" && type !== "range");
  return writes || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:modal") !== null;
}

/** Returns what stands behind # in the address, by name. */
export const hash = () => new URLSearchParams(location.hash.slice(1));

/** Returns the place in a game that an address names: after which move, and as which seat sees it, null for everybody. */
export function placeIn(asked) {
  const viewer = asked.get("view");
  return { at: Number(asked.get("move") ?? 0) || 0, viewer: viewer ? Number(viewer) : null };
}

/** Returns what names a place in an address. */
export const placeWords = (at, viewer) => `move=${at}${viewer === null ? "" : `&view=${viewer}`}`;
