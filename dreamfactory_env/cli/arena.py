"""The commands of the arena: ``dreamfactory tournament`` and ``evaluate``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from dreamfactory_env.arena import duel, evaluate, read_tournament, run_tournament
from dreamfactory_env.arena.pool import check_processes
from dreamfactory_env.arena.reports.terminal import print_evaluation, print_report
from dreamfactory_env.arena.tournament import PAGE
from dreamfactory_env.cli.configs import complete
from dreamfactory_env.cli.options import (
    AllowCode,
    EngineOptions,
    GameChange,
    TableOptions,
    with_groups,
)
from dreamfactory_env.cli.outputs import Wait, check_output
from dreamfactory_env.cli.results import ResultOptions, print_json
from dreamfactory_env.cli.terminal import EXIT_STOPPED, HeardStop, console, errors
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.utils.configs import ConfigKind, find_config
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.threads import use_one_thread

Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        "--with",
        help="The others, opponents or partners: one name for all, or one a seat with commas "
        "between; the strongest scripted policy if not given.",
        show_default=False,
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        help="Stop as soon as the 95 % interval is that narrow, such as ±1%. --games is the "
        "most that are played: where they do not suffice, the result is shown as it is, "
        "with a message that says so."
    ),
]
#: Of the JSON of an evaluation.
FORMAT = "dreamfactory-evaluation/1"
FINISHING = "finishing what is being played; Ctrl-C again drops it"


@dataclass(frozen=True)
class PlayingOptions(EngineOptions):
    """Who plays: processes of this machine or of a cluster, and how many."""

    processes: Annotated[
        int | None,
        typer.Option(
            help="How many processes play; one for each core, here or on the cluster, if not given."
        ),
    ] = None

    def check(self) -> None:
        """Raises OptionError if there cannot be so many processes."""
        check_processes(self.processes)


@with_groups
def tournament_command(
    config: Annotated[
        str,
        typer.Argument(
            help="The YAML file of a tournament, or the name of one from `dreamfactory configs`.",
            autocompletion=complete(ConfigKind.TOURNAMENT),
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The folder for everything; runs/NAME if not given.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew, even if there is a result.")
    ] = False,
    wait: Wait = False,
    allow_code: AllowCode = False,
    *,
    change: GameChange,
    shown: ResultOptions,
    playing: PlayingOptions,
) -> None:
    """Play a tournament between policies, or continue it, and write its report."""
    playing.check()
    use_one_thread()
    file = find_config(config, ConfigKind.TOURNAMENT)
    folder = out or Path("runs") / file.stem
    check_output(folder, folder=True)
    tournament = read_tournament(file, change.change, allow_code=allow_code)
    with (
        playing.connected() as cluster,
        shown.progress("playing", "deals") as progress,
        HeardStop(FINISHING, progress.console.print) as stop,
    ):
        task = progress.add_task("", total=tournament.deals)
        report = run_tournament(
            tournament,
            folder,
            processes=playing.processes,
            replace=force,
            wait=wait,
            stop=stop.asked,
            progress=lambda deals: progress.update(task, completed=deals),
            cluster=cluster,
        )
    if report is not None and shown.json:
        print_json(report)
    elif report is not None:
        print_report(report, console)
        console.print(f"\nreport: {folder / PAGE}", soft_wrap=True)
    if stop.wanted and (report is None or not report["complete"]):
        deals = 0 if report is None else report["deals"]
        done = f"stopped after {deals:,} of {tournament.deals:,} deals"
        errors.print(f"{done}; the same command continues", soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)


@with_groups
def evaluate_command(
    policy: Annotated[str, typer.Argument(help="Who is evaluated: a name, package.module:Class …")],
    against: Against = None,
    games: Annotated[int, typer.Option(help="How many games; whole deals are played.")] = 10_000,
    until: Until = None,
    seed: Annotated[int, typer.Option(help="Where all shuffles and random moves come from.")] = 1,
    *,
    table: TableOptions,
    shown: ResultOptions,
    playing: PlayingOptions,
) -> None:
    """Play a policy with others, and show how often it wins, in a shared game also its score."""
    playing.check()
    use_one_thread()
    game = table.new_game()
    others = game.spec.ladder[-1] if against is None else against
    half_width = None if until is None else _half_width(until, game.spec)
    names = [name.strip() for name in others.split(",")]
    match = duel(
        policy,
        names,
        players=game.players,
        games=games,
        seed=seed,
        game=game.spec.name,
        options=table.values(),
    )
    with (
        playing.connected() as cluster,
        shown.progress("playing", "deals") as progress,
        HeardStop(FINISHING, progress.console.print) as stop,
    ):
        task = progress.add_task("", total=match.deals)
        found = evaluate(
            match,
            until=half_width,
            processes=playing.processes,
            stop=stop.asked,
            progress=lambda deals, half_width: progress.update(task, completed=deals),
            cluster=cluster,
        )
    if found is None:
        errors.print("stopped before anything was played")
        raise typer.Exit(EXIT_STOPPED)
    if shown.json:
        print_json({"format": FORMAT, "policy": policy, "others": names, **vars(found)})
    else:
        print_evaluation(found, policy, others, console)
    if stop.wanted and not found.report["complete"]:
        raise typer.Exit(EXIT_STOPPED)
    if not found.enough:
        errors.print(f"{games:,} games are too few for {until}; raise --games", soft_wrap=True)


def _half_width(text: str, spec: GameSpec) -> float:
    """Returns half the width of an interval that is written as ``±1%``, ``1%`` or ``0.01``.

    It is one of win rates, in a shared game one of scores.

    Raises:
        OptionError: It is none, or wider than all that can be.
    """
    plain = text.strip().lstrip("±").strip()
    try:
        width = float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        width = 0.0
    most = spec.score_range[1] - spec.score_range[0] if spec.shared else 1.0
    if not 0 < width < most:
        expected = f"a part of the scores, below {most:g}" if spec.shared else "a share"
        raise OptionError(f"--until must be {expected} such as ±1% or 0.01, not {text!r}")
    return width
