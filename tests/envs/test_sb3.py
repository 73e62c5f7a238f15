"""The environments for stable-baselines3, with the real thing."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from dreamfactory_env import IllegalMove, OptionError
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.sb3 import SelfPlayVecEnv, SingleAgentVecEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.dream_factory.game import DreamFactory
from tests.docs.examples import examples, run
from tests.interop.tally import count_moves

SMALL: dict[str, Any] = {"n_steps": 64, "batch_size": 64, "n_epochs": 1, "seed": 1}


def choose(masks: Array, rng: random.Random) -> Array:
    """Returns a random legal action for each game."""
    return np.array([rng.choice(np.flatnonzero(mask).tolist()) for mask in masks])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_check_of_sb3_passes(players: int) -> None:
    check_env(gymnasium.make("DreamFactory-v0", players=players))


def test_maskable_ppo_trains_without_an_illegal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = count_moves(monkeypatch)
    code = examples("docs/interop.md", "Stable-Baselines3")[0]
    model = run(code, "docs/interop.md")["model"]
    assert model.num_timesteps == 2048 == tally.moves
    assert tally.games > 10
    assert tally.illegal == 0


def test_an_illegal_move_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = count_moves(monkeypatch)
    env = gymnasium.make("DreamFactory-v0", players=3)
    env.reset(seed=1)
    env.step(62)
    assert (tally.games, tally.illegal) == (1, 1)


@pytest.mark.parametrize("make", [SingleAgentVecEnv, SelfPlayVecEnv])
def test_maskable_ppo_trains_on_the_batched_environments(make: Any, tmp_path: Any) -> None:
    # illegal actions would raise
    strict = {"illegal": "raise"} if make is SingleAgentVecEnv else {}
    envs = VecMonitor(make("dream_factory", 8, players=3, shaping=0.5, **strict))
    assert is_masking_supported(envs)
    model = MaskablePPO("MlpPolicy", envs, **SMALL)
    model.learn(2048)
    assert len(model.ep_info_buffer or ()) > 0
    model.save(tmp_path / "model")
    again = MaskablePPO.load(tmp_path / "model", env=envs, device="cpu")
    seen = envs.reset()
    masks = get_action_masks(envs)
    assert isinstance(seen, np.ndarray)
    actions = again.predict(seen, action_masks=masks, deterministic=True)[0]
    assert (
        actions.tolist() == model.predict(seen, action_masks=masks, deterministic=True)[0].tolist()
    )
    assert all(mask[action] for mask, action in zip(masks, actions, strict=True))


def test_the_single_agent_environment_is_the_vector_environment() -> None:
    ours = SingleAgentVecEnv("dream_factory", 6, players=3, reward="rank")
    theirs = SingleAgentVectorEnv(
        6, game="dream_factory", players=3, reward="rank", autoreset_mode="SameStep"
    )
    ours.seed(40)
    assert ours.reset().tobytes() == theirs.reset(seed=40)[0].tobytes()
    rng = random.Random(1)
    ended = 0
    for _ in range(150):
        actions = choose(ours.action_masks(), rng)
        seen, rewards, dones, infos = ours.step(actions)
        expected, paid, over, _, told = theirs.step(actions)
        assert seen.tobytes() == expected.tobytes()
        assert rewards.tolist() == pytest.approx(paid.tolist())
        assert dones.tolist() == over.tolist()
        for index in np.flatnonzero(dones):
            last = infos[index]["terminal_observation"]
            assert last.tobytes() == told["final_obs"][index].tobytes()
            ended += 1
    assert ended > 6


def test_the_self_play_environment_is_the_batch_and_no_payment_is_lost() -> None:
    ours = SelfPlayVecEnv("dream_factory", 6, players=4, reward="rank", shaping=1.0)
    theirs = SelfPlayBatch(DreamFactory, 6, players=4, reward="rank", shaping=1.0)
    ours.seed(40)
    theirs.reset(40)
    assert ours.reset().tobytes() == theirs.observations.tobytes()
    rng = random.Random(1)
    paid = np.zeros((6, 4))
    ended = 0
    for _ in range(400):
        actions = choose(ours.action_masks(), rng)
        movers = ours.current_player.copy()
        seen, rewards, dones, infos = ours.step(actions)
        theirs.step(actions)
        assert seen.tobytes() == theirs.observations.tobytes()
        assert ours.action_masks().tobytes() == theirs.masks.tobytes()
        assert dones.tolist() == theirs.done.tolist()
        assert rewards.tolist() == [
            row[seat] for row, seat in zip(ours.all_rewards, movers, strict=True)
        ]
        paid += ours.all_rewards
        for index in np.flatnonzero(dones):
            worth = infos[index]["scores"]
            order = [sum(2 * (o > p) + (o == p) for o in worth) - 1 for p in worth]
            if len(set(worth)) == 4:  # ties of points are broken by films
                assert paid[index] == pytest.approx([1 - b / 3 for b in order], abs=1e-5)
            assert infos[index]["rewards"].tolist() == theirs.rewards[index].tolist()
            paid[index] = 0
            ended += 1
    assert ended >= 6


def test_an_illegal_action_loses_in_the_single_agent_environment() -> None:
    envs = SingleAgentVecEnv("dream_factory", 3, players=3)
    envs.seed(1)
    envs.reset()
    actions = choose(envs.action_masks(), random.Random(1))
    actions[1] = 62
    with pytest.warns(UserWarning, match="illegal action 62 has lost game 1: .*MaskablePPO"):
        _, rewards, dones, infos = envs.step(actions)
    envs.step(np.full(3, 62))  # once is enough: another warning would be an error here
    assert dones.tolist() == [False, True, False]
    assert rewards.tolist() == [0, -1, 0]
    assert infos[1]["illegal_action"] == 62
    assert "illegal_action" not in infos[0]


@pytest.mark.parametrize(
    "envs",
    [
        lambda: "DreamFactory-v0",
        lambda: DummyVecEnv([lambda: gymnasium.make("DreamFactory-v0", players=2)] * 2),
        lambda: make_vec_env("DreamFactory-v0", 2, env_kwargs={"players": 2}),
        lambda: ActionMasker(
            gymnasium.make("DreamFactory-v0"), lambda env: env.get_wrapper_attr("action_masks")()
        ),
    ],
)
def test_maskable_ppo_finds_the_masks_behind_every_wrapper(
    envs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tally = count_moves(monkeypatch)
    MaskablePPO("MlpPolicy", envs(), **SMALL).learn(256)
    assert (tally.moves, tally.illegal) == (256, 0)


def test_a_learner_without_masks_is_told_so() -> None:
    model = PPO("MlpPolicy", SingleAgentVecEnv("dream_factory", 4, players=2), **SMALL)
    with pytest.warns(UserWarning, match="does the learner use masks"):
        model.learn(256)


def test_sb3_evaluates_and_records_episodes_on_the_batched_environments() -> None:
    envs = VecMonitor(SingleAgentVecEnv("dream_factory", 8, players=2, shaping=1.0))
    model = MaskablePPO("MlpPolicy", envs, **SMALL)
    model.learn(2048)
    assert {round(episode["r"], 4) for episode in model.ep_info_buffer or ()} == {-1, 1}
    callback = MaskableEvalCallback(envs, n_eval_episodes=8, eval_freq=64, verbose=0)
    model.learn(512, callback)
    assert -1 <= callback.last_mean_reward <= 1
    returns, lengths = evaluate_policy(model, envs, 24, return_episode_rewards=True)
    assert isinstance(returns, list)
    assert isinstance(lengths, list)
    assert len(returns) == 24  # shaping moves points within a game and adds nothing to it
    assert {round(float(each), 4) for each in returns} <= {-1, 0, 1}
    assert min(lengths) > 10


def test_what_a_step_returns_is_not_overwritten() -> None:
    for envs in (
        SingleAgentVecEnv("dream_factory", 3, players=3),
        SelfPlayVecEnv("dream_factory", 3, players=3),
    ):
        envs.seed(1)
        seen = envs.reset()
        before = seen.copy()
        masks = envs.action_masks()
        envs.step(choose(masks, random.Random(1)))
        assert seen.tobytes() == before.tobytes()
        assert masks.tobytes() != envs.action_masks().tobytes()


def test_what_these_environments_cannot_do_is_refused() -> None:
    envs = SelfPlayVecEnv("dream_factory", 3, players=3)
    assert envs.env_method("game_at", indices=1)[0].players == 3
    assert envs.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    assert not envs.has_attr("spaceship")
    with pytest.raises(AttributeError, match="action_masks and game_at, not 'fly'"):
        envs.env_method("fly")
    with pytest.raises(OptionError, match="shaping cannot be set"):
        envs.set_attr("shaping", 1)
    envs.set_options({"seat": 1})
    with pytest.raises(OptionError, match="take no options of reset"):
        envs.reset()
    envs.reset()
    with pytest.raises(IllegalMove, match="game 1: 62 is not legal"):
        envs.step(np.array([0, 62, 0]))
