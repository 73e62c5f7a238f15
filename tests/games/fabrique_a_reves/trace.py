"""The fingerprint of the engine over games of La Fabrique à rêves, see ``tests.games.trace``.

The arguments are how many games for each set of options, the seed of the first, and perhaps
``few`` if a few sets of options are enough.
"""

from __future__ import annotations

import sys

from dreamfactory_env import FabriqueAReves
from tests.games.fabrique_a_reves.staging import OPTIONS
from tests.games.trace import print_hashes
from tests.games.trace import trace as trace_of

#: With other minds and labels in every third set of options.
ALL: list[dict[str, object]] = [
    {
        "players": players,
        "mode": mode,
        "minds": ("noisy", "noisy", "same")[k % 3],
        "labels": ("mind", "list", "mind")[k % 3],
    }
    for k, (mode, players) in enumerate(OPTIONS)
]
#: One for each mode: every number of players, both minds and labels.
FEW = [ALL[4 * mode + mode % 4] for mode in range(9)]
#: One theme, two, and none with all tools, for runs that are slow.
FEWER = [FEW[0], FEW[5], FEW[7]]


def drawn(game: FabriqueAReves, moves: int, count: int) -> int:
    """Passing, the last of the actions of a turn, seldom makes a game a long one."""
    return count - 1 if game.phase == "thoughts" and count > 1 and moves % 7 else count


def trace(options: dict[str, object], games: int, first_seed: int) -> str:
    """Returns a hash of some random games: states, moves, observations, redraws and results."""
    return trace_of(FabriqueAReves, options, games, first_seed, drawn)


if __name__ == "__main__":
    which = FEWER if sys.argv[3:] == ["few"] else ALL
    print_hashes(which, lambda options: trace(options, int(sys.argv[1]), int(sys.argv[2])))
