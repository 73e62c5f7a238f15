"""Pieces that the pages of all reports are made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from dreamfactory_env.arena.report_types import Estimate, Report
from dreamfactory_env.arena.reports import svg

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


def section(title: str, text: str, *content: str) -> str:
    """Returns a section; title is plain text, all else is HTML."""
    words = f"<p>{text}</p>" if text else ""
    return f"<section><h2>{escape(title)}</h2>{words}{''.join(content)}</section>"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table; cells are HTML, columns are not."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lines = [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


def figure(estimate: Estimate | None, form: str) -> str:
    """Returns a figure with the ends of its interval in small print."""
    if estimate is None:
        return "–"
    value, low, high = (
        f"{number:{form}}" for number in (estimate["value"], estimate["low"], estimate["high"])
    )
    return f"{value} <small>({low} to {high})</small>"


def game_sections(report: Report) -> list[str]:
    """Returns what the game looks like, whatever its stats are."""
    names = [row["name"] for row in report["policies"]]
    game = report["game"]
    parts = [part["title"] for part in game["parts"]]
    bars = [(name, [part["values"][k] for part in game["parts"]]) for k, name in enumerate(names)]
    sections = []
    if parts:
        plot = svg.stacked(bars, parts, tenth, svg.WHOLE)
        sections.append(section("Where the points come from", "Means of a game.", plot))
    single = [stat for stat in game["seats"] if not stat["axes"]]
    if single:
        columns = ["policy", *(stat["title"] for stat in single)]
        rows = [
            [escape(name), *(f"{stat['values'][k]:.2f}" for stat in single)]
            for k, name in enumerate(names)
        ]
        sections.append(section("What a game looks like", "Means of a game.", table(columns, rows)))
    for stat in game["seats"]:
        if stat["axes"]:
            labels = stat["axes"][0]["labels"]
            plot = svg.heatmap(names, labels, stat["values"], hundredth, svg.WHOLE)
            text = "How many of each in a game, on one seat."
            sections.append(section(stat["title"].capitalize(), text, plot))
    for stat in game["table"]:
        down, across = stat["axes"]
        title = f"{stat['title'].capitalize()} by {down['name']} and {across['name']}"
        plot = svg.heatmap(down["labels"], across["labels"], stat["values"], tenth, svg.WHOLE)
        sections.append(section(title, "Means over all games.", plot))
    return sections


def fouls(report: Report, text: str) -> str:
    """Returns who has fouled, nothing if nobody has; the text says what a foul means."""
    if not report["fouls"]:
        return ""
    rows = [
        f"<tr><td>{escape(foul['policy'])}</td><td>{foul['kind']}</td>"
        f"<td>{foul['games']:,}</td><td class=words>{escape(foul['example'])}</td></tr>"
        for foul in report["fouls"]
    ]
    head = "<tr><th>policy</th><th>kind</th><th>games</th><th>for example</th></tr>"
    return section("Fouls", text, f"<table>{head}{''.join(rows)}</table>")


def facts(report: Report) -> str:
    """Returns which tournament it was."""
    text = json.dumps(report["tournament"], indent=1)
    return section("The tournament", "", f"<pre>{escape(text)}</pre>")


# ---------------------------------------------------------------------------- numbers


def whole(value: float) -> str:
    """Returns a number without decimals."""
    return f"{value:.0f}"


def rounded(value: float) -> str:
    """Returns a share as per cent, without decimals."""
    return f"{value:.0%}"


def tenth(value: float) -> str:
    """Returns a number with one decimal."""
    return f"{value:.1f}"


def hundredth(value: float) -> str:
    """Returns a number with two decimals."""
    return f"{value:.2f}"


def thousandth(value: float) -> str:
    """Returns a number with three decimals."""
    return f"{value:.3f}"


def percent(value: float) -> str:
    """Returns a share as per cent, with a digit more where it is small or nearly all."""
    return f"{value:.1%}" if value < 0.995 or value == 1 else f"{value:.2%}"
