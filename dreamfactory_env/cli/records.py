"""The commands of records: ``dreamfactory simulate``, ``replay`` and ``show``."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from dreamfactory_env.cli.options import OptionTexts, TableOptions, read_options, with_groups
from dreamfactory_env.cli.outputs import Wait, check_output
from dreamfactory_env.cli.results import ResultOptions, print_json
from dreamfactory_env.cli.simulation_report import Played, make_report, print_report
from dreamfactory_env.cli.terminal import (
    EXIT_STOPPED,
    EXIT_WRONG,
    Stop,
    console,
    errors,
    progress_bar,
)
from dreamfactory_env.games import DEFAULT_GAME, game_named
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.records.files import RecordLine, RecordWriter, read_lines, record_of
from dreamfactory_env.records.format import parse_line, replay, replay_moves, start_of
from dreamfactory_env.records.simulation import Simulation, check_continues
from dreamfactory_env.utils.errors import GameError, OptionError, RecordError
from dreamfactory_env.utils.locks import Lock
from dreamfactory_env.utils.threads import use_one_thread

#: How the names of files of records end.
SUFFIXES = (".jsonl", ".jsonl.zst")
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
    wait: Wait = False

    def check(self) -> None:
        """Raises OptionError if these do not go together, or no records can be written there."""
        if self.out is not None and not self.out.name.endswith(SUFFIXES):
            expected = " or ".join(SUFFIXES)
            raise OptionError(f"--out must end with {expected}, which says what it is: {self.out}")
        if self.out is None and (self.resume or self.force or self.wait):
            raise OptionError("--resume, --force and --wait are about a file: give --out, too")
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

    def check_continues(self, simulation: Simulation) -> None:
        """Raises RecordError if the file to be continued is of another simulation."""
        if self.out is None or not self.resume or not self.out.exists():
            return
        for number, line in enumerate(read_lines(self.out)):
            if not line.problem:  # else the torn end, which the writer cuts
                check_continues(
                    *(record_of(line), number, simulation.game),
                    *(simulation.agents, simulation.seed),
                )

    def lock(self) -> Lock | None:
        """Returns the lock on the file, None if nothing is to be written.

        Raises:
            OptionError: Another process writes the file, or it cannot be written.
        """
        return None if self.out is None else Lock(self.out, wait=self.wait)

    def open(self, lock: Lock | None) -> RecordWriter | None:
        """Returns what writes the records, None if nothing is to be written.

        Raises:
            GameError: The file cannot be written.
        """
        if self.out is None:
            return None
        return RecordWriter(self.out, resume=self.resume, replace=self.force, lock=lock)


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
    shown: ResultOptions,
) -> None:
    """Play games between policies, write their records, and show speed, scores and wins."""
    if games < 1:
        raise OptionError(f"--games must be at least 1, not {games}")
    output.check()
    use_one_thread()
    simulation = Simulation(table.new_game(), [name.strip() for name in policies.split(",")], seed)
    # A policy that fails at once shows here, before a file is touched.
    next(simulation.play(1))
    played = Played()
    with output.lock() or nullcontext() as lock:
        output.check_continues(simulation)
        with Stop() as stop:  # from before the file is there: what is there can be continued
            writer = output.open(lock)
            # Counted when the writer has cut a torn end.
            done = sum(1 for _ in read_lines(writer.path)) if writer and output.resume else 0
            begin = time.perf_counter()
            with writer or nullcontext(), shown.progress("playing", "games") as progress:
                task = progress.add_task("", total=games, completed=min(done, games))
                for game in simulation.play(games, start=done):
                    if writer is not None:
                        writer.write(game.record)
                    played.add(game)
                    progress.advance(task)
                    if stop.wanted:
                        break
    report = make_report(simulation, played, time.perf_counter() - begin)
    done += len(played.points)
    if shown.json:
        file = None if output.out is None else {"file": str(output.out), "games": done}
        print_json({**report, "complete": done >= games, "records": file})
    else:
        if played.points:
            print_report(report, played, simulation.game.spec.score_scale)
        if output.out is not None:
            console.print(f"{done} records in {output.out}", soft_wrap=True)
    if stop.wanted:
        how = "; the same command with --resume continues" if output.out is not None else ""
        errors.print(f"stopped after {done} of {games} games{how}", soft_wrap=True)
        raise typer.Exit(EXIT_STOPPED)


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
    """Narrate a game of a file, move by move, with the names of those who played."""
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
        text = with_names(line.text, record["agents"])
        console.print(Text(text, style=line.style), soft_wrap=True)


def with_names(line: str, agents: Sequence[str]) -> str:
    """Returns a line of a narration with the name of who plays behind every ``player N``."""

    def name(player: re.Match[str]) -> str:
        agent = agents[int(player[1])]
        short = Path(agent).name if agent.endswith(SUFFIX) else agent
        # What a file says may be anything, also what a terminal would obey.
        shown = "".join(c if c.isprintable() else "?" for c in short)
        return f"{player[0]} ({shown})"

    return re.sub(rf"\bplayer ([0-{len(agents) - 1}])\b", name, line)
