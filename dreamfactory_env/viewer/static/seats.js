// Seats as they are shown outside the table: a coloured number and a name.

import { el } from "./dom.js";
import { texts } from "./texts.js";

/** Returns the number of a seat on its colour. */
export function seatMark(seat) {
  return el("span", { class: `seat seat-${seat % 8}`, "aria-hidden": "true" }, String(seat));
}

/** Returns a seat with its name. */
export function seatName(seat, name) {
  return el(
    "span",
    { class: "seat-name" },
    seatMark(seat),
    el("span", { class: "hidden" }, `${texts.seat(seat)}: `),
    el("span", { class: "name" }, name),
  );
}
