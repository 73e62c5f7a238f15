// The drawing of a game, from the game's own folder.

import { el } from "./dom.js";

/** Promises the module that draws a game, null if the game has none. */
export async function loadDrawing(game) {
  if (!game.page) return null;
  const folder = `/games/${encodeURIComponent(game.name)}`;
  if (!document.querySelector(`link[href="${folder}/table.css"]`)) {
    await new Promise((done) => {
      const link = el("link", { rel: "stylesheet", href: `${folder}/table.css` });
      link.addEventListener("load", done);
      link.addEventListener("error", done);
      document.head.append(link);
    });
  }
  return import(`${folder}/table.js`);
}
