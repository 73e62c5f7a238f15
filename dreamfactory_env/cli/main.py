"""The command line: ``dreamfactory simulate``, ``replay``, ``show``; the others live beside it."""

from __future__ import annotations

import io
import os
import sys
import time
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from dreamfactory_env import __version__
from dreamfactory_env.cli.agents import describe_command
from dreamfactory_env.cli.arena import evaluate_command, tournament_command
from dreamfactory_env.cli.benchmark import benchmark_command
from dreamfactory_env.cli.terminal import (
    EXIT_STOPPED,
    EXIT_USAGE,
    EXIT_WRONG,
    Stop,
    console,
    errors,
    progress_bar,
)
from dreamfactory_env.cli.training import export_command, train_command
from dreamfactory_env.cli.tuning import tune_command
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.dream_factory.options import Options
from dreamfactory_env.records.files import RecordWriter, read_lines, record_of
from dreamfactory_env.records.format import parse_line, replay, replay_moves, start_of
from dreamfactory_env.records.simulation import check_continues
from dreamfactory_env.records.simulation import simulate as play_games
from dreamfactory_env.utils.errors import GameError, OptionError, RecordError

app = typer.Typer(
    help="Reiner Knizia's board game Dream Factory for reinforcement learning.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


app.command("tournament")(tournament_command)
app.command("evaluate")(evaluate_command)
app.command("benchmark")(benchmark_command)
app.command("describe")(describe_command)
app.command("train")(train_command)
app.command("export")(export_command)
app.command("tune")(tune_command)


def main() -> None:
    """Runs the command line; a wrong input ends it with one clear message and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our characters shows "?"
    try:
        app()
    except GameError as error:
        errors.print(Text(f"error: {error}", style="red"), soft_wrap=True)
        sys.exit(EXIT_USAGE)


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"dreamfactory-env {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, help="Show the version and stop.")
    ] = False,
) -> None:
    pass


@app.command()
def simulate(
    players: Annotated[int, typer.Option(help="How many play, 2 to 5.")] = 4,
    games: Annotated[int, typer.Option(help="How many games.")] = 1000,
    policies: Annotated[
        str, typer.Option(help="Who plays: one name for all, or one a seat with commas between.")
    ] = "random",
    seed: Annotated[int, typer.Option(help="Where all shuffles and random moves come from.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="Where the records go: a .jsonl or .jsonl.zst file.")
    ] = None,
    edition: Annotated[
        str, typer.Option(help="dream_factory (2009) or traumfabrik (2000).")
    ] = "dream_factory",
    hidden_money: Annotated[str, typer.Option(help="rule, never or always.")] = "rule",
    choose_studio: Annotated[
        bool, typer.Option("--choose-studio", help="Let the players choose their studios.")
    ] = False,
    components: Annotated[Path | None, typer.Option(help="A component file of your own.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an output file that is there.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an output file that is there.")
    ] = False,
) -> None:
    """Play games between policies, write their records, and show speed and scores."""
    options = Options.of(
        components,
        players=players,
        edition=edition,
        hidden_money=hidden_money,
        choose_studio=choose_studio,
    )
    config = options.as_config()
    names = [name.strip() for name in policies.split(",")]
    if games < 1:
        raise OptionError(f"--games must be at least 1, not {games}")
    if out is None and (resume or force):
        raise OptionError("--resume and --force are about a file: give --out, too")
    if resume and force:
        raise OptionError("--resume goes on with a file, --force replaces it: give only one")
    # Everything wrong with the options shows here, before a file is touched.
    next(play_games(DreamFactory, config, names, 1, seed))
    done = 0
    writer = None
    if out is not None:
        there = os.path.exists(out)  # noqa: PTH110  (a name that cannot be is not there)
        if there and not (resume or force):
            raise OptionError(
                f"{out} is there already; --resume goes on with it, --force replaces it"
            )
        if resume and there:
            _check_resumable(out, config, names, seed)
        writer = RecordWriter(out, resume=resume, replace=force)
        if resume:
            done = sum(1 for _ in read_lines(out))  # now that a torn end is cut
    scores: list[list[int]] = []
    decisions = 0
    begin = time.perf_counter()
    with writer or nullcontext(), progress_bar("playing", "games") as progress, Stop() as stop:
        task = progress.add_task("", total=games, completed=min(done, games))
        for record in play_games(DreamFactory, config, names, games, seed, start=done):
            if writer is not None:
                writer.write(record)
            scores.append(record["result"]["scores"])
            decisions += len(record["moves"])
            progress.advance(task)
            if stop.wanted:
                break
    if scores:
        _report(scores, decisions, time.perf_counter() - begin)
    if out is not None:
        console.print(f"{done + len(scores)} records in {out}", soft_wrap=True)
    if stop.wanted:
        how = "; the same command with --resume goes on" if out is not None else ""
        errors.print(f"stopped after {done + len(scores)} of {games} games{how}", soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)


def _check_resumable(out: Path, config: dict[str, Any], names: list[str], seed: int) -> None:
    """Raises RecordError if a file holds anything but the first games of this simulation."""
    for number, line in enumerate(read_lines(out)):
        if not line.problem:  # else the torn end, which the writer cuts
            check_continues(record_of(line), number, DreamFactory, config, names, seed)


def _report(scores: list[list[int]], decisions: int, seconds: float) -> None:
    """Prints the speed of a simulation and how the scores are spread."""
    games = len(scores)
    console.print(
        f"{games:,} games, {decisions:,} decisions in {seconds:.1f} s: "
        f"{games / seconds:,.0f} games/s, {decisions / seconds:,.0f} decisions/s "
        f"(records in words included)"
    )
    table = Table("seat", "mean", "sd", "least", "25 %", "median", "75 %", "most", box=None)
    points = np.array(scores)
    for name, column in [*enumerate(points.T), ("all", points.ravel())]:
        quartiles = [f"{value:.0f}" for value in np.quantile(column, [0, 0.25, 0.5, 0.75, 1])]
        table.add_row(str(name), f"{column.mean():.1f}", f"{column.std():.1f}", *quartiles)
    console.print("scores:")
    console.print(table)
    counts, edges = np.histogram(points, bins=range(0, int(points.max()) + 11, 10))
    for count, edge in zip(counts, edges, strict=False):
        bar = "█" * round(40 * count / counts.max())
        console.print(f"{edge:4d} to {edge + 9:<3d} {count:7,d} {bar}")


@app.command("replay")
def replay_file(
    path: Annotated[Path, typer.Argument(help="A .jsonl or .jsonl.zst file of records.")],
) -> None:
    """Play every game of a file again, and verify every move and every result."""
    # A pipe can be read only once, so its games are not counted beforehand.
    total = None if path.is_fifo() else sum(1 for _ in read_lines(path))
    verified = failed = 0
    with progress_bar("verifying", "games") as progress:
        task = progress.add_task("", total=total)
        for line in read_lines(path):
            try:
                if line.problem:
                    raise RecordError(line.problem)
                replay(parse_line(line.text))
                verified += 1
            except GameError as error:
                failed += 1
                problem = Text(f"line {line.number}: {error}", style="red")
                progress.console.print(problem, soft_wrap=True)
            progress.advance(task)
    console.print(f"{path}: {verified} games verified, {failed} wrong", soft_wrap=True)
    if failed or not verified:
        raise typer.Exit(EXIT_WRONG)


@app.command()
def show(
    path: Annotated[Path, typer.Argument(help="A .jsonl or .jsonl.zst file of records.")],
    game: Annotated[int, typer.Option(help="Which game of the file, counted from 1.")] = 1,
) -> None:
    """Tell a game of a file, move by move."""
    if game < 1:
        raise OptionError(f"--game counts from 1, not {game}")
    lines = list(islice(read_lines(path), game))
    if len(lines) < game:
        raise OptionError(f"{path} has {len(lines)} games; there is no game {game}")
    record = record_of(lines[-1])
    try:
        replay_moves(record)  # what cannot be narrated says why, before anything is shown
    except GameError as error:
        raise RecordError(f"line {lines[-1].number}: {error}") from error
    actions = (action for _, action, _ in record["moves"])
    for line in start_of(record).narrate(actions):
        console.print(Text(line.text, style=line.style), soft_wrap=True)
