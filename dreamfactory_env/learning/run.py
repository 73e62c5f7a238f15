"""A training run: a folder with its settings, checkpoints and metrics; begun, or resumed."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback, CallbackList

from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.learning.checkpoints import fitting, read_newest, write_checkpoint
from dreamfactory_env.learning.collector import Collector
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.evaluation import EVALUATIONS, Evaluator
from dreamfactory_env.learning.evaluation_lines import as_metrics, in_words
from dreamfactory_env.learning.export import start_from
from dreamfactory_env.learning.league import League
from dreamfactory_env.learning.loggers import make_logger
from dreamfactory_env.learning.metrics import TrainingMetrics
from dreamfactory_env.learning.model import make_model
from dreamfactory_env.learning.plotting import draw_strength
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.rollout_buffer import SeatRolloutBuffer
from dreamfactory_env.learning.rollout_jobs import make_player
from dreamfactory_env.learning.run_files import (
    CHECKPOINTS,
    PLOT,
    SETTINGS,
    VERSIONS,
    as_it_was,
    check_identity,
    current_versions,
    identity,
    read_versions,
    without_folders,
)
from dreamfactory_env.learning.schedules import ScheduleCallback
from dreamfactory_env.learning.settings_file import read_training, write_training
from dreamfactory_env.learning.sharded_collector import ShardedCollector
from dreamfactory_env.learning.training_env import TrainingVecEnv, make_env
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import VALUE_KEY
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.locks import Lock

#: The settings of a run that may be changed when it is resumed.
CHANGEABLE = ("total_timesteps", "threads")


def begin(settings: Training, folder: Path, cluster: Cluster | None = None) -> Run:
    """Makes the folder of a new run.

    Args:
        settings: What it is.
        folder: Where it will live.
        cluster: Where its rollouts are made; in this process if None.

    Raises:
        OptionError: There is a run in it already, or it cannot be written.
    """
    _check_new(folder)
    run = Run(settings, folder, cluster)  # before anything is written: it may not be possible
    run.load_start()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with Lock(folder, folder=True):
            _check_new(folder)  # another process may have begun one meanwhile
            versions = json.dumps(current_versions(), indent=2) + "\n"
            atomic_write(folder / VERSIONS, versions.encode())
            write_training(settings, folder / SETTINGS)  # last: now there is a run
    except OSError as error:
        raise OptionError(f"{folder} cannot be written: {error.strerror or error}") from error
    return run


def _check_new(folder: Path) -> None:
    if (folder / SETTINGS).exists():
        raise OptionError(f"there is a run in {folder}: give --resume, or another folder")


def resume(
    folder: Path,
    changes: Mapping[str, str] | None = None,
    *,
    allow_code: bool = False,
    cluster: Cluster | None = None,
) -> Run:
    """Resumes the run of a folder, from its newest whole checkpoint.

    Nothing is written before :meth:`Run.train`, so a run that is being trained can be looked at.

    Args:
        folder: The run's.
        changes: ``{"total_timesteps": …}`` makes the run longer. What depends on progress, the
            learning rate and the entropy bonus, is from here on what it is in a run of that length.
            ``threads`` may be changed, too.
        allow_code: Whether policies of its settings are imported, see ``read_training``.
        cluster: Where its rollouts are made from now on; in this process if None.

    Raises:
        GameError: There is no run in it, or none that can be resumed, or not with such changes.
    """
    if not (folder / SETTINGS).exists():
        raise OptionError(f"there is no run in {folder}: {SETTINGS} is missing")
    settings = _resumed_settings(folder / SETTINGS, changes or {}, allow_code)
    content, problems = read_newest(folder / CHECKPOINTS)
    if content is not None:
        with fitting(folder):
            check_identity(folder, settings, content["identity"])
    run = Run(settings, folder, cluster)
    run.changed = bool(changes)
    for problem in problems:
        run.notify(f"warning: {problem}; an older checkpoint is used")
    before = read_versions(folder)
    for name, now in current_versions().items():
        if before.get(name, now) != now:
            message = f"{name} was {before[name]} and is {now}; the run may come out differently"
            run.notify(f"warning: {message}")
    with fitting(folder):
        run.restore(content)
    return run


def _resumed_settings(path: Path, changes: Mapping[str, str], allow_code: bool) -> Training:
    """Returns the settings of a run that is resumed, perhaps with some of them changed."""
    how: dict[str, Any] = {"change": as_it_was, "resuming": True, "allow_code": allow_code}
    settings = read_training(path, **how)
    if not changes:
        return settings
    if others := [key for key in changes if key not in CHANGEABLE]:
        kept = f"a run keeps its settings but for {' and '.join(CHANGEABLE)}"
        raise OptionError(f"{kept}: not {others[0]}")
    changed = read_training(path, changes, **how)
    if "total_timesteps" in changes and changed.total_timesteps <= settings.total_timesteps:
        message = f"must be more than {settings.total_timesteps}, which it has already"
        raise OptionError(f"total_timesteps of {path.parent} {message}")
    return changed


class Run:
    """A training run.

    Attributes:
        env: The games.
        model: The learner.
        notify: Shows warnings and evaluations; prints them unless it is replaced.
        saved_steps: The decisions after which the newest checkpoint was written; 0 if there is
            none.
        evaluating: Whether it is being evaluated at the moment.
        changed: Whether its settings are others than its file says.

    Args:
        settings: What it is.
        folder: Where it lives.
        cluster: Where rollouts are made and evaluations are played; in this process if None.
    """

    def __init__(self, settings: Training, folder: Path, cluster: Cluster | None = None) -> None:
        self.settings = settings
        self.folder = folder
        self.cluster = cluster
        self.notify: Callable[[str], None] = lambda text: print(text, flush=True)
        self.saved_steps = 0
        self.evaluating = False
        self.changed = False
        torch.set_num_threads(1)
        self.env = make_env(settings)
        plain = cluster is None and settings.actors == 1
        self.model = make_model(settings, self.env, None if plain else self._collect_shards)
        schedule = settings.schedule
        self.league = League(self.env.games, settings.others, schedule.snapshot_every)
        self.evaluator = Evaluator(settings, folder, cluster)
        shared = self.env.games.game.spec.shared
        self.metrics = TrainingMetrics(self.model, self.env.games.players, shared)

    def _collect_shards(
        self, policy: SeatPolicy, env: TrainingVecEnv, buffer: SeatRolloutBuffer
    ) -> Collector:
        """Makes who collects rollouts in shards, here or on the cluster."""
        agents = list(self.league.agents.values())
        player = make_player(self.settings, agents, policy, self.cluster)
        return ShardedCollector(policy, env, buffer, player, self.league.active_weights)

    def load_start(self) -> None:
        """Gives the learner the weights of the agent that it starts with, if there is one.

        Raises:
            OptionError: There is no such agent, or it is another network.
        """
        if name := self.settings.network.start:
            try:
                agent = network_named(name, self.env.games.game)
                start_from(self.model, agent, self._paid)
            except OptionError as error:
                raise OptionError(f"network.start: {error}") from error

    @property
    def _paid(self) -> str:
        """What the learner is paid, which its value foresees."""
        return self.settings.reward + (" with shaping" if self.settings.shaping else "")

    @property
    def finished(self) -> bool:
        """Whether all is trained and evaluated."""
        steps = self.model.num_timesteps
        return steps >= self.settings.total_timesteps and not self.evaluator.due(steps)

    # ------------------------------------------------------------------ training

    def train(
        self, callbacks: Sequence[BaseCallback] = (), stop: Callable[[], bool] = lambda: False
    ) -> bool:
        """Trains to the end, or until it is stopped.

        Args:
            callbacks: Of stable-baselines3, besides the run's own.
            stop: Asked at every step, and while the learner is evaluated; once it says yes, the
                training ends after the next update, with everything written down.

        Returns:
            Whether the run is finished.

        Raises:
            OptionError: Another process is training it, or an agent that it plays has changed.
        """
        self.league.check_agents()
        with Lock(self.folder, folder=True):
            if self.changed:
                with self._tolerating(SETTINGS):
                    write_training(self.settings, self.folder / SETTINGS)
            return self._train(callbacks, stop)

    def _train(self, callbacks: Sequence[BaseCallback], stop: Callable[[], bool]) -> bool:
        model = self.model
        left = self.settings.total_timesteps - model.num_timesteps
        model.set_logger(make_logger(self.folder, model.num_timesteps, self.notify))
        with self._tolerating(EVALUATIONS):
            self.evaluator.write()  # without what was evaluated after the checkpoint
        schedules = ScheduleCallback(self.settings, model)
        own = [CheckpointEvalCallback(self, stop), self.league, schedules]
        every = CallbackList([*own, *callbacks, self.metrics])
        try:
            if left > 0:
                model.learn(left, every, log_interval=None, reset_num_timesteps=False)
                self.metrics.write()
                self.checkpoint()
            self.evaluate(stop)
        except Stopped:
            pass
        finally:
            model.logger.close()
        return self.finished

    def evaluate(self, stop: Callable[[], bool]) -> None:
        """Evaluates the learner if it is time, and writes down how strong it is."""
        steps, evaluator = self.model.num_timesteps, self.evaluator
        if not evaluator.due(steps):
            return
        self.evaluating, begun = True, time.perf_counter()
        line = evaluator.evaluate(self.model, steps, self.metrics.trained, stop)
        self.metrics.seconds["evaluation"] += time.perf_counter() - begun
        self.evaluating = False
        if line is None:
            return
        self.notify(in_words(line))
        with self._tolerating(EVALUATIONS):
            evaluator.write()
        with self._tolerating(PLOT):
            atomic_write(self.folder / PLOT, draw_strength(evaluator.lines))
        for name, value in as_metrics(line).items():
            self.model.logger.record(name, value)
        self.metrics.dump()

    @contextmanager
    def _tolerating(self, name: str) -> Iterator[None]:
        """Warns if a file cannot be written, on a full disk say, instead of raising."""
        try:
            yield
        except OSError as error:
            self.notify(f"warning: {name} cannot be written: {error.strerror or error}")

    def facts(self) -> dict[str, str]:
        """Returns what is known of the learner, for the header of an exported network."""
        lines = self.evaluator.lines
        settings = {k: v for k, v in asdict(self.settings).items() if v is not None}
        return {
            VALUE_KEY: self._paid,
            "timesteps": str(self.model.num_timesteps),
            "games": str(self.metrics.games),
            "seconds": f"{self.metrics.trained:.0f}",
            "settings": json.dumps(without_folders(settings)),
            "versions": json.dumps(read_versions(self.folder)),
            "evaluation": json.dumps(without_folders(lines[-1]) if lines else None),
        }

    # ------------------------------------------------------------------ checkpoints

    def checkpoint(self) -> None:
        """Writes down everything that resuming needs, between two rollouts."""
        model = self.model
        content = {
            "identity": identity(self.settings),
            "timesteps": model.num_timesteps,
            "updates": model._n_updates,
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "games": self.env.games.clone_state(),
            "pending": model.collector.save() if model.async_rollouts else None,
            "league": self.league.save(),
            "metrics": self.metrics.save(),
            "torch": torch.get_rng_state(),
            "numpy": np.random.get_state(),
            "python": random.getstate(),
        }
        with self._tolerating("a checkpoint"):
            write_checkpoint(self.folder / CHECKPOINTS, model.num_timesteps, content)
            self.saved_steps = model.num_timesteps

    def restore(self, content: dict[str, Any] | None) -> None:
        """Goes back to a checkpoint, or to the start if there is none."""
        if content is not None:
            model = self.model
            model.num_timesteps, model._n_updates = content["timesteps"], content["updates"]
            model.policy.load_state_dict(content["policy"])
            model.policy.optimizer.load_state_dict(content["optimizer"])
            self.env.games.restore_state(content["games"])
            model._last_obs = self.env.games.observe()
            self.league.restore(content["league"])
            self.metrics.restore(content["metrics"])
            torch.set_rng_state(content["torch"])
            np.random.set_state(content["numpy"])
            random.setstate(content["python"])
            if pending := content.get("pending"):
                model.collector.restore(pending)
            self.saved_steps = content["timesteps"]
        else:
            self.load_start()
        self.evaluator.load(self.saved_steps)


class Stopped(Exception):
    """A run was asked to stop, and everything is written down."""


class CheckpointEvalCallback(BaseCallback):
    """Writes metrics and checkpoints, evaluates, and stops, between two rollouts.

    It comes before all that draws something for the next rollout.

    Args:
        run: Whose.
        stop: Asked whether to stop.
    """

    def __init__(self, run: Run, stop: Callable[[], bool]) -> None:
        super().__init__()
        self.run = run
        self.stop = stop
        self.last = run.model.num_timesteps  # where a checkpoint was tried

    def _on_rollout_start(self) -> None:
        run, steps = self.run, self.num_timesteps
        run.metrics.write()
        if steps - self.last >= run.settings.schedule.checkpoint_every:
            run.checkpoint()
            self.last = steps
        run.evaluate(self.stop)
        if self.stop():
            if run.saved_steps < steps:
                run.checkpoint()
            raise Stopped

    def _on_step(self) -> bool:
        self.stop()  # so that it can answer a signal at once
        return True
