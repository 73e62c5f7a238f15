"""The search space of a study: which settings of a training are tried, and with which values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import optuna

from dreamfactory_env.learning.settings_file import read_training, value_at
from dreamfactory_env.utils.errors import ConfigError
from dreamfactory_env.utils.yaml_lines import Document, read_yaml


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
        integer: Whether it is a whole number.
    """

    low: float
    high: float
    log: bool
    integer: bool

    def suggest(self, trial: optuna.Trial, key: str) -> str:
        """Returns a value for a trial, as YAML."""
        if self.integer:
            return str(trial.suggest_int(key, int(self.low), int(self.high), log=self.log))
        return str(trial.suggest_float(key, self.low, self.high, log=self.log))


@dataclass(frozen=True)
class SearchSpace:
    """What is tried.

    Attributes:
        settings: By keys such as ``ppo.learning_rate``.
        start: The values of the training that is to be improved, for the first trial; None if
            one of them is not in the space.
    """

    settings: dict[str, Choice | Range]
    start: dict[str, Any] | None


def read_space(path: Path, config: Path, *, allow_code: bool = False) -> SearchSpace:
    """Reads the file of a search space.

    Args:
        path: The YAML file: keys of settings, each with a list of values, or with ``low`` and
            ``high`` and perhaps ``log``.
        config: The file of the training whose settings they are.
        allow_code: Whether policies are imported, see ``read_training``.

    Raises:
        ConfigError: One of the files cannot be read, or has mistakes; all of them are named.
    """
    base = read_training(config, allow_code=allow_code)
    try:
        document = read_yaml(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {error}"]) from error
    settings: dict[str, Choice | Range] = {}
    start: dict[str, Any] = {}
    if not document.problems and not (isinstance(document.data, dict) and document.data):
        document.problems.append("must be a mapping with keys such as ppo.learning_rate")
    for key, entry in document.data.items() if not document.problems else ():
        read = _read_entry(document, str(key), entry, config, allow_code)
        if read is not None:
            settings[str(key)], values = read
            now = value_at(base, str(key))
            if isinstance(entry, list):
                start |= {str(key): text for text, value in values.items() if value == now}
            elif now is not None and min(values.values()) <= now <= max(values.values()):
                start[str(key)] = now
    if document.problems:
        raise ConfigError(str(path), document.problems)
    return SearchSpace(settings, start if len(start) == len(settings) else None)


def _read_entry(
    document: Document, key: str, entry: Any, config: Path, allow_code: bool
) -> tuple[Choice | Range, dict[str, Any]] | None:
    """Returns what an entry says, and what its values are as settings; reports its mistakes."""
    if isinstance(entry, list) and len(entry) > 1:
        given = entry
    elif isinstance(entry, dict) and entry.keys() - {"log"} == {"low", "high"}:
        given = [entry["low"], entry["high"]]
    else:
        expected = "a list of values, or a mapping with low, high and perhaps log"
        document.report((key,), f"must be {expected}, not {entry!r}")
        return None
    values: dict[str, Any] = {}
    problems: dict[str, None] = {}  # each of them once, in order
    for value in given:
        text = json.dumps(value)
        try:
            settings = read_training(config, {key: text}, allow_code=allow_code)
            values[text] = value_at(settings, key)
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
