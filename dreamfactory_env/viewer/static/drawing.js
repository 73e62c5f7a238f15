// The drawing of a game, from the game's own folder.

import { el } from "./dom.js";

/** Promises the module that draws a game, null if the game has none. */
export async function loadDrawing(game) {
  if (!game.page) return null;
  const folder = `/games/${encodeURIComponent(game.name)}`;
  const [drawing] = await Promise.all([import(`${folder}/drawing.js`), style(`${folder}/table.css`)]);
  return drawing.default;
}

/** Promises that a style sheet is loaded, or cannot be. */
function style(href) {
  if (document.querySelector(`link[href="${href}"]`)) return null;
  return new Promise((done) => {
    const link = el("link", { rel: "stylesheet", href });
    link.addEventListener("load", done);
    link.addEventListener("error", done);
    document.head.append(link);
  });
}
