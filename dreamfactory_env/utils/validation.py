"""Small helps for looking at what a user gave us."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Sequence

from dreamfactory_env.utils.errors import OptionError

#: Of a wrong value an error shows no more; it may come from a file, and be megabytes.
MOST_SHOWN = 100


def shown(value: object) -> str:
    """Returns a wrong value as an error shows it, cut if it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, endless nesting
        return f"such a {type(value).__name__}"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def did_you_mean(wrong: str, right: Iterable[str]) -> str:
    """Returns ``; did you mean 'x'?`` for the nearest of ``right``, or nothing if none is near."""
    if len(wrong) > MOST_SHOWN:
        return ""
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
        hint = did_you_mean(value, known) if isinstance(value, str) else ""
        raise OptionError(f"{name} must be one of {', '.join(known)}, not {shown(value)}{hint}")


def fits_into(sizes: Sequence[int], wider: Sequence[int]) -> bool:
    """Tells whether there are as many sizes in both, and none of the first is larger."""
    return len(sizes) == len(wider) and all(map(operator.le, sizes, wider))
