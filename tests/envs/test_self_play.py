"""The self-play batch: the same games as everywhere, many at once."""

from __future__ import annotations

import copy
import pickle
import random
import tracemalloc
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import (
    DreamFactory,
    IllegalMove,
    OptionError,
    SavedStateError,
    dream_factory_v0,
)
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv


def choose(masks: Array, rng: random.Random) -> Array:
    """Returns a random legal action for each game."""
    return np.array([rng.choice(np.flatnonzero(mask).tolist()) for mask in masks])


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_batch_plays_the_same_games_as_the_pettingzoo_environment(
    players: int, reward: Any
) -> None:
    options: dict[str, Any] = {
        "edition": "traumfabrik",
        "choose_studio": True,
        "hidden_money": "never",
    }
    batch = SelfPlayBatch(DreamFactory, 6, players=players, reward=reward, **options)
    batch.reset(9)
    envs = [dream_factory_v0.raw_env(players=players, reward=reward, **options) for _ in range(6)]
    for env, state in zip(envs, batch.states, strict=True):
        env.reset(seed=int(state.seed))
    rng = random.Random(9)
    finished = 0
    while finished < 8:
        actions = choose(batch.masks, rng)
        for index, env in enumerate(envs):
            seen = env.observe(env.agent_selection)
            assert env.agent_selection == f"player_{batch.current_player[index]}"
            assert seen["observation"].tobytes() == batch.observations[index].tobytes()
            assert seen["action_mask"].tobytes() == batch.masks[index].tobytes()
            env.step(actions[index])
        batch.step(actions)
        for index, env in enumerate(envs):
            over = all(env.terminations.values())
            assert batch.done[index] == over
            assert batch.rewards[index].tolist() == pytest.approx(list(env.rewards.values()))
            if over:
                assert batch.scores[index].tolist() == env.game.scores()
                env.reset(seed=int(batch.states[index].seed))
                finished += 1


def test_every_seat_of_every_game_is_paid_once_and_the_payments_cancel() -> None:
    batch = SelfPlayBatch(DreamFactory, 32, players=3)
    rng = random.Random(1)
    paid, games = np.zeros((32, 3)), np.zeros(32)
    for _ in range(600):
        batch.step(choose(batch.masks, rng))
        paid += batch.rewards
        assert not batch.rewards[batch.done == 0].any()
        assert batch.masks.any(axis=1).all()
        games += batch.done
    assert games.min() >= 1
    assert paid.sum(axis=1) == pytest.approx(np.zeros(32), abs=1e-4)


def test_the_same_seed_is_the_same_batch_and_games_differ_within_it() -> None:
    first, second = (SelfPlayBatch(DreamFactory, 16, players=4) for _ in range(2))
    first.reset(3)
    second.reset(3)
    assert first.states.tobytes() == second.states.tobytes()
    assert len({state.seed for state in first.states}) == 16
    second.reset(4)
    assert first.states.tobytes() != second.states.tobytes()


def test_a_wrong_action_raises_before_any_game_changes() -> None:
    batch = SelfPlayBatch(DreamFactory, 8, players=4)
    before = batch.clone_state()
    actions = choose(batch.masks, random.Random(1))
    for wrong in (51, -1, 120, 10**9):
        actions[5] = wrong
        with pytest.raises(
            IllegalMove, match=rf"game 5: {wrong} is not legal .*legal: pass, bid 0"
        ):
            batch.step(actions)
        assert batch.clone_state() == before


@pytest.mark.parametrize(
    "actions",
    [np.zeros(7, np.int64), np.zeros((8, 1), np.int64), np.zeros(8), 0, ["pass"] * 8, None],
)
def test_actions_of_another_shape_or_kind_are_refused(actions: Any) -> None:
    batch = SelfPlayBatch(DreamFactory, 8, players=4)
    before = batch.clone_state()
    with pytest.raises(OptionError, match=r"actions must be whole numbers of shape \(8,\), not"):
        batch.step(actions)
    assert batch.clone_state() == before


@pytest.mark.parametrize("number", [0, -3, 2.5, None, True])
def test_a_batch_without_games_is_refused(number: Any) -> None:
    with pytest.raises(OptionError, match="num_envs must be at least 1, not"):
        SelfPlayBatch(DreamFactory, number)


def future(batch: SelfPlayBatch) -> tuple[Any, ...]:
    rng = random.Random(5)
    for _ in range(300):
        batch.step(choose(batch.masks, rng))
    return batch.clone_state()


def test_copies_and_clones_have_the_same_future() -> None:
    batch = SelfPlayBatch(DreamFactory, 4, players=3)
    rng = random.Random(2)
    for _ in range(50):
        batch.step(choose(batch.masks, rng))
    others = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    clone = batch.clone_state()
    end = future(batch)
    for other in others:
        assert future(other) == end
    for _ in range(2):
        batch.restore_state(clone)
        assert future(batch) == end


def test_a_step_allocates_nothing_that_stays_and_little_in_between() -> None:
    batch = SelfPlayBatch(DreamFactory, 16384, players=2)
    actions = [choose(batch.masks, random.Random(1))]
    batch.step(actions[0])
    names = ("states", "observations", "masks", "rewards", "done", "scores", "current_player")
    arrays = [id(getattr(batch, name)) for name in names]
    actions[0] = choose(batch.masks, random.Random(1))
    tracemalloc.start()
    batch.step(actions[0])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8192  # Python's own arguments; the smallest array of this batch has more
    assert [id(getattr(batch, name)) for name in names] == arrays


def test_a_game_takes_less_than_eight_kilobytes() -> None:
    batch = SelfPlayBatch(DreamFactory, 10, players=5)
    total = len(batch._batch.save()[0]) + batch.masks.nbytes + batch.rewards.nbytes
    assert 4096 < total / 10 < 8192


def test_masks_that_were_written_into_allow_nothing() -> None:
    batch = SelfPlayBatch("dream_factory", 3, players=3)
    batch.masks[:] = 1
    with pytest.raises(IllegalMove, match="game 0: 62 is not legal"):
        batch.step(np.full(3, 62))


def test_what_was_written_into_is_right_again_after_going_back() -> None:
    batch = SelfPlayBatch("dream_factory", 3, players=3, shaping=0.5)
    rng = random.Random(1)
    for _ in range(40):
        batch.step(choose(batch.masks, rng))
    clone, masks, rewards = batch.clone_state(), batch.masks.copy(), batch.rewards.copy()
    batch.masks[:], batch.rewards[:] = 1, 7
    batch.restore_state(clone)
    assert batch.masks.tolist() == masks.tolist()
    assert batch.rewards.tolist() == rewards.tolist()


def test_actions_of_any_whole_kind_are_played() -> None:
    batches = [SelfPlayBatch("dream_factory", 4, players=3) for _ in range(4)]
    rng = random.Random(1)
    for _ in range(30):
        actions = choose(batches[0].masks, rng)
        given: list[Any] = [actions, actions.tolist(), actions.astype(np.uint8), actions.repeat(2)]
        given[3] = given[3][::2]
        for batch, played in zip(batches, given, strict=True):
            batch.step(played)
    assert len({batch.states.tobytes() for batch in batches}) == 1


def test_batches_without_a_seed_go_on_from_the_last_seed() -> None:
    first, second = (SelfPlayBatch(DreamFactory, 3, players=3) for _ in range(2))
    for batch in (first, second):
        batch.reset(5)
        batch.reset()
    assert first.states.tobytes() == second.states.tobytes()
    first.reset()
    assert first.states.tobytes() != second.states.tobytes()


@pytest.mark.parametrize(
    "other",
    [
        SelfPlayBatch(DreamFactory, 4, players=3),
        SelfPlayBatch(DreamFactory, 3, players=4),
        SelfPlayBatch(DreamFactory, 3, players=3, reward="rank"),
        SingleAgentVectorEnv(3, game=DreamFactory, players=3),
        SingleAgentEnv(DreamFactory, players=3),
        dream_factory_v0.raw_env(players=3),
    ],
)
def test_a_clone_of_another_environment_is_refused(other: Any) -> None:
    batch = SelfPlayBatch(DreamFactory, 3, players=3)
    before = batch.clone_state()
    wrongs: list[Any] = [other.clone_state(), before[:-1], None]
    for wrong in wrongs:
        with pytest.raises(SavedStateError, match=r"that is no clone|of another environment"):
            batch.restore_state(wrong)
    assert batch.clone_state() == before
    with pytest.raises(SavedStateError, match=r"that is no clone|of another environment"):
        other.restore_state(before)


def test_one_of_the_games_can_be_read_and_played_on() -> None:
    batch = SelfPlayBatch(DreamFactory, 3, players=3)
    game = batch.game_at(1)
    assert game.states.tobytes() == batch.states[1].tobytes()
    game.play("pass")
    assert game.states.tobytes() != batch.states[1].tobytes()
