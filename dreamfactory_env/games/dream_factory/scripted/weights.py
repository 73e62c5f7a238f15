"""The constants of the scripted policies: data, read once and checked."""

from __future__ import annotations

import math
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean
from dreamfactory_env.utils.yaml_lines import read_yaml

FILE = Path(__file__).parent / "weights.yaml"


class Greedy(IntEnum):
    """The places of the constants of ``greedy``; weights.yaml says what each means."""

    SPACE = 0
    STAR = 1
    FINISH = 2
    PRICE = 3


class Builder(IntEnum):
    """The places of the constants of ``builder``."""

    DOUBT = 0
    BRING = 1
    FRESH = 2
    PRICE_EARLY = 3
    PRICE_LATE = 4
    KEEP = 5
    CROWD = 6
    FACE = 7


class Expert(IntEnum):
    """The places of the constants of ``expert``."""

    DOUBT_DIRECTOR = 0
    DOUBT_ACTOR = 1
    DOUBT_OTHER = 2
    DOUBT_BLANK = 3
    JOKER = 4
    BRING = 5
    GUEST = 6
    FRESH = 7
    RED = 8
    HOPE = 9
    DRIFT = 10
    BEST_WIDTH = 11
    FADING = 12
    LOW_DRIFT = 13
    LOW_WIDTH = 14
    LEAD_WIDTH = 15
    MONEY_2 = 16
    MONEY_3 = 17
    MONEY_4 = 18
    MONEY_5 = 19
    MONEY_LATE = 20
    CURVE = 21
    WEALTH = 22
    DENY = 23
    PUSH = 24
    JUMP = 25
    SPOIL = 26
    RED_WIDTH = 27
    BRING_DIRECTOR = 28


#: The policies in the order of their codes, each with the names of its constants.
POLICIES: dict[str, type[IntEnum] | None] = {
    "random": None,
    "greedy": Greedy,
    "builder": Builder,
    "expert": Expert,
}
#: The length of every policy's constants; those who need fewer have zeros at the end.
LENGTH = max(len(names) for names in POLICIES.values() if names)


def read_weights(text: str, source: str) -> dict[str, Array]:
    """Returns the constants of every policy, float64 (LENGTH,), in the order of their codes.

    Args:
        text: YAML, a mapping of policies to mappings of constants.
        source: What the text is called in an error.

    Raises:
        OptionError: A policy or a constant is missing, unknown or no number; all are listed.
    """
    document = read_yaml(text)
    data = document.data if isinstance(document.data, dict) else {}
    named = {policy: names for policy, names in POLICIES.items() if names}
    problems = document.problems + _unlike("", data, list(named))
    weights = {policy: np.zeros(LENGTH) for policy in POLICIES}
    for policy, names in named.items():
        found = data.get(policy)
        found = found if isinstance(found, dict) else {}
        known = [name.name.lower() for name in names]
        problems += _unlike(f"{policy}.", found, known)
        for place, name in enumerate(known):
            value: Any = found.get(name, 0.0)
            known_type = isinstance(value, int | float) and not isinstance(value, bool)
            if not known_type or not math.isfinite(value):
                problems.append(f"{policy}.{name} must be a number, not {value!r}")
            else:
                weights[policy][place] = value
    if problems:
        raise OptionError("\n  ".join([f"{source} has mistakes:", *problems]))
    return weights


def _unlike(prefix: str, found: dict[Any, Any], known: list[str]) -> list[str]:
    """Returns a line for each key that is missing or unknown."""
    missing = [f"{prefix}{name} is missing" for name in known if name not in found]
    unknown = [
        f"{prefix}{name} is unknown{did_you_mean(str(name), known)}"
        for name in found
        if name not in known
    ]
    return missing + unknown


WEIGHTS = read_weights(FILE.read_text(encoding="utf-8"), FILE.name)
