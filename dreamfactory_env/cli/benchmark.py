"""The command ``dreamfactory benchmark``."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from dreamfactory_env.arena.benchmark import RESPONSE, Benchmark, Cell, CellResult, page, picture
from dreamfactory_env.cli.arena import FINISHING, PlayingOptions
from dreamfactory_env.cli.options import AllowCode, GameOptions, with_groups
from dreamfactory_env.cli.outputs import Wait, check_output
from dreamfactory_env.cli.terminal import EXIT_STOPPED, HeardStop, console, errors, progress_bar
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.policies.naming import module_of
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.locks import Lock
from dreamfactory_env.utils.threads import use_one_thread
from dreamfactory_env.utils.validation import did_you_mean

#: How many games a cell has by default: of a zero-sum game, and of a shared one.
GAMES, SHARED_GAMES = 5000, 1000
#: The same with a search in it: so many that half of the 95 % interval is mostly below 5 %.
SEARCH_GAMES, SHARED_SEARCH_GAMES = 600, 120


@dataclass(frozen=True)
class CellOptions:
    """Which cells are played, and how often."""

    add: Annotated[
        list[str] | None,
        typer.Option(help="Add this policy, and play no cells but its own; can be repeated."),
    ] = None
    only: Annotated[
        str | None, typer.Option(help="Only cells between these policies, commas between.")
    ] = None
    players: Annotated[
        str | None,
        typer.Option(help="The player counts, commas between; all of the game if not given."),
    ] = None
    games: Annotated[
        int | None,
        typer.Option(
            help=f"How many games a cell has; {GAMES:,} if not given, {SHARED_GAMES:,} if shared.",
            show_default=False,
        ),
    ] = None
    search_games: Annotated[
        int | None,
        typer.Option(
            help=f"How many with a search in it; {SEARCH_GAMES:,} if not given. In a shared game "
            f"{SHARED_SEARCH_GAMES:,}, and searches at one table share them.",
            show_default=False,
        ),
    ] = None
    timed_games: Annotated[
        int,
        typer.Option(
            help="How many the best agent plays with searches of 0.2 s a move, and a search that "
            "it guides with both."
        ),
    ] = 0
    response: Annotated[
        Path | None, typer.Option(help="A network that was trained against the best agent alone.")
    ] = None

    def check(self) -> None:
        """Raises OptionError if a number is too small."""
        for option, number, least in (
            ("--games", self.games, 1),
            ("--search-games", self.search_games, 1),
            ("--timed-games", self.timed_games, 0),
        ):
            if number is not None and number < least:
                raise OptionError(f"{option} must be at least {least}, not {number}")

    def cells(self, benchmark: Benchmark) -> list[Cell]:
        """Returns the cells that are asked for.

        Raises:
            OptionError: A policy or a number of players is unknown.
        """
        spec = benchmark.game.spec
        counts = _counts(self.players, spec)
        games = self.games or (SHARED_GAMES if spec.shared else GAMES)
        searching = self.search_games or (SHARED_SEARCH_GAMES if spec.shared else SEARCH_GAMES)
        cells = benchmark.matrix(counts, games, searching)
        if self.add:
            cells = [cell for cell in cells if {cell.row, cell.column} & set(self.add)]
        else:
            cells = benchmark.ceilings(counts, games) + cells
        if self.timed_games:
            cells += benchmark.against_the_clock(counts, self.timed_games)
        if self.only is not None:
            playing = [name for cell in cells for name in (cell.row, cell.column)]
            names = _names(benchmark, self.only, playing)
            cells = [cell for cell in cells if {cell.row, cell.column} <= names]
        if self.response is not None:
            cells += benchmark.responses(str(self.response), games)
        return cells


@with_groups
def benchmark_command(
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="The results: made if not there, else continued. Their page goes beside them.",
        ),
    ] = Path("benchmark.json"),
    copy_of: Annotated[
        Path | None, typer.Option("--from", help="Begin with a copy of these results.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Play what is asked for anew, even if it is there.")
    ] = False,
    wait: Wait = False,
    allow_code: AllowCode = False,
    *,
    chosen: GameOptions,
    wanted: CellOptions,
    playing: PlayingOptions,
) -> None:
    """Play the benchmark, or what it lacks, and write its results and their page."""
    playing.check()
    use_one_thread()
    wanted.check()
    if out.suffix != ".json":
        raise OptionError(f"the results must be a .json file, their page goes beside it: {out}")
    for suffix in (".json", ".md", ".svg"):
        check_output(out.with_suffix(suffix))
    with Lock(out, wait=wait):
        finished = _update(out, copy_of, playing, force, allow_code, chosen, wanted)
    if not finished:
        errors.print("stopped; the same command continues")
        raise typer.Exit(EXIT_STOPPED)


def _update(
    out: Path,
    copy_of: Path | None,
    playing: PlayingOptions,
    force: bool,
    allow_code: bool,
    chosen: GameOptions,
    wanted: CellOptions,
) -> bool:
    """Plays what results lack, and writes them and their page; returns whether that is all."""
    benchmark = Benchmark(out, chosen.game, copy_of, options=chosen.values(), allow_code=allow_code)
    benchmark.trust(wanted.add or [])
    _check_changes(benchmark, bool(wanted.add), out)
    for name in wanted.add or []:
        benchmark.add(name)
    for name in benchmark.absent():
        reason = " without --allow-code" if module_of(name) else ""
        errors.print(f"{name} is not here{reason}: what it has played stays, and it plays no more")
    cells = [cell for cell in wanted.cells(benchmark) if force or not benchmark.is_done(cell)]
    stopped = not _play(benchmark, cells, playing)
    benchmark.close()
    _write_page(benchmark, out)
    return not stopped


def _write_page(benchmark: Benchmark, out: Path) -> None:
    """Writes the page beside the results, and its picture if it has one.

    Raises:
        OptionError: It cannot be written.
    """
    drawn = picture(benchmark.data, benchmark.game)
    texts = {".md": page(benchmark.data, out.name, benchmark.game)}
    texts |= {} if drawn is None else {".svg": drawn}
    for suffix, text in texts.items():
        beside = out.with_suffix(suffix)
        try:
            beside.write_text(text, "utf-8")
        except OSError as error:
            raise OptionError(f"{beside} cannot be written: {error.strerror or error}") from error
    console.print(f"results: {out}\npage: {out.with_suffix('.md')}", soft_wrap=True)


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
        problem = f"in these results other policies have played under the names {names}"
        raise OptionError(f"{problem}; without --add, their cells are played anew")
    errors.print(f"{names} have changed: what they have played in {file} is forgotten")
    benchmark.drop_changed()


def _counts(text: str | None, spec: GameSpec) -> list[int]:
    """Returns player counts that are written as ``2,4``; all of the game if nothing is."""
    if text is None:
        return list(spec.player_counts)
    try:
        counts = [int(part) for part in text.split(",")]
    except ValueError:
        counts = []
    if not counts or not set(counts) <= set(spec.player_counts):
        known = ", ".join(str(number) for number in spec.player_counts)
        raise OptionError(f"--players must be some of {known} with commas between, not {text!r}")
    return counts


def _names(benchmark: Benchmark, text: str, others: Iterable[str]) -> set[str]:
    """Returns policies that are written with commas between.

    All must be in the benchmark, or among others that play.
    """
    names = [name.strip() for name in text.split(",")]
    known = list(dict.fromkeys([*benchmark.data["policies"], *others]))
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise OptionError(f"{name!r} is not in these results; {', '.join(known)} are{hint}")
    return set(names)


def _play(benchmark: Benchmark, cells: list[Cell], playing: PlayingOptions) -> bool:
    """Plays cells; returns whether all of them were finished."""
    with (
        playing.connected() as cluster,
        progress_bar("{task.description}", "deals") as progress,
        HeardStop(FINISHING, progress.console.print) as stop,
    ):
        for number, cell in enumerate(cells):
            title = f"cell {number + 1} of {len(cells)}: {_title(benchmark, cell)}"
            task = progress.add_task(title, total=None)
            begin = time.perf_counter()
            result = benchmark.play(
                cell,
                processes=playing.processes,
                cluster=cluster,
                stop=stop.asked,
                progress=lambda done, deals, task=task: progress.update(  # type: ignore[misc]
                    task, completed=done, total=deals
                ),
            )
            progress.remove_task(task)
            if result is None:
                return False
            _print_result(_title(benchmark, cell), result, time.perf_counter() - begin)
    return True


def _title(benchmark: Benchmark, cell: Cell) -> str:
    row = Path(cell.row).name if cell.part == RESPONSE else cell.row
    together = "with" if benchmark.game.spec.shared else "among"
    variant = "".join(f"{value}, " for _, value in cell.variant)
    return f"{variant}{cell.players} players, {row} {together} {cell.column}"


def _print_result(title: str, result: CellResult, seconds: float) -> None:
    """Prints what came out of a cell, and how long it took."""
    moves = [
        f"{name} {1000 * took:.3g} ms a move"
        for name, took in zip(
            (result["row"], result["column"]), result["move_seconds"], strict=True
        )
        if took is not None
    ]
    found = f"{result['win_rate']:.1%} ± {result['half_width']:.1%}"
    if "score" in result:
        found = f"{result['score']:.3f} ± {result['score_half_width']:.3f}, won {found}"
    took = ", ".join([f"{result['games']:,} games in {seconds:.1f} s", *moves])
    console.print(f"{title}: {found}; {took}", soft_wrap=True)
