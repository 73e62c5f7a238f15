"""A game for tests of judging and its page."""

from __future__ import annotations

from functools import cache
from typing import Any

from dreamfactory_env import DreamFactory
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.viewer.review import Review


@cache
def whole_record() -> dict[str, Any]:
    """Returns a game between one who plays at random and one who does not."""
    return next(iter(simulate(DreamFactory(2), ["random", "greedy"], 1, 5)))


@cache
def short_record() -> dict[str, Any]:
    """Returns the beginning of it."""
    return {**whole_record(), "moves": whole_record()["moves"][:40], "result": None}


@cache
def short_review() -> Review:
    """Returns the whole review of the beginning."""
    review = Review(short_record(), "mcts:20", deals=40)
    assert len(list(review.decisions())) == review.length
    return review
