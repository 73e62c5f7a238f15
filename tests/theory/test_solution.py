"""The tiny game is solved by OpenSpiel and by our own backward induction, and both agree."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from functools import cache

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import best_response, expected_game_score

from dreamfactory_env import DreamFactory, load_components
from dreamfactory_env.games.dream_factory.dealing import DreamFactoryDealing
from tests.theory.induction import (
    PAYOFF,
    Deals,
    alike,
    all_deals,
    value_against_random,
    value_to_first_seat,
)
from tests.theory.solving import (
    TINY,
    Policy,
    decisions,
    first_decisions,
    in_our_words,
    solved,
    tiny_game,
    tiny_tree,
)

#: After so many iterations CFR+ is no further from the solution than this.
ITERATIONS, GAP = 300, 1e-4


@cache
def solution() -> Policy:
    return in_our_words(solved(ITERATIONS))


@cache
def openings() -> dict[str, Deals]:
    """Returns the equally likely deals, by what both players know at their first decision."""
    groups = alike(list(all_deals(DreamFactory(2, seed=0, components=TINY))))
    return {
        DreamFactoryDealing(group[0], dealt=True).information_state(0): group for group in groups
    }


def test_the_exploitability_of_cfr_falls_to_nothing() -> None:
    gaps = [pyspiel.exploitability(tiny_tree(), solved(n)) for n in (1, 10, 100, ITERATIONS)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 0.1
    assert gaps[-1] < GAP


def test_cfr_does_the_same_on_the_game_as_on_its_tree() -> None:
    solver = pyspiel.CFRPlusSolver(tiny_game())  # it is slow there: every state is our engine's
    for _ in range(2):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    twin = solved(2)
    for state, node in decisions():
        chances = found.action_probabilities(state).values()
        assert [*chances] == pytest.approx([*twin.action_probabilities(node).values()])


def test_the_solution_of_the_tree_is_one_of_the_game() -> None:
    assert pyspiel.exploitability(tiny_game(), solution()) < GAP


def test_the_value_of_every_opening_is_that_of_backward_induction() -> None:
    sums: dict[str, float] = defaultdict(float)
    weights: dict[str, float] = defaultdict(float)
    for state, node, chance in first_decisions():
        key = state.information_state_string(0)
        value = expected_game_score.policy_value(node, [solved(ITERATIONS)] * 2)
        sums[key] += chance * value[0]
        weights[key] += chance
    values = {key: sums[key] / weights[key] for key in sums}
    wanted = {key: value_to_first_seat(deals) for key, deals in openings().items()}
    assert len(set(wanted.values())) > 3, "openings of one value would prove little"
    # An opening has a chance of 1/16 or more, and the gap of all together is at most GAP.
    assert values == pytest.approx(wanted, abs=16 * 2 * GAP)


def test_the_whole_game_is_fair() -> None:
    # Seats and studios are dealt: whatever one player gets, the other gets as often.
    total = sum(len(deals) for deals in openings().values())
    value = sum(len(deals) * value_to_first_seat(deals) for deals in openings().values()) / total
    root = expected_game_score.policy_value(
        tiny_tree().new_initial_state(), [solved(ITERATIONS)] * 2
    )
    assert value == pytest.approx(0)
    assert root[0] == pytest.approx(0, abs=2 * GAP)


@pytest.mark.parametrize("player", [0, 1])
def test_the_best_response_to_random_play_is_that_of_backward_induction(player: int) -> None:
    tree = tiny_tree()
    response = best_response.BestResponsePolicy(tree, player, policies.UniformRandomPolicy(tree))
    found = response.value(tree.new_initial_state())
    total = sum(len(deals) for deals in openings().values())
    wanted = sum(len(deals) * value_against_random(deals, player) for deals in openings().values())
    assert found == pytest.approx(wanted / total)


def test_games_through_our_engine_give_the_value_that_openspiel_computes() -> None:
    games = 3000
    components = load_components(TINY)
    rng = random.Random(1)
    worth = []
    for seed in range(games):
        seat = seed % 2
        game = DreamFactory(2, seed=seed, components=components)
        dealing = DreamFactoryDealing(game, dealt=True)
        while dealing.game.to_move is not None:
            mover = dealing.game.to_move
            actions, chances = zip(*solution()[dealing.information_state(mover)], strict=True)
            dealing = dealing.play(rng.choices(actions, chances if mover == seat else None)[0])
        worth.append(dealing.game.returns(PAYOFF)[seat])
    tree = tiny_tree()
    solver, random_policy = solved(ITERATIONS), policies.UniformRandomPolicy(tree)
    root = tree.new_initial_state()
    wanted = np.mean(
        [
            expected_game_score.policy_value(root, [solver, random_policy])[0],
            expected_game_score.policy_value(root, [random_policy, solver])[1],
        ]
    )
    # Four standard errors: chance alone leaves this interval once in 16,000 times.
    assert abs(np.mean(worth) - wanted) < 4 * np.std(worth) / math.sqrt(games)
    assert wanted > 0.3
