"""A report as tables on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dreamfactory_env.arena.analysis import Report


def shown(estimate: Report | None, form: str) -> str:
    """Returns a figure and half the width of its interval, written as a format such as ``.1%``."""
    if estimate is None:
        return "–"
    half = (estimate["high"] - estimate["low"]) / 2
    return f"{estimate['value']:{form}} ±{half:{form}}"


def speed(per_second: float | None) -> str:
    """Returns decisions a second with no more digits than they are worth."""
    if per_second is None:
        return "–"
    return f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.2g}"


def duplicate_words(report: Report) -> list[str]:
    """Returns what duplicate play is worth, a sentence for each measure."""
    said = []
    for measure, factor in report["luck"]["duplicate"].items():
        if factor is not None:
            said.append(
                f"Measured by {measure}, the games of a deal played on all seats leave "
                f"{1 / factor:.0%} of the variance that as many games of different deals have: "
                f"they tell as much as {factor:.2f} times as many."
            )
    return said


def print_report(report: Report, console: Console) -> None:
    """Prints the tables of a report."""
    state = "" if report["complete"] else " so far"
    console.print(
        f"{report['games']:,} games of {report['title']} with {report['players']} players, "
        f"{report['deals']:,} deals{state}, {report['decisions']:,} decisions; "
        "after ±: 95 % intervals by deal"
    )
    _print_policies(report, console)
    _print_before(report, console)
    _print_effects(report, console)
    _print_luck(report, console)
    _print_game(report, console)
    print_fouls(report, console)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left", no_wrap=place == 0)
    return table


def _print_policies(report: Report, console: Console) -> None:
    columns = ("policy", "rating", "win rate", "points", "place", "decisions/s")
    table = _table("\nPolicies", *columns)
    for row in report["policies"]:
        table.add_row(
            row["name"],
            shown(row["rating"], ".0f"),
            shown(row["win_rate"], ".1%"),
            shown(row["score"], ".1f"),
            shown(row["place"], ".2f"),
            speed(row["decisions_per_second"]),
        )
    console.print(table)


def _print_before(report: Report, console: Console) -> None:
    names = report["before"]["policies"]
    if len(names) < 2:
        return
    table = _table("\nHow often the policy of a row comes before that of a column", "", *names)
    for name, cells in zip(names, report["before"]["cells"], strict=True):
        table.add_row(name, *(f"{cell['value']:.1%}" if cell else "–" for cell in cells))
    console.print(table)


def _print_effects(report: Report, console: Console) -> None:
    table = _table("\nWin rate, whoever plays", "", "", "win rate")
    for effect in report["effects"]:
        for place, row in enumerate(effect["rows"]):
            title = effect["title"] if place == 0 else ""
            table.add_row(title, row["label"], shown(row["win_rate"], ".1%"))
    console.print(table)


def _print_luck(report: Report, console: Console) -> None:
    if report["luck"]["pairs"]:
        columns = ("the better", "the other", "after a game", "after a deal", "deals to be sure")
        table = _table("\nLuck: how often the better of two is ahead", *columns)
        for pair in report["luck"]["pairs"]:
            needed = pair["deals_to_be_sure"]
            table.add_row(
                pair["better"],
                pair["worse"],
                f"{pair['one_game']:.1%}",
                f"{pair['one_deal']:.1%}",
                "–" if needed is None else f"{needed:,.0f}",
            )
        console.print(table)
    for sentence in duplicate_words(report):
        console.print(sentence)


def _print_game(report: Report, console: Console) -> None:
    names = [row["name"] for row in report["policies"]]
    table = _table("\nWhat a game looks like, for each policy", "", *names)
    for figure in [*report["game"]["seats"], *report["game"]["parts"]]:
        part = "points from " if figure in report["game"]["parts"] else ""
        if not figure["axes"]:
            table.add_row(part + figure["title"], *(f"{v:.2f}" for v in figure["values"]))
            continue
        table.add_row(f"{figure['title']}:")
        for place, label in enumerate(figure["axes"][0]["labels"]):
            table.add_row(f"  {label}", *(f"{row[place]:.2f}" for row in figure["values"]))
    console.print(table)
    for figure in report["game"]["table"]:
        rows, columns = figure["axes"]
        title = f"\nMean {figure['title']} by {rows['name']} and {columns['name']}"
        table = _table(title, "", *columns["labels"])
        for label, values in zip(rows["labels"], figure["values"], strict=True):
            table.add_row(label, *(f"{value:.1f}" for value in values))
        console.print(table)


def print_fouls(report: Report, console: Console) -> None:
    """Prints who has fouled; nothing if nobody has."""
    if not report["fouls"]:
        return
    table = _table("\nFouls: games lost by an action that cannot be", "policy", "kind", "games")
    table.add_column("for example", justify="left", overflow="fold")
    for foul in report["fouls"]:
        table.add_row(foul["policy"], foul["kind"], f"{foul['games']:,}", Text(foul["example"]))
    console.print(table)
