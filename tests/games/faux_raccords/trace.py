"""Plays fixed games move by move and prints a hash of every state: the engine's fingerprint.

Run in processes with other settings of Numba or Python it must print the same. The arguments are
how many games for each set of options, and the seed of the first.
"""

from __future__ import annotations

import hashlib
import json
import sys

import numpy as np

from dreamfactory_env import FauxRaccords
from dreamfactory_env.engine.position import apply_at, legal_at, move_keys_at
from dreamfactory_env.engine.rng import derive_seed, random_below
from dreamfactory_env.games.faux_raccords.actions import END
from tests.games.faux_raccords.staging import OPTIONS

#: With memory in every other set of options.
ALL: list[dict[str, object]] = [
    {"players": players, "mode": mode, "memory": ("none", "perfect")[k % 2]}
    for k, (mode, players) in enumerate(OPTIONS)
]


def trace(options: dict[str, object], games: int, first_seed: int) -> str:
    """Returns a hash of some random games: states, moves, observations, redraws and results."""
    digest = hashlib.blake2b(digest_size=16)
    actions = np.zeros(FauxRaccords.spec.num_actions, np.int32)
    keys = np.zeros(FauxRaccords.spec.num_actions, np.int64)
    for seed in range(first_seed, first_seed + games):
        game = FauxRaccords(seed=seed, **options)  # type: ignore[arg-type]
        stream = derive_seed(np.uint64(seed), 1)
        moves = 0
        while count := game.compiled(legal_at)(game.states, 0, game.params, actions):
            game.compiled(move_keys_at)(game.states, 0, game.params, actions, count, keys)
            digest.update(game.states.tobytes() + actions.tobytes() + keys[:count].tobytes())
            digest.update(game.observe(moves % game.players).tobytes())
            digest.update(json.dumps([*game.scores(), *game.judge()]).encode())
            if moves % 8 == 0:
                other = game.resample_hidden(moves // 8 % game.players, moves)
                digest.update(other.states.tobytes())
            # Ending the game seldom makes it a long one.
            last = count - 1 if actions[count - 1] == END and moves % 37 else count
            choice = random_below(stream, moves, last)
            game.compiled(apply_at)(game.states, 0, game.params, int(actions[choice]))
            moves += 1
        digest.update(game.states.tobytes() + json.dumps(game.result()).encode())
    return digest.hexdigest()


def main(games: int, first_seed: int) -> None:
    """Prints the hash of each set of options as JSON."""
    hashes = {json.dumps(options): trace(options, games, first_seed) for options in ALL}
    print(json.dumps(hashes, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
