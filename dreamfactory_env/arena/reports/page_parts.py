"""Pieces that the pages of all reports are made of."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from dreamfactory_env.arena.report_types import Estimate, Report
from dreamfactory_env.arena.reports import charts
from dreamfactory_env.arena.reports.markup import Html, html, join

#: A matrix of more policies needs the whole width of the page.
MOST_BESIDE = 6
#: A table of more columns has its intervals below the figures.
MOST_COLUMNS = 6


def section(title: str, text: str, *content: Html) -> Html:
    """Returns a section."""
    return html(
        "<section><h2>{title}</h2>{words}{content}</section>",
        title=title,
        words=paragraphs([text] if text else []),
        content=join(content),
    )


def paragraphs(sentences: Iterable[str]) -> Html:
    """Returns a paragraph for each sentence."""
    return join(html("<p>{text}</p>", text=sentence) for sentence in sentences)


def beside(*sections: Html, narrow: bool = False) -> Html:
    """Returns sections that stand beside one another where there is room, narrow ones three."""
    style = "pair three" if narrow else "pair"
    return html('<div class="{style}">{inner}</div>', style=style, inner=join(sections))


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], words: Collection[int] = ()
) -> Html:
    """Returns a table; on a narrow screen its rows are blocks.

    Args:
        columns: What stands above the columns.
        rows: The cells.
        words: The columns that are sentences.
    """
    styles = [Html(' class="words"') if k in words else Html() for k in range(len(columns))]
    heads = [
        html("<th{style}>{head}</th>", style=style, head=head)
        for head, style in zip(columns, styles, strict=True)
    ]
    lines = []
    for row in rows:
        cells = [
            html('<td{style} data-head="{head}">{cell}</td>', style=style, head=head, cell=cell)
            for head, style, cell in zip(columns, styles, row, strict=True)
        ]
        lines.append(html("<tr>{cells}</tr>", cells=join(cells)))
    return html(
        '<div class="table"><table class="{size}"><thead><tr>{heads}</tr></thead>'
        "<tbody>{lines}</tbody></table></div>",
        size="wide" if len(columns) > MOST_COLUMNS else "",
        heads=join(heads),
        lines=join(lines),
    )


def names(full: Mapping[str, str]) -> Html:
    """Returns the names of those policies that have other labels, nothing if none has."""
    lines = [
        html("<dt>{label}</dt><dd>{name}</dd>", label=label, name=name)
        for label, name in full.items()
    ]
    return html('<dl class="names">{lines}</dl>', lines=join(lines)) if lines else Html()


def figure(estimate: Estimate | None, form: str) -> Html:
    """Returns a figure with the ends of its interval in small print."""
    if estimate is None:
        return html("–")
    value, low, high = (
        f"{number:{form}}" for number in (estimate["value"], estimate["low"], estimate["high"])
    )
    return html("{value} <small>({low} to {high})</small>", value=value, low=low, high=high)


def game_sections(report: Report) -> list[Html]:
    """Returns what the game looks like, whatever its stats are."""
    policies = [row["name"] for row in report["policies"]]
    game = report["game"]
    parts = [part["title"] for part in game["parts"]]
    bars = [
        (name, [part["values"][k] for part in game["parts"]]) for k, name in enumerate(policies)
    ]
    sections = []
    if parts:
        plot = charts.stacked(bars, parts, tenth)
        sections.append(section("Where the points come from", "Means of a game.", plot))
    single = [stat for stat in game["seats"] if not stat["axes"]]
    if single:
        columns = ["policy", *(stat["title"] for stat in single)]
        rows = [
            [name, *(f"{stat['values'][k]:.2f}" for stat in single)]
            for k, name in enumerate(policies)
        ]
        sections.append(section("What a game looks like", "Means of a game.", table(columns, rows)))
    for stat in game["seats"]:
        if stat["axes"]:
            labels = stat["axes"][0]["labels"]
            plot = charts.heatmap(policies, labels, stat["values"], hundredth)
            text = "How many of each in a game, on one seat."
            sections.append(section(stat["title"].capitalize(), text, plot))
    for stat in game["table"]:
        down, across = stat["axes"]
        title = f"{stat['title'].capitalize()} by {down['name']} and {across['name']}"
        plot = charts.heatmap(down["labels"], across["labels"], stat["values"], tenth)
        sections.append(section(title, "Means over all games.", plot))
    return sections


def fouls(report: Report, text: str) -> Html:
    """Returns who has fouled, nothing if nobody has; the text says what a foul means."""
    if not report["fouls"]:
        return Html()
    rows = [
        [foul["policy"], foul["kind"], f"{foul['games']:,}", foul["example"]]
        for foul in report["fouls"]
    ]
    columns = ("policy", "kind", "games", "for example")
    return section("Fouls", text, table(columns, rows, words=(3,)))


def facts(report: Report) -> Html:
    """Returns which tournament it was."""
    text = json.dumps(report["tournament"], indent=1)
    return section("The tournament", "", html("<pre>{text}</pre>", text=text))


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


def hundreds(value: float) -> str:
    """Returns a share as a number out of a hundred, for where a heading says that it is one."""
    return percent(value).removesuffix("%")
