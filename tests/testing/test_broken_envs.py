"""Environments that play something else than the game are found out by the conformance suite."""

from __future__ import annotations

from typing import Any

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.sb3 import SelfPlayVecEnv, SingleAgentVecEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.game import Game
from dreamfactory_env.testing import agreement
from dreamfactory_env.testing.copies import check_copies
from dreamfactory_env.testing.credit import check_credit
from tests.toy_game import SignalGame

ENVS = [RawEnv, SingleAgentEnv, SingleAgentVectorEnv, SelfPlayBatch]
SB3_ENVS = [SingleAgentVecEnv, SelfPlayVecEnv]
#: Each game with options, and with others that make another game.
GAMES_AND_OTHERS = [
    (DreamFactory, {"players": 3}, {"edition": "traumfabrik"}),
    (SignalGame, {"players": 3}, {"goal": 2}),
]


@pytest.mark.parametrize("env", [env.__name__ for env in ENVS])
@pytest.mark.parametrize(("game_cls", "options", "others"), GAMES_AND_OTHERS)
def test_an_environment_that_plays_another_game(
    toy: Any,
    env: str,
    game_cls: type[Game],
    options: dict[str, Any],
    others: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = getattr(agreement, env)
    monkeypatch.setattr(
        agreement, env, lambda *given, **named: right(*given, **{**named, **others})
    )
    with pytest.raises(AssertionError, match=r"seed \d+"):
        agreement.compare(game_cls, 64, 0, **options)


@pytest.mark.parametrize("env", SB3_ENVS)
@pytest.mark.parametrize(("game_cls", "options", "others"), GAMES_AND_OTHERS)
def test_an_environment_for_sb3_that_plays_another_game(
    toy: Any,
    env: Any,
    game_cls: type[Game],
    options: dict[str, Any],
    others: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        f"dreamfactory_env.envs.sb3.{env.__name__}",
        lambda *given, **named: env(*given, **{**named, **others}),
    )
    with pytest.raises(AssertionError, match=f"step .*: {env.__name__} differs from"):
        agreement.check_agreement(game_cls, 1, 0, **options)


def test_an_environment_that_pays_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    right = RawEnv
    monkeypatch.setattr(
        agreement, "RawEnv", lambda *given, **named: right(*given, **{**named, "reward": "rank"})
    )
    with pytest.raises(AssertionError, match="pays"):
        agreement.compare(DreamFactory, 4, 0, players=3, reward="win")


@pytest.mark.parametrize("env", [*ENVS, *SB3_ENVS])
@pytest.mark.parametrize("game_cls", [DreamFactory, SignalGame])
def test_an_environment_whose_clones_are_none(
    toy: Any, game_cls: type[Game], env: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(env, "restore_state", lambda env, clone: None)
    with pytest.raises(AssertionError, match=f"{env.__name__}: a clone has another future"):
        check_copies(game_cls, 2, 0, players=2)


@pytest.mark.parametrize("env", [RawEnv, SingleAgentEnv, SingleAgentVectorEnv, SelfPlayBatch])
@pytest.mark.parametrize("game_cls", [DreamFactory, SignalGame])
def test_an_environment_that_forgets_to_pay(
    toy: Any, game_cls: type[Game], env: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = env.step

    def stingy(env: Any, action: Any) -> Any:
        found = step(env, action)
        if isinstance(env, RawEnv):
            env._cumulative_rewards = dict.fromkeys(env._cumulative_rewards, 0.0)
        elif isinstance(env, SelfPlayBatch):
            env.rewards[:] = 0
        else:
            seen, reward, *rest = found
            return seen, reward * 0, *rest
        return None

    monkeypatch.setattr(env, "step", stingy)
    with pytest.raises(AssertionError, match="paid"):
        check_credit(game_cls, 3, 0, players=2)
