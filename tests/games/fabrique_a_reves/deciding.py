"""What scripted policies answer in a position, and answers in some games as a fingerprint.

Run as a program it prints the fingerprint; in processes with other settings of Numba it must print
the same.
"""

from __future__ import annotations

import json
import random

import numpy as np

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.fabrique_a_reves.legal import legal
from dreamfactory_env.games.fabrique_a_reves.scripted import decide

POLICIES = list(FabriqueAReves.spec.scripted)
WEIGHTS = np.array([FabriqueAReves.spec.scripted[name] for name in POLICIES])


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


def answers(game: FabriqueAReves, moves: int = 0) -> dict[str, int]:
    """Returns the action that each policy plays, and checks that all are legal."""
    buffer = np.empty(game.spec.num_actions, np.int32)
    out = np.empty(len(POLICIES), np.int64)
    count = answers_at(game.states, game.params, WEIGHTS, buffer, np.uint64(1), moves, out)
    assert set(out.tolist()) <= set(buffer[:count].tolist())
    return dict(zip(POLICIES, out.tolist(), strict=True))


def answer(game: FabriqueAReves, policy: str) -> str:
    """Returns the move that a policy plays, in words."""
    words = {action: words for words, action in game.legal_actions().items()}
    return words[answers(game)[policy]]


def fingerprint(moves: int = 4) -> list[int]:
    """Returns what the policies answer early and late in thoughts, and in dreams."""
    given: list[int] = []
    rng = random.Random(0)
    game = FabriqueAReves(2, seed=4, mode="wednesday")
    for step in range(moves):
        given += answers(game, step).values()
        for _ in range(4):
            game.play(rng.choice(game.legal()))
    return given


if __name__ == "__main__":
    print(json.dumps(fingerprint()))
