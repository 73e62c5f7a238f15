"""What games look like, in numbers: what is counted, and what the counts mean.

A game brings two compiled functions that count (``count_move`` and ``count_end`` of
``engine.contract``), and says here what the counts are. Whoever sums and shows them knows no game
by name.
"""

from __future__ import annotations

from dataclasses import dataclass

from dreamfactory_env.engine.structs import Array


@dataclass(frozen=True)
class Stat:
    """A number, a row or a table of numbers that is averaged over games.

    Attributes:
        title: What it is.
        places: Where it stands among the counts of the table or of a seat; int64, one axis for
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
        place: Where it stands among the counts of a seat.
        words: What the numbers from 0 mean.
    """

    title: str
    place: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Rate:
    """A share that tells how well something is done, such as how often who ends a game is right.

    Attributes:
        title: What it is, in few words.
        hits: The counts of the table that are summed above the line, int64 (h,).
        of: Those below the line, int64 (n,); ``hits`` are among what they count.
    """

    title: str
    hits: Array
    of: Array


@dataclass(frozen=True)
class GameStats:
    """What the counts of a game mean.

    Attributes:
        table_size: How many counts of the whole table there are: int32 (table_size,).
        seat_size: How many counts of each seat: int32 (players, seat_size).
        table: Stats of the whole table, each with two axes.
        seats: Stats of a seat, each with one axis or none.
        parts: Stats of a seat, single numbers, that add up to its points.
        roles: What a seat may owe its result to, besides whoever plays it.
        rates: Shares of the counts of the table.
    """

    table_size: int = 0
    seat_size: int = 0
    table: tuple[Stat, ...] = ()
    seats: tuple[Stat, ...] = ()
    parts: tuple[Stat, ...] = ()
    roles: tuple[Role, ...] = ()
    rates: tuple[Rate, ...] = ()
