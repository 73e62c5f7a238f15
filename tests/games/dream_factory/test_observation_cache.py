"""Observations with a cache: bit for bit the same as without, whatever the cache has seen."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.state import STATE, Phase
from tests.engine.test_compiled import run
from tests.games.dream_factory.caching import (
    OPTIONS,
    fingerprint,
    looks,
    new_caches,
    seen_through,
)


@pytest.mark.parametrize("cache_count", [1, 3, 20])
def test_games_that_share_caches_in_any_order_are_seen_as_without(cache_count: int) -> None:
    for seen, plain in looks(cache_count, 4000, cache_count):
        assert seen.tobytes() == plain.tobytes()


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options)))
def test_whole_games_are_seen_by_all_players_through_one_cache(options: dict[str, object]) -> None:
    rng = random.Random(1)
    caches = new_caches(1)
    for seed in range(4):
        game = DreamFactory(seed=seed, **options)  # type: ignore[arg-type]
        while True:
            for player in range(game.players):
                assert seen_through(caches, 0, game, player).tobytes() == (
                    game.observe(player).tobytes()
                )
            if game.over:
                break
            game.play(rng.choice(game.legal()))


def position(players: int, seed: int) -> DreamFactory:
    """Returns a game in which random moves were played, but not the last ones."""
    game = DreamFactory(players, seed=seed)
    rng = random.Random(seed)
    for _ in range(rng.randrange(20, 40 * players)):
        game.play(rng.choice(game.legal()))
    return game


@pytest.mark.parametrize("name", [name for name in STATE.names or () if name != "spare"])
def test_every_field_of_a_state_is_looked_at_anew(name: str) -> None:
    """Between two looks a single field changes: no part may be kept that depends on it."""
    constant = ("edition", "hidden_money", "choose_studio", "tokenless", "best_director")
    changes = 0
    for seed in range(60):
        players = 2 + seed % 4
        game, other = position(players, seed), position(players, seed + 1000)
        # What seats have that nobody has is not seen.
        game.state.in_production[players:] = 0
        game.state.best_director = players
        caches = new_caches(1)
        seen_through(caches, 0, game, seed % players)
        before = caches.copy(), game.states[name].tobytes()
        changed = {**dict.fromkeys(constant, 1), "players": min(players + 1, 5)}
        changed["phase"] = Phase.STUDIO if seed % 2 else Phase.OVER
        game.states[name] = changed.get(name, other.states[name])
        changes += game.states[name].tobytes() != before[1]
        for player in range(game.players):
            caches[:] = before[0]
            seen, plain = seen_through(caches, 0, game, player), game.observe(player)
            assert seen.tobytes() == plain.tobytes()
    assert changes > 0


def test_a_cache_of_other_components_is_not_used() -> None:
    caches = new_caches(1)
    changes = 0
    for seed in range(8):
        game, other = position(4, seed), DreamFactory(seed=0, **OPTIONS[3])
        other.states[:] = game.states
        changes += other.observe(0).tobytes() != game.observe(0).tobytes()
        for which in (game, other, game):
            assert seen_through(caches, 0, which, 0).tobytes() == which.observe(0).tobytes()
    assert changes > 0


@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_uncompiled_and_checked_code_sees_the_same(setting: str) -> None:
    printed = run("-m", "tests.games.dream_factory.caching", environment={setting: "1"})
    assert printed.strip() == fingerprint()


def test_a_cache_that_is_garbage_is_no_harm_if_its_components_are_unknown() -> None:
    rng = np.random.default_rng(1)
    for seed in range(20):
        game = position(4, seed)
        caches = new_caches(1)
        caches.view(np.uint8)[:] = rng.integers(0, 256, caches.nbytes, np.uint8)
        assert seen_through(caches, 0, game, 1).tobytes() == game.observe(1).tobytes()
