"""The constants of the scripted policies: data, read once and checked."""

from __future__ import annotations

import math
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.state import Mode
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean
from dreamfactory_env.utils.yaml_lines import read_yaml

FILE = Path(__file__).parent / "weights.yaml"


class Weight(IntEnum):
    """The places of the constants; weights.yaml says what each means."""

    # both policies
    SIZE = 0
    EXTRA = 1
    ORDER = 2
    MISFIT = 3
    DOUBLE = 4
    GENRE = 5
    WIN = 6
    VIEW = 7
    KEEP = 8
    EDITOR = 9
    PRODUCER = 10
    STAR = 11
    MANAGER = 12
    SCRIPT = 13
    GIVE = 14
    OPEN = 15
    SURE = 16
    HINT = 17
    # only ``convention``
    OWN = 18
    STRAY = 19
    NEAR = 20
    MAP = 21
    TRUST = 22
    RANGE = 23


SHARED = [weight for weight in Weight if weight < Weight.OWN]
#: The policies in the order of their codes, each with its constants.
POLICIES: dict[str, list[Weight]] = {
    "random": [],
    "careful": SHARED,
    "convention": list(Weight),
}
#: How many constants there are for a mode; those who need fewer have zeros at the end.
BY_MODE = len(Weight)
#: The length of every policy's constants: those of all modes, one after the other.
LENGTH = len(Mode) * BY_MODE


def read_weights(text: str, source: str) -> dict[str, Array]:
    """Returns the constants of every policy, float64 (LENGTH,), in the order of their codes.

    Args:
        text: YAML, a mapping of policies to mappings of constants, each a list of one number for
            every mode.
        source: What the text is called in an error.

    Raises:
        OptionError: A policy or a constant is missing, unknown or no such list; all are listed.
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
        for place, name in zip(names, known, strict=True):
            values: Any = found.get(name, [0.0] * len(Mode))
            if _are_numbers(values):
                weights[policy][place::BY_MODE] = values
            else:
                expected = f"{len(Mode)} numbers, one for each mode"
                problems.append(f"{policy}.{name} must be {expected}, not {values!r}")
    if problems:
        raise OptionError("\n  ".join([f"{source} has mistakes:", *problems]))
    return weights


def _are_numbers(values: Any) -> bool:
    """Tells whether values are a list of a finite number for every mode."""
    if not isinstance(values, list) or len(values) != len(Mode):
        return False
    types_fit = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return types_fit and all(math.isfinite(value) for value in values)


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
