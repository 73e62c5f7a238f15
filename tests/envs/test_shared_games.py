"""A shared game in all environments: partners, one payment for all, and the suites of others."""

from __future__ import annotations

import random
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from dreamfactory_env import IllegalMove, OptionError
from dreamfactory_env.engine.rng import next_seed
from dreamfactory_env.envs.aec import RawEnv, wrapped_env
from dreamfactory_env.envs.sb3 import SelfPlayVecEnv, SingleAgentVecEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.testing.common import choose
from tests.envs.test_aec import SUITE_WARNINGS
from tests.toy_game import SignalGame
from tests.toy_game.rules import GUESS, SIGNAL, STOP

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's, of its own modules
    from pettingzoo.test import api_test, seed_test

PLAYERS = [2, 3]


@pytest.fixture(autouse=True)
def _registered(toy: type[SignalGame]) -> None:
    """Has the game in the registries for every test."""


def seed_where_seat_0_stops(partners: str = "random") -> int:
    """Returns a seed whose game seat 0 ends in the first move."""
    for record in simulate(SignalGame(2), [partners], 100, 1):
        if len(record["moves"]) == 1:
            return int(record["seed"])
    raise AssertionError("nobody stops at once")


@SUITE_WARNINGS
@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_suite_of_pettingzoo_passes(players: int, memory: bool) -> None:
    def make() -> Any:
        return wrapped_env("toy", players=players, memory=memory)

    api_test(make(), num_cycles=200, verbose_progress=False)
    seed_test(make, num_cycles=100)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_checks_of_gymnasium_and_sb3_pass(players: int) -> None:
    env = gymnasium.make("SignalGame-v0", players=players, partners="helper", memory=True)
    check_env(env.unwrapped)
    sb3_check_env(env.unwrapped)
    assert env.observation_space.shape == (30,)
    envs = gymnasium.make_vec("SignalGame-v0", num_envs=4, players=players, memory=True)
    assert isinstance(envs.unwrapped, SingleAgentVectorEnv)
    assert envs.single_observation_space == env.observation_space


@pytest.mark.parametrize("make", [SingleAgentVecEnv, SelfPlayVecEnv])
def test_maskable_ppo_trains(make: Any) -> None:
    model = MaskablePPO("MlpPolicy", make("toy", 4), n_steps=32, batch_size=32, n_epochs=1, seed=1)
    assert model.learn(256).num_timesteps == 256


def test_the_agent_has_partners_and_no_opponents() -> None:
    env = SingleAgentEnv("toy", players=3, partners=["helper", "random"])
    assert env.others == ["helper", "random"]
    assert SingleAgentEnv("toy").others == ["random"]
    for make in (SingleAgentEnv, SingleAgentVectorEnv):
        with pytest.raises(OptionError, match="Signals is a shared game: give partners, not opp"):
            make(game="toy", opponents="random")
    with pytest.raises(OptionError, match="3 partners for 2 other seats"):
        SingleAgentEnv("toy", players=3, partners=["random"] * 3)
    with pytest.raises(OptionError, match=r"unknown policy 'helpr'; .*did you mean 'helper'"):
        SingleAgentVectorEnv(game="toy", partners="helpr")
    with pytest.raises(OptionError, match=r"unknown option 'opponents' of reset; .*partners"):
        env.reset(options={"opponents": "random"})
    env.reset(seed=1, options={"partners": "random", "seat": 0})
    assert env.record()["agents"] == ["agent", "random", "random"]


@pytest.mark.parametrize("partners", ["helper", "mcts:2", "tests.players:Sitter"])
def test_partners_play_as_in_a_simulation(partners: str) -> None:
    record = next(simulate(SignalGame(2), [partners, "helper"], 1, 6))
    env = SingleAgentEnv("toy", seat=1, partners=partners)
    env.reset(seed=record["seed"])
    for seat, action, _ in record["moves"]:
        if seat == 1:
            env.step(action)
    assert env.record("helper") == record
    assert replay(record) == env.game


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("partners", ["helper", "mcts:2"])
def test_all_that_partners_do_is_paid_once(partners: str, reward: str) -> None:
    options: dict[str, Any] = {"players": 3, "seat": 2, "partners": partners, "shaping": 0.5}
    env = SingleAgentEnv("toy", reward=reward, **options)
    early = 0
    for seed in range(30):
        env.reset(seed=seed)
        early += env.game.scores()[0]  # points that partners had made before
        paid, over = 0.0, False
        while not over:
            _, got, over, _, info = env.step(int(env.action_masks().argmax()))
            paid += got
        assert paid == pytest.approx(env.game.returns(env.payoff)[2])
        assert info["scores"] == env.game.scores()
        assert info["winners"] == env.game.winners()
    assert early > 0


def test_a_rank_is_no_reward_of_a_shared_game() -> None:
    for make in (RawEnv, SingleAgentEnv, lambda game, **given: SelfPlayBatch(game, 2, **given)):
        with pytest.raises(OptionError, match="reward must be one of win, score, not 'rank'"):
            make("toy", reward="rank")


def test_a_game_that_ends_before_the_agents_turn_is_not_handed_out() -> None:
    seed = seed_where_seat_0_stops()
    env = SingleAgentEnv("toy", seat=1)
    _, info = env.reset(seed=seed)
    assert info["action_mask"].any()
    dealt = int(env.record()["seed"])
    assert dealt == next_seed(np.uint64(seed))  # or the first after it that lasts
    assert len(env.record()["moves"]) == 1
    envs = SingleAgentVectorEnv(2, game="toy", seat=1, autoreset_mode="SAME_STEP")
    seen, _ = envs.reset(seed=[seed, dealt])
    assert seen[0].tobytes() == seen[1].tobytes()
    for _ in range(200):
        _, rewards, over, _, infos = envs.step(choose(envs.action_masks(), random.Random(2)))
        assert infos["action_mask"].any(axis=1).all()
        assert rewards[~over].tolist() == [0] * int((~over).sum())


@pytest.mark.parametrize("players", PLAYERS)
def test_an_illegal_action_costs_all_seats_one_and_names_its_player(players: int) -> None:
    env = wrapped_env("toy", players=players, shaping=0.5, reward="score")
    env.reset(seed=1)
    game = env.unwrapped.game
    paid = dict.fromkeys(env.agents, 0.0)
    right = GUESS + int(game.states["deck"][0, 0])  # pays a point before the end
    offender = ""
    for moves, agent in enumerate(env.agent_iter()):
        paid[agent] += env.last()[1]
        if env.terminations[agent]:
            assert ("illegal_action" in env.infos[agent]) == (agent == offender)
            env.step(None)
        else:
            offender = agent
            env.step(right if moves == 0 else SIGNAL)  # at last to somebody who was told already
    assert game.winners() == []
    assert paid == {agent: pytest.approx(-1) for agent in env.possible_agents}


def test_every_seat_is_paid_the_same_in_self_play() -> None:
    batch = SelfPlayBatch("toy", 16, players=3, reward="score", shaping=1.0)
    batch.reset(3)
    rng = random.Random(3)
    ended = 0
    for _ in range(100):
        batch.step(choose(batch.masks, rng))
        assert (batch.rewards == batch.rewards[:, :1]).all()
        ended += int(batch.done.sum())
    assert ended > 50


def test_an_illegal_action_raises_where_that_is_wanted() -> None:
    env = SingleAgentEnv("toy", seat=0, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="not legal for player 0 in the turn phase; legal: guess"):
        env.step(SIGNAL + 1)  # there is no third player
    _, reward, over, _, info = env.step(STOP)
    assert (reward, over, info["winners"]) == (0, True, [])
    lenient = SingleAgentEnv("toy", seat=0)
    lenient.reset(seed=1)
    _, reward, over, _, info = lenient.step(SIGNAL + 1)
    assert (reward, over, info["illegal_action"]) == (-1, True, SIGNAL + 1)


def test_the_table_is_shown_as_text_and_as_a_picture_of_it() -> None:
    env = gymnasium.make("SignalGame-v0", render_mode="ansi", seat=0)
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert "cards: [null, " in text
    drawing = gymnasium.make("SignalGame-v0", render_mode="rgb_array", seat=0)
    drawing.reset(seed=1)
    picture: Any = drawing.render()
    assert picture.dtype == np.uint8
    assert picture.shape[0] > 10 * len(text.splitlines())
    assert 100 < np.ptp(picture) < 255  # there is ink on it


def test_the_state_of_the_pettingzoo_environment_has_all_cards() -> None:
    env = RawEnv("toy", players=3)
    env.reset(seed=1)
    deck = env.state()[env.state_spec()["deck"]] * 128
    assert deck.tolist() == env.game.setup()["deck"]
