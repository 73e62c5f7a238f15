"""The scripted policies: compiled, each stronger than the one before.

- ``random`` plays any legal move.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.state import Params, State

#: Names in the order of their codes, each with its constants.
SCRIPTED = {"random": np.zeros(0)}
RANDOM = 0


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
    """Returns what a scripted policy plays for the player to move."""
    return int(buffer[random_below(stream, moves, count)])
