"""Ways of playing for tests: each picks one of the legal moves by their words."""

from __future__ import annotations

import random
from collections.abc import Callable

Style = Callable[[list[str], random.Random], str]


def uniform(legal: list[str], rng: random.Random) -> str:
    """Picks any legal move."""
    return rng.choice(legal)


def thrifty(legal: list[str], rng: random.Random) -> str:
    """Raises by one or passes, and places whatever fits: films get finished."""
    places = [words for words in legal if words.startswith("place")]
    if places:
        return rng.choice(places)
    if legal[0] == "pass":
        return legal[1] if len(legal) > 1 and rng.random() < 0.5 else "pass"
    return rng.choice([words for words in legal if words != "decline"])


def passive(legal: list[str], rng: random.Random) -> str:
    """Passes, declines and discards whenever that is possible."""
    for words in legal:
        if words in ("pass", "decline") or words.startswith("discard"):
            return words
    return legal[0]


STYLES: dict[str, Style] = {"uniform": uniform, "thrifty": thrifty, "passive": passive}
