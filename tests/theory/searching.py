"""What the search plays in the tiny game. ``python -m tests.theory.searching`` prints how well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyspiel

from dreamfactory_env.policies.search import Search
from tests.theory.solving import Policy, histories, tiny_game


def searched(iterations: int) -> Policy:
    """Returns what the search plays with so many iterations a move, whatever the other one does.

    It knows nothing but the rules: games are played on at random. Information states to which it
    never comes have every action alike.
    """
    search = Search(iterations, rollout="random", trust=0.0, reward="win", seed=1)
    policy: Policy = {}
    for state in histories(tiny_game()):
        if state.is_player_node():
            actions = state.legal_actions()
            policy[state.information_state_string()] = [(a, 1 / len(actions)) for a in actions]
    for seat in range(2):
        chosen: dict[str, int] = {}
        for state in reached(seat, search, chosen):
            key = state.information_state_string()
            policy[key] = [(a, float(a == chosen[key])) for a in state.legal_actions()]
    return policy


def reached(seat: int, search: Search, chosen: dict[str, int]) -> Iterator[Any]:
    """Gives the states in which the search is to move if it sits there; ``chosen`` is filled."""
    states = [tiny_game().new_initial_state()]
    while states:
        state = states.pop()
        if state.current_player() == seat:
            key = state.information_state_string()
            if key not in chosen:
                chosen[key] = search.choose(state.position)
            yield state
            states.append(state.child(chosen[key]))
        elif not state.is_terminal():
            states += [state.child(action) for action in state.legal_actions()]


def main() -> None:
    """Prints how much a perfect opponent gains against the search."""
    for iterations in (10, 100, 1000, 10000):
        gap = pyspiel.exploitability(tiny_game(), searched(iterations))
        print(f"search, {iterations} iterations a move: exploitability {gap:.4f}", flush=True)


if __name__ == "__main__":
    main()
