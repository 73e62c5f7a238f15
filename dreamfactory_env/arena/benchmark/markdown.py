"""Pieces that the pages of all benchmarks are made of, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from statistics import median

from dreamfactory_env.arena.benchmark.cells import MATRIX, CellResult, names_of
from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import header_of

#: Facts of a file that are longer are not for the page.
LONGEST = 80


def cells_of(data: BenchmarkData, part: str) -> list[CellResult]:
    """Returns the cells of a part of the benchmark."""
    return [cell for cell in data["cells"] if cell["part"] == part]


def matrix_of(data: BenchmarkData, players: int) -> list[CellResult]:
    """Returns the cells of the matrix of a player count."""
    return [cell for cell in cells_of(data, MATRIX) if cell["players"] == players]


def usual_games(cells: list[CellResult]) -> int:
    """Returns how many games most cells have."""
    return Counter(cell["games"] for cell in cells).most_common(1)[0][0]


def table_row(columns: Iterable[str]) -> str:
    """Returns the row of a table."""
    return "| " + " | ".join(columns) + " |"


def listed(numbers: Sequence[int]) -> str:
    """Returns numbers as ``2, 3 and 4``."""
    *others, last = [str(number) for number in numbers]
    return f"{', '.join(others)} and {last}" if others else last


def move_seconds(name: str, cells: list[CellResult]) -> float | None:
    """Returns how long a policy took for a move in some cells: the median, None if none knows."""
    known = [
        seconds
        for cell in cells
        for played, seconds in zip(names_of(cell), cell["move_seconds"], strict=True)
        if played == name and seconds is not None
    ]
    return median(known) if known else None


def duration(seconds: float | None) -> str:
    """Returns a time with a unit that suits it."""
    if seconds is None:
        return "–"
    unit, size = ("s", 1.0) if seconds >= 1 else ("ms", 1e-3) if seconds >= 1e-3 else ("µs", 1e-6)
    number = seconds / size
    return f"{number:.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"


def facts_of(cells: list[CellResult], game: Game) -> list[str]:
    """Returns what the headers of the rows' files say, a paragraph for each file."""
    paragraphs = []
    for cell in cells:
        facts = {k: v for k, v in cell.get("facts", {}).items() if k not in header_of(game)}
        short = [f"{key}: {value}" for key, value in sorted(facts.items()) if len(value) <= LONGEST]
        name = PurePath(cell["row"]).name
        paragraphs.append(f"\n`{name}` says of itself: {'; '.join(short)}.")
    return list(dict.fromkeys(paragraphs))


def machine_of(cell: CellResult) -> str:
    """Returns where games by the clock were played, and beside what, if the cell knows."""
    if "machine" not in cell:
        return ""
    machine = cell["machine"]
    load = "" if machine["load"] is None else f", load {machine['load']:.1f}"
    commit = f", commit {machine['commit']}" if machine["commit"] else ""
    return f"{machine['processor']}, {machine['cores']} cores{load}{commit}"
