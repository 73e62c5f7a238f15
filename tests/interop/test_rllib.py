"""RLlib plays through its PettingZooEnv, and trains PPO with its masking module."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import dream_factory_v0
from tests.docs.examples import examples, run
from tests.interop.tally import Tally


@pytest.fixture(scope="module", autouse=True)
def ray() -> Iterator[Any]:
    """Runs Ray with a home folder that goes away: it keeps results and other things there."""
    with tempfile.TemporaryDirectory(prefix="ray-") as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", home)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=home)
        yield ray
        ray.shutdown()


@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_are_legal_and_everybody_is_paid(
    players: int, edition: Any, tally: Tally
) -> None:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    env = PettingZooEnv(dream_factory_v0.env(players=players, edition=edition))
    rng = np.random.default_rng(players)
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        paid = dict.fromkeys(sorted(env.possible_agents), 0.0)
        over = False
        while not over:
            ((agent, what),) = seen.items()
            action = rng.choice(np.flatnonzero(what["action_mask"]))
            seen, rewards, terminated, _, _ = env.step({agent: action})
            for rewarded, reward in rewards.items():
                paid[rewarded] += reward
            over = terminated["__all__"]
        winners = env.env.unwrapped.game.winners()
        assert [seat for seat, worth in enumerate(paid.values()) if worth > 0] == winners
        assert sum(paid.values()) == pytest.approx(0)
    assert (tally.games, tally.illegal) == (3, 0)


def test_the_example_of_the_docs_trains(tally: Tally) -> None:
    (code,) = examples("docs/interop.md", "RLlib")
    result = run(code, "docs/interop.md")["result"]
    played = result["env_runners"]
    assert played["num_env_steps_sampled"] == 1000 == tally.moves
    assert played["num_episodes"] == tally.games > 0
    assert sum(played["agent_episode_returns_mean"].values()) == pytest.approx(0)
    learned = result["learners"]["shared"]
    assert learned["num_module_steps_trained"] >= 2000
    assert np.isfinite(learned["total_loss"])
    assert tally.illegal == 0


def test_its_check_plays_without_the_mask_which_loses_a_game_or_raises(tally: Tally) -> None:
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    (code,) = examples("docs/interop.md", "RLlib")
    masked = run(code.split("module = ")[0], "docs/interop.md")["MaskedEnv"]

    def check(**options: Any) -> None:
        for _ in range(20):  # its actions are random: one of them will be illegal
            check_multiagent_environments(masked({"players": 3, **options}))

    check()
    assert tally.illegal > 0
    with pytest.raises(ValueError, match="step"):
        check(illegal="raise")
