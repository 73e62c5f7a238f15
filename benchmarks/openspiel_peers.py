"""How fast OpenSpiel plays games that are about as long and as wide, from Python, used with care.

Each decision has what a learner needs: the observation, written into the buffer of an observer, and
the mask of the legal actions. Nothing is done that could be left out: one call says whose turn it
is, no tensor becomes a list, no deal of bridge is solved double dummy, and what chance can do is
drawn evenly, also where it should be drawn by weights, as the cards of hanabi are. Other ways were
tried, and none was faster: ``legal_actions_mask``, a mask that NumPy writes,
``write_observation_tensor``.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pyspiel
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from benchmarks.measuring import best_rate

#: The games, and how they are loaded.
PEERS = {
    "crazy_eights": "crazy_eights",
    "spades": "spades",
    "bridge": "bridge(use_double_dummy_result=false)",
    "hearts": "hearts",
    "backgammon": "backgammon",
    "gin_rummy": "gin_rummy",
}


def player_of(name: str) -> Callable[[], int]:
    """Returns a function that plays a game at random and returns the number of decisions."""
    game = pyspiel.load_game(name)
    observed = game.get_type().provides_observation_tensor
    # Hearts has an information state only.
    set_from = make_observation(game, None if observed else INFO_STATE_OBS_TYPE).set_from
    none = bytes(game.num_distinct_actions())
    mask = bytearray(none)  # Python writes single bytes several times faster than NumPy does
    learner_mask = np.frombuffer(mask, np.int8)
    terminal, draw = int(pyspiel.PlayerId.TERMINAL), random.Random(0).random

    def play() -> int:
        state = game.new_initial_state()
        current_player, apply_action = state.current_player, state.apply_action
        legal_actions = state.legal_actions
        decisions = 0
        while (player := current_player()) != terminal:
            actions = legal_actions()
            if player >= 0:
                set_from(state, player)
                mask[:] = none
                for action in actions:
                    mask[action] = 1
                decisions += 1
            apply_action(actions[int(draw() * len(actions))])
        return decisions

    play()
    assert learner_mask.sum() > 0  # the array that a learner would be handed
    return play


def peer_rates() -> dict[str, float]:
    """Returns decisions a second of each game."""
    return {name: best_rate(player_of(loaded)) for name, loaded in PEERS.items()}


if __name__ == "__main__":
    for peer, rate in peer_rates().items():
        print(f"{peer}: {rate:,.0f} decisions a second")
