"""The fingerprint of the engine over games of Dream Factory, see ``tests.games.trace``.

The arguments are how many games for each set of options, and the seed of the first.
"""

from __future__ import annotations

import itertools
import sys

from dreamfactory_env import DreamFactory
from tests.games.trace import print_hashes
from tests.games.trace import trace as trace_of

OPTIONS = [
    {"players": players, "edition": edition, "hidden_money": money, "choose_studio": choose}
    for (players, money), edition, choose in itertools.product(
        zip((2, 3, 4, 5), ("always", "rule", "never", "rule"), strict=True),
        ("dream_factory", "traumfabrik"),
        (False, True),
    )
]


def drawn(game: DreamFactory, moves: int, count: int) -> int:
    """Placing rather than discarding, and passing half of the time, finishes films."""
    if game.phase == "auction" and moves % 2:
        return 1
    return max(count - len(game.hand), 1)


def trace(options: dict[str, object], games: int, first_seed: int) -> str:
    """Returns a hash of some random games: states, moves, observations, redraws and results."""
    return trace_of(DreamFactory, options, games, first_seed, drawn)


if __name__ == "__main__":
    print_hashes(OPTIONS, lambda options: trace(options, int(sys.argv[1]), int(sys.argv[2])))
