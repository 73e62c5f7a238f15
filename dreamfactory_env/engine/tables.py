"""What the stepper works on: the rows of a batch, what they have in common, how they are played."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dreamfactory_env.engine.returns import Payoff
from dreamfactory_env.engine.structs import Array, Records

# Who has a seat: a scripted policy is its place in ``Table.codes``, from 0.
CALLER = -1  # asked through ``advance``
DRAWN = -2  # in an arrangement: whoever is drawn at the deal
FIRST_FROZEN = 100  # frozen players, from here on: the caller asks them
#: No seat at all.
NOBODY = -1
#: The code of the hint policy of who has none.
NO_HINT = -1


def row_dtype(max_players: int) -> np.dtype[Any]:
    """Returns the record of a row: how a game stands, besides its state and what is seen of it."""
    seats = (max_players,)
    fields = [
        ("seed", "u8"),  # of the game
        ("episode", "i8"),  # how many games of this row are over
        ("moves", "i8"),  # how many moves were played in the game
        ("current_policy", "i8"),  # who has the seat of the player to move
        ("hint", "i8"),  # what the hint policy of the player to move would play
        ("last_hint", "i8"),  # the same at the last decision of the caller
        ("lineup", "i8", seats),  # who has each seat
        ("last_lineup", "i8", seats),  # the same in the game that has ended
        ("potential", "f8", seats),  # of the position to each seat, with shaping
        ("reward", "f8", seats),  # what each seat was paid since the last decision of the caller
        ("returns", "f8", seats),  # what the ended game was worth
        ("points", "i4", seats),  # of the ended game
        ("decisions", "i4", seats),  # how many moves each seat has made in the game
        ("won", "i1", seats),  # 1 for the winners of the ended game
        ("current_player", "i1"),  # whose turn it is
        ("last_player", "i1"),  # whose turn it was at the last decision of the caller, or NOBODY
        ("done", "i1"),  # 1 if a game has ended since the last decision of the caller
        ("offender", "i1"),  # whose illegal action has ended it, or NOBODY
    ]
    size = np.dtype(fields).itemsize
    return np.dtype((np.record, [*fields, ("spare", "u1", (-size % 8,))]))


class Settings(NamedTuple):
    """How games are played, as compiled code takes it.

    Attributes:
        payoff: What they pay.
        seed: Where the series of games comes from that are dealt anew, uint64.
        deal_again: Whether a game that is over is dealt anew at once.
        skip_forced: Whether moves without a choice are played without asking.
        observing: Whether observations are written.
        hinting: Whether hints are written.
        together: The chance that all drawn players of a game are the same.
    """

    payoff: Payoff
    seed: np.uint64 = np.uint64(0)
    deal_again: bool = False
    skip_forced: bool = False
    observing: bool = True
    hinting: bool = False
    together: float = 0.0


class Table(NamedTuple):
    """What the games of a batch have in common.

    Attributes:
        params: The components, shape (1,).
        blank: A state before the deal, shape (1,).
        codes: The scripted policies, int64 (m,).
        weights: The constants of each, float64 (m, K).
        hints: The hint policy of the caller and of each frozen player, as places in ``codes``,
            or NO_HINT; int64 (1 + frozen players,).
        arrangements: Who sits where, int64 (a, players); one of them is drawn at each deal.
        mix: Cumulated chances of those in ``whom``, float64 (k,).
        whom: Who is drawn for a seat that is DRAWN, int64 (k,).
        settings: How games are played.
    """

    params: Records
    blank: Records
    codes: Array
    weights: Array
    hints: Array
    arrangements: Array
    mix: Array
    whom: Array
    settings: Settings


class Games(NamedTuple):
    """Games side by side, and room for what is seen of them.

    Attributes:
        states: The games, shape (n,).
        rows: How each stands, see :func:`row_dtype`.
        caches: The caches of the observations, shape (n,).
        observations: What the player to move sees, float32 (n, size).
        masks: What the player to move may do, int8 (n, actions); all zero when the game is over.
        actions: The moves of each game, int32 (n, as many as are kept).
        table_stats: Counts of each game, int32 (n, T); n is 0 if nothing is counted.
        seat_stats: Counts of each seat, int32 (n, players, S).
    """

    states: Records
    rows: Records
    caches: Records
    observations: Array
    masks: Array
    actions: Array
    table_stats: Array
    seat_stats: Array
