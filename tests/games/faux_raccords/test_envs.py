"""Faux Raccords passes the suites of PettingZoo, Gymnasium and Stable-Baselines3 in every mode."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from dreamfactory_env import faux_raccords_v0
from tests.envs.test_aec import SUITE_WARNINGS
from tests.games.faux_raccords.trace import ALL

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's, of its own modules
    from pettingzoo.test import api_test, seed_test


@SUITE_WARNINGS
@pytest.mark.parametrize("options", ALL, ids=lambda o: " ".join(map(str, o.values())))
def test_the_suites_pass(options: dict[str, Any]) -> None:
    def make() -> Any:
        return faux_raccords_v0.env(**options)

    api_test(make(), num_cycles=100, verbose_progress=False)
    seed_test(make, num_cycles=30)
    env = gymnasium.make("FauxRaccords-v0", **options).unwrapped
    check_env(env)
    sb3_check_env(env)
