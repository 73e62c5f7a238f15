"""Checks of observations: their bounds, and that a cache changes nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from dreamfactory_env.engine.position import observe_at
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game
from dreamfactory_env.testing.common import choose, positions, require


def check_observations(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that observations are within their bounds, and what the stepper writes is the same."""
    for game, where in positions(game_cls, games, seed, options):
        spec = game.spec.observation
        for player in range(game.players):
            seen = game.observe(player)
            for block in spec.blocks.values():
                numbers = seen[block.slice]
                within = bool((numbers >= block.low).all() and (numbers <= block.high).all())
                where_ = f"{where}, player {player}: {block.name!r} of the observation"
                require(within, f"{where_} is out of its bounds")
    _check_cache(game_cls(seed=0, **options), games, seed)


def _check_cache(game: Game, games: int, seed: int) -> None:
    """Checks that the stepper, which reuses what it has seen before, writes the observation.

    Now and then the games change rows, so that every cache is one of another game.
    """
    batch = GameBatch(game, games + 1, Settings(game.spec.payoff(), deal_again=True))
    batch.configure(seed=np.uint64(seed))
    batch.deal()
    rng, mixed = random.Random(seed), np.random.default_rng(seed)
    plain, observe = np.empty_like(batch.observations[0]), game.compiled(observe_at)
    for step in range(100):
        batch.advance(batch.every, choose(batch.masks, rng))
        if step % 7 == 0:
            order = mixed.permutation(len(batch))
            for array in (batch.states, batch.rows):
                array[:] = array[order].copy()
            batch.resume(batch.every)
        for index in range(len(batch)):
            player = int(batch.rows["current_player"][index])
            observe(batch.states, index, game.params, player, plain)
            same = plain.tobytes() == batch.observations[index].tobytes()
            require(same, f"step {step}, row {index}: the cached observation is another one")
