"""The compiled functions that a game brings, by name, arguments and meaning.

Loops that are the same for every game are written once, as templates (see ``templates``), and call
the functions below. Binding a template to a game puts the game's own functions in their place. A
game hands them in as :class:`GameKernels`; those that have a default there may be left out.

``s`` is the record of one game, ``params`` the record of its components; ``states`` and ``params``
as arrays are passed with an index where Python calls a function directly, which is several times
cheaper than passing records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from dreamfactory_env.engine.defaults import (
    action_as_key,
    count_no_end,
    count_no_move,
    decide_at_random,
)
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.structs import Array, Records


def _unbound(name: str) -> NoReturn:
    raise TypeError(f"{name} is a function that a game brings: bind the template first")


def reset(states: Records, index: int, params: Records, blank: Records, seed: Seed) -> None:
    """Deals game ``index`` of a batch anew from a seed.

    Args:
        states: The batch.
        index: Which game of it.
        params: The components, shape (1,).
        blank: A state before the deal with the options set, shape (1,).
        seed: Where the shuffles come from, uint64.
    """
    _unbound("reset")


def legal(s: Any, params: Any, out: Array) -> int:
    """Lists the legal actions in rising order, int32; returns how many, 0 when the game is over."""
    _unbound("legal")


def apply(s: Any, params: Any, action: int) -> None:
    """Plays a legal action of the player to move."""
    _unbound("apply")


def move_key(s: Any, params: Any, action: int) -> int:
    """Returns what a legal action means now, as a number that no longer depends on the position.

    By default the action itself: it means the same in all positions.
    """
    _unbound("move_key")


def observe(s: Any, params: Any, player: int, out: Array) -> None:
    """Writes what a player sees, float32, as the observation spec describes it."""
    _unbound("observe")


def observe_cached(s: Any, params: Any, player: int, cache: Any, out: Array) -> None:
    """Writes what :func:`observe` writes, reusing what the cache of this game still holds.

    The cache is a record that is zero at first. It must validate itself: one of another position,
    or of another game, costs time and changes nothing.
    """
    _unbound("observe_cached")


def outcome(s: Any, params: Any, points: Array, won: Array) -> None:
    """Writes the points of each player so far, and 1 for each who has won if the game is over.

    Args:
        s: The game; points may be asked for at any time.
        params: The components.
        points: int32 (players,). In a shared game all seats have the same.
        won: int8 (players,). In a shared game all or nobody.
    """
    _unbound("outcome")


def decide(
    s: Any,
    params: Any,
    code: int,
    weights: Array,
    legal_actions: Array,
    count: int,
    stream: Seed,
    moves: int,
) -> int:
    """Returns the action of a scripted policy, which uses only what its player may know.

    By default any legal action, for a game whose only policy is ``random``.

    Args:
        s: The game.
        params: The components.
        code: Which policy, its place in ``GameSpec.scripted``; 0 is ``random``.
        weights: Its constants, float64.
        legal_actions: The legal actions, int32.
        count: How many there are.
        stream: The seed of the player's random numbers.
        moves: How many moves were played in the game: the place in the stream.
    """
    _unbound("decide")


def resample_hidden(states: Records, index: int, params: Records, player: int, seed: Seed) -> None:
    """Redraws in place everything in game ``index`` that ``player`` cannot know."""
    _unbound("resample_hidden")


def count_move(s: Any, params: Any, action: int, table: Array, seats: Array) -> None:
    """Counts a legal action that is about to be played; nothing by default. See ``games.stats``."""
    _unbound("count_move")


def count_end(s: Any, params: Any, table: Array, seats: Array) -> None:
    """Counts what there is at the end of a game; nothing by default. See ``games.stats``."""
    _unbound("count_end")


#: The functions of this module, for which a game brings its own.
CONTRACT: tuple[Callable[..., Any], ...] = (
    *(reset, legal, apply, move_key, observe, observe_cached, outcome, decide, resample_hidden),
    *(count_move, count_end),
)

#: The cache of a game that has nothing to reuse between two observations.
NO_CACHE = np.dtype((np.record, [("unused", "i8")]))


@dataclass(frozen=True)
class GameKernels:
    """The compiled functions of a game, see the functions of this module for each.

    Attributes:
        cache_dtype: The record that ``observe_cached`` keeps for each game of a batch.
    """

    reset: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    observe: Callable[..., None]
    outcome: Callable[..., None]
    resample_hidden: Callable[..., None]
    move_key: Callable[..., int] = action_as_key
    decide: Callable[..., int] = decide_at_random
    count_move: Callable[..., None] = count_no_move
    count_end: Callable[..., None] = count_no_end
    observe_cached: Callable[..., None] | None = None
    cache_dtype: np.dtype[Any] = NO_CACHE
    #: Templates that were bound before, by template; filled by ``templates.bind``.
    bound: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def owner(self) -> str:
        """The folder of the game, which names what is compiled for it in the cache."""
        return self.reset.__module__.split(".")[-2:][0]
