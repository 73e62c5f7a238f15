"""A training run: a folder with its settings, checkpoints and figures; begun, or gone on with."""

from __future__ import annotations

import json
import platform
import random
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import configure

from dreamfactory_env.errors import OptionError
from dreamfactory_env.games import game_named
from training.advantages import SeatRolloutBuffer
from training.checkpoints import read_newest, write_checkpoint
from training.config import Training, read_training, write_training
from training.league import League
from training.learner import SeatPPO
from training.policy import SeatPolicy
from training.table import TableVecEnv

#: What a run was made with, written beside it.
PACKAGES = ["dreamfactory-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"]


def begin(settings: Training, folder: Path) -> Run:
    """Makes the folder of a new run.

    Raises:
        OptionError: There is a run in it already.
    """
    if (folder / "config.yaml").exists():
        raise OptionError(f"there is a run in {folder}: give --resume, or another folder")
    folder.mkdir(parents=True, exist_ok=True)
    write_training(settings, folder / "config.yaml")
    versions = {name: version(name) for name in PACKAGES}
    versions["python"] = platform.python_version()
    (folder / "versions.json").write_text(json.dumps(versions, indent=2) + "\n", "utf-8")
    return Run(settings, folder)


def resume(folder: Path) -> Run:
    """Goes on with the run of a folder, from its newest whole checkpoint.

    Raises:
        OptionError: There is no run in it.
    """
    if not (folder / "config.yaml").exists():
        raise OptionError(f"there is no run in {folder}: config.yaml is missing")
    run = Run(read_training(folder / "config.yaml"), folder)
    kept, troubles = read_newest(folder / "checkpoints")
    for trouble in troubles:
        print(f"warning: {trouble}", flush=True)
    if kept is not None:
        run.load(kept)
    return run


class Run:
    """A training run.

    Args:
        settings: What it is.
        folder: Where it lives.
    """

    def __init__(self, settings: Training, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        learning = settings.learning
        torch.set_num_threads(settings.threads)
        self.table = TableVecEnv(
            game_named(settings.game),
            settings.rows,
            reward=settings.reward,
            shaping=settings.shaping,
            teacher=settings.teacher.policy,
            together=settings.opponents.together,
            seed=settings.seed,
            **settings.options,
        )
        self.model = SeatPPO(
            SeatPolicy,
            self.table,
            learning_rate=self._falling(learning.rate, learning.final_rate),
            n_steps=learning.rollout,
            batch_size=learning.batch,
            n_epochs=learning.epochs,
            gamma=learning.gamma,
            gae_lambda=learning.gae_lambda,
            clip_range=learning.clip,
            ent_coef=learning.entropy,
            vf_coef=learning.value,
            rollout_buffer_class=SeatRolloutBuffer,
            rollout_buffer_kwargs={"table": self.table},
            policy_kwargs={
                "net_arch": list(settings.network.layers),
                "activation_fn": torch.nn.ReLU,
                "share_features_extractor": True,
                "game": settings.game,
                "width": settings.network.width,
            },
            seed=settings.seed,
            device="cpu",
        )
        self.league = League(self.table, settings.opponents, settings.rhythm.snapshot)
        self.elapsed = 0.0

    @staticmethod
    def _falling(first: float, last: float) -> Any:
        def rate(left: float) -> float:
            return float(last * (first / last) ** left)

        return rate

    def train(self, callbacks: list[BaseCallback] | None = None) -> None:
        """Trains to the end, writing checkpoints on the way and at the end."""
        settings = self.settings
        left = settings.steps - self.model.num_timesteps
        self.model.set_logger(configure(str(self.folder), ["csv", "tensorboard"]))
        kept = [Keeper(self), self.league, Schedules(self), *(callbacks or [])]
        self._begun = time.perf_counter() - self.elapsed
        try:
            if left > 0:
                self.model.learn(left, callback=CallbackList(kept), reset_num_timesteps=False)
        finally:
            self.model.logger.close()
        self.elapsed = time.perf_counter() - self._begun
        self.checkpoint()

    # ------------------------------------------------------------------ stopping and going on

    def checkpoint(self) -> None:
        """Writes down everything that the run needs to go on, between two rollouts."""
        model = self.model
        content = {
            "steps": model.num_timesteps,
            "updates": model._n_updates,
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "episode_starts": model._last_episode_starts,
            "table": self.table.save_arrays(),
            "league": self.league.save(),
            "elapsed": self.elapsed,
            "torch": torch.get_rng_state(),
            "numpy": np.random.get_state(),
            "python": random.getstate(),
        }
        try:
            write_checkpoint(self.folder / "checkpoints", model.num_timesteps, content)
        except OSError as error:
            print(f"warning: no checkpoint could be written: {error}", flush=True)

    def load(self, kept: dict[str, Any]) -> None:
        """Goes back to a checkpoint."""
        model = self.model
        model.num_timesteps, model._n_updates = kept["steps"], kept["updates"]
        model.policy.load_state_dict(kept["policy"])
        model.policy.optimizer.load_state_dict(kept["optimizer"])
        self.table.load_arrays(kept["table"])
        model._last_obs = self.table.observations.copy()
        model._last_episode_starts = kept["episode_starts"]
        self.league.load(kept["league"])
        self.elapsed = kept["elapsed"]
        torch.set_rng_state(kept["torch"])
        np.random.set_state(kept["numpy"])
        random.setstate(kept["python"])


class Keeper(BaseCallback):
    """Writes checkpoints. It must come before all callbacks that draw something."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run
        self.last = run.model.num_timesteps

    def _on_rollout_start(self) -> None:
        run = self.run
        run.elapsed = time.perf_counter() - run._begun
        if self.num_timesteps - self.last >= run.settings.rhythm.checkpoint:
            run.checkpoint()
            self.last = self.num_timesteps

    def _on_step(self) -> bool:
        return True


class Schedules(BaseCallback):
    """Lets the bonus for varied play fall over the run, and the weight of the teacher's advice."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.settings = run.settings
        self.learner = run.model

    def _on_rollout_start(self) -> None:
        learning, teacher = self.settings.learning, self.settings.teacher
        done = self.num_timesteps / self.settings.steps
        gone = min(done, 1.0) * (learning.entropy - learning.final_entropy)
        self.learner.ent_coef = learning.entropy - gone
        left = 1.0 - (self.num_timesteps - teacher.steps) / teacher.fading
        weight = min(max(left, 0.0), 1.0) if teacher.policy else 0.0
        self.learner.teacher_weight = weight
        self.learner.batch_size = teacher.batch if weight == 1.0 else learning.batch

    def _on_step(self) -> bool:
        return True
