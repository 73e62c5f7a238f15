"""A cooperative game for OpenSpiel: utilities are identical, and each player sees other cards."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pyspiel
import pytest

from dreamfactory_env.adapters.openspiel import name_of, parameters_of, register
from tests.theory.shared_game import UNSEEN, DealtSignalGame
from tests.theory.test_adapter import random_state


@cache
def name() -> str:
    """Returns the name of the game, which is registered at the first call."""
    register(DealtSignalGame)
    return name_of(DealtSignalGame.spec)


@pytest.mark.parametrize(
    "parameters",
    [{}, {"players": 3, "goal": 2, "memory": True, "reward": "score"}, {"seed": 7}],
)
def test_it_passes_the_random_simulations_of_openspiel(parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game(name(), parameters)
    for _ in range(5):
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_what_openspiel_is_told_comes_from_the_spec() -> None:
    expected = {"players": 2, "goal": 3, "memory": False, "seed": -1, "reward": "win"}
    assert parameters_of(DealtSignalGame.spec) == expected
    game = pyspiel.load_game(name(), {"players": 3, "goal": 4, "reward": "score"})
    assert game.get_type().utility == pyspiel.GameType.Utility.IDENTICAL
    assert (game.min_utility(), game.max_utility()) == DealtSignalGame.spec.score_range
    assert game.utility_sum() is None
    assert game.max_game_length() == DealtSignalGame(3, goal=4).spec.max_length


def test_all_are_paid_the_same_and_some_games_are_lost() -> None:
    rng = random.Random(1)
    game = pyspiel.load_game(name(), {"goal": 2})
    found = set()
    for _ in range(60):
        state = random_state(game, rng, moves=1000)
        assert state.is_terminal()
        assert state.returns() == [float(bool(state.position.winners()))] * 2
        found.add(state.returns()[0])
    assert found == {0.0, 1.0}


def test_players_know_different_things_and_redrawing_keeps_what_one_knows() -> None:
    rng = random.Random(2)
    game = pyspiel.load_game(name(), {"players": 3})
    hands = set()
    for moves in (0, 1, 2, 3):
        state = random_state(game, rng, moves)
        if state.is_terminal():
            continue
        for player in range(3):
            cards = state.dealing.seen(player)[0].tolist()
            assert cards.count(UNSEEN) == 1, "only the own card is hidden"
            for _ in range(5):
                other = state.resample_from_infostate(player, rng.random)
                mine = [s.information_state_string(player) for s in (state, other)]
                assert mine[0] == mine[1]
                tensors = [s.information_state_tensor(player) for s in (state, other)]
                assert tensors[0] == tensors[1]
                hands.add(other.position.view()["cards"][player])
    assert len(hands) > 1
