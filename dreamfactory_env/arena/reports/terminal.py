"""A report as tables on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dreamfactory_env.arena.evaluation import Evaluation
from dreamfactory_env.arena.report_types import (
    CompetitiveReport,
    CooperativeReport,
    CrossPlay,
    Estimate,
    Lowest,
    Report,
    StatTable,
    TeamResult,
)
from dreamfactory_env.arena.reports.columns import GAP, Column, print_columns, print_matrix
from dreamfactory_env.arena.reports.labelling import with_labels
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
        shared, names = with_labels(report)
        _print_partners(shared, console)
        _print_names(names, console)
        _print_matrix(shared, console)
        _print_score_effects(shared, console)
        _print_rest(shared, console)
    else:
        zero_sum, names = with_labels(report)
        _print_policies(zero_sum, console)
        _print_names(names, console)
        _print_before(zero_sum, console)
        _print_effects(zero_sum, console)
        _print_luck(zero_sum, console)
        _print_rest(zero_sum, console)


def _print_names(names: Mapping[str, str], console: Console) -> None:
    """Prints the names of those policies that have other labels."""
    if names:
        console.print()
    for label, name in names.items():
        console.print(f"{label} is {name}", soft_wrap=True)


def _labels(report: Report) -> Column:
    return Column("policy", [row["name"] for row in report["policies"]])


# ---------------------------------------------------------------------------- zero-sum games


def _print_policies(report: CompetitiveReport, console: Console) -> None:
    rows = report["policies"]
    columns = [
        Column("rating", [with_interval(row["rating"], ".0f") for row in rows]),
        Column("win rate", [with_interval(row["win_rate"], ".1%") for row in rows]),
        Column("points", [with_interval(row["score"], ".1f") for row in rows]),
        Column("place", [with_interval(row["place"], ".2f") for row in rows]),
        Column("decisions/s", [speed(row["decisions_per_second"]) for row in rows]),
    ]
    print_columns("Policies", _labels(report), columns, console)


def _print_before(report: CompetitiveReport, console: Console) -> None:
    names = report["before"]["policies"]
    if len(names) < 2:
        return
    cells = [
        [f"{cell['value']:.1%}" if cell else "–" for cell in row]
        for row in report["before"]["cells"]
    ]
    title = "How often the policy of a row comes before that of a column"
    print_matrix(title, names, cells, console)


def _print_effects(report: CompetitiveReport, console: Console) -> None:
    labels, rates = [], []
    for effect in report["effects"]:
        for row in effect["rows"]:
            labels.append(f"{effect['title']} {row['label']}")
            rates.append(with_interval(row["win_rate"], ".1%"))
    title = "Win rate, whoever plays"
    print_columns(title, Column("", labels), [Column("win rate", rates)], console)


def _print_luck(report: CompetitiveReport, console: Console) -> None:
    pairs = report["luck"]["pairs"]
    if pairs:
        needed = [pair["deals_to_be_sure"] for pair in pairs]
        columns = [
            Column("after a game", [f"{pair['one_game']:.1%}" for pair in pairs]),
            Column("after a deal", [f"{pair['one_deal']:.1%}" for pair in pairs]),
            Column("deals to be sure", ["–" if n is None else f"{n:,.0f}" for n in needed]),
        ]
        both = [f"{pair['better']}, {pair['worse']}" for pair in pairs]
        labels = Column("the better, the other", both)
        print_columns("Luck: how often the better of two is ahead", labels, columns, console)
    for sentence in duplicate_words(report):
        console.print(sentence)


# ---------------------------------------------------------------------------- shared games


def _print_partners(report: CooperativeReport, console: Console) -> None:
    rows = report["policies"]
    alone = [row["self_play"] for row in rows]
    cross = [row["cross_play"] for row in rows]
    lowest = [found and found["lowest_score"] for found in cross]
    columns = [
        Column("self-play", [with_interval(found and found["score"], ".3f") for found in alone]),
        _wins(alone),
        Column("cross-play", [with_interval(found and found["score"], ".3f") for found in cross]),
        _wins(cross),
        Column("lowest", [with_interval(found, ".3f") for found in lowest]),
        Column("with", [", ".join(found["policies"]) if found else "–" for found in lowest], True),
        Column("decisions/s", [speed(row["decisions_per_second"]) for row in rows]),
    ]
    print_columns("Policies: mean score and win rate", _labels(report), columns, console)
    for sentence in field_words(report):
        console.print(sentence)


def _wins(results: Sequence[TeamResult | CrossPlay | None]) -> Column:
    """Returns the win rates beside scores."""
    rates = [with_interval(found and found["win_rate"], ".1%") for found in results]
    return Column("wins", rates, joined=True)


def _print_matrix(report: CooperativeReport, console: Console) -> None:
    names = report["matrix"]["policies"]
    if len(names) < 2:
        return
    cells = [
        [
            f"{cell['score']['value']:.3f} ({cell['win_rate']['value']:.0%})" if cell else "–"
            for cell in row
        ]
        for row in report["matrix"]["cells"]
    ]
    title = "Score, and win rate in brackets, of two policies together; self-play on the diagonal"
    print_matrix(title, names, cells, console)


def _print_score_effects(report: CooperativeReport, console: Console) -> None:
    labels = Column("", report["matrix"]["policies"])
    for effect in report["effects"]:
        columns = [
            Column(label, [with_interval(row[place], ".3f") for row in effect["cells"]])
            for place, label in enumerate(effect["labels"])
        ]
        title = f"Score of the games in which a policy has a {effect['title']}"
        print_columns(title, labels, columns, console)


# ---------------------------------------------------------------------------- all games


def _print_rest(report: Report, console: Console) -> None:
    """Prints what games look like, and fouls."""
    _print_game(report, console)
    print_fouls(report, console)


def _print_game(report: Report, console: Console) -> None:
    game = report["game"]
    if game["seats"] or game["parts"]:
        labels, rows = _stats(game["seats"], "")
        more_labels, more_rows = _stats(game["parts"], "points from ")
        cells = zip(*rows, *more_rows, strict=True)
        columns = [
            Column(row["name"], figures)
            for row, figures in zip(report["policies"], cells, strict=True)
        ]
        title = "What a game looks like, for each policy"
        print_columns(title, Column("", labels + more_labels), columns, console)
    for stat in game["table"]:
        down, across = stat["axes"]
        columns = [
            Column(label, [f"{row[place]:.1f}" for row in stat["values"]])
            for place, label in enumerate(across["labels"])
        ]
        title = f"Mean {stat['title']} by {down['name']} and {across['name']}"
        print_columns(title, Column("", down["labels"]), columns, console)


def _stats(stats: Sequence[StatTable], prefix: str) -> tuple[list[str], list[list[str]]]:
    """Returns the labels of stats of seats, and for each the figures of all policies."""
    labels, rows = [], []
    for stat in stats:
        if not stat["axes"]:
            labels.append(prefix + stat["title"])
            rows.append([f"{value:.2f}" for value in stat["values"]])
            continue
        labels.append(f"{stat['title']}:")
        rows.append([""] * len(stat["values"]))
        for place, label in enumerate(stat["axes"][0]["labels"]):
            labels.append(f"  {label}")
            rows.append([f"{row[place]:.2f}" for row in stat["values"]])
    return labels, rows


def print_fouls(report: Report, console: Console) -> None:
    """Prints who has fouled; nothing if nobody has."""
    if not report["fouls"]:
        return
    console.print("\nFouls: games lost by an action that cannot be", style="bold")
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    table.add_column("policy", overflow="fold")
    table.add_column("kind", no_wrap=True)
    table.add_column("games", justify="right", no_wrap=True)
    table.add_column("for example", overflow="fold")
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
