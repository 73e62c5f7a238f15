"""The search on the tiny game: with enough iterations nobody can do better."""

from __future__ import annotations

import pyspiel

from tests.theory.searching import searched
from tests.theory.solving import tiny_game


def test_the_search_plays_almost_perfectly_with_a_good_budget() -> None:
    hasty, patient = (pyspiel.exploitability(tiny_game(), searched(n)) for n in (10, 10_000))
    assert patient < 0.05
    assert hasty > 0.2, "if any search would do, this would prove nothing"
