"""The YAML file of a training run: read with every mistake named at once, and written."""

from __future__ import annotations

import contextlib
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from pathlib import Path
from typing import Any

import yaml

from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.settings_checks import check_others, check_settings, check_start
from dreamfactory_env.policies.naming import CodeGuard
from dreamfactory_env.utils.errors import ConfigError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.validation import as_int, did_you_mean
from dreamfactory_env.utils.yaml_lines import Document, read_yaml

Key = tuple[str | int, ...]

#: What a value must be, in words, by its type.
IN_WORDS: dict[Any, str] = {
    bool: "true or false",
    float: "a number",
    int: "a whole number",
    str: "a text",
    list: "a list",
}


def read_training(
    path: str | Path,
    changes: Mapping[str, str] | None = None,
    *,
    change: Callable[[dict[str, Any]], None] = lambda data: None,
    resuming: bool = False,
    allow_code: bool = False,
) -> Training:
    """Reads the file of a training run.

    Args:
        path: The YAML file.
        changes: Values that replace those of the file, by keys such as ``ppo.learning_rate``.
        change: Called with what the file says, by its keys, to replace some of it.
        resuming: Whether the run is there already: then the agent that it started with is needed
            no more.
        allow_code: Whether policies such as ``package.module:Class`` are imported: that runs the
            code of whatever module is named.

    Raises:
        ConfigError: It cannot be read, or has mistakes; all of them are named.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {error}"]) from error
    document = read_yaml(text)
    if not document.problems and not isinstance(document.data, dict):
        document.problems.append("must be a mapping with keys such as total_timesteps and n_envs")
    if document.problems:
        raise ConfigError(str(path), document.problems)
    change(document.data)
    for key, value in (changes or {}).items():
        _change(document, key, value)
    check_others(document)
    settings = _read(document, Training, document.data, ())
    if not document.problems:
        check_settings(document, settings, CodeGuard(allow_code))
    if not document.problems and settings.network.start and not resuming:
        check_start(document, settings)
    if document.problems:
        raise ConfigError(str(path), document.problems)
    return typing.cast(Training, settings)


def write_training(settings: Training, path: Path) -> None:
    """Writes the settings of a run, all of them, to be read again."""
    given = {name: value for name, value in asdict(settings).items() if value is not None}
    atomic_write(path, yaml.safe_dump(given, sort_keys=False).encode())


def value_at(settings: Training, key: str) -> Any:
    """Returns the value of a key such as ``ppo.learning_rate``, None where there is none."""
    value: Any = settings
    for name in key.split("."):
        if value is not None:
            value = getattr(value, name) if is_dataclass(value) else value.get(_key(name))
    return value


def _change(document: Document, key: str, value: str) -> None:
    """Puts a value, written as YAML, in the place of a key such as ``ppo.learning_rate``."""
    names = tuple(key.split("."))
    read = read_yaml(value)
    if read.problems:
        document.problems.append(f"{key}: {value!r} is not YAML")
        return
    place = document.data
    for depth, name in enumerate(names[:-1]):
        place = place.setdefault(_key(name), {})
        if not isinstance(place, dict):
            document.report(names[: depth + 1], f"is {place!r}, so there is no {key}")
            return
    place[_key(names[-1])] = read.data if value.strip() else ""
    document.lines.pop(names, None)  # it is not what the file says there


def _key(name: str) -> str | int:
    """Returns a key as YAML reads it: ``n_envs.2`` means the number 2."""
    return int(name) if name.isdecimal() else name


def _read(document: Document, section: type, data: Any, path: Key) -> Any:
    """Returns a dataclass filled from a mapping; reports what is unknown, missing or wrong."""
    if not isinstance(data, dict):
        document.report(path, f"must be a mapping, not {data!r}")
        return None
    hints = typing.get_type_hints(section)
    known = {item.name: item for item in fields(section)}
    for key in data:
        if str(key) not in known:
            nearest = did_you_mean(str(key), known)
            message = f"unknown key; known are {', '.join(known)}{nearest}"
            document.report((*path, str(key)), message)
    given = {}
    for name, item in known.items():
        if name in data:
            if data[name] is not None or item.default is not None:
                given[name] = _value(document, hints[name], data[name], (*path, name))
        elif item.default is MISSING and item.default_factory is MISSING:
            document.report(path, f"{name} is missing")
    return None if document.problems else section(**given)


def _value(document: Document, hint: Any, value: Any, path: Key) -> Any:
    """Returns a value of the expected type; reports another one."""
    if isinstance(hint, types.UnionType):  # or None, which whoever reads a section knows
        hint = typing.get_args(hint)[0]
    if is_dataclass(hint):
        return _read(document, typing.cast(type, hint), value, path)
    origin = typing.get_origin(hint) or hint
    if origin is float and not isinstance(value, bool):
        with contextlib.suppress(TypeError, ValueError):
            return float(value)  # YAML takes 1e-3 for a text
    if origin is bool and isinstance(value, bool):
        return value
    if origin is int and as_int(value) is not None:
        return as_int(value)
    if origin is str and isinstance(value, str):
        return value
    if origin is list and isinstance(value, list):
        (inner,) = typing.get_args(hint)
        return [_value(document, inner, item, (*path, n)) for n, item in enumerate(value)]
    if origin is dict and isinstance(value, dict):
        of_key, of_value = typing.get_args(hint)
        return {
            _value(document, of_key, key, (*path, str(key))): _value(
                document, of_value, item, (*path, str(key))
            )
            for key, item in value.items()
        }
    if origin is Any:
        return value
    document.report(path, f"must be {IN_WORDS.get(origin, 'a mapping')}, not {value!r}")
    return None
