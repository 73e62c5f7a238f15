"""The conformance suite: our game passes with all its options, and so does a shared one."""

from __future__ import annotations

from typing import Any

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.testing import check_game
from dreamfactory_env.testing.agreement import compare
from tests.toy_game import SignalGame

EDITIONS = ["dream_factory", "traumfabrik"]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_dream_factory_passes(players: int, edition: str) -> None:
    hidden = ["rule", "never", "always"][players % 3]
    choose = players % 2 == 0
    check_game(
        DreamFactory,
        games=1,
        players=players,
        edition=edition,
        hidden_money=hidden,
        choose_studio=choose,
    )


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_environments_play_the_same_games(players: int, edition: str) -> None:
    compare(DreamFactory, 64, 1, players=players, edition=edition)


@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3, "memory": True}, {"goal": 2}, {"goal": 4}], ids=str
)
def test_a_shared_game_passes(toy: type[SignalGame], options: dict[str, Any]) -> None:
    check_game(toy, games=8, **options)


@pytest.mark.parametrize("players", [2, 3])
def test_all_environments_play_the_same_shared_games(toy: type[SignalGame], players: int) -> None:
    compare(toy, 64, 1, players=players)


def test_a_game_that_is_not_registered_is_refused() -> None:
    with pytest.raises(AssertionError, match="toy is not in GAMES"):
        check_game(SignalGame)
