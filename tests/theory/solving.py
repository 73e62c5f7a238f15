"""The tiny game, solved by OpenSpiel. ``python -m tests.theory.solving`` prints the figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyspiel
from open_spiel.python.algorithms import gambit

from dreamfactory_env import DreamFactory
from dreamfactory_env.adapters.openspiel import name_of
from tests.paths import CONFIGS

NAME = name_of(DreamFactory.spec)
TINY = CONFIGS / "games/tiny.yaml"
#: A policy: the information state, and the probability of each action.
Policy = dict[str, list[tuple[int, float]]]


@cache
def tiny_game() -> Any:
    """Returns the tiny game as OpenSpiel loads it."""
    return pyspiel.load_game(NAME, {"components": str(TINY)})


@cache
def tiny_tree() -> Any:
    """Returns the same game as a tree in OpenSpiel's own memory, where solving it is quick."""
    return pyspiel.load_efg_game(gambit.export_gambit(tiny_game()))


def histories(game: Any) -> Iterator[Any]:
    """Gives every state of a game."""
    states = [game.new_initial_state()]
    while states:
        state = states.pop()
        yield state
        if not state.is_terminal():
            states += [state.child(action) for action in state.legal_actions()]


@cache
def solver_after(iterations: int) -> Any:
    """Returns OpenSpiel's CFR+ on the tree after some iterations."""
    solver = pyspiel.CFRPlusSolver(tiny_tree())
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver


def solved(iterations: int) -> Any:
    """Returns the average policy of CFR+ after some iterations."""
    # A policy reads the memory of its solver, which the cache keeps alive.
    return solver_after(iterations).average_policy()


def decisions() -> Iterator[tuple[Any, Any]]:
    """Gives every state of the game in which a player is to move, with its node of the tree."""
    pairs = [(tiny_game().new_initial_state(), tiny_tree().new_initial_state())]
    while pairs:
        state, node = pairs.pop()
        if state.is_player_node():
            yield state, node
        if not state.is_terminal():
            actions = zip(state.legal_actions(), node.legal_actions(), strict=True)
            pairs += [(state.child(ours), node.child(theirs)) for ours, theirs in actions]


def first_decisions() -> Iterator[tuple[Any, Any, float]]:
    """Gives every state before the first move, with its node of the tree and its probability."""
    found = [(tiny_game().new_initial_state(), tiny_tree().new_initial_state(), 1.0)]
    while found:
        state, node, chance = found.pop()
        if state.is_player_node():
            yield state, node, chance
        else:
            draws = zip(state.chance_outcomes(), node.legal_actions(), strict=True)
            found += [(state.child(a), node.child(b), chance * p) for (a, p), b in draws]


def in_our_words(policy: Any) -> Policy:
    """Returns a policy of the tree as one of the game."""
    found: Policy = {}
    for state, node in decisions():
        chances = policy.action_probabilities(node)
        actions = zip(state.legal_actions(), node.legal_actions(), strict=True)
        found[state.information_state_string()] = [(ours, chances[its]) for ours, its in actions]
    return found


def main() -> None:
    """Prints the sizes of the tiny game and how CFR+ closes in on its solution."""
    states = list(histories(tiny_game()))
    players = [state for state in states if state.is_player_node()]
    print(f"histories: {len(states)}, of them terminal: {sum(s.is_terminal() for s in states)}")
    print(f"decisions: {len(players)}, chance: {sum(s.is_chance_node() for s in states)}")
    print(f"information states: {len({s.information_state_string() for s in players})}")
    print(f"longest game: {max(len(s.history()) for s in states)} events")
    for exponent in range(7):
        iterations = math.isqrt(10**exponent)
        gap = pyspiel.exploitability(tiny_tree(), solved(iterations))
        print(f"CFR+, {iterations} iterations: exploitability {gap:.6f}")


if __name__ == "__main__":
    main()
