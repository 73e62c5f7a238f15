"""What changes over a run: the learning rate, the entropy bonus, the teacher's weight."""

from __future__ import annotations

from collections.abc import Callable

from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.ppo import SeatPPO


class ScheduleCallback(BaseCallback):
    """Sets what changes over a run: the entropy bonus, the teacher's weight, what is learned.

    Args:
        settings: Those of the run.
        learner: Who trains.
    """

    def __init__(self, settings: Training, learner: SeatPPO) -> None:
        super().__init__()
        self.settings = settings
        self.learner = learner

    def _on_rollout_start(self) -> None:
        ppo, teacher = self.settings.ppo, self.settings.teacher
        progress = min(self.num_timesteps / self.settings.total_timesteps, 1.0)
        self.learner.ent_coef = ppo.ent_coef - progress * (ppo.ent_coef - ppo.final_ent_coef)
        left = 1.0 - (self.num_timesteps - teacher.timesteps) / teacher.fading_timesteps
        weight = min(max(left, 0.0), 1.0) if teacher.policy else 0.0
        self.learner.teacher_weight = weight
        self.learner.value_only = self.num_timesteps < ppo.value_only_timesteps
        self.learner.batch_size = teacher.batch_size if weight == 1.0 else ppo.batch_size

    def _on_step(self) -> bool:
        return True


def falling(first: float, last: float) -> Callable[[float], float]:
    """Returns a schedule of SB3 that falls by the same factor in equal times."""

    def rate(left: float) -> float:
        return float(last * (first / last) ** left)

    return rate
