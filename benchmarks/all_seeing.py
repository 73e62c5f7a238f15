"""A player of Faux Raccords that sees every card: the ceiling beside which honest ones are shown.

It thinks as ``careful`` does and knows what lies everywhere, which no player may: it is not on the
ladder, and no command knows it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dreamfactory_env import FauxRaccords
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, derive_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.scripted import think
from dreamfactory_env.games.faux_raccords.setup import CARDS_OF_MODE
from dreamfactory_env.games.faux_raccords.state import Params, State


@jit
def decide_seeing_all(
    s: State,
    t: Params,
    code: int,
    weights: Array,
    buffer: Array,
    count: int,
    stream: Seed,
    moves: int,
) -> int:
    """Returns what the player plays, whatever the code; arguments as of any policy."""
    if count == 1:
        return int(buffer[0])
    everything = (1 << CARDS_OF_MODE[int(t.mode)]) - 1
    return think(s, t, weights, everything, False, derive_seed(stream, moves))


class SeenFauxRaccords(FauxRaccords):
    """Faux Raccords whose scripted policies, all of them, see every card."""

    kernels = replace(FauxRaccords.kernels, decide=decide_seeing_all, bound={})


#: The constants with which it plays.
WEIGHTS = np.copy(FauxRaccords.spec.scripted["careful"])
