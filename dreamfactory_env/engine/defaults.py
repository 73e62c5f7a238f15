"""Compiled functions that stand for those of the contract which a game need not bring."""

from __future__ import annotations

from typing import Any

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below
from dreamfactory_env.engine.structs import Array


@jit
def action_as_key(s: Any, params: Any, action: int) -> int:
    """Returns the action: ``move_key`` of a game whose actions mean the same in all positions."""
    return action


@jit
def decide_at_random(
    s: Any,
    params: Any,
    code: int,
    weights: Array,
    legal_actions: Array,
    count: int,
    stream: Seed,
    moves: int,
) -> int:
    """Returns any legal action: ``decide`` of a game whose only scripted policy is ``random``."""
    return int(legal_actions[random_below(stream, moves, count)])


@jit
def count_no_move(s: Any, params: Any, action: int, table: Array, seats: Array) -> None:
    """Counts nothing: ``count_move`` of a game without statistics of its own."""


@jit
def count_no_end(s: Any, params: Any, table: Array, seats: Array) -> None:
    """Counts nothing: ``count_end`` of a game without statistics of its own."""
