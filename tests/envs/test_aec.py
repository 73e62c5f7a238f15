"""The PettingZoo environment: the real test-suite, credit, masks, copies, records."""

from __future__ import annotations

import copy
import os
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
import yaml

from dreamfactory_env import (
    DreamFactory,
    IllegalMove,
    OptionError,
    dream_factory_v0,
    standard_components,
)
from dreamfactory_env.records.format import replay, replay_moves

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's, of its own modules
    from pettingzoo.classic import connect_four_v3
    from pettingzoo.test import (
        api_test,
        bombardment_test,
        performance_benchmark,
        render_test,
        seed_test,
    )
    from pettingzoo.test import test_save_obs as save_obs_test

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # the window needs no screen here
PLAYERS = [2, 3, 4, 5]
EDITIONS: list[Any] = ["dream_factory", "traumfabrik"]
#: What the suite says of every environment that has an action mask in its observation and is not
#: on its own list of those: it compares the array inside with the dictionary around it.
SUITE_WARNINGS = pytest.mark.filterwarnings(
    "ignore:Observations between agents are different classes",
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)


def play(env: Any, rng: random.Random, moves: int = 10**6) -> dict[str, float]:
    """Plays random legal actions and returns what each agent was paid, as ``last`` tells it."""
    paid: dict[str, float] = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter(moves):
        observation, reward, termination, truncation, info = env.last()
        paid[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        assert len(legal) > 0
        assert info["action_mask"].tolist() == observation["action_mask"].tolist()
        env.step(int(rng.choice(legal)))
    return paid


@SUITE_WARNINGS
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_suite_of_pettingzoo_passes(players: int, edition: Any) -> None:
    def make() -> Any:
        return dream_factory_v0.env(players=players, edition=edition)

    api_test(make(), num_cycles=1000, verbose_progress=False)
    seed_test(make, num_cycles=500)


@SUITE_WARNINGS
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_bombardment_of_pettingzoo_passes(players: int, edition: Any) -> None:
    try:
        bombardment_test(connect_four_v3.env(), cycles=2)
    except (AttributeError, AssertionError):
        pytest.xfail("PettingZoo 1.27 takes what step() returns for an observation: none can pass")
    bombardment_test(dream_factory_v0.env(players=players, edition=edition), cycles=1000)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_benchmark_of_pettingzoo_runs(players: int, edition: Any, capsys: Any) -> None:
    performance_benchmark(dream_factory_v0.env(players=players, edition=edition))
    assert "turns per second" in capsys.readouterr().out


def test_observations_are_no_images_to_be_saved(capsys: Any) -> None:
    save_obs_test(dream_factory_v0.env())
    assert "did not save the observations" in capsys.readouterr().out


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_render_mode_renders(players: int, edition: Any) -> None:
    render_test(
        lambda render_mode: dream_factory_v0.env(
            players=players, edition=edition, render_mode=render_mode, render_fps=1000
        )
    )


def test_a_picture_is_one() -> None:
    env = dream_factory_v0.env(players=5, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3


def test_the_text_shows_what_the_player_to_move_sees_and_may_play() -> None:
    env = dream_factory_v0.env(players=3, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    seat = int(env.agent_selection[-1])
    assert f"player {seat}: studio" in text
    assert text.count("money hidden") == 2
    assert "you may play 0: pass, 1: bid 0" in text


def test_a_file_of_components_is_read_once(tmp_path: Any) -> None:
    path = tmp_path / "components.yaml"
    path.write_text(yaml.safe_dump(standard_components().as_data()), "utf-8")
    env = dream_factory_v0.env(components=str(path))
    path.unlink()
    env.reset(seed=1)
    other = pickle.loads(pickle.dumps(env))
    assert futures(other) == futures(env)


def test_it_is_in_the_registry_of_pettingzoo() -> None:
    env = pettingzoo.make("aec", "DreamFactory-v0", players=3, edition="traumfabrik")
    env.reset(seed=1)
    assert env.unwrapped.game.options.edition == "traumfabrik"
    assert len(env.agents) == 3


def test_names_and_spaces_are_those_of_the_convention() -> None:
    env = dream_factory_v0.env(players=5)
    assert env.metadata["name"] == "dream_factory_v0"
    assert env.possible_agents == [f"player_{seat}" for seat in range(5)]
    agent = env.possible_agents[0]
    assert env.observation_space(agent) is env.observation_space(agent)
    assert env.observation_space(agent)["observation"].dtype == np.float32
    assert env.observation_space(agent)["action_mask"].dtype == np.int8
    assert env.action_space(agent).n == DreamFactory.spec.num_actions


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_is_paid_its_utility_and_nothing_else(players: int, reward: Any) -> None:
    for seed in range(5):
        env = dream_factory_v0.env(players=players, reward=reward)
        env.reset(seed=seed)
        paid = play(env, random.Random(seed))
        game = env.unwrapped.game
        assert game.over
        worth = game.returns(game.spec.payoff(reward)).tolist()
        assert sum(worth) == pytest.approx(0)
        assert list(paid.values()) == pytest.approx(worth)


def test_the_masks_are_the_callers_own_and_writing_into_them_makes_nothing_legal() -> None:
    env = dream_factory_v0.raw_env(players=3, illegal="raise")
    env.reset(seed=1)
    env.step(0)
    illegal = int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0])
    for agent in env.agents:
        env.infos[agent]["action_mask"][:] = 1
        env.observe(agent)["action_mask"][:] = 1
    with pytest.raises(IllegalMove):
        env.step(illegal)
    env.reset(seed=1)
    others = [agent for agent in env.agents if agent != env.agent_selection]
    assert not any(env.infos[agent]["action_mask"].any() for agent in others)


@pytest.mark.parametrize("players", PLAYERS)
def test_an_illegal_action_loses_and_everybody_is_paid(players: int) -> None:
    env = dream_factory_v0.env(players=players)
    env.reset(seed=3)
    play(env, random.Random(3), moves=30)
    offender = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(offender)["action_mask"] == 0)[0])
    before = env.unwrapped.game.save()
    env.step(illegal)
    assert all(env.terminations.values())
    assert env.infos[offender]["illegal_action"] == illegal
    paid = play(env, random.Random(3))
    assert paid.pop(offender) == -1
    assert list(paid.values()) == pytest.approx([1 / (players - 1)] * (players - 1))
    assert env.agents == []
    assert env.unwrapped.game.save() == before


def test_illegal_actions_raise_where_that_is_wanted_and_change_nothing() -> None:
    env = dream_factory_v0.raw_env(players=3, illegal="raise")
    env.reset(seed=3)
    before = env.game.save()
    for action in (51, -1, 500, None, "pass", 1.5):
        with pytest.raises(IllegalMove, match="legal: pass, bid 0 to bid 12"):
            env.step(action)
    assert env.game.save() == before
    assert not any(env.terminations.values())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "winn"}, "reward must be one of win, rank, score, not 'winn'"),
        ({"illegal": "ignore"}, "illegal must be one of lose, raise, not 'ignore'"),
        ({"render_mode": "ascii"}, "render_mode must be one of ansi, human, rgb_array"),
        ({"players": 9}, "players must be 2 to 5"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        dream_factory_v0.env(**options)


def test_the_environment_plays_the_game_of_its_seed() -> None:
    env = dream_factory_v0.env(players=4, edition="traumfabrik", choose_studio=True)
    env.reset(seed=11)
    game = DreamFactory(4, seed=11, edition="traumfabrik", choose_studio=True)
    rng = random.Random(11)
    for agent in env.agent_iter():
        observation, _, termination, _, _ = env.last()
        if termination:
            env.step(None)
            continue
        assert agent == f"player_{game.to_move}"
        legal = game.legal_actions()
        assert np.flatnonzero(observation["action_mask"]).tolist() == list(legal.values())
        assert observation["observation"].tobytes() == game.observe(int(agent[-1])).tobytes()
        words, action = rng.choice(list(legal.items()))
        assert env.unwrapped.action_to_string(action) == words
        env.step(action)
        game.play(action)
    assert game.over


def test_the_state_is_everything_and_its_spec_says_where() -> None:
    env = dream_factory_v0.env(players=4)
    env.reset(seed=11)
    play(env, random.Random(1), moves=40)
    game, spec, state = env.unwrapped.game, env.unwrapped.state_spec(), env.state()
    assert env.state_space.contains(state)
    assert sum(part.stop - part.start for part in spec.values()) == len(state)
    for seat in range(4):
        assert state[spec[f"player_{seat}"]].tobytes() == game.observe(seat).tobytes()
    assert (state[spec["deck"]] * 128).astype(np.int8).tolist() == game.state.deck.tolist()
    assert (state[spec["money"]] * 128)[:4].tolist() == game.money
    env.unwrapped.game.state.seed = 5  # of no use to a critic
    assert env.state().tobytes() == state.tobytes()


def test_the_environment_describes_its_observations() -> None:
    env = dream_factory_v0.env(players=4)
    env.reset(seed=11)
    observation = env.observe("player_2")["observation"]
    blocks = {block.name: block for block in env.unwrapped.observation_spec()}
    assert observation[blocks["money"].slice][0] == 12 / 20
    assert blocks["money"].meaning == "money / 20 of each seat, 0 where hidden"
    words = env.unwrapped.observation_to_string(observation)
    assert words == env.unwrapped.game.observation_to_string(observation)


def test_games_without_a_seed_go_on_from_the_last_seed() -> None:
    envs = [dream_factory_v0.raw_env(), dream_factory_v0.raw_env()]
    decks = []
    for env in envs:
        env.reset(seed=5)
        for _ in range(3):
            env.reset()
            decks.append(tuple(env.game.setup()["deck"]))
    assert decks[:3] == decks[3:]
    assert len(set(decks)) == 3


def test_the_record_so_far_can_be_replayed() -> None:
    env = dream_factory_v0.env(players=3)
    env.reset(seed=2)
    play(env, random.Random(2), moves=25)
    so_far = env.unwrapped.record()
    assert len(so_far["moves"]) == 25
    assert so_far["result"] is None
    assert replay_moves(so_far) == env.unwrapped.game
    play(env, random.Random(2))
    record = env.unwrapped.record(["a", "b", "c"])
    assert record["agents"] == ["a", "b", "c"]
    assert replay(record) == env.unwrapped.game


def test_what_is_out_of_order_or_out_of_bounds_is_told() -> None:
    env = dream_factory_v0.env(players=3)
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            getattr(env, name)
    for call in (lambda: env.step(0), env.last, lambda: env.observe("player_0"), env.agent_iter):
        with pytest.raises(AssertionError, match="reset"):
            call()
    env.reset(seed=1)
    for action in (120, -1, 1.5, "pass"):
        with pytest.raises(AssertionError, match="action is not in action space"):
            env.step(action)
    assert not any(env.terminations.values())


def futures(env: Any) -> tuple[bytes, dict[str, float]]:
    paid = play(env, random.Random(7))
    return env.unwrapped.game.save(), paid


COPIES: dict[str, Any] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("make", [dream_factory_v0.raw_env, dream_factory_v0.env])
@pytest.mark.parametrize("moves", [0, 20, 100])
@pytest.mark.parametrize("how", COPIES)
def test_copies_have_the_same_future(how: str, moves: int, make: Any) -> None:
    env = make(players=3)
    env.reset(seed=4)
    play(env, random.Random(4), moves=moves)
    other = COPIES[how](env)
    assert futures(other) == futures(env)


@pytest.mark.parametrize("moves", [0, 20, 10**6])
def test_a_clone_can_be_gone_back_to_again_and_again(moves: int) -> None:
    env = dream_factory_v0.raw_env(players=3)
    env.reset(seed=4)
    play(env, random.Random(4), moves=moves)
    clone = env.clone_state()
    first = futures(env)
    for _ in range(2):
        env.restore_state(clone)
        assert futures(env) == first


def everything(env: Any) -> Any:
    """Returns all that an environment tells, as plain data."""
    return {
        **{name: copy.deepcopy(getattr(env, name)) for name in ("agents", "agent_selection")},
        **{name: dict(getattr(env, name)) for name in ("rewards", "terminations", "truncations")},
        "paid": dict(env._cumulative_rewards),
        "infos": {a: {k: np.array(v).tolist() for k, v in i.items()} for a, i in env.infos.items()},
        "seen": {a: {k: v.tolist() for k, v in env.observe(a).items()} for a in env.agents},
        "record": env.record(),
    }


@pytest.mark.parametrize("shaping", [0.0, 0.5])
@pytest.mark.parametrize("illegal_at", [0, 30, None])
def test_going_back_brings_everything_back(illegal_at: int | None, shaping: float) -> None:
    env = dream_factory_v0.raw_env(players=3, shaping=shaping)
    env.reset(seed=6)
    rng = random.Random(6)
    past = []
    while env.agents:
        past.append((env.clone_state(), everything(env)))
        if env.terminations[env.agent_selection]:
            env.step(None)
        elif len(past) - 1 == illegal_at:
            env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0]))
        else:
            mask = env.infos[env.agent_selection]["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
    past.append((env.clone_state(), everything(env)))
    other = dream_factory_v0.raw_env(players=3, shaping=shaping)
    for clone, expected in rng.sample(past, len(past)):
        for restored in (env, other):
            restored.restore_state(clone)
            assert everything(restored) == expected
            for info in restored.infos.values():
                info["action_mask"][:] = 1  # whatever the caller writes, the clone is as it was
            restored.agents.clear()
            restored.rewards.clear()


@pytest.mark.parametrize("players", PLAYERS)
def test_ten_thousand_random_games_in_all_without_a_warning(players: int) -> None:
    envs = [dream_factory_v0.env(players=players, edition=edition) for edition in EDITIONS]
    rng = random.Random(players)
    for seed in range(2500):
        env = envs[seed % 2]
        env.reset(seed=seed)  # warnings are errors here
        for _ in env.agent_iter():
            observation, _, termination, _, _ = env.last()
            legal = [None] if termination else observation["action_mask"].nonzero()[0]
            env.step(rng.choice(legal))
