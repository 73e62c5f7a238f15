"""MaskablePPO for games that many seats share, with a teacher to begin with.

Rollouts are collected between updates, as MaskablePPO does, or beside them (``async_rollouts``):
the next one in a thread of its own while the last one is learned from. Networks of this size gain
little from several threads for one matrix product, which wait for each other all the time; a
rollout and an update need not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.collector import Collector, play_steps
from dreamfactory_env.learning.losses import METRICS, Coefficients
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.rollout_buffer import SeatRolloutBuffer
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.learning.update import Update
from dreamfactory_env.utils.errors import GameError, OptionError

MakeCollector = Callable[[SeatPolicy, TrainingVecEnv, SeatRolloutBuffer], Collector]


class DivergedError(GameError):
    """The weights of the network are no finite numbers any more."""


class SeatPPO(MaskablePPO):
    """MaskablePPO whose update also imitates a teacher, and which knows where its time goes.

    The teacher's weight is ``teacher_weight``; at 0 the update is that of MaskablePPO. Everything
    else (callbacks, ``save``, ``predict``, schedules) is its parent's.

    Advantages come from the buffer, where those of all player counts have the same scale.

    With asynchronous rollouts the policy that plays is one update older than the one that learns,
    for which the update makes up. Callbacks are called when a rollout is
    handed over, while nothing is collected: they may read and change what they like, but the games
    are at the end of the rollout already. A rollout that was collected ahead is left for the next
    ``learn``.

    Attributes:
        teacher_weight: How much imitation counts, 0 to 1; what the learner finds out by itself
            counts for the rest.
        value_only: Whether nothing but the value is learned: the layers it shares with the policy
            stay as they are, too.
        rollout_seconds: How long the rollouts took so far.
        seconds: How long the updates took so far.

    Args:
        *args: As ``MaskablePPO``.
        async_rollouts: Whether the next rollout is collected while this one is learned from.
        make_collector: Makes who collects rollouts; if None, that is done in this process.
        threads: How many threads share an update.
        **options: As ``MaskablePPO``.
    """

    rollout_buffer: SeatRolloutBuffer
    policy: SeatPolicy
    _last_obs: Array

    def __init__(
        self,
        *args: Any,
        async_rollouts: bool = False,
        make_collector: MakeCollector | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.async_rollouts = async_rollouts
        self._make_collector = make_collector
        self.threads = threads
        self.teacher_weight = 0.0
        self.value_only = False
        self.rollout_seconds = 0.0
        self.seconds = 0.0
        self._collector: Collector | None = None
        for name in ("clip_range_vf", "target_kl", "normalize_advantage"):
            if options.get(name) is not None:
                raise OptionError(f"{name} is not for SeatPPO, which learns without it")
        super().__init__(*args, **options)

    def _setup_model(self) -> None:
        """Makes the policy and the buffer; without a TrainingVecEnv it can only predict."""
        if isinstance(self.env, TrainingVecEnv):
            self.rollout_buffer_class = SeatRolloutBuffer
            self.rollout_buffer_kwargs = {"players": self.env.games.players}
        else:
            self.rollout_buffer_class, self.rollout_buffer_kwargs = MaskableRolloutBuffer, {}
        super()._setup_model()

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "_collector", "_make_collector"]

    def learn(self, *args: Any, **options: Any) -> Self:
        """Learns as its parent does; whatever ends it, nothing is collected any more."""
        try:
            return super().learn(*args, **options)
        finally:
            if self._collector is not None:
                self._collector.cancel()

    # ------------------------------------------------------------------ playing

    def collect_rollouts(  # type: ignore[override]
        self,
        env: TrainingVecEnv,
        callback: BaseCallback,
        rollout_buffer: SeatRolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Fills the buffer with decisions of the learner, as its parent does.

        Callbacks find in their ``locals`` what a step has brought, as ``result``.

        Args:
            env: The games.
            callback: Called at the start, at every step, and at the end.
            rollout_buffer: Where the decisions go.
            n_rollout_steps: How many steps.
            use_masking: Must be true: an illegal action raises.

        Returns:
            Whether the buffer is full: False if a callback has stopped it.
        """
        if self.async_rollouts or self._make_collector is not None:
            return self._take_rollout(callback)
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        begun = time.perf_counter()
        for step in play_steps(self.policy, env.games, self._last_obs, n_rollout_steps):
            self.num_timesteps += env.num_envs
            callback.update_locals(step._asdict())
            if not callback.on_step():
                return False
            rollout_buffer.add(*step)
            self._last_obs = step.result.observations
        rollout_buffer.finish()
        self.rollout_seconds += time.perf_counter() - begun
        callback.on_rollout_end()
        return True

    @property
    def collector(self) -> Collector:
        """Who collects whole rollouts; made when it is first asked for."""
        if self._collector is None:
            assert isinstance(self.env, TrainingVecEnv)
            make = self._make_collector or Collector
            self._collector = make(self.policy, self.env, self.rollout_buffer)
        return self._collector

    def _take_rollout(self, callback: BaseCallback) -> bool:
        """Hands over the rollout that was collected ahead, and starts the next one.

        If rollouts and updates take turns, none was: it is collected now.

        Returns:
            Whether it was handed over: False if a callback has stopped it.
        """
        collector = self.collector
        if not self.async_rollouts:
            callback.on_rollout_start()
        collector.start(self.policy.state_dict())  # the first one, or one that was given up
        collector.wait()
        if self.async_rollouts:
            callback.on_rollout_start()
        rollout = collector.take(self.rollout_buffer)
        self._last_obs = rollout.observations
        self.rollout_buffer = rollout.buffer
        self.rollout_seconds += rollout.seconds
        if self._make_collector is not None:
            self.logger.record("rollout/actors", rollout.actors)
        for step in rollout.steps():
            self.num_timesteps += self.n_envs
            callback.update_locals(step._asdict())
            if not callback.on_step():
                return False
        callback.on_rollout_end()
        if self.async_rollouts and self.num_timesteps < self._total_timesteps:
            # From here on random numbers are the rollout's: the update draws its own before.
            self.rollout_buffer.shuffle(self.n_epochs)
            collector.start(self.policy.state_dict())
        return True

    # ------------------------------------------------------------------ learning

    def train(self) -> None:
        """Learns from the rollout.

        Raises:
            DivergedError: The network cannot be used any more.
        """
        if self.rollout_buffer.valid.sum() < 2:
            return  # so short a rollout that nothing has followed any decision
        begun = time.perf_counter()
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        self._learn_all(not self.value_only)
        clip_range = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        weights = (clip_range, self.ent_coef, self.vf_coef, self.teacher_weight)
        coefficients = Coefficients(*weights, policy=not self.value_only)
        metrics: list[Array] = []
        with Update(self.policy, self.rollout_buffer, coefficients, self.threads) as update:
            if self.async_rollouts and self._learns_from_games:
                update.judge_again()
            for _ in range(self.n_epochs):
                for batch in self.rollout_buffer.batches(self.batch_size):
                    metrics.append(update.set_gradients(batch, self.max_grad_norm))
                    self.policy.optimizer.step()
                self._n_updates += 1
        self._learn_all(True)  # torch computes a little differently where nothing is learned
        if not all(weights.isfinite().all() for weights in self.policy.parameters()):
            raise DivergedError("the training has diverged; a lower ppo.learning_rate may help")
        self._log_metrics(np.mean(metrics, axis=0).tolist(), clip_range)
        self.seconds += time.perf_counter() - begun

    @property
    def _learns_from_games(self) -> bool:
        """Whether the policy learns from what the games pay, and not from a teacher alone."""
        return self.teacher_weight < 1 and not self.value_only

    def _learn_all(self, all_weights: bool) -> None:
        """Says whether all weights are learned, or those of the value alone."""
        self.policy.requires_grad_(all_weights)
        self.policy.value_net.requires_grad_(True)

    def _log_metrics(self, metrics: list[float], clip_range: float) -> None:
        """Hands the metrics of an update to the logger, under the names SB3 uses."""
        for name, metric in zip(METRICS, metrics, strict=True):
            if self.teacher_weight > 0 or not name.startswith("teacher"):
                self.logger.record(f"train/{name}", metric)
        buffer = self.rollout_buffer
        valid = np.flatnonzero(buffer.valid)
        explained = explained_variance(
            np.ravel(buffer.values)[valid], np.ravel(buffer.returns)[valid]
        )
        self.logger.record("train/explained_variance", explained)
        self.logger.record("train/clip_range", clip_range)
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
