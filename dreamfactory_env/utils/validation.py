"""Small helps for looking at what a user gave us."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable

from dreamfactory_env.utils.errors import OptionError


def did_you_mean(wrong: str, right: Iterable[str]) -> str:
    """Returns ``; did you mean 'x'?`` for the nearest of ``right``, or nothing if none is near."""
    near = difflib.get_close_matches(wrong, list(right), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def as_int(value: object) -> int | None:
    """Returns a whole number of any kind (Python's, NumPy's) as an int, None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def check_word(name: str, value: object, known: list[str]) -> None:
    """Raises OptionError if a value is none of the words known."""
    if value not in known:
        hint = did_you_mean(str(value), known)
        raise OptionError(f"{name} must be one of {', '.join(known)}, not {value!r}{hint}")
