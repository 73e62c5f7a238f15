// A game as one file: the same screen as on the server, with everything inside the page.

import * as drawing from "/game/table.js";
import { hash, placeIn, placeWords } from "./chrome.js";
import { mount } from "./panel.js";
import { watch } from "./watch.js";

const data = JSON.parse(document.getElementById("data").textContent);
// A file may have everybody's view alone.
const by = (viewer) => data.timelines[viewer ?? ""] ?? data.timelines[""];

watch(
  document.getElementById("page"),
  {
    load: async (viewer) => ({ ...by(viewer), first: 0 }),
    drawing: async (game) => (game.page ? drawing : null),
    viewers: Object.keys(data.timelines).length > 1,
    analysis: data.analysis,
    mount: data.analysis ? mount : undefined,
    link: (at, viewer) => {
      try {
        history.replaceState(null, "", `#${placeWords(at, viewer)}`);
      } catch {
        // A page inside another one has no address of its own.
      }
    },
  },
  placeIn(hash()),
);
