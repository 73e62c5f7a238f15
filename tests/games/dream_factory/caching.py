"""Games whose observations are written twice, with caches and without.

Run as a program it prints a hash of both; in processes with other settings of Numba it must print
the same.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.dream_factory.observation_cache import (
    OBSERVATION_CACHE,
    observe_cached,
)
from dreamfactory_env.games.dream_factory.observation_spec import OBSERVATION_SPEC
from tests.games.dream_factory.component_files import changed, components_of
from tests.paths import ROOT

#: Options of games that share caches, with three sets of components.
OPTIONS: tuple[dict[str, Any], ...] = (
    {"players": 2, "edition": "traumfabrik"},
    {"players": 3, "hidden_money": "never"},
    {"players": 4, "choose_studio": True},
    {"players": 4, "components": components_of(changed(("stars: 3", "stars: 4")))},
    {"players": 5, "edition": "traumfabrik", "choose_studio": True, "hidden_money": "always"},
    {"players": 2, "components": ROOT / "configs/games/tiny.yaml"},
)


@jit
def look_at(
    states: Records, params: Records, player: int, caches: Records, index: int, out: Array
) -> None:
    """Writes what a player sees, with one of several caches."""
    observe_cached(states[0], params[0], player, caches[index], out)


def seen_through(caches: Records, index: int, game: DreamFactory, player: int) -> Array:
    """Returns what a player sees, written over garbage."""
    out = np.full(OBSERVATION_SPEC.size, np.nan, np.float32)
    look_at(game.states, game.params, player, caches, index, out)
    return out


def new_caches(count: int) -> Records:
    return np.zeros(count, OBSERVATION_CACHE)


def looks(seed: int, moves: int, cache_count: int) -> Iterator[tuple[Array, Array]]:
    """Yields observations with and without caches.

    Games of all options are played in random order; somebody looks through one of the caches,
    whichever game and player it has seen before. Games that are over are dealt anew.
    """
    rng = random.Random(seed)
    caches = new_caches(cache_count)
    games = [DreamFactory(seed=rng.getrandbits(40), **options) for options in OPTIONS]
    for _ in range(moves):
        number = rng.randrange(len(games))
        game, player = games[number], rng.randrange(games[number].players)
        yield seen_through(caches, rng.randrange(cache_count), game, player), game.observe(player)
        if game.over:
            games[number] = DreamFactory(seed=rng.getrandbits(40), **OPTIONS[number])
        else:
            game.play(rng.choice(game.legal()))


def fingerprint() -> str:
    """Returns a hash of some observations, those with caches first."""
    digest = hashlib.blake2b(digest_size=16)
    for seen, plain in looks(1, 150, 2):
        digest.update(seen.tobytes() + plain.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    print(fingerprint())
