"""The parts of the benchmark of a shared game: each variant and player count, and who plays it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dreamfactory_env.arena.benchmark.cells import CEILING, MATRIX, CellResult, names_of
from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.arena.benchmark.field import maker_of


class CrossPlay(NamedTuple):
    """What some pairs of different policies reach: the mean of their scores, and the lowest."""

    mean: float
    lowest: float
    pair: tuple[str, str]


@dataclass(frozen=True)
class Section:
    """The cells of one variant and player count.

    Attributes:
        options: The options of the variant; none if the game has no variants.
        players: How many play.
        cells: The matrix.
        ceiling: The cell of the policy that sees everything, None if there is none.
        names: All policies that have played, in their order.
        seeds: Those of them that differ in the seed of their training alone, by their maker.
    """

    options: dict[str, Any]
    players: int
    cells: list[CellResult]
    ceiling: CellResult | None
    names: list[str]
    seeds: dict[str, list[str]]

    @property
    def variant(self) -> str:
        """The variant in words, nothing if there is only one."""
        return ", ".join(f"{name} {value}" for name, value in self.options.items())

    @property
    def title(self) -> str:
        """Variant and player count in words."""
        return ", ".join(filter(None, [self.variant, f"{self.players} players"]))

    @property
    def single(self) -> list[str]:
        """The policies that are no seeds of a maker."""
        many = {name for names in self.seeds.values() for name in names}
        return [name for name in self.names if name not in many]

    def cell(self, one: str, other: str) -> CellResult | None:
        """Returns the cell of two policies, or of one with itself; None if it was not played."""
        both = {one, other}
        return next((cell for cell in self.cells if {*names_of(cell)} == both), None)

    def cross_play(self, ones: Sequence[str], others: Sequence[str]) -> CrossPlay | None:
        """Returns what policies reach with other ones, None if they have not played.

        Args:
            ones: Policies.
            others: Those with whom they play; a policy with itself does not count.
        """
        pairs = _pairs(ones, others)
        scores = {pair: cell["score"] for pair in pairs if (cell := self.cell(*pair))}
        if not scores:
            return None
        lowest = min(scores, key=lambda pair: scores[pair])
        return CrossPlay(sum(scores.values()) / len(scores), scores[lowest], lowest)

    def between(self, names: Sequence[str]) -> list[CellResult]:
        """Returns the cells of all pairs of some policies, as many as were played."""
        return [cell for pair in _pairs(names, names) if (cell := self.cell(*pair))]

    def self_play(self, names: Sequence[str]) -> list[CellResult]:
        """Returns the cells of some policies with themselves, as many as were played."""
        return [cell for name in names if (cell := self.cell(name, name))]


def _pairs(ones: Sequence[str], others: Sequence[str]) -> list[tuple[str, str]]:
    """Returns all pairs of different policies, each once."""
    return list({frozenset((a, b)): (a, b) for a in ones for b in others if a != b}.values())


def sections_of(data: BenchmarkData, pool: Collection[str]) -> list[Section]:
    """Returns the sections of a benchmark in the order of its cells.

    Args:
        data: What the file says.
        pool: The policies that differ in the seed of their training from others of their makers.
    """
    groups: dict[tuple[Any, ...], list[CellResult]] = {}
    for cell in data["cells"]:
        if cell["part"] in (MATRIX, CEILING):
            key = (*cell.get("options", {}).items(), cell["players"])
            groups.setdefault(key, []).append(cell)
    return [_section(data, cells, pool) for cells in groups.values()]


def _section(data: BenchmarkData, cells: list[CellResult], pool: Collection[str]) -> Section:
    matrix = [cell for cell in cells if cell["part"] == MATRIX]
    played = {name for cell in matrix for name in names_of(cell)}
    names = [name for name in data["policies"] if name in played]
    seeds: dict[str, list[str]] = {}
    for name in names:
        if name in pool:
            seeds.setdefault(maker_of(name), []).append(name)
    return Section(
        options=cells[0].get("options", {}),
        players=cells[0]["players"],
        cells=matrix,
        ceiling=next((cell for cell in cells if cell["part"] == CEILING), None),
        names=names,
        seeds=seeds,
    )
