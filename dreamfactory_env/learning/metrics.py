"""What is counted while a run trains: games, what the learner is paid, where the time goes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.learning.loggers import STEPS
from dreamfactory_env.learning.ppo import SeatPPO
from dreamfactory_env.learning.training_env import LEARNER, TrainingVecEnv

#: Where the time of a training goes; together they are all of it.
PARTS = ("environment", "inference", "update")


class Figures(BaseCallback):
    """Counts while a run trains, and hands the figures to the logger.

    It is the last of the callbacks, so that what others do before a rollout is no inference.

    Attributes:
        seconds: How long each of :data:`PARTS` took so far, and ``evaluation``, which is besides.
            ``inference`` is all that a rollout takes outside of the environment.
        fps: Decisions of the learner a second, in the last rollout and its update.

    Args:
        learner: Who trains.
        table: Where it plays.
        rows: How many games of each player count there are.
    """

    def __init__(self, learner: SeatPPO, table: TrainingVecEnv, rows: Mapping[int, int]) -> None:
        super().__init__()
        self.learner = learner
        self.table = table
        self.seconds = dict.fromkeys((*PARTS, "evaluation"), 0.0)
        self.fps = 0.0
        self._players = np.repeat(sorted(rows), [rows[players] for players in sorted(rows)])
        self._paid = np.zeros((len(self._players), table.most_players))
        self._returns: dict[int, list[float]] = {players: [] for players in sorted(rows)}
        self._told = 0, 0.0  # decisions and seconds when figures were written

    @property
    def trained(self) -> float:
        """How many seconds the run has trained."""
        return sum(self.seconds[part] for part in PARTS)

    @property
    def games(self) -> int:
        """How many games are finished."""
        return int(self.table.episodes.sum())

    def shares(self) -> dict[str, float]:
        """Returns which share of the training's time each of :data:`PARTS` has."""
        return {part: self.seconds[part] / max(self.trained, 1e-9) for part in PARTS}

    # ------------------------------------------------------------------ as a callback

    def _on_rollout_start(self) -> None:
        self._begun = time.perf_counter(), self.table.seconds

    def _on_step(self) -> bool:
        table = self.table
        self._paid += table.payments
        rows = np.flatnonzero(table.done)
        mine = table.played[rows] == LEARNER
        means = (self._paid[rows] * mine).sum(axis=1) / mine.sum(axis=1)
        for players, seats, mean in zip(self._players[rows], mine.sum(axis=1), means, strict=True):
            if seats < players:  # alone with itself it wins what it loses
                self._returns[players].append(float(mean))
        self._paid[rows] = 0
        return True

    def _on_rollout_end(self) -> None:
        begun, played = self._begun
        environment = self.table.seconds - played
        self.seconds["environment"] += environment
        self.seconds["inference"] += time.perf_counter() - begun - environment

    # ------------------------------------------------------------------ writing

    def write(self) -> None:
        """Writes the figures of the last rollout and its update; nothing if they are written."""
        steps, (before, seconds) = self.learner.num_timesteps, self._told
        if steps == before:
            return
        self.seconds["update"] = self.learner.seconds
        self.fps = (steps - before) / (self.trained - seconds)
        self._told = steps, self.trained
        logger = self.learner.logger
        logger.record("time/fps", round(self.fps, 1))
        logger.record("time/seconds", round(self.trained, 1))
        logger.record("time/evaluation_seconds", round(self.seconds["evaluation"], 1))
        for part, share in self.shares().items():
            logger.record(f"time/{part}", round(share, 4))
        logger.record("rollout/games", self.games)
        for players, returns in self._returns.items():
            if returns:
                logger.record(f"rollout/return_{players}_players", float(np.mean(returns)))
            returns.clear()
        self.dump()

    def dump(self) -> None:
        """Writes all that was recorded, as a line of its own."""
        steps = self.learner.num_timesteps
        self.learner.logger.record(STEPS, steps, exclude="tensorboard")
        self.learner.logger.dump(steps)

    # ------------------------------------------------------------------ stopping and going on

    def save(self) -> dict[str, Any]:
        """Returns everything that changes, for a checkpoint."""
        return {"seconds": dict(self.seconds), "paid": self._paid.copy()}

    def load(self, kept: dict[str, Any]) -> None:
        """Goes back to what :meth:`save` returned; the learner has gone back already."""
        self.seconds, self._paid = dict(kept["seconds"]), kept["paid"].copy()
        self.learner.seconds = self.seconds["update"]
        self._told = self.learner.num_timesteps, self.trained
