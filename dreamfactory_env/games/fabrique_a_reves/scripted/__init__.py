"""The scripted policies: compiled, each stronger than the one before.

- ``random`` plays any legal move.
- ``nearest`` goes by its own associations. It takes the word and the vial with which the best dream
  of a vial gains most, dreams what is closest, and uses no tools.
- ``schelling`` asks what is clear for others, too. It imagines some tables of other players
  (``imagining``): nobody knows what they associate, so each mind is what the own one leads to
  expect, with noise of its own. How many find the same dream best says with the number of words
  what a vial is worth; it takes the word and the vial with which that gains most, and dreams what
  others are expected to find closest. Tools wait till the vials are nearly full, and go where they
  are worth most then.

Both read nothing but the own mind: the associations that all minds share, no player knows.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, derive_seed, random_below
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.scripted.nearest import nearest
from dreamfactory_env.games.fabrique_a_reves.scripted.schelling import WEIGHTS, schelling
from dreamfactory_env.games.fabrique_a_reves.state import Params, State

#: Names in the order of their codes, each with its constants.
SCRIPTED = {
    "random": np.zeros(len(WEIGHTS)),
    "nearest": np.zeros(len(WEIGHTS)),
    "schelling": WEIGHTS,
}
RANDOM, NEAREST, SCHELLING = range(len(SCRIPTED))


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
        t: The lexicon.
        code: Which policy, its place in ``SCRIPTED``.
        weights: Its constants, float64 (K,).
        buffer: The legal actions in rising order, int32.
        count: How many there are, at least 1.
        stream: Where chance comes from, for whoever needs it.
        moves: How many moves were played; the place in the stream.
    """
    if code == RANDOM:
        return int(buffer[random_below(stream, moves, count)])
    if count == 1:
        return int(buffer[0])
    if code == NEAREST:
        return nearest(s, t, buffer, count)
    return schelling(s, t, weights, buffer, count, derive_seed(stream, moves))
