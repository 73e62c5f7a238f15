"""A training run: a folder with its settings, checkpoints and figures; begun, or gone on with."""

from __future__ import annotations

import json
import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback, CallbackList

from dreamfactory_env.games import game_named
from dreamfactory_env.learning.checkpoints import read_newest, write_checkpoint
from dreamfactory_env.learning.config import Training, read_training, write_training
from dreamfactory_env.learning.evaluation import EVALUATIONS, Evaluator, as_figures, in_words
from dreamfactory_env.learning.export import begin_with
from dreamfactory_env.learning.files import locked
from dreamfactory_env.learning.league import League
from dreamfactory_env.learning.loggers import make_logger
from dreamfactory_env.learning.metrics import Figures
from dreamfactory_env.learning.plotting import draw_strength
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.ppo import SeatPPO
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import SUFFIX, adviser_fact
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write

#: Settings whose keys are not ours.
FREE = ("rows.", "options.", "opponents.scripted.", "opponents.agents.", "opponents.self_at.")
#: What a run was made with, written beside it.
PACKAGES = ["dreamfactory-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"]
SETTINGS, VERSIONS, CHECKPOINTS, PLOT = (
    "config.yaml",
    "versions.json",
    "checkpoints",
    "strength.png",
)


def begin(settings: Training, folder: Path) -> Run:
    """Makes the folder of a new run.

    Raises:
        OptionError: There is a run in it already, or it cannot be written.
    """
    if (folder / SETTINGS).exists():
        raise OptionError(f"there is a run in {folder}: give --resume, or another folder")
    run = Run(settings, folder)  # before anything is written: it may not be possible
    run.start()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        versions = json.dumps(_versions(), indent=2) + "\n"
        atomic_write(folder / VERSIONS, versions.encode())
        write_training(settings, folder / SETTINGS)  # last: now there is a run
    except OSError as error:
        raise OptionError(f"{folder} cannot be written: {error.strerror or error}") from error
    return run


def resume(folder: Path) -> Run:
    """Goes on with the run of a folder, from its newest whole checkpoint.

    Nothing is written before :meth:`Run.train`, so a run that is still going can be looked at.

    Raises:
        GameError: There is no run in it, or none that can go on.
    """
    if not (folder / SETTINGS).exists():
        raise OptionError(f"there is no run in {folder}: {SETTINGS} is missing")
    settings = read_training(folder / SETTINGS, begun=True)
    kept, troubles = read_newest(folder / CHECKPOINTS)
    if kept is not None:
        _check_unchanged(folder, settings, kept)
    run = Run(settings, folder)
    for trouble in troubles:
        run.say(f"warning: {trouble}; an older checkpoint is used")
    for name, found in _versions().items():
        before = run.versions().get(name, found)
        if before != found:
            run.say(f"warning: {name} was {before} and is {found}; the run may go on differently")
    run.load(kept)
    return run


def _versions() -> dict[str, str]:
    return {name: version(name) for name in PACKAGES} | {"python": platform.python_version()}


def _made_for(settings: Training) -> dict[str, Any]:
    """Returns what must not change while a run goes on: its settings, the game's observation."""
    kind = game_named(settings.game)
    game = {"the game's version": kind.version, "the observation": kind.layout.fingerprint()}
    if settings.network.adviser:
        game["the adviser"] = adviser_fact(kind, settings.network.adviser)
    return _flat(asdict(settings)) | game


def _without_folders(value: Any) -> Any:
    """Returns settings with the names of files alone: folders are nobody else's business."""
    if isinstance(value, dict):
        return {_without_folders(key): _without_folders(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_folders(item) for item in value]
    return Path(value).name if isinstance(value, str) and value.endswith(SUFFIX) else value


def _flat(values: dict[Any, Any], before: str = "") -> dict[str, Any]:
    """Returns nested settings by keys such as ``learning.rate``."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{before}{key}"
        flat |= _flat(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return flat


def _check_unchanged(folder: Path, settings: Training, kept: dict[str, Any]) -> None:
    """Raises OptionError if a checkpoint was written with other settings."""
    now = _made_for(settings)
    # What was no setting yet when the run was begun was as it is now if nobody says otherwise.
    then = _flat(asdict(Training(settings.steps))) | kept["made_for"]
    for key in then.keys() - kept["made_for"].keys():
        if key.startswith(FREE):
            del then[key]
    for key in [*then, *now]:
        if now.get(key) != then.get(key):
            was = f"{key} was {then.get(key)!r} and is {now.get(key)!r}"
            raise OptionError(f"the run in {folder} cannot go on: {was}; begin a new one")


class Stopped(Exception):
    """Somebody wanted the run to stop, and everything is written down."""


class Run:
    """A training run.

    Attributes:
        say: Is told warnings and evaluations, to show them; prints them unless told otherwise.
        kept: The decisions after which the newest checkpoint was written; 0 if there is none.
        evaluating: Whether it is being evaluated at the moment.

    Args:
        settings: What it is.
        folder: Where it lives.
    """

    def __init__(self, settings: Training, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.say: Callable[[str], None] = lambda text: print(text, flush=True)
        self.kept = 0
        self.evaluating = False
        learning = settings.learning
        torch.set_num_threads(settings.threads)
        self.table = TrainingVecEnv(
            game_named(settings.game),
            settings.rows,
            reward=settings.reward,
            shaping=settings.shaping,
            adviser=settings.network.adviser or settings.teacher.policy,
            heard=bool(settings.network.adviser),
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
            policy_kwargs={
                "net_arch": list(settings.network.layers),
                "activation_fn": torch.nn.ReLU,
                "share_features_extractor": True,
                "game": settings.game,
                "width": settings.network.width,
                "half_precision": learning.bfloat16,
                "adviser": settings.network.adviser,
            },
            seed=settings.seed,
            device="cpu",
        )
        self.league = League(self.table, settings.opponents, settings.rhythm.snapshot)
        self.evaluator = Evaluator(settings, folder)
        self.figures = Figures(self.model, self.table, settings.rows)

    def start(self) -> None:
        """Gives the learner the weights that it begins with, if those of an agent are wanted.

        Raises:
            OptionError: There is no such agent, or it is another network.
        """
        if name := self.settings.network.start:
            try:
                begin_with(self.model, network_named(name, self.table.kind))
            except OptionError as error:
                raise OptionError(f"network.start: {error}") from error

    @staticmethod
    def _falling(first: float, last: float) -> Any:
        def rate(left: float) -> float:
            return float(last * (first / last) ** left)

        return rate

    @property
    def finished(self) -> bool:
        """Whether all is trained and evaluated."""
        steps = self.model.num_timesteps
        return steps >= self.settings.steps and not self.evaluator.due(steps)

    def train(
        self, callbacks: Sequence[BaseCallback] = (), stop: Callable[[], bool] = lambda: False
    ) -> bool:
        """Trains to the end, or until somebody wants it to stop.

        Args:
            callbacks: Of stable-baselines3, besides the run's own.
            stop: Asked at every step, and while the learner is evaluated; once it says yes, the
                training ends after the next update, with everything written down.

        Returns:
            Whether the run is finished.

        Raises:
            OptionError: Somebody else is training it, or an agent that it plays has changed.
        """
        self.league.check_agents()
        with locked(self.folder):
            return self._train(callbacks, stop)

    def _train(self, callbacks: Sequence[BaseCallback], stop: Callable[[], bool]) -> bool:
        model = self.model
        left = self.settings.steps - model.num_timesteps
        model.set_logger(make_logger(self.folder, model.num_timesteps, self.say))
        with self._tolerating(EVALUATIONS):
            self.evaluator.write()  # without what was evaluated after the checkpoint
        own = [Between(self, stop), self.league, Schedules(self)]
        every = CallbackList([*own, *callbacks, self.figures])
        try:
            if left > 0:
                model.learn(left, every, log_interval=None, reset_num_timesteps=False)  # type: ignore[arg-type]
                self.figures.write()
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
        line = evaluator.evaluate(self.model, steps, self.figures.trained, stop)
        self.figures.seconds["evaluation"] += time.perf_counter() - begun
        self.evaluating = False
        if line is None:
            return
        self.say(in_words(line))
        with self._tolerating(EVALUATIONS):
            evaluator.write()
        with self._tolerating(PLOT):
            atomic_write(self.folder / PLOT, draw_strength(evaluator.lines))
        for name, figure in as_figures(line).items():
            self.model.logger.record(name, figure)
        self.figures.dump()

    @contextmanager
    def _tolerating(self, name: str) -> Iterator[None]:
        """Goes on with a warning if a file cannot be written, on a full disk say."""
        try:
            yield
        except OSError as error:
            self.say(f"warning: {name} cannot be written: {error.strerror or error}")

    def versions(self) -> dict[str, str]:
        """Returns what the run was begun with, as it was written beside it."""
        try:
            found: dict[str, str] = json.loads((self.folder / VERSIONS).read_text("utf-8"))
            return found
        except (OSError, ValueError):
            return {}

    def facts(self) -> dict[str, str]:
        """Returns what is known of the learner, for the header of an exported network."""
        lines = self.evaluator.lines
        return {
            "steps": str(self.model.num_timesteps),
            "games": str(self.figures.games),
            "seconds": f"{self.figures.trained:.0f}",
            "settings": json.dumps(_without_folders(asdict(self.settings))),
            "versions": json.dumps(self.versions()),
            "strength": json.dumps(_without_folders(lines[-1]) if lines else None),
        }

    # ------------------------------------------------------------------ stopping and going on

    def checkpoint(self) -> None:
        """Writes down everything that the run needs to go on, between two rollouts."""
        model = self.model
        content = {
            "made_for": _made_for(self.settings),
            "steps": model.num_timesteps,
            "updates": model._n_updates,
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "episode_starts": model._last_episode_starts,
            "table": self.table.save_arrays(),
            "league": self.league.save(),
            "figures": self.figures.save(),
            "torch": torch.get_rng_state(),
            "numpy": np.random.get_state(),
            "python": random.getstate(),
        }
        with self._tolerating("a checkpoint"):
            write_checkpoint(self.folder / CHECKPOINTS, model.num_timesteps, content)
            self.kept = model.num_timesteps

    def load(self, kept: dict[str, Any] | None) -> None:
        """Goes back to a checkpoint, or to the start if there is none."""
        if kept is not None:
            model = self.model
            model.num_timesteps, model._n_updates = kept["steps"], kept["updates"]
            model.policy.load_state_dict(kept["policy"])
            model.policy.optimizer.load_state_dict(kept["optimizer"])
            self.table.load_arrays(kept["table"])
            model._last_obs = self.table.seen()
            model._last_episode_starts = kept["episode_starts"]
            self.league.load(kept["league"])
            self.figures.load(kept["figures"])
            torch.set_rng_state(kept["torch"])
            np.random.set_state(kept["numpy"])
            random.setstate(kept["python"])
            self.kept = kept["steps"]
        else:
            self.start()
        self.evaluator.load(self.kept)


class Between(BaseCallback):
    """What happens between two rollouts, before anything is drawn for the next one.

    Args:
        run: Whose.
        stop: Asked whether to.
    """

    def __init__(self, run: Run, stop: Callable[[], bool]) -> None:
        super().__init__()
        self.run = run
        self.stop = stop
        self.last = run.model.num_timesteps  # where a checkpoint was tried

    def _on_rollout_start(self) -> None:
        run, steps = self.run, self.num_timesteps
        run.figures.write()
        if steps - self.last >= run.settings.rhythm.checkpoint:
            run.checkpoint()
            self.last = steps
        run.evaluate(self.stop)
        if self.stop():
            if run.kept < steps:
                run.checkpoint()
            raise Stopped

    def _on_step(self) -> bool:
        self.stop()  # so that it can say at once that it was heard
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
        self.learner.value_only = self.num_timesteps < learning.value_first
        self.learner.batch_size = teacher.batch if weight == 1.0 else learning.batch

    def _on_step(self) -> bool:
        return True
