"""The command ``dreamfactory benchmark``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from dreamfactory_env.arena.benchmark import PLAYERS, RESPONSE, Benchmark, Cell, Figures
from dreamfactory_env.arena.benchmark_page import page
from dreamfactory_env.arena.tournament import check_processes
from dreamfactory_env.cli.arena import FINISHING, Processes
from dreamfactory_env.cli.terminal import EXIT_STOPPED, HeardStop, console, errors, progress_bar
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean


def benchmark_command(
    file: Annotated[
        Path, typer.Argument(help="The results: made if not there, else played on.")
    ] = Path("docs/benchmark.json"),
    copy_of: Annotated[
        Path | None, typer.Option("--from", help="Begin with a copy of these results.")
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(help="Add this policy, and play no cells but its own; can be repeated."),
    ] = None,
    only: Annotated[
        str | None, typer.Option(help="Only cells between these policies, commas between.")
    ] = None,
    players: Annotated[str, typer.Option(help="The player counts, commas between.")] = "2,3,4,5",
    games: Annotated[int, typer.Option(help="How many games a cell has.")] = 5000,
    search_games: Annotated[
        int, typer.Option(help="How many with a search in it, shared among those at the table.")
    ] = 120,
    timed_games: Annotated[
        int, typer.Option(help="How many the best agent plays against a search of 0.2 s a move.")
    ] = 0,
    response: Annotated[
        Path | None, typer.Option(help="A network that was trained against the best agent alone.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Play what is asked for anew, even if it is there.")
    ] = False,
    processes: Processes = None,
) -> None:
    """Play the benchmark, or what it lacks, and write its results and their page."""
    count = check_processes(processes)
    for option, number, least in (
        ("--games", games, 1),
        ("--search-games", search_games, 1),
        ("--timed-games", timed_games, 0),
    ):
        if number < least:
            raise OptionError(f"{option} must be at least {least}, not {number}")
    if file.suffix != ".json":
        raise OptionError(f"the results must be a .json file, their page goes beside it: {file}")
    benchmark = Benchmark(file, DreamFactory, copy_of)
    _check_changes(benchmark, bool(add), file)
    for name in add or []:
        benchmark.add(name)
    for name in benchmark.absent():
        errors.print(f"{name} is not here: what it has played stays, and it plays no more")
    cells = benchmark.matrix(_counts(players), games, search_games)
    if add:
        cells = [cell for cell in cells if {cell.row, cell.column} & set(add)]
    if only is not None:
        names = _names(benchmark, only)
        cells = [cell for cell in cells if {cell.row, cell.column} <= names]
    if timed_games:
        cells += benchmark.against_the_clock(timed_games)
    if response is not None:
        cells += benchmark.responses(str(response), games)
    cells = [cell for cell in cells if force or not benchmark.is_done(cell)]
    stopped = not _play(benchmark, cells, count)
    benchmark.close()
    beside = file.with_suffix(".md")
    try:
        beside.write_text(page(benchmark.data, file.name, DreamFactory), "utf-8")
    except OSError as error:
        raise OptionError(f"{beside} cannot be written: {error.strerror or error}") from error
    console.print(f"results: {file}\npage: {beside}", soft_wrap=True)
    if stopped:
        errors.print("stopped; the same command goes on")
        raise typer.Exit(EXIT_STOPPED)


def _check_changes(benchmark: Benchmark, adding: bool, file: Path) -> None:
    """Forgets what other policies have played under names that are used now.

    Raises:
        OptionError: Somebody wants to add a policy, and nothing else is to be played.
    """
    changed = benchmark.changed()
    if not changed:
        return
    names = ", ".join(changed)
    if adding:
        told = f"in these results other policies have played under the names {names}"
        raise OptionError(f"{told}; without --add, their cells are played anew")
    errors.print(f"{names} have changed: what they have played in {file} is forgotten")
    benchmark.drop(changed)


def _counts(text: str) -> list[int]:
    """Returns player counts that are written as ``2,4``."""
    try:
        counts = [int(part) for part in text.split(",")]
    except ValueError:
        counts = []
    if not counts or not set(counts) <= set(PLAYERS):
        known = ", ".join(str(number) for number in PLAYERS)
        raise OptionError(f"--players must be some of {known} with commas between, not {text!r}")
    return counts


def _names(benchmark: Benchmark, text: str) -> set[str]:
    """Returns policies that are written with commas between; all must be in the benchmark."""
    names = [name.strip() for name in text.split(",")]
    known = benchmark.data["policies"]
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise OptionError(f"{name!r} is not in these results; {', '.join(known)} are{hint}")
    return set(names)


def _play(benchmark: Benchmark, cells: list[Cell], processes: int) -> bool:
    """Plays cells; returns whether all of them were finished."""
    with (
        progress_bar("{task.description}", "deals") as progress,
        HeardStop(FINISHING, progress.console.print) as stop,
    ):
        for number, cell in enumerate(cells):
            told = f"cell {number + 1} of {len(cells)}: {_called(cell)}"
            task = progress.add_task(told, total=None)
            begin = time.perf_counter()
            deals = cell.tournament(benchmark.kind.name).deals
            figures = benchmark.play(
                cell,
                processes=processes,
                stop=stop.asked,
                shown=lambda done, task=task, deals=deals: progress.update(  # type: ignore[misc]
                    task, completed=done, total=deals
                ),
            )
            progress.remove_task(task)
            if figures is None:
                return False
            _tell(cell, figures, time.perf_counter() - begin)
    return True


def _called(cell: Cell) -> str:
    row = Path(cell.row).name if cell.part == RESPONSE else cell.row
    return f"{cell.players} players, {row} among {cell.column}"


def _tell(cell: Cell, figures: Figures, seconds: float) -> None:
    """Prints what came out of a cell, and how long it took."""
    moves = [
        f"{name} {1000 * took:.3g} ms a move"
        for name, took in zip((cell.row, cell.column), figures["move_seconds"], strict=True)
        if took is not None
    ]
    rate = f"{figures['win_rate']:.1%} ± {figures['half_width']:.1%}"
    took = ", ".join([f"{figures['games']:,} games in {seconds:.1f} s", *moves])
    console.print(f"{_called(cell)}: {rate}; {took}", soft_wrap=True)
