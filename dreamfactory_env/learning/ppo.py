"""MaskablePPO for games that many seats share, with a teacher to begin with."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.utils import explained_variance
from torch.nn import functional

from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.rollout_buffer import SeatRolloutBuffer, SeatSamples
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.utils.errors import GameError, OptionError

#: The rating of actions that are not legal.
FORBIDDEN = -1e9


class DivergedError(GameError):
    """The weights of the network have grown beyond all numbers."""


class SeatPPO(MaskablePPO):
    """MaskablePPO whose update also imitates a teacher, and which knows where its time goes.

    The teacher's weight is ``teacher_weight``; at 0 the update is that of MaskablePPO. Everything
    else (callbacks, ``save``, ``predict``, schedules) is its parent's.

    Advantages come from the buffer, where those of all player counts have the same scale.

    Attributes:
        teacher_weight: How much imitation counts, 0 to 1; what the learner finds out by itself
            counts for the rest.
        value_only: Whether nothing but the value is learned: the layers it shares with the policy
            stay as they are, too.
        seconds: How long the updates took so far.
    """

    rollout_buffer: SeatRolloutBuffer
    policy: SeatPolicy

    def __init__(self, *args: Any, **options: Any) -> None:
        self.teacher_weight = 0.0
        self.value_only = False
        self.seconds = 0.0
        for name in ("clip_range_vf", "target_kl", "normalize_advantage"):
            if options.get(name) is not None:
                raise OptionError(f"{name} is not for SeatPPO, which learns without it")
        super().__init__(*args, **options)

    def _setup_model(self) -> None:
        """Makes the policy, and a buffer for the tables; without tables it can only predict."""
        if isinstance(self.env, TrainingVecEnv):
            self.rollout_buffer_class = SeatRolloutBuffer
            self.rollout_buffer_kwargs = {"table": self.env}
        else:
            self.rollout_buffer_class, self.rollout_buffer_kwargs = MaskableRolloutBuffer, {}
        super()._setup_model()

    def _excluded_save_params(self) -> list[str]:
        """Returns what is not saved: the tables neither."""
        return [*super()._excluded_save_params(), "rollout_buffer_kwargs"]

    def train(self) -> None:
        """Learns from the rollout.

        Raises:
            DivergedError: The network cannot be used any more.
        """
        if self.rollout_buffer.known.sum() < 2:
            return  # so short a rollout that nothing has followed any decision
        begun = time.perf_counter()
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        self._learn_all(not self.value_only)
        clip = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        figures: list[torch.Tensor] = []
        for _ in range(self.n_epochs):
            for samples in self.rollout_buffer.get(self.batch_size):
                loss, seen = self._losses(samples, clip)
                self.policy.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                figures.append(seen)
            self._n_updates += 1
        self._learn_all(True)  # torch computes a little differently where nothing is learned
        if not all(weights.isfinite().all() for weights in self.policy.parameters()):
            raise DivergedError("the training has diverged; a lower learning.rate may help")
        self._log_figures(torch.stack(figures).mean(dim=0).tolist(), clip)
        self.seconds += time.perf_counter() - begun

    def _learn_all(self, all_weights: bool) -> None:
        """Says whether all weights are learned, or those of the value alone."""
        self.policy.requires_grad_(all_weights)
        self.policy.value_net.requires_grad_(True)

    #: The figures of an update, in the order in which :meth:`_losses` gives them.
    FIGURES = (
        *("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction"),
        *("teacher_loss", "teacher_agreement", "loss"),
    )

    def _losses(self, samples: SeatSamples, clip: float) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the loss of a batch, and the figures that tell how it goes."""
        ratings, values = self.policy.rate(samples.observations, samples.action_masks)
        ratings = ratings.masked_fill(~samples.action_masks, FORBIDDEN)
        chances = functional.log_softmax(ratings, dim=1)
        log_prob = chances.gather(1, samples.actions).flatten()
        entropy = -(functional.softmax(ratings, dim=1) * chances).sum(dim=1).mean()
        advantages = samples.advantages
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        change = log_prob - samples.old_log_prob
        ratio = change.exp()
        gain = torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip))
        value_loss = functional.mse_loss(values.flatten(), samples.returns)
        loss = -gain.mean() - self.ent_coef * entropy
        imitation = agreement = torch.zeros(())
        if self.teacher_weight > 0:
            imitation = -chances.gather(1, samples.advice).mean()
            agreement = (ratings.argmax(dim=1, keepdim=True) == samples.advice).float().mean()
            loss = torch.lerp(loss, imitation, self.teacher_weight)
        loss = self.vf_coef * value_loss + (0.0 if self.value_only else loss)
        with torch.no_grad():
            figures = torch.stack(
                [
                    -gain.mean(),
                    value_loss,
                    -entropy,
                    (ratio - 1 - change).mean(),
                    ((ratio - 1).abs() > clip).float().mean(),
                    imitation,
                    agreement,
                    loss,
                ]
            )
        return loss, figures

    def _log_figures(self, figures: list[float], clip: float) -> None:
        """Hands the figures of an update to the logger, under the names SB3 uses."""
        for name, figure in zip(self.FIGURES, figures, strict=True):
            if self.teacher_weight > 0 or not name.startswith("teacher"):
                self.logger.record(f"train/{name}", figure)
        buffer = self.rollout_buffer
        known = buffer.flat_known
        explained = explained_variance(
            np.ravel(buffer.values)[known], np.ravel(buffer.returns)[known]
        )
        self.logger.record("train/explained_variance", explained)
        self.logger.record("train/clip_range", clip)
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
