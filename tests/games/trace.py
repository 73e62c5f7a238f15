"""Plays fixed games move by move and prints a hash of every state: the engine's fingerprint.

Run in processes with other settings of Numba or Python it must print the same. A game's own module
``trace`` says with which options it is played, and how.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dreamfactory_env.engine.position import apply_at, legal_at, move_keys_at
from dreamfactory_env.engine.rng import derive_seed, random_below
from dreamfactory_env.games.game import Game

#: Returns how many of the legal moves, the first of them, are drawn from in a position; 1 for the
#: first, given the moves before it and how many are legal.
Drawn = Callable[[Any, int, int], int]


def trace(
    game_cls: type[Game], options: dict[str, Any], games: int, first_seed: int, drawn: Drawn
) -> str:
    """Returns a hash of some random games: states, moves, observations, redraws and results."""
    digest = hashlib.blake2b(digest_size=16)
    actions = np.zeros(game_cls.spec.num_actions, np.int32)
    keys = np.zeros(game_cls.spec.num_actions, np.int64)
    for seed in range(first_seed, first_seed + games):
        game = game_cls(seed=seed, **options)
        stream = derive_seed(np.uint64(seed), 1)
        moves = 0
        while count := game.compiled(legal_at)(game.states, 0, game.params, actions):
            game.compiled(move_keys_at)(game.states, 0, game.params, actions, count, keys)
            digest.update(game.states.tobytes() + actions.tobytes() + keys[:count].tobytes())
            digest.update(game.observe(moves % game.players).tobytes())
            if moves % 16 == 0:
                other = game.resample_hidden(moves // 16 % game.players, moves)
                digest.update(other.states.tobytes())
            choice = random_below(stream, moves, drawn(game, moves, count))
            game.compiled(apply_at)(game.states, 0, game.params, int(actions[choice]))
            moves += 1
        digest.update(game.states.tobytes() + json.dumps(game.result()).encode())
    return digest.hexdigest()


def print_hashes(options: Iterable[dict[str, Any]], hash_of: Callable[..., str]) -> None:
    """Prints the hash of each set of options as JSON."""
    print(json.dumps({json.dumps(values): hash_of(values) for values in options}, indent=1))
