"""The fingerprint of the engine over games of Faux Raccords, see ``tests.games.trace``.

The arguments are how many games for each set of options, and the seed of the first.
"""

from __future__ import annotations

import sys

from dreamfactory_env import FauxRaccords
from tests.games.faux_raccords.staging import OPTIONS
from tests.games.trace import print_hashes
from tests.games.trace import trace as trace_of

#: With memory in every other set of options.
ALL: list[dict[str, object]] = [
    {"players": players, "mode": mode, "memory": ("none", "perfect")[k % 2]}
    for k, (mode, players) in enumerate(OPTIONS)
]


def drawn(game: FauxRaccords, moves: int, count: int) -> int:
    """Ending the game, the last of the actions, seldom makes it a long one."""
    return count - 1 if game.phase == "action" and moves % 37 else count


def trace(options: dict[str, object], games: int, first_seed: int) -> str:
    """Returns a hash of some random games: states, moves, observations, redraws and results."""
    return trace_of(FauxRaccords, options, games, first_seed, drawn)


if __name__ == "__main__":
    print_hashes(ALL, lambda options: trace(options, int(sys.argv[1]), int(sys.argv[2])))
