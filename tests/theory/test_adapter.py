"""The game that OpenSpiel gets: chance, what players know, and OpenSpiel's own checks."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel
import pytest

from dreamfactory_env import DreamFactory, GameError
from tests.theory.induction import all_deals
from tests.theory.solving import NAME, TINY, histories, tiny_game

FULL: list[dict[str, Any]] = [
    {},
    {"players": 5, "edition": "traumfabrik", "choose_studio": True, "reward": "rank"},
    {"players": 3, "hidden_money": "always", "reward": "score"},
    {"players": 2, "seed": 7},
]


@pytest.mark.parametrize("parameters", [{"components": str(TINY)}, *FULL])
def test_it_passes_the_random_simulations_of_openspiel(parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game(NAME, parameters)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def random_state(game: Any, rng: random.Random, moves: int) -> Any:
    """Returns a state in which a player is to move, or the end, after some random moves."""
    state = game.new_initial_state()
    while not state.is_terminal() and (state.is_chance_node() or moves > 0):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            moves -= 1
    return state


@pytest.mark.parametrize("parameters", FULL)
def test_a_copy_and_a_saved_state_go_on_as_the_state_does(parameters: dict[str, Any]) -> None:
    rng = random.Random(1)
    game = pyspiel.load_game(NAME, parameters)
    state = random_state(game, rng, moves=40)
    copy = state.clone()
    _, saved = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    before = state.position.fingerprint()
    state.apply_action(state.legal_actions()[0])
    for other in (copy, saved):
        assert other.position.fingerprint() == before, "a copy is played on with its original"
        other.apply_action(other.legal_actions()[0])
        assert other.position.fingerprint() == state.position.fingerprint()
        assert other.information_state_string(0) == state.information_state_string(0)


def test_every_deal_is_drawn_with_its_probability() -> None:
    game = DreamFactory(2, seed=0, components=TINY)
    wanted: Counter[str] = Counter()
    for deal in all_deals(game):
        # The last tile of the four stays in the box.
        setup = deal.setup()
        wanted[str([setup["first_player"], setup["studios"], setup["deck"][:3]])] += 1
    total = wanted.total()
    found: dict[str, float] = defaultdict(float)
    chances = [(tiny_game().new_initial_state(), 1.0)]
    while chances:
        state, chance = chances.pop()
        if state.is_chance_node():
            chances += [(state.child(a), chance * p) for a, p in state.chance_outcomes()]
        else:
            setup = state.position.setup()
            found[str([setup["first_player"], setup["studios"], setup["deck"][:3]])] += chance
    assert found == pytest.approx({k: float(Fraction(n, total)) for k, n in wanted.items()})


def test_an_information_state_holds_what_a_player_knows_and_no_more() -> None:
    together: dict[str, list[Any]] = defaultdict(list)
    for state in histories(tiny_game()):
        if state.is_player_node():
            together[state.information_state_string()].append(state)
    hidden = 0
    for states in together.values():
        player = states[0].current_player()
        assert len({state.current_player() for state in states}) == 1
        assert len({tuple(state.legal_actions()) for state in states}) == 1
        assert len({tuple(state.information_state_tensor(player)) for state in states}) == 1
        assert len({tuple(state.observation_tensor(player)) for state in states}) == 1
        hidden += len(states) > 1
    tensors = {tuple(states[0].information_state_tensor()) for states in together.values()}
    assert len(tensors) == len(together)
    assert hidden > 0, "nothing is hidden"


@pytest.mark.parametrize("parameters", FULL[:3])
def test_a_redrawn_state_looks_the_same_to_its_player(parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game(NAME, parameters)
    rng = random.Random(2)
    decks = set()
    state = random_state(game, rng, moves=5)  # the parties of the round are to come
    player = state.current_player()
    for _ in range(5):
        other = state.resample_from_infostate(player, rng.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        decks.add(tuple(other.position.state.deck))
    assert len(decks) > 1


def test_with_a_seed_it_is_the_game_of_that_seed_without_chance() -> None:
    game = pyspiel.load_game(NAME, {"players": 3, "seed": 11})
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    state, own = game.new_initial_state(), DreamFactory(3, seed=11)
    rng = random.Random(3)
    while not state.is_terminal():
        assert state.current_player() == own.to_move
        player = state.current_player()
        assert state.legal_actions() == list(own.legal_actions().values())
        assert [state.action_to_string(a) for a in state.legal_actions()] == own.legal()
        assert np.array_equal(np.float32(state.observation_tensor(player)), own.observe(player))
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        own.play(action)
    assert state.position == own
    best = own.winners()
    assert [seat for seat, worth in enumerate(state.returns()) if worth > 0] == best


def test_a_wrong_parameter_is_named() -> None:
    with pytest.raises(GameError, match="edition must be one of"):
        pyspiel.load_game(NAME, {"edition": "french"})
    with pytest.raises(GameError, match="players must be 2 to 5"):
        pyspiel.load_game(NAME, {"players": 9})
