"""Stable-Baselines3 plays one seat of the AEC environment, through the wrapper of the docs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from stable_baselines3.common.env_checker import check_env

from dreamfactory_env import dream_factory_v0
from tests.docs.examples import examples, run
from tests.interop.tally import Tally

CODE = examples("docs/interop.md", "Stable-Baselines3")[1]


def seat_env(players: int, agent: str) -> Any:
    """Returns the wrapper of the docs around a new environment, with random opponents."""
    wrapper = run(CODE.split("\nenv = ")[0], "docs/interop.md")["SeatEnv"]
    rng = np.random.default_rng(players)

    def opponent(seen: dict[str, Any]) -> int:
        return int(rng.choice(np.flatnonzero(seen["action_mask"])))

    return wrapper(dream_factory_v0.env(players=players), agent, opponent)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_is_paid_its_utility_whoever_ends_the_game(players: int, tally: Tally) -> None:
    rng = np.random.default_rng(players)
    for seat in range(players):
        env = seat_env(players, f"player_{seat}")
        for seed in range(5):
            env.reset(seed=seed)
            paid, over = 0.0, False
            while not over:
                _, reward, over, _, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
                paid += reward
            game = env.env.unwrapped.game
            assert paid == pytest.approx(game.returns(game.spec.payoff("win"))[seat])
    assert (tally.games, tally.illegal) == (players * 5, 0)


def test_the_check_of_sb3_passes_though_it_plays_without_the_mask(tally: Tally) -> None:
    for _ in range(5):
        check_env(seat_env(3, "player_1"))
    assert tally.illegal > 0


def test_the_example_of_the_docs_trains_against_itself(tally: Tally) -> None:
    names = run(CODE, "docs/interop.md")
    assert names["model"].num_timesteps == 512
    assert tally.moves > 1000  # the opponents' moves are in it
    assert tally.games > 3
    assert tally.illegal == 0
