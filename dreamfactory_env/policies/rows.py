"""Loops over the rows of a batch that policies need, compiled for each game.

Each row is one game with the player to move. Templates as in ``loops.py``: ``legal``, ``observe``
and so on stand for a game's own compiled functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dreamfactory_env.engine.compiling import bind
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.game import Game

# The names that the templates call; bind() puts a game's functions in their place.
legal: Any = None
observe: Any = None
decide: Any = None
resample_hidden: Any = None


@dataclass(frozen=True)
class RowLoops:
    """The loops below, compiled for one game."""

    redraw: Callable[..., None]
    observe: Callable[..., None]
    mask: Callable[..., None]
    decide: Callable[..., None]


@cache
def row_loops(kind: type[Game]) -> RowLoops:
    """Returns the loops below, compiled for a game."""
    rules, owner = kind.rules, kind.name
    return RowLoops(
        redraw=bind(_redraw_rows, owner, resample_hidden=rules.resample_hidden),
        observe=bind(_observe_rows, owner, observe=rules.observe),
        mask=bind(_mask_rows, owner, legal=rules.legal),
        decide=bind(_decide_rows, owner, legal=rules.legal, decide=rules.decide),
    )


def take_rows(states: Records, rows: Array) -> Records:
    """Returns a copy of some games of a batch, made byte by byte: NumPy goes field by field."""
    plain = states.view(np.uint8).reshape(len(states), states.itemsize)
    return plain[rows].reshape(-1).view(states.dtype)


def _redraw_rows(
    states: Records, tables: Records, seats: Array, seeds: Array, moves: Array, streams: Array
) -> None:
    """Redraws in each game what its player to move cannot know.

    Args:
        states: The games, shape (n,).
        tables: The components, shape (1,).
        seats: The player to move of each, shape (n,).
        seeds: Of the games, uint64 (n,).
        moves: How many moves were played, int64 (n,); the place in the stream.
        streams: Where the stream of the player to move goes, as in ``Loops.play``; uint64 (n,).
    """
    for k in range(len(states)):
        streams[k] = derive_seed(seeds[k], seats[k] + 1)
        resample_hidden(states, k, tables, int(seats[k]), derive_seed(streams[k], moves[k]))


def _observe_rows(states: Records, tables: Records, seats: Array, out: Array) -> None:
    """Writes what the player to move of each game sees into a row of ``out``."""
    for k in range(len(states)):
        observe(states[k], tables[0], int(seats[k]), out[k])


def _mask_rows(states: Records, tables: Records, buffer: Array, out: Array) -> None:
    """Marks the legal actions of each game in a row of ``out``."""
    for k in range(len(states)):
        out[k, :] = 0
        for m in range(legal(states[k], tables[0], buffer)):
            out[k, buffer[m]] = 1


def _decide_rows(
    states: Records,
    tables: Records,
    code: int,
    weights: Array,
    streams: Array,
    moves: Array,
    buffer: Array,
    out: Array,
) -> None:
    """Writes what a scripted policy plays in each game; ``out`` is int64 (n,)."""
    for k in range(len(states)):
        s, t = states[k], tables[0]
        count = legal(s, t, buffer)
        out[k] = decide(s, t, code, weights, buffer, count, streams[k], moves[k])
