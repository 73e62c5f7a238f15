"""The rollout buffer: advantages along each seat's own decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env.learning.rollout_buffer import seat_advantages
from dreamfactory_env.learning.run import begin
from tests.learning.small import tiny, weights


def advantages_of(
    values: Any, players: Any, rewards: Any, dones: Any, gamma: float = 1.0, gae_lambda: float = 1.0
) -> tuple[list[float], list[bool]]:
    """Returns advantages, and which are valid, of a rollout with one row."""
    shape = (len(values), 1)
    advantages, returns, valid = seat_advantages(
        np.array(values, np.float32).reshape(shape),
        np.array(players, np.int8).reshape(shape),
        np.array(rewards, np.float32).reshape(len(values), 1, -1),
        np.array(dones, np.bool_).reshape(shape),
        gamma,
        gae_lambda,
    )
    assert returns.ravel() == pytest.approx(advantages.ravel() + np.array(values), abs=1e-6)
    return advantages.ravel().tolist(), valid.ravel().tolist()


def test_every_seat_is_paid_at_its_own_last_decision() -> None:
    # Seats 0 and 1 decide in turn; after seat 0's second decision the game ends, seat 1 has won.
    advantages, valid = advantages_of(
        values=[0.1, 0.2, 0.3],
        players=[0, 1, 0],
        rewards=[[0, 0], [0, 0], [-1, 1]],
        dones=[0, 0, 1],
    )
    assert advantages == pytest.approx([-1 - 0.1, 1 - 0.2, -1 - 0.3], abs=1e-6)
    assert valid == [1, 1, 1]


def test_advantages_look_to_the_next_decision_of_the_same_seat() -> None:
    advantages, valid = advantages_of(
        values=[0.1, 0.5, 0.3, 0.7],
        players=[0, 1, 0, 1],
        rewards=[[0, 0]] * 4,
        dones=[0, 0, 0, 0],
        gamma=0.9,
        gae_lambda=0.0,
    )
    assert advantages[:2] == pytest.approx([0.9 * 0.3 - 0.1, 0.9 * 0.7 - 0.5], abs=1e-6)
    assert valid == [1, 1, 0, 0]  # nothing has followed the last ones yet


def test_what_is_paid_on_others_turns_is_not_lost() -> None:
    advantages, _ = advantages_of(
        values=[0, 0, 0],
        players=[0, 1, 0],
        rewards=[[0.1, -0.1], [0.2, -0.2], [0, 0]],
        dones=[0, 0, 0],
        gae_lambda=0.0,
    )
    assert advantages[0] == pytest.approx(0.3)


def test_a_game_does_not_see_the_rewards_of_the_next_one() -> None:
    advantages, valid = advantages_of(
        values=[0, 0, 0, 0],
        players=[0, 1, 0, 1],
        rewards=[[0, 0], [1, -1], [0, 0], [-1, 1]],
        dones=[0, 1, 0, 1],
    )
    assert advantages == pytest.approx([1, -1, -1, 1])
    assert valid == [1, 1, 1, 1]


def test_advantages_of_all_player_counts_have_the_same_scale(tmp_path: Path) -> None:
    run = begin(tiny(n_envs={2: 8, 4: 16}), tmp_path)
    run.train()
    buffer = run.model.rollout_buffer
    for players, count in ((2, 8), (4, 16)):
        rows = run.env.games.players == players
        assert rows.sum() == count
        valid = buffer.valid[:, rows]
        returns = buffer.returns[:, rows][valid] - buffer.values[:, rows][valid]
        advantages = buffer.advantages[:, rows][valid]
        assert advantages.std() == pytest.approx(1, abs=1e-3)
        assert advantages == pytest.approx(returns / returns.std(), rel=1e-3, abs=1e-4)


def test_advantages_that_are_all_alike_keep_their_scale(tmp_path: Path) -> None:
    buffer = begin(tiny(), tmp_path).model.rollout_buffer
    buffer.valid[:] = False
    buffer.valid[0, 0] = True  # one decision says nothing of a scale
    buffer.advantages[:] = 0.25
    buffer._scale_advantages()
    assert (buffer.advantages == np.float32(0.25)).all()
    buffer.valid[:] = True  # and none of these differs from another
    buffer._scale_advantages()
    assert (buffer.advantages == np.float32(0.25)).all()


def test_the_buffer_has_what_it_was_handed(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    games, buffer = run.env.games, run.model.rollout_buffer
    games.reset()
    buffer.reset()
    for _ in range(3):
        seen, masks = games.observe(), games.action_masks()
        actions = masks.argmax(axis=1)
        chosen, values, log_probs = run.model.policy(
            *(run.model.policy.obs_to_tensor(seen)[0], False, masks)
        )
        chosen[:] = chosen.new_tensor(actions)
        step, result = buffer.pos, games.play(actions)
        buffer.add(seen, masks, chosen, values.detach(), log_probs.detach(), result)
        assert (buffer.observations[step] == seen).all()
        assert (buffer.actions[step, :, 0] == actions).all()
        for kept, handed in (
            (buffer.last_player, result.last_player),
            (buffer.hints, result.hints),
            (buffer.seat_rewards, result.rewards),
            (buffer.dones, result.dones),
            (buffer.action_masks, masks),
        ):
            assert (kept[step] == handed).all()
    assert buffer.pos == 3


def test_every_valid_decision_is_learned_from_once_an_epoch(tmp_path: Path) -> None:
    run = begin(tiny(total_timesteps=256), tmp_path)
    run.train()
    buffer = run.model.rollout_buffer
    buffer.values[:] = np.arange(buffer.values.size).reshape(buffer.values.shape)
    for size, batches in ((None, 1), (64, 3), (100, 2)):
        samples = [batch.old_values.numpy() for batch in buffer.get(size)]
        assert len(samples) == batches
        assert sorted(np.concatenate(samples)) == np.flatnonzero(buffer.valid).tolist()
        assert max(map(len, samples)) - min(map(len, samples)) <= 1


def test_a_rollout_too_short_to_learn_from_changes_nothing(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    run.model.rollout_buffer.valid[:] = False
    before = weights(run)
    run.model.train()
    assert weights(run) == before
