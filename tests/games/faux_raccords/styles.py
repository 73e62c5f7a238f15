"""Ways of playing Faux Raccords for tests: each picks one of the legal moves by their words."""

from __future__ import annotations

import random
from collections.abc import Callable

Style = Callable[[list[str], random.Random], str]


def lively(legal: list[str], rng: random.Random) -> str:
    """Picks any legal move, but seldom says that the Film is finished."""
    others = [words for words in legal if words != "end"]
    return rng.choice(others) if others and rng.random() < 0.99 else rng.choice(legal)


def placing(legal: list[str], rng: random.Random) -> str:
    """Places twice as often as not, and uses effects where there are some: Films grow."""
    placed = [words for words in legal if words.startswith("place ")]
    if placed and rng.random() < 0.67:
        return rng.choice(placed)
    others = [words for words in legal if words not in ("end", "no effect")]
    return rng.choice(others or legal)


STYLES: dict[str, Style] = {"lively": lively, "placing": placing}
