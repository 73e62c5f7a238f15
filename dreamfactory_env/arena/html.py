"""A report as one HTML file that needs nothing else: tables, and plots drawn as SVG."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from dreamfactory_env.arena import svg
from dreamfactory_env.arena.analysis import Report
from dreamfactory_env.arena.report import duplicate_words, speed

STYLE = (
    """
:root { --ink: #1c2430; --soft: #6b7686; --line: #e3e7ec; --page: #f6f7f9; --card: #fff;
  --accent: #26699f; --s0: #26699f; --s1: #e08a2c; --s2: #3f9d77; --s3: #b8527f; --s4: #7b66b5;
  --s5: #8c7a4f; --s6: #4fa9c4; --s7: #9aa3ad; --o0: #1d5a8c; --o1: #4d8cbf; --o2: #93bddc;
  --o3: #c9dcea; --o4: #e3ebf2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --soft: #98a3b3; --line: #323a46; --page: #14181e; --card: #1c222b;
    --accent: #6aaee6; --s0: #4d94d1; --s1: #e8a04f; --s2: #58b890; --s3: #d0719b;
    --s4: #9b89d0; --s5: #b5a170; --s6: #6cc3dd; --s7: #8a94a0; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 17px; margin: 0 0 2px; }
p { margin: 4px 0 12px; color: var(--soft); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 18px 22px 20px; margin: 18px 0; overflow-x: auto; }
.pair, .three { display: grid; gap: 0 18px; }
.pair { grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); }
.three { grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 600; color: var(--soft); font-size: 13px; }
td { text-align: right; border-top: 1px solid var(--line); }
th, td { padding: 6px 8px; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td:first-child { font-weight: 600; }
td.words { text-align: left; white-space: normal; overflow-wrap: anywhere; }
small { color: var(--soft); }
svg { display: block; width: 100%; height: auto; margin-top: 8px; }
svg text { font-size: 12.5px; fill: var(--ink); }
svg text.soft { fill: var(--soft); font-size: 11.5px; }
svg text.value { font-weight: 600; }
svg text.inside { fill: #fff; font-size: 11.5px; }
svg text.inside:is(.o2, .o3, .o4) { fill: #1c2430; }
.grid { stroke: var(--line); }
.reference { stroke: var(--soft); stroke-dasharray: 4 3; }
.whisker { stroke: var(--accent); stroke-width: 2.5; stroke-linecap: round; }
.dot { fill: var(--accent); }
.curve { fill-opacity: .16; stroke-width: 2; stroke-linejoin: round; }
"""
    + "".join(
        f".fill.s{k} {{ fill: var(--s{k}); }} "
        f".curve.s{k} {{ fill: var(--s{k}); stroke: var(--s{k}); }}\n"
        for k in range(svg.SERIES)
    )
    + "".join(f".fill.o{k} {{ fill: var(--o{k}); }}\n" for k in range(5))
)


def as_html(report: Report) -> str:
    """Returns the page of a report."""
    state = "" if report["complete"] else ", not finished yet"
    head = f"Tournament of {report['title']}"
    told = (
        f"{report['players']} players · {report['deals']:,} deals, each played on all seats · "
        f"{report['games']:,} games · {report['decisions']:,} decisions{state}. "
        "Intervals are 95 %, by deal."
    )
    body = [
        _policies(report),
        _fouls(report),
        '<div class="pair">',
        _ratings(report),
        _wins(report),
        "</div>",
        '<div class="pair">',
        _before(report),
        _places(report),
        "</div>",
        _scores(report),
        '<div class="three">',
        *_effects(report),
        "</div>",
        _luck(report),
        *_game(report),
        _facts(report),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(head)}</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(head)}</h1><p>{told}</p>{''.join(body)}</main></body></html>\n"
    )


def _section(title: str, told: str, *content: str) -> str:
    words = f"<p>{told}</p>" if told else ""
    return f"<section><h2>{escape(title)}</h2>{words}{''.join(content)}</section>"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table; cells are HTML, columns are not."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lines = [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


def _cell(estimate: Report | None, form: str) -> str:
    """Returns a figure with the ends of its interval in small print."""
    if estimate is None:
        return "–"
    value, low, high = (f"{estimate[key]:{form}}" for key in ("value", "low", "high"))
    return f"{value} <small>({low} to {high})</small>"


def _policies(report: Report) -> str:
    rows = [
        [
            escape(row["name"]),
            _cell(row["rating"], ".0f"),
            _cell(row["win_rate"], ".1%"),
            _cell(row["score"], ".1f"),
            _cell(row["place"], ".2f"),
            speed(row["decisions_per_second"]),
        ]
        for row in report["policies"]
    ]
    columns = ("policy", "rating", "win rate", "points", "place", "decisions/s")
    return _section("Policies", "", _table(columns, rows))


def _rows(report: Report, key: str) -> list[tuple[str, float, float, float]]:
    found = [(row["name"], row[key]) for row in report["policies"] if row[key]]
    return [(name, e["value"], e["low"], e["high"]) for name, e in found]


def _ratings(report: Report) -> str:
    told = "Plackett-Luce over whole tables; 400 points are odds of ten to one to come before."
    return _section("Rating", told, svg.intervals(_rows(report, "rating"), _whole, svg.HALF))


def _wins(report: Report) -> str:
    even = 1 / report["players"]
    told = f"Shared wins count as parts. The line is an even share, {_percent(even)}."
    return _section(
        "Win rate", told, svg.intervals(_rows(report, "win_rate"), _percent, svg.HALF, even)
    )


def _before(report: Report) -> str:
    names = report["before"]["policies"]
    cells = [[c and c["value"] for c in row] for row in report["before"]["cells"]]
    told = "How often the policy of a row comes before that of a column at the same table."
    return _section(
        "Who beats whom", told, svg.heatmap(names, names, cells, _percent, svg.HALF, 0.5)
    )


def _places(report: Report) -> str:
    rows = [(row["name"], row["places"]) for row in report["policies"]]
    names = [f"place {place + 1}" for place in range(report["players"])]
    told = "How often each policy comes in at which place; equal ones count as the better place."
    return _section("Places", told, svg.stacked(rows, names, _rounded, svg.HALF, "o"))


def _scores(report: Report) -> str:
    names = [row["name"] for row in report["policies"]]
    spread = svg.curves(
        names, report["scores"]["shares"], report["scores"]["width"], "points", _whole
    )
    return _section("Points", "How the points at the end are spread.", spread)


def _effects(report: Report) -> list[str]:
    found = []
    for effect in report["effects"]:
        rows = [
            (row["label"], *(row["win_rate"][key] for key in ("value", "low", "high")))
            for row in effect["rows"]
        ]
        even = 1 / report["players"]
        told = f"Whoever plays. Even is {_percent(even)}."
        plot = svg.intervals(rows, _percent, svg.THIRD, even)
        found.append(_section(f"Win rate by {effect['title']}", told, plot))
    return found


def _luck(report: Report) -> str:
    rows = [
        [
            escape(pair["better"]),
            escape(pair["worse"]),
            _percent(pair["one_game"]),
            _percent(pair["one_deal"]),
            "–" if pair["deals_to_be_sure"] is None else f"{pair['deals_to_be_sure']:,.0f}",
        ]
        for pair in report["luck"]["pairs"]
    ]
    columns = ("the better", "the other", "after a game", "after a deal", "deals to be sure")
    told = (
        "How often the better of two is ahead of the other after one game, and after a deal that "
        "was played on all seats; and how many deals make it 95 % likely that the better is ahead."
    )
    said = "".join(f"<p>{escape(sentence)}</p>" for sentence in duplicate_words(report))
    return _section("Luck", told, _table(columns, rows) if rows else "", said)


def _game(report: Report) -> list[str]:
    """Returns what the game looks like, whatever its figures are."""
    names = [row["name"] for row in report["policies"]]
    game = report["game"]
    parts = [part["title"] for part in game["parts"]]
    bars = [(name, [part["values"][k] for part in game["parts"]]) for k, name in enumerate(names)]
    found = []
    if parts:
        plot = svg.stacked(bars, parts, _tenth, svg.WHOLE)
        found.append(_section("Where the points come from", "Means of a game.", plot))
    single = [figure for figure in game["seats"] if not figure["axes"]]
    rows = [
        [escape(name), *(f"{figure['values'][k]:.2f}" for figure in single)]
        for k, name in enumerate(names)
    ]
    if single:
        columns = ["policy", *(figure["title"] for figure in single)]
        found.append(_section("What a game looks like", "Means of a game.", _table(columns, rows)))
    for figure in game["seats"]:
        if figure["axes"]:
            labels = figure["axes"][0]["labels"]
            title = figure["title"].capitalize()
            plot = svg.heatmap(names, labels, figure["values"], _hundredth, svg.WHOLE)
            found.append(_section(title, "How many of each in a game, on one seat.", plot))
    for figure in game["table"]:
        down, across = figure["axes"]
        title = f"{figure['title'].capitalize()} by {down['name']} and {across['name']}"
        plot = svg.heatmap(down["labels"], across["labels"], figure["values"], _tenth, svg.WHOLE)
        found.append(_section(title, "Means over all games.", plot))
    return found


def _fouls(report: Report) -> str:
    if not report["fouls"]:
        return ""
    rows = [
        f"<tr><td>{escape(foul['policy'])}</td><td>{foul['kind']}</td>"
        f"<td>{foul['games']:,}</td><td class=words>{escape(foul['example'])}</td></tr>"
        for foul in report["fouls"]
    ]
    head = "<tr><th>policy</th><th>kind</th><th>games</th><th>for example</th></tr>"
    told = "Games that ended at once: who fouls loses, the others share the win."
    return _section("Fouls", told, f"<table>{head}{''.join(rows)}</table>")


def _facts(report: Report) -> str:
    facts = json.dumps(report["tournament"], indent=1)
    return _section("The tournament", "", f"<pre>{escape(facts)}</pre>")


def _whole(value: float) -> str:
    return f"{value:.0f}"


def _rounded(value: float) -> str:
    return f"{value:.0%}"


def _tenth(value: float) -> str:
    return f"{value:.1f}"


def _hundredth(value: float) -> str:
    return f"{value:.2f}"


def _percent(value: float) -> str:
    """Returns a share as per cent, with a digit more where it is small or nearly all."""
    return f"{value:.1%}" if value < 0.995 or value == 1 else f"{value:.2%}"
