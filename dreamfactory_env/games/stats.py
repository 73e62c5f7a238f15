"""What games look like, in numbers: how a game is counted, and what the numbers mean.

A game brings two compiled functions that write numbers, and says what the numbers are. Whoever
sums and shows them knows no game by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dreamfactory_env.engine.structs import Array


@dataclass(frozen=True)
class Tally:
    """How a game is counted.

    Attributes:
        note: ``note(s, t, action, table, seats)``, compiled, called before each move with the
            legal action that will be played.
        finish: ``finish(s, t, table, seats)``, compiled, called when the game is over.
        table: How many numbers of the whole table there are: ``table`` is int32 (table,), zeros
            at first.
        seat: How many numbers of each seat: ``seats`` is int32 (players, seat), zeros at first.
    """

    note: Callable[..., None]
    finish: Callable[..., None]
    table: int
    seat: int


@dataclass(frozen=True)
class Figure:
    """A number, a row or a table of numbers that is averaged over games.

    Attributes:
        title: What it is.
        places: Where it stands among the numbers of the table or of a seat; int64, one axis for
            each of ``axes``.
        axes: The name of each axis and the words along it.
    """

    title: str
    places: Array
    axes: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class Role:
    """Something that a seat has in a game and that may help or hurt it, such as its turn.

    Attributes:
        title: What it is.
        place: Where it stands among the numbers of a seat.
        words: What the numbers from 0 mean.
    """

    title: str
    place: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Figures:
    """What the numbers of a tally mean.

    Attributes:
        table: Figures of the whole table, each with two axes.
        seats: Figures of a seat, each with one axis or none.
        parts: Figures of a seat, single numbers, that add up to its points.
        roles: What a seat may owe its result to, besides whoever plays it.
    """

    table: tuple[Figure, ...]
    seats: tuple[Figure, ...]
    parts: tuple[Figure, ...]
    roles: tuple[Role, ...]
