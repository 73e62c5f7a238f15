"""What is measured while a run trains: games, what the learner is paid, where the time goes."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.engine.stepper import CALLER
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.loggers import STEPS
from dreamfactory_env.learning.ppo import SeatPPO
from dreamfactory_env.learning.training_games import StepResult

#: What a training computes; with asynchronous rollouts the update is beside the others.
PARTS = ("environment", "inference", "update")


class TrainingMetrics(BaseCallback):
    """Measures while a run trains, and hands the metrics to the logger.

    It is the last of the callbacks, so that what others do before a rollout is not counted.

    Attributes:
        seconds: How long each of :data:`PARTS` took so far, and ``evaluation``, which is besides.
            ``inference`` is all that a rollout takes outside of the environment.
        trained: How many seconds the run has trained.
        fps: Decisions of the learner a second, in the last rollout and its update.
        games: How many games are finished.
        self_play: The mean return of games among learners alone when one was last finished, by
            player count; of shared games only: in others the learner wins what it loses.

    Args:
        learner: Who trains.
        players: How many play in each row, int8 (rows,).
        shared: Whether the game is a shared one.
    """

    def __init__(self, learner: SeatPPO, players: Array, shared: bool) -> None:
        super().__init__()
        self.learner = learner
        self.shared = shared
        self.seconds = dict.fromkeys((*PARTS, "evaluation"), 0.0)
        self.trained = 0.0
        self.fps = 0.0
        self.games = 0
        self.self_play: dict[int, float] = {}
        self._players = players
        self._paid = np.zeros((len(players), int(players.max())))
        counts = np.unique(players).tolist()
        self._alone: dict[int, list[float]] = {count: [] for count in counts}
        self._returns: dict[int, list[float]] = {count: [] for count in counts}
        self._written = 0, 0.0  # decisions and seconds when metrics were written
        self._since: float | None = None  # when the clock of the training was started

    def shares(self) -> dict[str, float]:
        """Returns which share of what was computed each of :data:`PARTS` has."""
        computed = sum(self.seconds[part] for part in PARTS)
        return {part: self.seconds[part] / max(computed, 1e-9) for part in PARTS}

    # ------------------------------------------------------------------ as a callback

    def _on_training_start(self) -> None:
        self._since = time.perf_counter()

    def _on_rollout_start(self) -> None:
        self._since = time.perf_counter()  # what others do before a rollout is no training
        self._environment = 0.0

    def _on_step(self) -> bool:
        self.count(self.locals["result"])
        return True

    def count(self, step: StepResult) -> None:
        """Adds what a step has brought."""
        self._environment += step.seconds
        self._paid += step.rewards
        rows = np.flatnonzero(step.dones)
        mine = step.lineups[rows] == CALLER
        mine &= np.arange(mine.shape[1]) < self._players[rows, None]
        seats = mine.sum(axis=1)
        means = (self._paid[rows] * mine).sum(axis=1) / seats
        for players, own, mean in zip(self._players[rows].tolist(), seats, means, strict=True):
            kept = self._alone if own == players else self._returns
            kept[players].append(float(mean))
        self._paid[rows] = 0
        self.games += len(rows)

    def _on_rollout_end(self) -> None:
        self.seconds["environment"] += self._environment
        self._record_returns()

    def _record_returns(self) -> None:
        """Records what a game was worth to a seat of the learner, by player count."""
        logger = self.learner.logger
        if self.shared:
            means = {n: float(np.mean(paid)) for n, paid in self._alone.items() if paid}
            self.self_play |= means
            for players, mean in means.items():
                logger.record(f"rollout/self_play_return_{players}_players", mean)
        for players, paid in self._returns.items():
            if paid:
                logger.record(f"rollout/return_{players}_players", float(np.mean(paid)))
        for paid in (*self._alone.values(), *self._returns.values()):
            paid.clear()

    # ------------------------------------------------------------------ writing

    def write(self) -> None:
        """Writes the metrics of the last rollout and its update; nothing if there is none."""
        steps, (before, seconds) = self.learner.num_timesteps, self._written
        if self._since is not None:
            self.trained += time.perf_counter() - self._since
            self._since = None
        if steps == before:
            return
        self.seconds["inference"] = self.learner.rollout_seconds - self.seconds["environment"]
        self.seconds["update"] = self.learner.seconds
        self.fps = (steps - before) / (self.trained - seconds)
        self._written = steps, self.trained
        logger = self.learner.logger
        logger.record("time/fps", round(self.fps, 1))
        logger.record("time/seconds", round(self.trained, 1))
        logger.record("time/evaluation_seconds", round(self.seconds["evaluation"], 1))
        for part, share in self.shares().items():
            logger.record(f"time/{part}", round(share, 4))
        logger.record("rollout/games", self.games)
        self.dump()

    def dump(self) -> None:
        """Writes all that was recorded, as a line of its own."""
        steps = self.learner.num_timesteps
        self.learner.logger.record(STEPS, steps, exclude="tensorboard")
        self.learner.logger.dump(steps)

    # ------------------------------------------------------------------ saving

    def save(self) -> dict[str, Any]:
        """Returns everything that changes, for a checkpoint."""
        return {
            "seconds": dict(self.seconds),
            "trained": self.trained,
            "paid": self._paid.copy(),
            "games": self.games,
            "self_play": dict(self.self_play),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Goes back to what :meth:`save` returned; the learner has gone back already."""
        self.seconds, self._paid = dict(saved["seconds"]), saved["paid"].copy()
        self.games, self.self_play = saved["games"], dict(saved["self_play"])
        self.trained = saved.get("trained", sum(self.seconds[part] for part in PARTS))
        self.learner.rollout_seconds = self.seconds["environment"] + self.seconds["inference"]
        self.learner.seconds = self.seconds["update"]
        self._written = self.learner.num_timesteps, self.trained
