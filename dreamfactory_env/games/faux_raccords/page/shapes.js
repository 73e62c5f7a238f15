// Where the places of the Film lie, by their names (F6 to F9), and which cards touch or clash.

/** Modes whose Film is one line or two. */
export const isLines = (view) => view.aim.cards.length > 1 || ["tutorial", "feature", "shorts"].includes(view.options.mode);

/** The first and last column and row in which a card can lie or be put, in steps of a spot. */
export const EXTENT = {
  series: { left: 0, right: 6, top: 0, bottom: 6 },
  arcs: { left: -1, right: 6, top: -4, bottom: 4 },
  studio: { left: -2, right: 8, top: -8, bottom: 0 },
};
/** How many spots a card is wide. */
export const ACROSS = { series: 2, arcs: 1, studio: 2 };

const numbersOf = (place) => place.match(/\d+/g).map(Number);

/** Returns where a place lies that is no line's: x and y, rows 2 apart. */
export function spotOf(mode, place) {
  const [first, second] = numbersOf(place);
  if (mode === "series") return { x: 2 * (second - 1), y: 2 * (first - 1) };
  if (mode === "arcs") return { x: first + second - 2, y: first - second };
  return { x: 2 * second + first - 3, y: -2 * (first - 1) };
}

/** Returns the places of the whole shape, as if its first cards lay at 1/1. */
export function outlineOf(mode) {
  const names = [];
  for (let first = 1; first <= (mode === "studio" ? 5 : 4); first += 1) {
    for (let second = 1; second <= (mode === "studio" ? 6 - first : 4); second += 1) {
      names.push(`${first}/${second}`);
    }
  }
  return names;
}

/** Returns the letter of the line of a place, and its number there. */
export function lineOf(place) {
  return { letter: place.replace(/\d+/, ""), number: numbersOf(place)[0] };
}

// ---------------------------------------------------------------------------- what the judges see

const valueOf = (lying) => lying.card?.value ?? null;

/** Returns the pairs of cards of the Film whose values must rise from the first to the second. */
export function orderedPairs(view) {
  const mode = view.options.mode;
  const at = new Map(view.film.map((lying) => [lying.place, lying]));
  if (isLines(view)) {
    const next = ({ letter, number }) => at.get(`${letter}${number + 1}`);
    return view.film.map((lying) => [lying, next(lineOf(lying.place))]).filter((pair) => pair[1]);
  }
  if (mode === "arcs") {
    return view.film.flatMap((lying) => {
      const [x, y] = numbersOf(lying.place);
      return [`${x + 1}/${y}`, `${x}/${y + 1}`].filter((place) => at.has(place)).map((place) => [lying, at.get(place)]);
    });
  }
  if (mode !== "series") return [];
  const pairs = [];
  for (const along of [0, 1]) {
    for (const line of [1, 2, 3, 4]) {
      const cards = view.film.filter((lying) => numbersOf(lying.place)[along] === line);
      cards.sort((a, b) => numbersOf(a.place)[1 - along] - numbersOf(b.place)[1 - along]);
      pairs.push(...cards.slice(1).map((card, k) => [cards[k], card]));
    }
  }
  return pairs;
}

/** Returns the cards that break a condition; for the genre, those that count. */
export function concerned(view, condition) {
  if (condition === "order") {
    return view.film.length ? orderedPairs(view).filter(([a, b]) => valueOf(a) >= valueOf(b)).flat() : [];
  }
  if (condition === "doubles") {
    return view.film.filter((lying) => view.film.some((other) => other !== lying && valueOf(other) === valueOf(lying)));
  }
  if (condition === "genre") {
    return view.film.filter((lying) => {
      const line = view.genres.length > 1 ? "AB".indexOf(lineOf(lying.place).letter) : 0;
      return lying.card?.symbol === "joker" || view.genres[line]?.moods.includes(lying.card?.symbol);
    });
  }
  const level = (lying) => numbersOf(lying.place)[0];
  const symbol = (lying) => lying.card?.symbol;
  if (condition === "levels") {
    const kinds = (at) => new Set(view.film.filter((lying) => level(lying) === at).map(symbol)).size;
    return view.film.filter((lying) => kinds(level(lying)) > 2);
  }
  if (condition === "symbols") {
    const elsewhere = (lying) => (other) => symbol(other) === symbol(lying) && level(other) !== level(lying);
    return view.film.filter((lying) => view.film.some(elsewhere(lying)));
  }
  return [];
}
