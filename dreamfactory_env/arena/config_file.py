"""Tournaments from YAML files: every mistake is named at once, with its line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from dreamfactory_env.arena.config import Tournament, WrongSettings
from dreamfactory_env.policies.naming import CodeGuard
from dreamfactory_env.utils.errors import ConfigError, OptionError
from dreamfactory_env.utils.validation import did_you_mean
from dreamfactory_env.utils.yaml_lines import Document, read_yaml

KEYS = [entry.name for entry in fields(Tournament) if entry.name != "custom"]


def read_tournament(
    path: str | Path,
    change: Callable[[dict[str, Any]], None] = lambda data: None,
    *,
    allow_code: bool = False,
) -> Tournament:
    """Reads the file of a tournament.

    Args:
        path: The file.
        change: Called with what the file says, by its keys, to replace some of it.
        allow_code: Whether policies such as ``package.module:Class`` are imported: that runs the
            code of whatever module the file names.

    Raises:
        ConfigError: It cannot be read, or has mistakes; all of them are named.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {error}"]) from error
    document = read_yaml(text)
    if isinstance(document.data, dict):
        before = dict(document.data)
        change(document.data)
        for key, value in document.data.items():
            if value is not before.get(key):
                document.lines.pop((key,), None)  # it is not what the file says there
    return check_tournament(document, str(path), CodeGuard(allow_code))


def check_tournament(document: Document, name: str, guard: CodeGuard | None = None) -> Tournament:
    """Returns the tournament that a document describes.

    Args:
        document: What was read.
        name: How to call it in an error.
        guard: Says which policies may run code; none if not given.

    Raises:
        ConfigError: It has mistakes; all of them are named.
    """
    data = document.data
    if not document.problems and not isinstance(data, dict):
        document.problems.append("must be a mapping with keys such as policies and players")
    if document.problems:
        raise ConfigError(name, document.problems)
    for key in data:
        if key not in KEYS:
            hint = did_you_mean(str(key), KEYS)
            document.report((str(key),), f"unknown key; known are {', '.join(KEYS)}{hint}")
    if "policies" not in data:
        document.problems.append("policies are missing: who plays?")
    given = {key: _frozen(document, key, value) for key, value in data.items() if key in KEYS}
    for policy in given.get("policies", ()):
        try:
            (guard or CodeGuard()).check(policy)
        except OptionError as error:
            document.report(("policies",), str(error))
    if not document.problems:
        try:
            return Tournament(**given)
        except WrongSettings as error:
            for key, problem in error.problems:
                document.report((key,), problem)
    raise ConfigError(name, document.problems)


def _frozen(document: Document, key: str, value: Any) -> Any:
    """Returns the value of a key with lists as tuples; reports what is of another shape."""
    if key == "policies":
        if not _is_names(value):
            document.report((key,), f"must be a list of names, not {value!r}")
            return ()
        return tuple(value)
    if key == "lineups" and value is not None and not isinstance(value, str):
        if not isinstance(value, list) or not all(_is_names(lineup) for lineup in value):
            document.report((key,), f"must be mixed, pairs or a list of lists of names: {value!r}")
            return None
        return tuple(tuple(lineup) for lineup in value)
    if key == "options" and not isinstance(value, dict):
        document.report((key,), f"must be a mapping, not {value!r}")
        return {}
    return value


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
