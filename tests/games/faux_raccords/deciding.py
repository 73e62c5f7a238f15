"""What scripted policies answer in a position, and answers in some games as a fingerprint.

Run as a program it prints the fingerprint; in processes with other settings of Numba it must print
the same.
"""

from __future__ import annotations

import json
import random

import numpy as np

from dreamfactory_env import FauxRaccords
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.faux_raccords.legal import legal
from dreamfactory_env.games.faux_raccords.scripted import decide
from tests.games.faux_raccords.staging import MODES

POLICIES = list(FauxRaccords.spec.scripted)
WEIGHTS = np.array([FauxRaccords.spec.scripted[name] for name in POLICIES])


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


def answers(game: FauxRaccords, moves: int = 0) -> dict[str, int]:
    """Returns the action that each policy plays, and checks that all are legal."""
    buffer = np.empty(game.spec.num_actions, np.int32)
    out = np.empty(len(POLICIES), np.int64)
    count = answers_at(game.states, game.params, WEIGHTS, buffer, np.uint64(1), moves, out)
    assert set(out.tolist()) <= set(buffer[:count].tolist())
    return dict(zip(POLICIES, out.tolist(), strict=True))


def answer(game: FauxRaccords, policy: str) -> str:
    """Returns the move that a policy plays, in words."""
    words = {action: words for words, action in game.legal_actions().items()}
    return words[answers(game)[policy]]


def fingerprint(moves: int = 24) -> dict[str, list[int]]:
    """Returns what the policies answer in a game of each mode, every other move at random."""
    found = {}
    for number, mode in enumerate(MODES):
        rng = random.Random(number)
        game = FauxRaccords(2 + number % 3, seed=number, mode=mode, memory="perfect")
        given: list[int] = []
        while not game.over and len(given) < moves:
            given += answers(game, len(given)).values()
            policy = rng.choice(POLICIES)
            legal_moves = [move for move in game.legal() if move != "end"]
            game.play(rng.choice(legal_moves) if policy == "random" else answer(game, policy))
        found[mode] = given
    return found


if __name__ == "__main__":
    print(json.dumps(fingerprint()))
