"""Checks that copies of every environment, made at any moment, have the same future."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

from dreamfactory_env.games.game import Game
from dreamfactory_env.testing.common import require
from dreamfactory_env.testing.drivers import all_drivers


def check_copies(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks deepcopy, pickle, and clone_state() with restore_state() of all environments."""
    for number in range(games):
        for make in all_drivers():
            shaping = float(number % 2) if game_cls.spec.shaping else 0.0
            driver = make(game_cls, {**options, "shaping": shaping})
            driver.env.restore_state(driver.env.clone_state())
            driver = copy.deepcopy(driver)  # before the first deal, too
            driver.reset(seed + number)
            rng = random.Random(number)
            for _ in range(rng.randrange(400)):
                driver.move(rng)
            clone = driver.env.clone_state()
            others = [copy.deepcopy(driver), pickle.loads(pickle.dumps(driver))]
            future = driver.future()
            where = f"game {number}, {type(driver.env).__name__}"
            for how, other in zip(("deepcopy", "pickle"), others, strict=True):
                require(other.future() == future, f"{where}: {how} has another future")
            for _ in range(2):
                driver.env.restore_state(clone)
                require(driver.future() == future, f"{where}: a clone has another future")
