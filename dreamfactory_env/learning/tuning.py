"""Settings of a training found by trying: a study of many short runs, with Optuna.

A trial is a run like any other, with some settings drawn from a space. It is worth the mean win
rate of its last evaluation. One that lags behind at an evaluation on the way is given up.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, TrialState
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.learning.config import (
    Rhythm,
    Training,
    read_training,
    value_at,
    write_training,
)
from dreamfactory_env.learning.ppo import DivergedError
from dreamfactory_env.learning.run import CHECKPOINTS, SETTINGS, Run, begin, resume
from dreamfactory_env.utils.errors import ConfigError, OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.yaml_lines import Document, read_yaml

JOURNAL, STUDY, RUNS = "journal.log", "study.json", "trials"
TABLE, DATA, BEST = "trials.md", "trials.json", "best.yaml"
#: A trial is evaluated so many times, after equal stretches.
STRETCHES = 4
#: So many trials are trained to the end before one can be given up.
UNPRUNED = 5
#: So many rollouts are timed to find how many decisions fit into the time of a trial.
TIMED = 2
_NEVER = 2**62

Stop = Callable[[], bool]
#: Shows a run while it trains: a callback of stable-baselines3, to be entered.
Show = Callable[[Run], AbstractContextManager[BaseCallback]]


@dataclass(frozen=True)
class Choice:
    """A setting with some values to choose from.

    Attributes:
        values: They, as YAML.
    """

    values: tuple[str, ...]

    def suggest(self, trial: optuna.Trial, key: str) -> str:
        """Returns a value for a trial, as YAML."""
        return str(trial.suggest_categorical(key, self.values))


@dataclass(frozen=True)
class Range:
    """A setting between two numbers.

    Attributes:
        low: The least.
        high: The most.
        log: Whether factors are equally likely, not differences.
        whole: Whether it is a whole number.
    """

    low: float
    high: float
    log: bool
    whole: bool

    def suggest(self, trial: optuna.Trial, key: str) -> str:
        """Returns a value for a trial, as YAML."""
        if self.whole:
            return str(trial.suggest_int(key, int(self.low), int(self.high), log=self.log))
        return str(trial.suggest_float(key, self.low, self.high, log=self.log))


@dataclass(frozen=True)
class Space:
    """What is tried.

    Attributes:
        settings: By keys such as ``learning.rate``.
        start: The values of the training that is to be improved, for the first trial; None if
            one of them is not in the space.
    """

    settings: dict[str, Choice | Range]
    start: dict[str, Any] | None


# ---------------------------------------------------------------------- reading a space


def read_space(path: Path, config: Path) -> Space:
    """Reads the file of a space.

    Args:
        path: The YAML file: keys of settings, each with a list of values, or with ``low`` and
            ``high`` and perhaps ``log``.
        config: The file of the training whose settings they are.

    Raises:
        ConfigError: One of the files cannot be read, or has mistakes; all of them are named.
    """
    base = read_training(config)
    try:
        document = read_yaml(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {error}"]) from error
    settings: dict[str, Choice | Range] = {}
    start: dict[str, Any] = {}
    if not document.problems and not (isinstance(document.data, dict) and document.data):
        document.problems.append("must be a mapping with keys such as learning.rate")
    for key, entry in document.data.items() if not document.problems else ():
        found = _read_entry(document, str(key), entry, config)
        if found is not None:
            settings[str(key)], values = found
            now = value_at(base, str(key))
            if isinstance(entry, list):
                start |= {str(key): text for text, value in values.items() if value == now}
            elif now is not None and min(values.values()) <= now <= max(values.values()):
                start[str(key)] = now
    if document.problems:
        raise ConfigError(str(path), document.problems)
    return Space(settings, start if len(start) == len(settings) else None)


def _read_entry(
    document: Document, key: str, entry: Any, config: Path
) -> tuple[Choice | Range, dict[str, Any]] | None:
    """Returns what an entry says, and what its values are as settings; reports its mistakes."""
    if isinstance(entry, list) and len(entry) > 1:
        given = entry
    elif isinstance(entry, dict) and entry.keys() - {"log"} == {"low", "high"}:
        given = [entry["low"], entry["high"]]
    else:
        told = "must be a list of values, or a mapping with low, high and perhaps log"
        document.report((key,), f"{told}, not {entry!r}")
        return None
    values: dict[str, Any] = {}
    problems: dict[str, None] = {}  # each of them once, in order
    for value in given:
        text = json.dumps(value)
        try:
            values[text] = value_at(read_training(config, {key: text}), key)
        except ConfigError as error:
            problems |= dict.fromkeys(error.problems)
    for problem in problems:
        document.report((key,), problem.removeprefix(f"{key}: "))
    if problems:
        return None
    if isinstance(entry, list):
        return Choice(tuple(values)), values
    low, high = values.values() if len(values) == 2 else (0, 0)
    log = entry.get("log", False)
    if isinstance(low, bool) or not isinstance(low, int | float) or not low < high:
        document.report((key,), "low must be a number below high")
    elif not isinstance(log, bool):
        document.report((key, "log"), f"must be true or false, not {log!r}")
    elif log and low <= 0:
        document.report((key,), "low must be above 0 where log is true")
    else:
        return Range(low, high, log, isinstance(low, int)), values
    return None


# ---------------------------------------------------------------------- a study


class Study:
    """A study: a folder with its journal, the runs of its trials, and what came out.

    It goes on with what is in the folder, in the middle of a trial, too.

    Args:
        config: The file of the training that is to be improved.
        space: The file of what is tried.
        folder: Where the study lives.
        minutes: How long a trial learns, in minutes of computing of all threads together. None
            gives every trial as many decisions as the training has.
        say: Is told what is tried and what came out.

    Raises:
        GameError: A file has mistakes, or the folder has another study.
    """

    def __init__(
        self,
        config: Path,
        space: Path,
        folder: Path,
        minutes: float | None = None,
        say: Callable[[str], None] = print,
    ) -> None:
        if minutes is not None and minutes <= 0:
            raise OptionError(f"minutes must be more than 0, not {minutes}")
        self.settings = read_training(config)
        self.space = read_space(space, config)
        self.folder = folder
        self.minutes = minutes
        self.say = say
        if not self.settings.rhythm.against or not self.settings.rhythm.players:
            raise OptionError(f"{config}: without rhythm.against and players nothing is compared")
        self._begin_or_check()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._study = optuna.create_study(
            storage=JournalStorage(JournalFileBackend(str(folder / JOURNAL))),
            study_name="tuning",
            direction="maximize",
            pruner=optuna.pruners.MedianPruner(UNPRUNED),
            load_if_exists=True,
        )
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
            then = json.loads(path.read_text("utf-8"))
            for part in parts:
                if then.get(part) != now[part]:
                    told = f"the study in {self.folder} was begun with {part}"
                    raise OptionError(f"{told}; give another folder")
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_training(self.settings, self.folder / SETTINGS)
            atomic_write(path, (json.dumps(now, indent=2) + "\n").encode())
        except OSError as error:
            why = error.strerror or error
            raise OptionError(f"{self.folder} cannot be written: {why}") from error

    @property
    def over(self) -> list[FrozenTrial]:
        """The trials that are over, the best first, then those that were given up."""
        trials = self._study.get_trials(states=(TrialState.COMPLETE, TrialState.PRUNED))
        return sorted(trials, key=lambda trial: (trial.state.value, -(trial.value or 0)))

    def run(self, trials: int, stop: Stop = lambda: False, show: Show | None = None) -> bool:
        """Tries until so many trials are over, or until somebody wants to stop.

        Args:
            trials: How many, those included that are over already.
            stop: Asked all the time; once it says yes, the trial that is running is written down.
            show: Shows the run of a trial while it trains.

        Returns:
            Whether all trials are over.
        """
        while (done := len(self.over)) < trials:
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
            self.say(f"trial {done + 1} of {trials}")
            if not self._try(trial, stop, show):
                return False
            self._report()
        return True

    def _try(self, trial: optuna.Trial, stop: Stop, show: Show | None) -> bool:
        """Trains a trial to its end, or until it lags; returns False if somebody wants to stop."""
        chosen = {key: entry.suggest(trial, key) for key, entry in self.space.settings.items()}
        self.say(", ".join(f"{key} {value}" for key, value in chosen.items()))
        folder = self.folder / RUNS / f"{trial.number:04d}"
        try:
            run = self._begin_or_resume(folder, chosen, stop)
            if run is None:
                return False
            judge = _Judge(trial, run, stop)
            with ExitStack() as stack:
                shown = [stack.enter_context(show(run))] if show else []
                finished = run.train(shown, judge)
        except (ConfigError, DivergedError) as error:  # a ConfigError: they do not go together
            self.say(f"given up: {error}")
            trial.set_user_attr("error", str(error))
            self._study.tell(trial, state=TrialState.PRUNED)
        else:
            if not (finished or judge.lags):
                return False
            line = run.evaluator.lines[-1]
            for name in ("steps", "seconds", "results"):
                trial.set_user_attr(name, line[name])
            if finished:
                self._study.tell(trial, worth(line))
            else:
                self.say("given up: it lags behind")
                self._study.tell(trial, state=TrialState.PRUNED)
        shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)  # nobody goes on with it
        return True

    def _begin_or_resume(self, folder: Path, chosen: dict[str, str], stop: Stop) -> Run | None:
        """Returns the run of a trial, None if somebody wants to stop before there is one."""
        if (folder / SETTINGS).exists():
            run = resume(folder)
        else:
            settings = read_training(self.folder / SETTINGS, chosen)
            steps = self._steps(settings, stop)
            if steps is None:
                return None
            rhythm = replace(settings.rhythm, evaluation=-(-steps // STRETCHES))
            run = begin(replace(settings, steps=steps, rhythm=rhythm), folder)
        run.say = self.say
        return run

    def _steps(self, settings: Training, stop: Stop) -> int | None:
        """Returns how many decisions a trial has; None if somebody wants to stop."""
        if self.minutes is None:
            return settings.steps
        rollout = sum(settings.rows.values()) * settings.learning.rollout
        learning = _seconds_of_a_rollout(settings, 0, stop)
        imitating = learning
        if settings.teacher.policy and settings.teacher.steps > 0:
            imitating = _seconds_of_a_rollout(settings, _NEVER, stop)
        if imitating is None or learning is None:
            return None
        left = self.minutes * 60
        planned = -(-settings.teacher.steps // rollout) if settings.teacher.policy else 0
        first = min(planned, int(left / imitating))
        return max(first + round((left - first * imitating) / learning), 1) * rollout

    # ------------------------------------------------------------------ what came out

    def rows(self) -> list[dict[str, Any]]:
        """Returns the trials that are over as data, the best first."""
        return [
            {
                "trial": trial.number,
                "win_rate": trial.value if trial.state == TrialState.COMPLETE else None,
                "settings": trial.params,
                "steps": None,
                "seconds": None,
                "results": [],
                **trial.user_attrs,
            }
            for trial in self.over
        ]

    def _report(self) -> None:
        """Writes the table of the trials, and the best settings as a training."""
        rows = self.rows()
        atomic_write(self.folder / DATA, (json.dumps(rows, indent=2) + "\n").encode())
        atomic_write(self.folder / TABLE, as_table(rows).encode())
        if rows and rows[0]["win_rate"] is not None:
            best = {key: str(value) for key, value in rows[0]["settings"].items()}
            write_training(read_training(self.folder / SETTINGS, best), self.folder / BEST)


class _Judge:
    """Tells a run when to stop: somebody wants to, or it lags behind the other trials."""

    def __init__(self, trial: optuna.Trial, run: Run, stop: Stop) -> None:
        self.trial, self.run, self.stop = trial, run, stop
        self.lags = False
        self._seen = 0
        # What was reported before the study was stopped; Optuna wants nothing twice.
        before = trial.study.get_trials(deepcopy=False)[trial.number]
        self._reported = set(before.intermediate_values)

    def __call__(self) -> bool:
        """Tells it, and reports the evaluations that are new."""
        lines, steps = self.run.evaluator.lines, self.run.settings.steps
        for line in lines[self._seen :]:
            stretch = line["steps"] * STRETCHES // steps
            if 0 < stretch < STRETCHES:
                if stretch not in self._reported:
                    self.trial.report(worth(line), stretch)
                self.lags = self.lags or self.trial.should_prune()
        self._seen = len(lines)
        return self.lags or self.stop()


def _seconds_of_a_rollout(settings: Training, imitating: int, stop: Stop) -> float | None:
    """Returns what a rollout and its update cost in computing time; None if somebody stops it.

    Args:
        settings: The training.
        imitating: For how many decisions nothing but the teacher's advice counts: its small
            batches take longer.
        stop: Asked whether to.
    """
    rollout = sum(settings.rows.values()) * settings.learning.rollout
    alone = replace(
        settings,
        steps=(2 + TIMED) * rollout,
        teacher=replace(settings.teacher, steps=imitating, fading=1),
        learning=replace(settings.learning, value_first=0),  # which takes less time
        rhythm=Rhythm(snapshot=rollout, checkpoint=_NEVER, against=[]),  # its past plays, too
    )
    clock = _Clock()
    with tempfile.TemporaryDirectory() as folder:
        if not begin(alone, Path(folder)).train([clock], stop):
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


def worth(line: Mapping[str, Any]) -> float:
    """Returns the mean win rate of an evaluation, over all opponents and player counts."""
    rates = [result["win_rate"] for result in line["results"]]
    return float(sum(rates) / len(rates))


def as_table(rows: list[dict[str, Any]]) -> str:
    """Returns trials as a table in Markdown; those without a win rate were given up."""
    keys = list(rows[0]["settings"]) if rows else []
    lines = [
        " | ".join(["| trial", "win rate", "decisions", *keys, ""]).rstrip(),
        "|---" * (3 + len(keys)) + "|",
    ]
    for row in rows:
        rate = "" if row["win_rate"] is None else f"{row['win_rate']:.1%}"
        steps = "" if row["steps"] is None else f"{row['steps']:,}"
        values = [_short(row["settings"][key]) for key in keys]
        lines.append(" | ".join([f"| {row['trial']}", rate, steps, *values, ""]).rstrip())
    return "\n".join(lines) + "\n"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
