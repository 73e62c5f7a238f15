"""The rules are tested with the engine and with the referee."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.faux_raccords.referee_cards import random_setup
from tests.games.faux_raccords.rule_staging import (
    ENGINE,
    Chance,
    MakeGame,
    open_engine,
    open_engine_with_memory,
    open_referee,
)


@pytest.fixture
def engine() -> Any:
    """Gives the class of the engine's game, ``FauxRaccords``."""
    if ENGINE is None:
        pytest.skip("there is no engine yet")
    return ENGINE


@pytest.fixture(params=["referee", "engine"])
def make_game(request: pytest.FixtureRequest) -> MakeGame:
    """Makes games from chosen set-ups, of the referee and of the engine."""
    if request.param == "referee":
        return MakeGame(open_referee)
    request.getfixturevalue("engine")
    return MakeGame(open_engine)


@pytest.fixture(params=["referee", "engine"])
def make_seen(request: pytest.FixtureRequest) -> MakeGame:
    """Makes games that can be asked what a seat sees and is sure of."""
    if request.param == "referee":
        return MakeGame(open_referee)
    request.getfixturevalue("engine")
    return MakeGame(open_engine_with_memory)


@pytest.fixture(params=["referee", "engine"])
def chance(request: pytest.FixtureRequest) -> Chance:
    """Deals set-ups at random, as the referee and as the engine does: mode, players, seed."""
    if request.param == "referee":
        return lambda mode, players, seed: random_setup(players, mode, random.Random(seed))
    found = request.getfixturevalue("engine")
    return lambda mode, players, seed: found(players=players, mode=mode, seed=seed).setup()
