"""The commands of the arena: ``dreamfactory tournament`` and ``evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dreamfactory_env.arena import duel, evaluate, read_tournament, run_tournament
from dreamfactory_env.arena.report import duplicate_words, print_fouls, print_report, shown
from dreamfactory_env.arena.tournament import PAGE, check_processes
from dreamfactory_env.cli.terminal import EXIT_STOPPED, HeardStop, console, errors, progress_bar
from dreamfactory_env.utils.errors import OptionError

Processes = Annotated[
    int | None, typer.Option(help="How many processes play; one for each core if not given.")
]
FINISHING = "finishing what is being played; Ctrl-C again drops it"


def tournament_command(
    config: Annotated[Path, typer.Argument(help="The YAML file of a tournament.")],
    out: Annotated[
        Path | None, typer.Option(help="The folder for everything; runs/NAME if not given.")
    ] = None,
    processes: Processes = None,
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew, even if there is a result.")
    ] = False,
) -> None:
    """Play a tournament between policies, or go on with it, and write its report."""
    count = check_processes(processes)
    tournament = read_tournament(config)
    folder = out or Path("runs") / config.stem
    with (
        progress_bar("playing", "deals") as progress,
        HeardStop(FINISHING, progress.console.print) as stop,
    ):
        task = progress.add_task("", total=tournament.deals)
        report = run_tournament(
            tournament,
            folder,
            processes=count,
            replace=force,
            stop=stop.asked,
            shown=lambda deals: progress.update(task, completed=deals),
        )
    if report is not None:
        print_report(report, console)
        console.print(f"\nreport: {folder / PAGE}", soft_wrap=True)
    if stop.wanted and (report is None or not report["complete"]):
        deals = 0 if report is None else report["deals"]
        told = f"stopped after {deals:,} of {tournament.deals:,} deals; the same command goes on"
        errors.print(told, soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)


def evaluate_command(
    policy: Annotated[str, typer.Argument(help="Who is evaluated: expert, package.module:Class …")],
    against: Annotated[
        str, typer.Option(help="The others: one name for all, or one a seat with commas between.")
    ] = "expert",
    players: Annotated[int, typer.Option(help="How many sit at a table, 2 to 5.")] = 4,
    games: Annotated[int, typer.Option(help="How many games; whole deals are played.")] = 10_000,
    until: Annotated[
        str | None, typer.Option(help="Stop when the interval is that narrow, such as ±1%.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Where all shuffles and random moves come from.")] = 1,
    processes: Processes = None,
) -> None:
    """Play a policy against others, and tell how often it wins."""
    count = check_processes(processes)
    names = [name.strip() for name in against.split(",")]
    wanted = None if until is None else _share(until)
    match = duel(policy, names, players=players, games=games, seed=seed)
    with (
        progress_bar("playing", "deals") as progress,
        HeardStop(FINISHING, progress.console.print) as stop,
    ):
        task = progress.add_task("", total=match.deals)
        found = evaluate(
            match,
            until=wanted,
            processes=count,
            stop=stop.asked,
            shown=lambda deals, half_width: progress.update(task, completed=deals),
        )
    if found is None:
        errors.print("stopped before anything was played")
        raise typer.Exit(EXIT_STOPPED)
    report = found.report
    even = 1 / players
    console.print(
        f"{policy} wins {found.win_rate:.2%} ± {found.half_width:.2%} against {against}, "
        f"{players} players; even would be {even:.2%}"
    )
    row = next(row for row in report["policies"] if row["name"] == policy)
    console.print(
        f"{report['games']:,} games, {report['deals']:,} deals; "
        f"points {shown(row['score'], '.1f')}, place {shown(row['place'], '.2f')}; "
        "after ±: 95 % intervals by deal"
    )
    for sentence in duplicate_words(report):
        console.print(sentence)
    print_fouls(report, console)
    if stop.wanted and not report["complete"]:
        raise typer.Exit(EXIT_STOPPED)
    if not found.enough:
        errors.print(f"{games:,} games are too few for {until}; raise --games", soft_wrap=True)


def _share(text: str) -> float:
    """Returns a share that is written as ``±1%``, ``1%`` or ``0.01``.

    Raises:
        OptionError: It is none, or not between 0 and 1.
    """
    plain = text.strip().lstrip("±").strip()
    try:
        share = float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise OptionError(f"--until must be a share such as ±1% or 0.01, not {text!r}")
    return share
