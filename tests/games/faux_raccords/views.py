"""What the engine shows a seat, in the words of the referee, so that the two can be compared.

The engine's ``view(seat)`` has keys of its own. The two functions below are the one place that
translates them into what ``Referee.sees`` and ``Referee.sure_of`` return; as long as ``WIRED`` is
False the tests that need them are skipped for the engine. A translation may leave keys of ``sees``
out: only the keys that it has are compared.
"""

from __future__ import annotations

from typing import Any

#: Whether the translations below are written.
WIRED = False


def engine_sees(game: Any, seat: int) -> dict[str, Any]:
    """Returns what the engine shows a seat, as ``Referee.sees`` says it.

    Args:
        game: A game of the engine, with ``memory="perfect"``.
        seat: Who looks.
    """
    raise NotImplementedError


def engine_sure_of(game: Any, seat: int) -> dict[str, str]:
    """Returns the cards that a seat is sure of by memory, as ``Referee.sure_of`` says it.

    Args:
        game: A game of the engine, with ``memory="perfect"``.
        seat: Who remembers.
    """
    raise NotImplementedError
