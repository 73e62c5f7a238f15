"""A report as tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dreamfactory_env.arena.evaluation import Evaluation
from dreamfactory_env.arena.report_types import (
    CompetitiveReport,
    CooperativeReport,
    Estimate,
    Lowest,
    Report,
    StatTable,
)
from dreamfactory_env.arena.reports.wording import duplicate_words, field_words, speed


def with_interval(estimate: Estimate | Lowest | None, form: str) -> str:
    """Returns a figure and half the width of its interval, written as a format such as ``.1%``."""
    if estimate is None:
        return "–"
    half = (estimate["high"] - estimate["low"]) / 2
    return f"{estimate['value']:{form}} ±{half:{form}}"


def print_report(report: Report, console: Console) -> None:
    """Prints the tables of a report."""
    state = "" if report["complete"] else " so far"
    console.print(
        f"{report['games']:,} games of {report['title']} with {report['players']} players, "
        f"{report['deals']:,} deals{state}, {report['decisions']:,} decisions; "
        "after ±: 95 % intervals by deal"
    )
    if "utility" in report:
        _print_partners(report, console)
        _print_matrix(report, console)
        _print_score_effects(report, console)
    else:
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


# ---------------------------------------------------------------------------- zero-sum games


def _print_policies(report: CompetitiveReport, console: Console) -> None:
    columns = ("policy", "rating", "win rate", "points", "place", "decisions/s")
    table = _table("\nPolicies", *columns)
    for row in report["policies"]:
        table.add_row(
            row["name"],
            with_interval(row["rating"], ".0f"),
            with_interval(row["win_rate"], ".1%"),
            with_interval(row["score"], ".1f"),
            with_interval(row["place"], ".2f"),
            speed(row["decisions_per_second"]),
        )
    console.print(table)


def _print_before(report: CompetitiveReport, console: Console) -> None:
    names = report["before"]["policies"]
    if len(names) < 2:
        return
    table = _table("\nHow often the policy of a row comes before that of a column", "", *names)
    for name, cells in zip(names, report["before"]["cells"], strict=True):
        table.add_row(name, *(f"{cell['value']:.1%}" if cell else "–" for cell in cells))
    console.print(table)


def _print_effects(report: CompetitiveReport, console: Console) -> None:
    table = _table("\nWin rate, whoever plays", "", "", "win rate")
    for effect in report["effects"]:
        for place, row in enumerate(effect["rows"]):
            title = effect["title"] if place == 0 else ""
            table.add_row(title, row["label"], with_interval(row["win_rate"], ".1%"))
    console.print(table)


def _print_luck(report: CompetitiveReport, console: Console) -> None:
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


# ---------------------------------------------------------------------------- shared games


def _print_partners(report: CooperativeReport, console: Console) -> None:
    columns = ("self-play", "wins", "cross-play", "wins", "lowest", "with", "decisions/s")
    table = _table("\nPolicies: mean score and win rate", "policy", *columns)
    for row in report["policies"]:
        alone, cross = row["self_play"], row["cross_play"]
        table.add_row(
            row["name"],
            with_interval(alone and alone["score"], ".3f"),
            with_interval(alone and alone["win_rate"], ".1%"),
            with_interval(cross and cross["score"], ".3f"),
            with_interval(cross and cross["win_rate"], ".1%"),
            with_interval(cross and cross["lowest_score"], ".3f"),
            ", ".join(cross["lowest_score"]["policies"]) if cross else "–",
            speed(row["decisions_per_second"]),
        )
    console.print(table)
    for sentence in field_words(report):
        console.print(sentence)


def _print_matrix(report: CooperativeReport, console: Console) -> None:
    names = report["matrix"]["policies"]
    if len(names) < 2:
        return
    title = "\nScore, and win rate in brackets, of two policies together; self-play on the diagonal"
    table = _table(title, "", *names)
    for name, cells in zip(names, report["matrix"]["cells"], strict=True):
        texts = [
            f"{cell['score']['value']:.3f} ({cell['win_rate']['value']:.0%})" if cell else "–"
            for cell in cells
        ]
        table.add_row(name, *texts)
    console.print(table)


def _print_score_effects(report: CooperativeReport, console: Console) -> None:
    names = report["matrix"]["policies"]
    for effect in report["effects"]:
        title = f"\nScore of the games in which a policy has a {effect['title']}"
        table = _table(title, "", *effect["labels"])
        for name, cells in zip(names, effect["cells"], strict=True):
            table.add_row(name, *(with_interval(cell, ".3f") for cell in cells))
        console.print(table)


# ---------------------------------------------------------------------------- all games


def _print_game(report: Report, console: Console) -> None:
    game = report["game"]
    if game["seats"] or game["parts"]:
        names = [row["name"] for row in report["policies"]]
        table = _table("\nWhat a game looks like, for each policy", "", *names)
        _add_stats(table, game["seats"], "")
        _add_stats(table, game["parts"], "points from ")
        console.print(table)
    for stat in game["table"]:
        rows, columns = stat["axes"]
        title = f"\nMean {stat['title']} by {rows['name']} and {columns['name']}"
        table = _table(title, "", *columns["labels"])
        for label, values in zip(rows["labels"], stat["values"], strict=True):
            table.add_row(label, *(f"{value:.1f}" for value in values))
        console.print(table)


def _add_stats(table: Table, stats: Sequence[StatTable], prefix: str) -> None:
    """Adds the rows of stats of seats."""
    for stat in stats:
        if not stat["axes"]:
            table.add_row(prefix + stat["title"], *(f"{value:.2f}" for value in stat["values"]))
            continue
        table.add_row(f"{stat['title']}:")
        for place, label in enumerate(stat["axes"][0]["labels"]):
            table.add_row(f"  {label}", *(f"{row[place]:.2f}" for row in stat["values"]))


def print_fouls(report: Report, console: Console) -> None:
    """Prints who has fouled; nothing if nobody has."""
    if not report["fouls"]:
        return
    table = _table("\nFouls: games lost by an action that cannot be", "policy", "kind", "games")
    table.add_column("for example", justify="left", overflow="fold")
    for foul in report["fouls"]:
        table.add_row(foul["policy"], foul["kind"], f"{foul['games']:,}", Text(foul["example"]))
    console.print(table)


def print_evaluation(evaluation: Evaluation, policy: str, others: str, console: Console) -> None:
    """Prints how a policy does among others.

    Args:
        evaluation: How it does.
        policy: Its name.
        others: The names of the others, as they are to be printed.
        console: Where to print.
    """
    report, players = evaluation.report, evaluation.report["players"]
    win_rate = f"{evaluation.win_rate:.2%} ± {evaluation.half_width:.2%}"
    played = f"{report['games']:,} games, {report['deals']:,} deals"
    intervals = "after ±: 95 % intervals by deal"
    if "utility" in report:
        score = f"{evaluation.score:.3f} ± {evaluation.score_half_width:.3f}"
        console.print(
            f"{policy} with {others}, {players} players: score {score}, win rate {win_rate}"
        )
        console.print(f"{played}; {intervals}")
    else:
        console.print(
            f"{policy} wins {win_rate} against {others}, {players} players; "
            f"even would be {1 / players:.2%}"
        )
        row = next(row for row in report["policies"] if row["name"] == policy)
        points, place = with_interval(row["score"], ".1f"), with_interval(row["place"], ".2f")
        console.print(f"{played}; points {points}, place {place}; {intervals}")
        for sentence in duplicate_words(report):
            console.print(sentence)
    print_fouls(report, console)
