"""A player that sees every card: the ceiling beside which honest ones are shown.

It thinks as ``careful`` does and knows what lies everywhere, which no player may: it is not on the
ladder, and nobody can be seated beside it. In `series` and `arcs`, where a card has to leave room
for others, it puts cards where ``convention`` does.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, derive_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.scripted import SCRIPTED, think
from dreamfactory_env.games.faux_raccords.scripted.weights import BY_MODE
from dreamfactory_env.games.faux_raccords.setup import CARDS_OF_MODE
from dreamfactory_env.games.faux_raccords.state import Mode, Params, State

#: The modes in which it keeps to the places of ``convention``, and its constants.
_MAPPED = (Mode.SERIES, Mode.ARCS)
_PARTS = {
    mode: SCRIPTED["convention" if mode in _MAPPED else "careful"].reshape(-1, BY_MODE)[mode]
    for mode in Mode
}
SEEING = np.concatenate(list(_PARTS.values()))


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
    maps = t.mode == Mode.SERIES or t.mode == Mode.ARCS
    return think(s, t, weights, everything, maps, derive_seed(stream, moves))
