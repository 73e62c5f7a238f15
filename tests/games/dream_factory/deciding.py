"""What scripted policies answer in a position, and whole games of theirs as a fingerprint.

Run as a program it prints the fingerprint; in processes with other settings of Numba it must print
the same.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.dream_factory.legal import legal
from dreamfactory_env.games.dream_factory.scripted import decide

POLICIES = list(DreamFactory.spec.scripted)
WEIGHTS = np.array([DreamFactory.spec.scripted[name] for name in POLICIES])


@jit
def answers_at(
    states: Records,
    params: Records,
    weights: Array,
    buffer: Array,
    stream: Seed,
    moves: int,
    out: Array,
) -> int:
    """Writes what each policy plays in a game, and returns how many legal actions there are."""
    count = legal(states[0], params[0], buffer)
    for code in range(len(out)):
        out[code] = decide(states[0], params[0], code, weights[code], buffer, count, stream, moves)
    return count


def answers(game: DreamFactory, moves: int = 0) -> dict[str, int]:
    """Returns the action that each policy plays, and checks that all are legal."""
    buffer = np.empty(game.spec.num_actions, np.int32)
    out = np.empty(len(POLICIES), np.int64)
    stream = np.uint64(1)
    count = answers_at(game.states, game.params, WEIGHTS, buffer, stream, moves, out)
    assert set(out.tolist()) <= set(buffer[:count].tolist())
    return dict(zip(POLICIES, out.tolist(), strict=True))


def answer(game: DreamFactory, policy: str) -> str:
    """Returns the move that a policy plays, in words."""
    words = {action: words for words, action in game.legal_actions().items()}
    return words[answers(game)[policy]]


def games_of(players: int, edition: str, games: int) -> str:
    """Returns a hash of games in which all policies sit at the table, and of their results."""
    digest = hashlib.blake2b(digest_size=16)
    for seed in range(games):
        game = DreamFactory(players, seed=seed, edition=edition, choose_studio=seed % 2 == 1)
        names = [POLICIES[-1 - (seat + seed) % len(POLICIES)] for seat in range(players)]
        seats = [[POLICIES.index(name) for name in names]]
        payoff = game.spec.payoff()
        batch = GameBatch(game, 1, Settings(payoff), arrangements=seats, keep_moves=True)
        batch.deal(seeds=np.array([seed], np.uint64))
        played = batch.actions[0, : int(batch.rows["moves"][0])]
        digest.update(played.tobytes() + json.dumps(batch.game_at(0).result()).encode())
    return digest.hexdigest()


def fingerprint() -> dict[str, Any]:
    """Returns the hashes of some games for two to five players."""
    return {
        f"{players} {edition}": games_of(players, edition, 2)
        for players, edition in [
            *((2, "dream_factory"), (3, "traumfabrik")),
            *((4, "dream_factory"), (5, "traumfabrik")),
        ]
    }


if __name__ == "__main__":
    print(json.dumps(fingerprint()))
