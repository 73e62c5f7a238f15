"""The scripted policies: compiled, each stronger than the one before; see docs/policies.md."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.scripted.choosing import decide_by_worth
from dreamfactory_env.games.dream_factory.scripted.greedy import decide_greedily
from dreamfactory_env.games.dream_factory.scripted.outlook import OUTLOOK
from dreamfactory_env.games.dream_factory.scripted.weights import WEIGHTS
from dreamfactory_env.games.dream_factory.state import STATE, Params, State

#: Names in the order of their codes, each with its constants.
SCRIPTED = WEIGHTS
RANDOM, GREEDY, BUILDER, EXPERT = range(len(SCRIPTED))


@jit
def decide(
    s: State,
    t: Params,
    code: int,
    weights: Array,
    buffer: Array,
    count: int,
    stream: Seed,
    moves: int,
) -> int:
    """Returns what a scripted policy plays for the player to move.

    It reads of the state only what that player may know, and changes nothing.

    Args:
        s: The game.
        t: The components.
        code: Which policy, its place in ``SCRIPTED``.
        weights: Its constants, float64 (K,).
        buffer: The legal actions in rising order, int32.
        count: How many there are, at least 1.
        stream: Where chance comes from, for whoever needs it.
        moves: How many moves were played; the place in the stream.
    """
    if code != RANDOM and count == 1:
        return int(buffer[0])
    if code == GREEDY:
        return decide_greedily(s, t, weights, buffer, count)
    if code == RANDOM:
        return int(buffer[random_below(stream, moves, count)])
    outlooks, scratch = np.zeros(1, OUTLOOK), np.empty(1, STATE)
    return decide_by_worth(s, t, code == EXPERT, weights, outlooks, scratch, buffer, count)
