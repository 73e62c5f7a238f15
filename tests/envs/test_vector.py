"""The Gymnasium vector environment plays the games of the single one, many at once."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from dreamfactory_env import IllegalMove, OptionError
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.policies import Views
from tests.players import Batcher


def choose(masks: Array, rng: random.Random) -> Array:
    """Returns a random legal action for each game, 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in masks])


def play(envs: SingleAgentVectorEnv, rng: random.Random, steps: int) -> None:
    """Plays random legal actions."""
    for _ in range(steps):
        envs.step(choose(envs.action_masks(), rng))


def test_make_vec_makes_it() -> None:
    envs = gymnasium.make_vec("DreamFactory-v0", num_envs=5, players=3, seat=1)
    assert isinstance(envs.unwrapped, SingleAgentVectorEnv)
    observations, infos = envs.reset(seed=3)
    assert envs.observation_space.contains(observations)
    assert infos["action_mask"].shape == envs.unwrapped.action_masks().shape == (5, 120)
    assert infos["seat"].tolist() == [1] * 5
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


@pytest.mark.parametrize(
    "opponents", [["pretrained-small", "tests.players:Batcher"], ["mcts:2", "expert"]]
)
def test_any_policy_plays_and_plays_as_in_the_single_environment(opponents: list[str]) -> None:
    options: dict[str, Any] = {"players": 3, "opponents": opponents, "shaping": 0.5}
    envs = gymnasium.make_vec("DreamFactory-v0", num_envs=3, **options)
    singles = gymnasium.make_vec(
        "DreamFactory-v0", num_envs=3, vectorization_mode="sync", **options
    )
    found, expected = (each.reset(seed=3) for each in (envs, singles))
    rng = random.Random(1)
    for _ in range(60):
        assert found[0].tobytes() == expected[0].tobytes()
        actions = choose(found[1]["action_mask"], rng)
        ours, theirs = envs.step(actions), singles.step(actions)
        assert ours[1].tolist() == pytest.approx(theirs[1].tolist())
        assert ours[2].tolist() == theirs[2].tolist()
        if ours[2].any():
            return
        found, expected = (ours[0], ours[4]), (theirs[0], theirs[4])


def test_a_policy_is_asked_for_all_its_games_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    right = Batcher.act_batch

    def act_batch(policy: Batcher, views: Views) -> Array:
        asked.append(len(views))
        return right(policy, views)

    monkeypatch.setattr(Batcher, "act_batch", act_batch)
    opponents = "tests.players:Batcher"
    envs = SingleAgentVectorEnv(32, game="dream_factory", players=2, opponents=opponents)
    envs.reset(seed=1)
    play(envs, random.Random(1), 10)
    assert max(asked) > 8


def test_an_opponent_that_plays_illegally_is_named() -> None:
    opponents = "tests.players:Cheater"
    envs = SingleAgentVectorEnv(4, game="dream_factory", players=2, seat=0, opponents=opponents)
    envs.reset(seed=1)
    with pytest.raises(IllegalMove, match="is not legal for player 1"):
        play(envs, random.Random(1), 200)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("players", [2, 5])
def test_every_game_is_the_one_of_the_single_environment(players: int, mode: AutoresetMode) -> None:
    options: dict[str, Any] = {"players": players, "reward": "rank", "choose_studio": True}
    envs = SingleAgentVectorEnv(6, game="dream_factory", autoreset_mode=mode, **options)
    singles = [SingleAgentEnv("dream_factory", **options) for _ in range(6)]
    observations, infos = envs.reset(seed=40)
    expected = [env.reset(seed=40 + index)[0] for index, env in enumerate(singles)]
    ended = [False] * 6
    rng = random.Random(1)
    games = 0
    while games < 12:
        for index, env in enumerate(singles):
            assert observations[index].tobytes() == expected[index].tobytes()
            assert envs.seats[index] == env.seat
            mask = np.ones(120, np.int8) if ended[index] else env.action_masks()
            assert infos["action_mask"][index].tolist() == mask.tolist()
            assert mask.any()
        actions = choose(envs.action_masks(), rng)
        observations, rewards, over, truncated, infos = envs.step(actions)
        assert not truncated.any()
        for index, env in enumerate(singles):
            if ended[index]:  # NEXT_STEP: this step only resets
                expected[index] = env.reset()[0]
                assert (rewards[index], over[index]) == (0, False)
                ended[index] = False
                continue
            expected[index], reward, done, _, _ = env.step(actions[index])
            assert rewards[index] == pytest.approx(reward)
            assert over[index] == done
            games += int(done)
            if done and mode == AutoresetMode.SAME_STEP:
                assert infos["_final_obs"][index]
                assert infos["final_obs"][index].tobytes() == expected[index].tobytes()
                expected[index] = env.reset()[0]
            elif done and mode == AutoresetMode.NEXT_STEP:
                ended[index] = True
        if mode == AutoresetMode.DISABLED and over.any():
            with pytest.raises(OptionError, match="is over: reset it first"):
                envs.step(actions)
            finished = over.copy()
            observations, infos = envs.reset(options={"reset_mask": finished})
            for number in np.flatnonzero(finished):
                expected[number] = singles[number].reset()[0]


def test_an_illegal_action_loses_that_game_only() -> None:
    envs = SingleAgentVectorEnv(4, game="dream_factory", players=3)
    envs.reset(seed=1)
    actions = choose(envs.action_masks(), random.Random(1))
    actions[2] = 62
    _, rewards, over, _, infos = envs.step(actions)
    assert infos["_illegal_action"].tolist() == over.tolist() == [False, False, True, False]
    assert infos["illegal_action"][2] == 62
    assert rewards.tolist() == [0, 0, -1, 0]
    assert "illegal_action" not in envs.step(choose(envs.action_masks(), random.Random(1)))[4]


def test_illegal_actions_raise_where_that_is_wanted_and_change_nothing() -> None:
    envs = SingleAgentVectorEnv(4, game="dream_factory", players=3, illegal="raise")
    envs.reset(seed=1)
    before = envs.clone_state()
    actions = choose(envs.action_masks(), random.Random(1))
    actions[2] = 62
    with pytest.raises(IllegalMove, match="game 2: 62 is not legal"):
        envs.step(actions)
    for wrong in (np.zeros(3, np.int64), np.zeros(4), None):
        with pytest.raises(OptionError, match="actions must be whole numbers of shape"):
            envs.step(wrong)  # type: ignore[arg-type]
    assert envs.clone_state() == before


def test_infos_have_the_results_of_finished_games() -> None:
    envs = SingleAgentVectorEnv(4, game="dream_factory", players=3, autoreset_mode="DISABLED")
    envs.reset(seed=1)
    rng = random.Random(1)
    over = np.zeros(4, np.bool_)
    while not over.any():
        _, _, over, _, infos = envs.step(choose(envs.action_masks(), rng))
    assert infos["_scores"].tolist() == infos["_won"].tolist() == over.tolist()
    for index in np.flatnonzero(over):
        game = envs.game_at(int(index))
        assert infos["scores"][index].tolist() == game.scores()
        assert np.flatnonzero(infos["won"][index]).tolist() == game.winners()


def test_what_is_handed_out_can_be_written_into() -> None:
    envs = SingleAgentVectorEnv(3, game="dream_factory", players=3, autoreset_mode="SAME_STEP")
    other = SingleAgentVectorEnv(3, game="dream_factory", players=3, autoreset_mode="SAME_STEP")
    rng = random.Random(1)
    for env in (envs, other):
        env.reset(seed=1)
    for _ in range(60):
        actions = choose(other.action_masks(), rng)
        seen, rewards, over, truncated, infos = envs.step(actions)
        assert seen.tobytes() == other.step(actions)[0].tobytes()
        for array in (seen, rewards, over, truncated, *infos.values(), envs.action_masks()):
            if isinstance(array, np.ndarray):
                array[:] = 1


def test_without_copies_the_same_arrays_are_handed_out() -> None:
    envs = SingleAgentVectorEnv(3, game="dream_factory", players=3, copy=False)
    seen, _ = envs.reset(seed=1)
    assert envs.step(choose(envs.action_masks(), random.Random(1)))[0] is seen


def test_seed_zero_is_a_seed_and_its_series_goes_on() -> None:
    seeds = []
    for _ in range(2):
        envs = SingleAgentVectorEnv(1, game="dream_factory")
        envs.reset(seed=0)
        envs.reset()
        seeds.append(envs.game_at(0).seed)
    assert seeds[0] == seeds[1]


def test_what_was_never_dealt_cannot_be_played() -> None:
    envs = SingleAgentVectorEnv(2, game="dream_factory")
    with pytest.raises(OptionError, match=r"call reset\(\) first"):
        envs.step(np.zeros(2, np.int64))
    with pytest.raises(OptionError, match="the first reset"):
        envs.reset(options={"reset_mask": np.array([True, False])})


def future(envs: SingleAgentVectorEnv) -> tuple[bytes, ...]:
    play(envs, random.Random(5), 120)
    return envs.clone_state()


def test_copies_and_clones_have_the_same_future() -> None:
    envs = SingleAgentVectorEnv(4, game="dream_factory", players=3)
    envs.reset(seed=2)
    others = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
    clone = envs.clone_state()
    end = future(envs)
    assert [future(other) for other in others] == [end, end]
    envs.restore_state(clone)
    assert future(envs) == end


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs must be at least 1, not 0"),
        ({"num_envs": 2, "render_mode": "human"}, "does not render"),
        ({"num_envs": 2, "players": 7}, "players must be 2 to 5"),
        ({"num_envs": 2, "autoreset_mode": "LATER"}, "must be one of NEXT_STEP, SAME_STEP, DIS"),
        ({"num_envs": 2, "opponent": "random"}, "'opponent'; .*did you mean 'opponents'"),
        ({"num_envs": 2, "player": 3}, "unknown option 'player'; .*did you mean 'players'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SingleAgentVectorEnv(game="dream_factory", **options)


def test_wrong_seeds_and_masks_of_a_reset_are_refused() -> None:
    envs = SingleAgentVectorEnv(3, game="dream_factory")
    with pytest.raises(OptionError, match="2 seeds for 3 games"):
        envs.reset(seed=[1, 2])
    with pytest.raises(OptionError, match="seed must be a whole number"):
        envs.reset(seed=[1, 2, -3])
    with pytest.raises(OptionError, match="seed must be a whole number"):
        envs.reset(seed="7")  # type: ignore[arg-type]
    for mask in ([True], ["a", "b", "c"], [1, 0, 1]):
        with pytest.raises(OptionError, match="reset_mask must be bool of shape"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(OptionError, match="unknown option 'seat' of reset; known are reset_mask"):
        envs.reset(options={"seat": 1})
    with pytest.raises(OptionError, match="options must be a dictionary"):
        envs.reset(options=[1])  # type: ignore[arg-type]
