"""What the checks share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game

#: In games that may be longer than this, only every fifth position is looked at: neighbours have
#: little to add.
LONG_GAME = 50


def require(condition: bool, message: str) -> None:
    """Raises AssertionError with the message, also where Python leaves out its own assertions."""
    if not condition:
        raise AssertionError(message)


def positions(
    game_cls: type[Game], games: int, seed: int, options: dict[str, Any]
) -> Iterator[tuple[Game, str]]:
    """Gives positions of random games, ends included, each with words that say where it is."""
    for number in range(games):
        game = game_cls(seed=seed + number, **options)
        rng = random.Random(number)
        every = 5 if game.spec.max_length > LONG_GAME else 1
        moves = 0
        while True:
            if moves % every == number % every or game.over:
                yield game.copy(), f"seed {seed + number}, move {moves}"
            if game.over:
                break
            game.play(rng.choice(game.legal()))
            moves += 1
            # Compiled loops rely on it.
            longer = f"seed {seed + number}: the game is longer than its max_length says"
            require(moves <= game.spec.max_length, longer)


def choose(masks: Array, rng: random.Random) -> Array:
    """Returns a random legal action for each row, 0 where there is none; int64 (n,)."""
    return np.array([rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in masks], np.int64)


def payments(game_cls: type[Game]) -> Iterator[dict[str, Any]]:
    """Gives every way in which a game can be paid, as options of environments."""
    for reward in game_cls.spec.rewards:
        for shaping in (0.0, 0.5) if game_cls.spec.shaping else (0.0,):
            yield {"reward": reward, "shaping": shaping}
