"""TorchRL plays through its PettingZooWrapper."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torchrl.envs import MarlGroupMapType, PettingZooWrapper, SerialEnv, check_env_specs

from dreamfactory_env import dream_factory_v0
from tests.docs.examples import examples, run
from tests.interop.tally import Tally

MAKERS: dict[str, Any] = {"env": dream_factory_v0.env, "raw_env": dream_factory_v0.raw_env}


@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("maker", MAKERS)
def test_specs_hold_and_random_games_are_legal_and_paid(
    maker: str, players: int, edition: str, tally: Tally
) -> None:
    env = PettingZooWrapper(MAKERS[maker](players=players, edition=edition), use_mask=True)
    check_env_specs(env)
    for seed in range(2):
        torch.manual_seed(seed)
        env.set_seed(seed)
        game = env.rollout(10_000)
        assert game["next", "done"].sum() == 1
        paid = [game["next", player, "reward"].sum().item() for player in env.group_map]
        winners = env.unwrapped.game.winners()
        assert [seat for seat, worth in enumerate(paid) if worth > 0] == winners
        assert sum(paid) == pytest.approx(0, abs=1e-6)
    assert tally.games >= 2
    assert tally.illegal == 0


def test_all_players_in_one_group_one_hot_actions_and_the_state(tally: Tally) -> None:
    options: list[dict[str, Any]] = [
        {"group_map": MarlGroupMapType.ALL_IN_ONE_GROUP},
        {"categorical_actions": False},
        {"return_state": True},
    ]
    for option in options:
        env = PettingZooWrapper(dream_factory_v0.env(players=3), use_mask=True, **option)
        check_env_specs(env)
        assert env.rollout(10_000)["next", "done"].sum() == 1
    assert tally.games >= 3
    assert tally.illegal == 0


def test_the_example_of_the_docs(tally: Tally) -> None:
    (code,) = examples("docs/interop.md", "TorchRL")
    names = run(code, "docs/interop.md")
    assert names["moves"].shape == (1000,)
    assert names["games"].shape == (2, 500)
    assert (
        tally.games >= names["moves"]["next", "done"].sum() + names["games"]["next", "done"].sum()
    )
    assert tally.games > 5
    assert tally.illegal == 0


def test_a_batch_without_a_policy_ignores_the_masks(tally: Tally) -> None:
    def make() -> Any:
        return PettingZooWrapper(dream_factory_v0.env(players=3), use_mask=True)

    SerialEnv(2, make).rollout(20, break_when_any_done=False)
    assert tally.illegal > 0


def test_an_illegal_move_would_be_seen(tally: Tally) -> None:
    env = PettingZooWrapper(dream_factory_v0.env(players=3), use_mask=True)
    state = env.rand_action(env.reset(seed=1))
    (mover,) = [player for player in env.group_map if state[player, "mask"]]
    assert not state[mover, "action_mask"][0, 62]
    state[mover, "action"] = torch.tensor([62])
    after = env.step(state)["next"]
    assert after["done"]
    assert after[mover, "reward"] == -1
    assert tally.illegal == 1
