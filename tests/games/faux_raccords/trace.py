"""The fingerprint of the engine over games of Faux Raccords, see ``tests.games.trace``.

The arguments are how many games for each set of options, and the seed of the first.
"""

from __future__ import annotations

import sys

from dreamfactory_env import FauxRaccords
from tests.games.faux_raccords.staging import MODES
from tests.games.trace import print_hashes
from tests.games.trace import trace as trace_of

OPTIONS = [
    {"players": players, "mode": mode, "memory": memory}
    for mode in MODES
    for players, memory in ((2, "perfect"), (3, "none"), (4, "perfect"))
]


def drawn(game: FauxRaccords, moves: int, count: int) -> int:
    """All moves but `end`, the last, so that games are long."""
    return max(count - 1, 1) if game.phase == "action" else count


def trace(options: dict[str, object], games: int, first_seed: int) -> str:
    """Returns a hash of some random games: states, moves, observations, redraws and results."""
    return trace_of(FauxRaccords, options, games, first_seed, drawn)


if __name__ == "__main__":
    print_hashes(OPTIONS, lambda options: trace(options, int(sys.argv[1]), int(sys.argv[2])))
