"""Settings of a training found by trying: a study of many short runs, with Optuna.

A trial is a run like any other, with some settings drawn from a search space. Its value is the mean
win rate of its last evaluation, or the mean score in a shared game. A trial that lags behind at an
evaluation on the way is pruned.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, TrialState
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.games import game_named
from dreamfactory_env.learning.config import Schedule, Training
from dreamfactory_env.learning.evaluation_lines import measure_in_words, measure_of, objective
from dreamfactory_env.learning.ppo import DivergedError
from dreamfactory_env.learning.run import Run, begin, resume
from dreamfactory_env.learning.run_files import CHECKPOINTS, SETTINGS
from dreamfactory_env.learning.search_space import read_space
from dreamfactory_env.learning.settings_file import read_training, write_training
from dreamfactory_env.utils.errors import ConfigError, OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.utils.locks import Lock

JOURNAL, STUDY, RUNS = "journal.log", "study.json", "trials"
TABLE, DATA, BEST = "trials.md", "trials.json", "best.yaml"
#: A trial is evaluated so many times, after equal parts of it.
PARTS = 4
#: So many trials are trained to the end before one can be pruned.
UNPRUNED = 5
#: So many rollouts are timed to find how many decisions fit into the time of a trial.
TIMED = 2
_NEVER = 2**62

Stop = Callable[[], bool]
#: Shows a run while it trains: a callback of stable-baselines3, to be entered.
Show = Callable[[Run], AbstractContextManager[BaseCallback]]


class Study:
    """A study: a folder with its journal, the runs of its trials, and the best settings.

    It resumes what is in the folder, in the middle of a trial, too.

    Args:
        config: The file of the training that is to be improved.
        space: The file of the search space.
        folder: Where the study lives.
        minutes: How long a trial learns, in minutes of computing of all threads together. None
            gives every trial as many decisions as the training has.
        notify: Shows what is tried and how it went.
        allow_code: Whether policies of the settings are imported, see ``read_training``.

    Attributes:
        cluster: Where the rollouts of trials are made, and their evaluations played; in this
            process if None. What the study finds is the same.

    Raises:
        GameError: A file has mistakes, or the folder has another study.
    """

    def __init__(
        self,
        config: Path,
        space: Path,
        folder: Path,
        minutes: float | None = None,
        notify: Callable[[str], None] = print,
        *,
        allow_code: bool = False,
    ) -> None:
        if minutes is not None and minutes <= 0:
            raise OptionError(f"minutes must be more than 0, not {minutes}")
        self._allow_code = allow_code
        self.cluster: Cluster | None = None
        self.settings = read_training(config, allow_code=allow_code)
        self.space = read_space(space, config, allow_code=allow_code)
        self.folder = folder
        self.minutes = minutes
        self.notify = notify
        schedule = self.settings.schedule
        compared = schedule.evaluate_against or game_named(self.settings.game).spec.shared
        if not compared or not schedule.evaluation_players:
            missing = "schedule.evaluate_against and schedule.evaluation_players"
            raise OptionError(f"{config}: without {missing} nothing is compared")
        self._begin_or_check()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        try:
            self._study = optuna.create_study(
                storage=JournalStorage(JournalFileBackend(str(folder / JOURNAL))),
                study_name="tuning",
                direction="maximize",
                pruner=optuna.pruners.MedianPruner(UNPRUNED),
                load_if_exists=True,
            )
        except Exception as error:  # whatever Optuna raises for a journal that is damaged
            reason = f"{type(error).__name__}: {error}"
            raise OptionError(f"{folder / JOURNAL} cannot be read: {reason}") from error
        if not self._study.trials and self.space.start is not None:
            self._study.enqueue_trial(self.space.start)

    def _begin_or_check(self) -> None:
        """Writes down what is studied, or raises OptionError if that was something else."""
        parts = {
            "other settings": asdict(self.settings),
            "another space": {key: asdict(entry) for key, entry in self.space.settings.items()},
            "another time for a trial": self.minutes,
        }
        now, path = json.loads(json.dumps(parts)), self.folder / STUDY
        if path.exists():
            try:
                then = read_json(path.read_bytes())
            except (OSError, ValueError) as error:
                raise OptionError(f"{path} cannot be read: {error}") from error
            if not isinstance(then, dict):
                raise OptionError(f"{path} does not say what is studied; give another folder")
            for part in parts:
                if then.get(part) != now[part]:
                    message = f"the study in {self.folder} was begun with {part}"
                    raise OptionError(f"{message}; give another folder")
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_training(self.settings, self.folder / SETTINGS)
            atomic_write(path, (json.dumps(now, indent=2) + "\n").encode())
        except OSError as error:
            reason = error.strerror or error
            raise OptionError(f"{self.folder} cannot be written: {reason}") from error

    @property
    def finished(self) -> list[FrozenTrial]:
        """The trials that are finished, the best first, then those that were pruned."""
        trials = self._study.get_trials(states=(TrialState.COMPLETE, TrialState.PRUNED))
        return sorted(trials, key=lambda trial: (trial.state.value, -(trial.value or 0)))

    # ------------------------------------------------------------------ trying

    def run(self, trials: int, stop: Stop = lambda: False, show: Show | None = None) -> bool:
        """Tries until so many trials are finished, or until it is stopped.

        Args:
            trials: How many, those included that are finished already.
            stop: Asked all the time; once it says yes, the trial that is running is written down.
            show: Shows the run of a trial while it trains.

        Returns:
            Whether all trials are finished.

        Raises:
            OptionError: Another process is running the study.
        """
        with Lock(self.folder, folder=True):
            return self._run(trials, stop, show)

    def _run(self, trials: int, stop: Stop, show: Show | None) -> bool:
        while (done := len(self.finished)) < trials:
            if stop():
                return False
            running = self._study.get_trials(states=(TrialState.RUNNING,))
            if running:
                trial = optuna.Trial(self._study, running[0]._trial_id)
            else:
                trial = self._study.ask()
            # Seeded anew for each trial, so that a study that was stopped asks the same.
            seed = self.settings.seed + trial.number
            self._study.sampler = optuna.samplers.TPESampler(seed=seed)
            self.notify(f"trial {done + 1} of {trials}")
            if not self._try(trial, stop, show):
                return False
            self._report()
        return True

    def _try(self, trial: optuna.Trial, stop: Stop, show: Show | None) -> bool:
        """Trains a trial to its end, or until it is pruned; returns False if it is stopped."""
        chosen = {key: entry.suggest(trial, key) for key, entry in self.space.settings.items()}
        self.notify(", ".join(f"{key} {value}" for key, value in chosen.items()))
        folder = self.folder / RUNS / f"{trial.number:04d}"
        try:
            run = self._begin_or_resume(folder, chosen, stop)
            if run is None:
                return False
            pruner = _Pruner(trial, run, stop)
            with ExitStack() as stack:
                progress = [stack.enter_context(show(run))] if show else []
                finished = run.train(progress, pruner)
        except (ConfigError, DivergedError) as error:  # a ConfigError: they do not go together
            self.notify(f"pruned: {error}")
            trial.set_user_attr("error", str(error))
            self._study.tell(trial, state=TrialState.PRUNED)
        else:
            if not (finished or pruner.lags):
                return False
            line = run.evaluator.lines[-1]
            for name in ("timesteps", "seconds", "results"):
                trial.set_user_attr(name, line[name])
            if finished:
                self._study.tell(trial, objective(line))
            else:
                self.notify("pruned: it lags behind")
                self._study.tell(trial, state=TrialState.PRUNED)
        shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)  # it is never resumed
        return True

    def _begin_or_resume(self, folder: Path, chosen: dict[str, str], stop: Stop) -> Run | None:
        """Returns the run of a trial, None if the study is stopped before there is one."""
        if (folder / SETTINGS).exists():
            run = resume(folder, allow_code=self._allow_code, cluster=self.cluster)
        else:
            settings = read_training(self.folder / SETTINGS, chosen, allow_code=self._allow_code)
            total = self._timesteps(settings, stop)
            if total is None:
                return None
            schedule = replace(settings.schedule, evaluate_every=-(-total // PARTS))
            settings = replace(settings, total_timesteps=total, schedule=schedule)
            run = begin(settings, folder, self.cluster)
        run.notify = self.notify
        return run

    def _timesteps(self, settings: Training, stop: Stop) -> int | None:
        """Returns how many decisions a trial has; None if the study is stopped."""
        if self.minutes is None:
            return settings.total_timesteps
        rollout = sum(settings.n_envs.values()) * settings.ppo.n_steps
        teacher = settings.teacher
        learning = _seconds_of_a_rollout(settings, 0, stop)
        imitating = learning
        if teacher.policy and teacher.timesteps > 0:
            imitating = _seconds_of_a_rollout(settings, _NEVER, stop)
        if imitating is None or learning is None:
            return None
        left = self.minutes * 60
        planned = -(-teacher.timesteps // rollout) if teacher.policy else 0
        first = min(planned, int(left / imitating))
        return max(first + round((left - first * imitating) / learning), 1) * rollout

    # ------------------------------------------------------------------ reporting

    def rows(self) -> list[dict[str, Any]]:
        """Returns the finished trials as data, the best first."""
        return [
            {
                "trial": trial.number,
                "value": trial.value if trial.state == TrialState.COMPLETE else None,
                "settings": trial.params,
                "timesteps": None,
                "seconds": None,
                "results": [],
                **trial.user_attrs,
            }
            for trial in self.finished
        ]

    def _report(self) -> None:
        """Writes the table of the trials, and the best settings as a training."""
        rows = self.rows()
        atomic_write(self.folder / DATA, (json.dumps(rows, indent=2) + "\n").encode())
        atomic_write(self.folder / TABLE, as_table(rows).encode())
        if rows and rows[0]["value"] is not None:
            best = {key: str(value) for key, value in rows[0]["settings"].items()}
            settings = read_training(self.folder / SETTINGS, best, allow_code=self._allow_code)
            write_training(settings, self.folder / BEST)


class _Pruner:
    """Says when a run stops: the study is stopped, or it lags behind the other trials."""

    def __init__(self, trial: optuna.Trial, run: Run, stop: Stop) -> None:
        self.trial, self.run, self.stop = trial, run, stop
        self.lags = False
        self._seen = 0
        # What was reported before the study was stopped; Optuna takes nothing twice.
        before = trial.study.get_trials(deepcopy=False)[trial.number]
        self._reported = set(before.intermediate_values)

    def __call__(self) -> bool:
        """Returns whether to stop, and reports the evaluations that are new."""
        lines, total = self.run.evaluator.lines, self.run.settings.total_timesteps
        for line in lines[self._seen :]:
            part = line["timesteps"] * PARTS // total
            if 0 < part < PARTS:
                if part not in self._reported:
                    self.trial.report(objective(line), part)
                self.lags = self.lags or self.trial.should_prune()
        self._seen = len(lines)
        return self.lags or self.stop()


# ---------------------------------------------------------------------------- how long a trial is


def _seconds_of_a_rollout(settings: Training, imitating: int, stop: Stop) -> float | None:
    """Returns what a rollout and its update cost in computing time; None if it is stopped.

    Args:
        settings: The training.
        imitating: For how many decisions nothing but imitation counts: its small batches take
            longer.
        stop: Asked whether to stop.
    """
    rollout = sum(settings.n_envs.values()) * settings.ppo.n_steps
    timed = replace(
        settings,
        total_timesteps=(2 + TIMED) * rollout,
        teacher=replace(settings.teacher, timesteps=imitating, fading_timesteps=1),
        ppo=replace(settings.ppo, value_only_timesteps=0),  # which takes less time
        schedule=Schedule(  # the past plays, too
            snapshot_every=rollout, checkpoint_every=_NEVER, evaluation_players=[]
        ),
    )
    clock = _Clock()
    with tempfile.TemporaryDirectory() as folder:
        if not begin(timed, Path(folder)).train([clock], stop):
            return None
    return (clock.times[1 + TIMED] - clock.times[1]) / TIMED


class _Clock(BaseCallback):
    """Notes the computing time at the start of every rollout."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def _on_rollout_start(self) -> None:
        self.times.append(time.process_time())

    def _on_step(self) -> bool:
        return True


# ---------------------------------------------------------------------------- the table


def as_table(rows: list[dict[str, Any]]) -> str:
    """Returns trials as a table in Markdown; those without a value were pruned."""
    keys = list(rows[0]["settings"]) if rows else []
    measures = [measure_of(row) for row in rows if row["results"]]
    measure = measures[0] if measures else "value"
    lines = [
        " | ".join(["| trial", measure.replace("_", " "), "decisions", *keys, ""]).rstrip(),
        "|---" * (3 + len(keys)) + "|",
    ]
    for row in rows:
        value = "" if row["value"] is None else measure_in_words(measure, row["value"])
        steps = "" if row["timesteps"] is None else f"{row['timesteps']:,}"
        values = [_short(row["settings"][key]) for key in keys]
        lines.append(" | ".join([f"| {row['trial']}", value, steps, *values, ""]).rstrip())
    return "\n".join(lines) + "\n"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
