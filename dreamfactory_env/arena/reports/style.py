"""How the page of a report looks: its colours, light and dark, and its layout on any screen."""

from __future__ import annotations

#: Colours of parts and curves of different kinds, for light and for dark pages.
_KINDS = (
    "26699f e08a2c 3f9d77 b8527f 7b66b5 7d6c43 4fa9c4 9aa3ad",
    "4d94d1 e8a04f 58b890 d0719b 9b89d0 b5a170 6cc3dd 8a94a0",
)
#: Colours of places, from the first to the last.
_PLACES = ("1d5a8c 5795c8 93bddc c9dcea e3ebf2", "8cc4f0 5a97c8 3d6f98 2f516d 2a3b4b")
#: How many colours of different kinds there are.
SERIES = len(_KINDS[0].split())
#: Text on a ground of a colour, dark or light.
_INKS = ("1c2430", "ffffff")
#: Heat maps: the colours of the highest and the lowest value. They lie over the page, the weaker
#: the more of it shows, so a middle value is light on a light page and dark on a dark one.
_HIGH, _LOW, _LIGHT_CARD = "2669a6", "be4e32", "ffffff"
#: Widths of heat maps that are told apart: below one of them the labels of columns stand upright.
UPRIGHT = range(200, 1000, 80)


def heat(strength: float, high: bool) -> tuple[str, str]:
    """Returns the class for the text of a cell of a heat map, and its colour.

    Args:
        strength: Of the colour, from 0 to 1.
        high: Whether the value is a high one.
    """
    colour = _HIGH if high else _LOW
    strength = min(max(strength, 0.06), 1.0)  # a cell can be seen, whatever its value
    page = _rgb(_LIGHT_CARD)
    over = [strength * a + (1 - strength) * b for a, b in zip(_rgb(colour), page, strict=True)]
    dark, light = (contrast(over, _rgb(ink)) for ink in _INKS)
    r, g, b = _rgb(colour)
    return "on-dark" if light > dark else "", f"rgb({r} {g} {b}/{strength:.0%})"


def shade(strength: float) -> tuple[str, str]:
    """Returns the colours of text and ground of a square on a light page, as ``#rrggbb``.

    Args:
        strength: Of the ground, from 0 to 1.
    """
    strength = min(max(strength, 0.06), 1.0)
    both = zip(_rgb(_HIGH), _rgb(_LIGHT_CARD), strict=True)
    over = [round(strength * high + (1 - strength) * page) for high, page in both]
    ground = [float(part) for part in over]
    ink = max(_INKS, key=lambda code: contrast(ground, _rgb(code)))
    return f"#{ink}", "#" + "".join(f"{part:02x}" for part in over)


def contrast(first: list[float], second: list[float]) -> float:
    """Returns how well two colours can be told apart, from 1 to 21, as WCAG defines it."""
    darker, brighter = sorted(_luminance(colour) + 0.05 for colour in (first, second))
    return brighter / darker


def _luminance(colour: list[float]) -> float:
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _rgb(code: str) -> list[float]:
    return [int(code[place : place + 2], 16) for place in (0, 2, 4)]


def _variables(theme: int) -> str:
    """Returns the colours of parts and curves, and of texts on them; light (0) or dark (1)."""
    texts = []
    for letter, colours in (("s", _KINDS[theme]), ("o", _PLACES[theme])):
        for number, code in enumerate(colours.split()):
            ink = max(_INKS, key=lambda ink: contrast(_rgb(code), _rgb(ink)))
            texts.append(f"--{letter}{number}:#{code};--on-{letter}{number}:#{ink};")
    return "".join(texts)


def _theme() -> str:
    """Returns the colours of the page, light and dark, as variables."""
    return f"""
:root {{ color-scheme: light dark; --ink: #{_INKS[0]}; --soft: #636e7e; --line: #e3e7ec;
  --page: #f6f7f9; --card: #{_LIGHT_CARD}; --accent: #26699f; {_variables(0)} }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e6e9ee; --soft: #98a3b3; --line: #323a46; --page: #14181e; --card: #1c222b;
    --accent: #6aaee6; {_variables(1)} }} }}
"""


def _series() -> str:
    """Returns the classes of parts and curves: their colours, and those of texts on them."""
    names = [f"s{k}" for k in range(SERIES)] + [f"o{k}" for k in range(5)]
    return "".join(
        f".{name} {{ background: var(--{name}); color: var(--on-{name}); }}\n"
        f".curve.{name} {{ fill: var(--{name}); stroke: var(--{name}); }}\n"
        for name in names
    )


def _upright() -> str:
    """Returns how the labels of columns stand upright, always or below a width of the heat map."""
    rules = "writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap;"
    label = ".heads .body > span > span"
    return f".upright {label} {{ {rules} }}\n" + "".join(
        f"@container (max-width: {width - 1}px) {{ .upright{width} {label} {{ {rules} }} }}\n"
        for width in UPRIGHT
    )


def _as_blocks(table: str, width: int) -> str:
    """Returns how a table looks on a page below a width: every row is a block of cells.

    Each cell has the heading of its column above it.
    """
    return f"""
@media (max-width: {width - 1}px) {{
  {table}, {table} tbody {{ display: block; }}
  {table} thead {{ display: none; }}
  {table} tr {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(112px, 1fr));
    gap: 4px 12px; padding: 8px 0 10px; border-top: 1px solid var(--line); }}
  {table} td {{ border: 0; padding: 0; text-align: left; white-space: normal; }}
  {table} td:first-child, {table} td.words {{ grid-column: 1 / -1; }}
  {table} td:not(:first-child)::before {{ content: attr(data-head); display: block;
    color: var(--soft); font-size: 12px; }} }}
"""


_LAYOUT = """
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 17px; margin: 0 0 2px; }
p { margin: 4px 0 12px; color: var(--soft); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 18px 22px 20px; min-width: 0; }
section, .pair { margin: 18px 0; }
.pair { display: grid; gap: 18px; }
.pair > section { margin: 0; }
.pair { grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); }
.pair.three { grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr)); }
small { color: var(--soft); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 8px 0 0; font-size: 13px; }

.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: right; vertical-align: bottom; font-weight: 600; color: var(--soft);
  font-size: 13px; }
td { text-align: right; border-top: 1px solid var(--line); white-space: nowrap; }
th, td { padding: 6px 8px; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
td:first-child { font-weight: 600; min-width: 9em; }
td:first-child { white-space: normal; overflow-wrap: anywhere; }
.name { display: inline-block; min-width: 6em; white-space: normal; overflow-wrap: anywhere; }
table.wide small { display: block; }
.words { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.names { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 14px 0;
  font-size: 13px; color: var(--soft); }
.names dt { font-weight: 600; }
.names dd { margin: 0; overflow-wrap: anywhere; }

.chart, .spread { container-type: inline-size; overflow-x: auto; margin-top: 8px;
  font-size: 13px; line-height: 1.25; font-variant-numeric: tabular-nums; }
.row { display: flex; flex-wrap: wrap; align-items: center; }
.label { flex: 0 0 min(var(--label), 100%); overflow-wrap: anywhere; padding-right: 1ch; }
.body { flex: 1 1 200px; min-width: 0; display: flex; align-items: center; }
.intervals .body { padding-left: 10px; }
.intervals b { flex: 0 0 var(--value); text-align: right; padding-left: 8px; font-weight: 600;
  box-sizing: content-box; }
.track { flex: 1 1 0; width: 100%; min-width: 0; height: 26px; overflow: visible; display: block; }
.ticks { flex: 1 1 0; position: relative; height: 20px; color: var(--soft); font-size: 12px; }
.ticks span { position: absolute; top: 3px; transform: translateX(-50%); white-space: nowrap; }
.grid { stroke: var(--line); }
.reference { stroke: var(--soft); stroke-dasharray: 4 3; }
.whisker { stroke: var(--accent); stroke-width: 2.5; stroke-linecap: round; }
.dot { fill: var(--accent); }

.stacked .body { height: 26px; }
.stacked .body > span { flex: 0 0 0; min-width: 0; height: 20px; line-height: 20px;
  overflow: hidden; display: flex; flex-wrap: wrap; justify-content: center;
  border-right: 1px solid var(--card); }
/* A number that does not fit goes to a second line, which is not seen. */
.stacked .body > span::before { content: ""; width: 0; height: 20px; }
.stacked i { font-style: normal; font-size: 12px; white-space: nowrap; padding: 0 1px; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 18px; margin-top: 10px; font-size: 13px; }
.legend span { display: flex; align-items: center; gap: 6px; overflow-wrap: anywhere; }
.legend i { flex: none; width: 12px; height: 12px; border-radius: 2px; }

.heat { --room: calc(var(--cell) * 1ch + 3px); }
.heat .body { display: grid; flex-basis: calc(var(--columns) * var(--room));
  min-width: calc(var(--columns) * var(--room));
  grid-template-columns: repeat(var(--columns), minmax(var(--room), 110px)); }
.heat .body > span { margin: 1px; height: 26px; line-height: 26px; border-radius: 3px;
  text-align: center; white-space: nowrap; }
.heat .heads { align-items: flex-end; }
.heat .heads .body { align-items: end; }
.heat .heads .body > span { height: auto; line-height: 1.25; padding-bottom: 4px; display: flex;
  justify-content: center; }
.heat .on-dark { color: #fff; }

.spread { padding: 0 14px; overflow: visible; }
.spread .track { height: 190px; }
.spread .ticks { height: 22px; }
.spread small { display: block; text-align: right; }
.curve { fill-opacity: .16; stroke-width: 2; stroke-linejoin: round;
  vector-effect: non-scaling-stroke; }
"""

_PHONE = """
@media (max-width: 600px) {
  main { padding: 20px 10px 40px; }
  section { padding: 14px 14px 16px; }
  section, .pair { margin: 12px 0; }
  .pair { gap: 12px; }
  h1 { font-size: 22px; }
  .heat { font-size: 11px; }
  .names { grid-template-columns: 1fr; gap: 0; }
  .names dd { margin-bottom: 6px; } }
@media (max-width: 900px) { td small { display: block; } }
"""

STYLE = "".join(
    (
        _theme(),
        _LAYOUT,
        _upright(),
        _series(),
        _PHONE,
        _as_blocks("table", 700),
        _as_blocks("table.wide", 1040),
    )
)
