"""How long a search may think about a move, and what guides it, as they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int


@dataclass(frozen=True)
class Budget:
    """A number of iterations or a time for each move, never both.

    Args:
        iterations: How many games are played; a search with it can be repeated exactly.
        seconds: How long games are played.

    Raises:
        OptionError: Not just one of them is given, or it is not above 0.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if (self.iterations is None) == (self.seconds is None):
            raise OptionError("a search needs either iterations or seconds")
        if self.iterations is not None and (as_int(self.iterations) or 0) < 1:
            raise OptionError(f"iterations must be at least 1, not {self.iterations!r}")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise OptionError(f"seconds must be above 0, not {self.seconds!r}")


def parse_budget(text: str) -> Budget:
    """Returns the budget that is written as ``500`` (iterations) or ``0.2s`` (seconds).

    Raises:
        OptionError: It is written otherwise, or is nothing at all.
    """
    if re.fullmatch(r"\d+", text):
        return Budget(iterations=int(text))
    if re.fullmatch(r"(\d+(\.\d*)?|\.\d+)s", text):
        return Budget(seconds=float(text[:-1]))
    raise OptionError(
        f"the budget of a search is a number of iterations such as 500 "
        f"or a time such as 1s or 0.2s, not {text!r}"
    )


def parse_search(text: str) -> tuple[Budget, str]:
    """Returns the budget of a search, and the name of the network that guides it, empty for none.

    Args:
        text: A budget such as ``0.2s``, or one with a network behind it: ``0.2s:pretrained``.

    Raises:
        OptionError: The budget is written otherwise, or the name is missing.
    """
    budget, colon, network = text.partition(":")
    if colon and not network:
        raise OptionError(f"the network that guides a search is missing in {text!r}")
    return parse_budget(budget), network
