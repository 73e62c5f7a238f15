"""Rollouts beside updates: who plays them, and what the pace or the death of either side does."""

from __future__ import annotations

import copy
import itertools
import shutil
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.learning.config import PPOSettings
from dreamfactory_env.learning.inference import inference_of
from dreamfactory_env.learning.losses import METRICS
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.ppo import SeatPPO
from dreamfactory_env.learning.rollout_buffer import SeatSamples, seat_advantages
from dreamfactory_env.learning.run import Run, begin, resume
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.learning.update import Update
from dreamfactory_env.utils.errors import GameError
from tests.learning.small import STEPS, tiny, weights

ROLLOUT = 256
PATIENCE = 60.0  # seconds; nothing here takes as long, even on a busy machine


def before_each(run: Run, *, move: Callable[[], None], update: Callable[[], None]) -> None:
    """Has something called before every step of the games, and before every update."""
    play, train = run.env.games.play, run.model.train

    def played(actions: Any) -> Any:
        move()
        return play(actions)

    def trained() -> None:
        update()
        train()

    run.env.games.play = played  # type: ignore[method-assign]
    run.model.train = trained  # type: ignore[method-assign]


def nothing() -> None:
    """Does nothing."""


def collecting() -> bool:
    """Returns whether a thread of a rollout is at work; idle ones wait for their next rollout."""
    frames = sys._current_frames()
    return any(
        any(frame.name == "_collect" for frame in traceback.extract_stack(frames[thread.ident]))
        for thread in threading.enumerate()
        if thread.name.startswith("rollout") and thread.ident in frames
    )


# ---------------------------------------------------------------------------- what is collected


def test_log_probs_are_those_of_the_policy_that_has_played(tmp_path: Path) -> None:
    run = begin(tiny(ppo=PPOSettings(1e-2, n_steps=16, batch_size=64)), tmp_path)
    weights: list[dict[str, torch.Tensor]] = []
    oldest: list[tuple[bool, ...]] = []

    class Compared(BaseCallback):
        def _on_rollout_end(self) -> None:
            weights.append(copy.deepcopy(run.model.policy.state_dict()))
            buffer, network = run.model.rollout_buffer, run.model.policy.twin()
            seen = torch.from_numpy(buffer.observations.reshape(ROLLOUT, -1))
            masks = torch.from_numpy(buffer.action_masks.reshape(ROLLOUT, -1))
            actions = torch.from_numpy(buffer.actions.reshape(ROLLOUT))
            fits = []
            for each in weights[-3:]:
                network.load_state_dict(each)
                with torch.no_grad():
                    log_probs = network.evaluate_actions(seen, actions, masks)[1].numpy()
                fits.append(np.allclose(log_probs, buffer.log_probs.reshape(ROLLOUT), atol=1e-4))
            oldest.append(tuple(fits))

        def _on_step(self) -> bool:
            return True

    run.train([Compared()])
    # The first two rollouts are played by the first weights, all others by those before the last.
    assert oldest == [(True,), (True, False), *[(False, True, False)] * 4]


def test_every_decision_is_learned_from_once(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    learned: list[bytes] = []
    log: list[bytes] = []

    class Steps(BaseCallback):
        def _on_step(self) -> bool:
            log.append(self.locals["observations"].tobytes())
            return True

    before_each(
        run,
        move=nothing,
        update=lambda: learned.extend(o.tobytes() for o in run.model.rollout_buffer.observations),
    )
    run.train([Steps()])
    assert learned == log
    assert len(set(learned)) == STEPS // 16
    assert run.model.num_timesteps == STEPS


def test_the_next_rollout_is_collected_while_the_last_one_is_learned_from(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    learning, playing = threading.Event(), threading.Event()
    updates: list[bool] = []

    moves = itertools.count()

    def move() -> None:
        # Each side waits for the other one: a rollout may be over before the update has begun.
        number = next(moves)
        if number > 0 and number % 16 == 0:
            assert learning.wait(PATIENCE)
            learning.clear()
            playing.set()

    def update() -> None:
        learning.set()
        last = run.model.num_timesteps == STEPS
        updates.append(last or playing.wait(PATIENCE))
        playing.clear()

    before_each(run, move=move, update=update)
    run.train()
    assert updates == [True] * 6


@pytest.mark.parametrize("slow", ["rollouts", "updates"])
def test_the_pace_of_either_side_changes_nothing(tmp_path: Path, slow: str) -> None:
    usual = begin(tiny(), tmp_path / "usual")
    usual.train()
    run = begin(tiny(), tmp_path / "slow")
    pauses = {
        "move": (lambda: time.sleep(0.01)) if slow == "rollouts" else nothing,
        "update": (lambda: time.sleep(0.3)) if slow == "updates" else nothing,
    }
    before_each(run, **pauses)
    run.train()
    assert weights(run) == weights(usual)
    assert run.env.games.clone_state() == usual.env.games.clone_state()
    assert run.league.results == usual.league.results


def test_taking_turns_is_another_training_but_as_long(tmp_path: Path) -> None:
    ppo = PPOSettings(n_steps=16, batch_size=64, async_rollouts=False)
    turns = begin(tiny(ppo=ppo), tmp_path / "turns")
    updates: list[bool] = []
    before_each(turns, move=nothing, update=lambda: updates.append(collecting()))
    turns.train()
    assert updates == [False] * 6
    ahead = begin(tiny(), tmp_path / "ahead")
    ahead.train()
    assert turns.model.num_timesteps == ahead.model.num_timesteps == STEPS
    assert weights(turns) != weights(ahead)


# ---------------------------------------------------------------------------- stops and deaths


def test_a_run_that_was_stopped_trains_on_in_the_same_process(tmp_path: Path) -> None:
    whole = begin(tiny(), tmp_path / "whole")
    whole.train()
    run = begin(tiny(), tmp_path / "run")
    assert not run.train(stop=lambda: run.model.num_timesteps >= 2 * ROLLOUT)
    assert run.saved_steps == run.model.num_timesteps == 2 * ROLLOUT
    shutil.copytree(run.folder, tmp_path / "copy")
    assert run.train()
    assert weights(run) == weights(whole)
    again = resume(tmp_path / "copy")
    assert again.train()
    assert weights(again) == weights(whole)


@pytest.mark.parametrize(("step", "learned"), [(3, 0), (40, 2)])
def test_what_ends_a_rollout_ends_the_run(tmp_path: Path, step: int, learned: int) -> None:
    run = begin(tiny(), tmp_path)
    moves: list[None] = []

    def move() -> None:
        moves.append(None)
        if len(moves) == step:
            raise GameError("the games are broken")

    before_each(run, move=move, update=nothing)
    with pytest.raises(GameError, match="the games are broken"):
        run.train()
    assert len(moves) == step  # nothing was collected after that
    assert run.model.num_timesteps == learned * ROLLOUT


def test_what_ends_an_update_ends_the_rollout_beside_it(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path / "run")
    started, go_on = threading.Event(), threading.Event()

    def move() -> None:
        if run.model.num_timesteps:
            started.set()
            assert go_on.wait(PATIENCE)

    def update() -> None:
        assert started.wait(PATIENCE)
        threading.Timer(0.2, go_on.set).start()
        raise KeyboardInterrupt

    before_each(run, move=move, update=update)
    with pytest.raises(KeyboardInterrupt):
        run.train()
    assert not collecting()
    origin = run.model.collector.save()
    assert origin is not None  # as if that rollout had never begun
    assert run.env.games.clone_state() == origin["games"]


def test_a_model_without_a_run_learns_ahead_again_and_again() -> None:
    def trained(*timesteps: int) -> bytes:
        env = TrainingVecEnv("dream_factory", {2: 16}, seed=3)
        model = SeatPPO(
            SeatPolicy,
            env,
            async_rollouts=True,
            n_steps=16,
            batch_size=64,
            policy_kwargs={"net_arch": [16], "game": env.games.game, "pointer_width": 8},
            seed=3,
            device="cpu",
        )
        for each in timesteps:
            model.learn(each, reset_num_timesteps=False)
        assert model.num_timesteps == sum(timesteps)
        return b"".join(t.numpy().tobytes() for t in model.policy.state_dict().values())

    assert trained(1024) == trained(1024)
    assert trained(256, 512, 256)


# ---------------------------------------------------------------------------- the update


def test_an_update_starts_from_the_policy_before_it_and_weighs_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(tiny(ppo=PPOSettings(1e-2, n_steps=16, batch_size=64)), tmp_path)
    batches: list[tuple[float, float]] = []
    gradients = Update._gradients

    def kept(self: Update, samples: SeatSamples, count: int) -> Any:
        found, metrics = gradients(self, samples, count)
        older = (samples.prox_log_prob - samples.old_log_prob).abs().max()
        batches.append((metrics[METRICS.index("approx_kl")], float(older)))
        return found, metrics

    monkeypatch.setattr(Update, "_gradients", kept)
    run.train()
    first = batches[:: len(batches) // 6]  # of every update
    assert all(abs(divergence) < 1e-7 for divergence, _ in first)
    assert first[0][1] < 1e-4  # nobody has learned yet
    assert all(older > 1e-3 for _, older in first[1:])


def test_advantages_rest_on_what_the_policy_before_the_update_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(tiny(ppo=PPOSettings(1e-2, n_steps=16, batch_size=64)), tmp_path)
    thought: list[float] = []
    judge = Update.judge_again

    def kept(self: Update) -> None:
        buffer = self._buffer
        older = buffer.values.copy()
        judge(self)
        seen, masks = (
            array.reshape(-1, array.shape[-1])
            for array in (buffer.observations, buffer.action_masks)
        )
        values = inference_of(self._policy)(seen, masks)[1].reshape(older.shape)
        assert buffer.values == pytest.approx(values, abs=1e-5)
        _, returns, _ = seat_advantages(
            *(buffer.values, buffer.last_player, buffer.seat_rewards, buffer.dones),
            *(buffer.gamma, buffer.gae_lambda),
        )
        assert (buffer.returns == returns).all()
        thought.append(float(np.abs(values - older).max()))

    monkeypatch.setattr(Update, "judge_again", kept)
    run.train()
    assert thought[0] < 1e-4  # nobody has learned yet
    assert all(change > 1e-3 for change in thought[1:])
