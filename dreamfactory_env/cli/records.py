"""The commands of records: ``dreamfactory simulate``, ``replay`` and ``show``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from dreamfactory_env.cli.options import OptionTexts, TableOptions, read_options, with_groups
from dreamfactory_env.cli.outputs import check_output
from dreamfactory_env.cli.terminal import (
    EXIT_STOPPED,
    EXIT_WRONG,
    Stop,
    console,
    errors,
    progress_bar,
)
from dreamfactory_env.cli.threads import use_one_thread
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import DEFAULT_GAME, game_named
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.records.files import RecordLine, RecordWriter, read_lines, record_of
from dreamfactory_env.records.format import parse_line, replay, replay_moves, start_of
from dreamfactory_env.records.simulation import PlayedGame, Simulation, check_continues
from dreamfactory_env.utils.errors import GameError, OptionError, RecordError

RecordFile = Annotated[Path, typer.Argument(help="A .jsonl or .jsonl.zst file of records.")]

# ---------------------------------------------------------------------------- simulate


@dataclass(frozen=True)
class Output:
    """Where the records of a simulation go."""

    out: Annotated[
        Path | None, typer.Option(help="Where the records go: a .jsonl or .jsonl.zst file.")
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an output file that is there.")
    ] = False
    force: Annotated[
        bool, typer.Option("--force", help="Replace an output file that is there.")
    ] = False

    def check(self) -> None:
        """Raises OptionError if these do not go together, or nothing can be written there."""
        if self.out is None and (self.resume or self.force):
            raise OptionError("--resume and --force are about a file: give --out, too")
        if self.resume and self.force:
            raise OptionError("--resume continues a file, --force replaces it: give only one")
        if self.out is None:
            return
        there = os.path.exists(self.out)  # noqa: PTH110  (a name that cannot be is not there)
        if there and not (self.resume or self.force):
            raise OptionError(
                f"{self.out} is there already; --resume continues it, --force replaces it"
            )
        check_output(self.out)

    def open(self, simulation: Simulation) -> RecordWriter | None:
        """Returns what writes the records, None if nothing is to be written.

        Raises:
            GameError: The file cannot be written, or is of another simulation.
        """
        if self.out is None:
            return None
        if self.resume and self.out.exists():
            for number, line in enumerate(read_lines(self.out)):
                if not line.problem:  # else the torn end, which the writer cuts
                    check_continues(
                        *(record_of(line), number, simulation.game),
                        *(simulation.agents, simulation.seed),
                    )
        return RecordWriter(self.out, resume=self.resume, replace=self.force)


@dataclass
class Played:
    """What is known of the games of a simulation."""

    points: list[list[int]] = field(default_factory=list)
    won: int = 0
    decisions: int = 0

    def add(self, game: PlayedGame) -> None:
        """Adds a game."""
        self.points.append(game.points)
        self.won += any(game.won)
        self.decisions += len(game.record["moves"])


@with_groups
def simulate_command(
    games: Annotated[int, typer.Option(help="How many games.")] = 1000,
    policies: Annotated[
        str, typer.Option(help="Who plays: one name for all, or one a seat with commas between.")
    ] = "random",
    seed: Annotated[int, typer.Option(help="Where all shuffles and random moves come from.")] = 1,
    *,
    table: TableOptions,
    output: Output,
) -> None:
    """Play games between policies, write their records, and show speed and scores."""
    if games < 1:
        raise OptionError(f"--games must be at least 1, not {games}")
    output.check()
    use_one_thread()
    simulation = Simulation(table.new_game(), [name.strip() for name in policies.split(",")], seed)
    # A policy that fails at once shows here, before a file is touched.
    next(simulation.play(1))
    writer = output.open(simulation)
    # Counted when the writer has cut a torn end.
    done = sum(1 for _ in read_lines(writer.path)) if writer and output.resume else 0
    played = Played()
    begin = time.perf_counter()
    with writer or nullcontext(), progress_bar("playing", "games") as progress, Stop() as stop:
        task = progress.add_task("", total=games, completed=min(done, games))
        for game in simulation.play(games, start=done):
            if writer is not None:
                writer.write(game.record)
            played.add(game)
            progress.advance(task)
            if stop.wanted:
                break
    if played.points:
        _report(simulation.game.spec, played, time.perf_counter() - begin)
    done += len(played.points)
    if output.out is not None:
        console.print(f"{done} records in {output.out}", soft_wrap=True)
    if stop.wanted:
        how = "; the same command with --resume continues" if output.out is not None else ""
        errors.print(f"stopped after {done} of {games} games{how}", soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)


def _report(spec: GameSpec, played: Played, seconds: float) -> None:
    """Prints the speed of a simulation and how the scores are spread."""
    games, decisions = len(played.points), played.decisions
    console.print(
        f"{games:,} games, {decisions:,} decisions in {seconds:.1f} s: "
        f"{games / seconds:,.0f} games/s, {decisions / seconds:,.0f} decisions/s "
        f"(records in words included)"
    )
    points = np.array(played.points)
    if spec.shared:
        console.print(f"{played.won:,} of {games:,} games won, {played.won / games:.1%}")
        points = points[:, 0]
        rows = {"team": points}
    else:
        rows = {str(seat): column for seat, column in enumerate(points.T)}
        rows["all"] = points.ravel()
    first = "" if spec.shared else "seat"
    table = Table(first, "mean", "sd", "least", "25 %", "median", "75 %", "most", box=None)
    for name, column in rows.items():
        quartiles = [f"{value:.0f}" for value in np.quantile(column, [0, 0.25, 0.5, 0.75, 1])]
        table.add_row(name, f"{column.mean():.1f}", f"{column.std():.1f}", *quartiles)
    console.print("scores:")
    console.print(table)
    _print_histogram(points, max(round(spec.score_scale / 5), 1))


def _print_histogram(points: Array, width: int) -> None:
    """Prints how often points fall into bins of a width, from 0 up or from the least below it."""
    start = min(int(points.min()) // width, 0) * width
    counts, edges = np.histogram(points, bins=range(start, int(points.max()) + width + 1, width))
    for count, edge in zip(counts, edges, strict=False):
        bar = "█" * round(40 * count / counts.max())
        ends = f"{edge:4d} to {edge + width - 1:<3d}" if width > 1 else f"{edge:4d}"
        console.print(f"{ends} {count:7,d} {bar}")


# ---------------------------------------------------------------------------- replay and show


def replay_command(path: RecordFile) -> None:
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


@dataclass(frozen=True)
class Filter:
    """Which games of a file are counted; all if nothing is given."""

    game: Annotated[
        str | None, typer.Option(metavar="NAME", help="Count only games of this name.")
    ] = None
    options: OptionTexts = None

    def lines(self, path: Path) -> Iterator[RecordLine]:
        """Gives the lines of a file that are counted.

        Raises:
            GameError: The file cannot be read, or there is no such game or option.
        """
        if self.game is None and not self.options:
            yield from read_lines(path)
            return
        spec = game_named(self.game or DEFAULT_GAME).spec
        given = read_options(self.options, spec)
        config = spec.to_config(spec.check_options(given))
        expected = {name: config.get(name) for name in given}
        for line in read_lines(path):
            if _is_of(line, spec.name, expected):
                yield line


def _is_of(line: RecordLine, game: str, options: dict[str, Any]) -> bool:
    """Tells whether a line holds a record of a game with these options, as a record writes them."""
    try:
        record = record_of(line)
    except RecordError:
        return False
    config = record.get("config")
    if record.get("game") != game or not isinstance(config, dict):
        return False
    return all(config.get(name) == value for name, value in options.items())


@with_groups
def show_command(
    path: RecordFile,
    number: Annotated[
        int, typer.Option("--number", "-n", help="Which game of the file, counted from 1.")
    ] = 1,
    *,
    counted: Filter,
) -> None:
    """Narrate a game of a file, move by move."""
    if number < 1:
        raise OptionError(f"--number counts from 1, not {number}")
    lines = list(islice(counted.lines(path), number))
    if len(lines) < number:
        such = "" if counted == Filter() else "such "
        raise OptionError(f"{path} has {len(lines)} {such}games; there is no game {number}")
    record = record_of(lines[-1])
    try:
        replay_moves(record)  # what cannot be narrated says why, before anything is narrated
    except GameError as error:
        raise RecordError(f"line {lines[-1].number}: {error}") from error
    actions = (action for _, action, _ in record["moves"])
    for line in start_of(record).narrate(actions):
        console.print(Text(line.text, style=line.style), soft_wrap=True)
