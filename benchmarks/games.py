"""How fast the rules of any game are: ``python -m benchmarks.games GAME`` prints its figures.

Random legal moves, choosing and new deals included, on one core; then the same games played again
with the legal moves, the mask and the observation of whoever moves.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.measuring import Figures, best_rate
from benchmarks.random_play import play_at_random
from benchmarks.shares import kernel_nanoseconds
from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named
from dreamfactory_env.games.game import Game

#: Games side by side, and decisions made in each at a time.
COUNT, DECISIONS = 256, 200


def bare_rate(game: Game) -> float:
    """Returns how many random decisions a second are made with the bare rules."""
    states = np.concatenate([game.deal(seed).states for seed in range(COUNT)])

    def play() -> int:
        play_at_random(game, states, 0, DECISIONS)
        return COUNT * DECISIONS

    return best_rate(play)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default=DEFAULT_GAME, help=", ".join(GAMES))
    parser.add_argument("--players", type=int, help="how many play; the default of the game")
    parser.add_argument("--option", "-o", action="append", default=[], help="name=value")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    spec = game_named(arguments.game).spec
    given = dict(option.split("=", 1) for option in arguments.option)
    options = {name: spec.option(name).read_text(text) for name, text in given.items()}
    game = game_named(arguments.game)(arguments.players or spec.default_players, seed=0, **options)
    figures = Figures()
    figures.add("decisions, bare rules", bare_rate(game), "/s")
    parts = kernel_nanoseconds(game, COUNT)
    figures.add("decisions, with mask and observation", 1e9 / sum(parts), "/s")
    for name, part in zip(("rules", "legal moves and mask", "observation"), parts, strict=True):
        figures.add(f"  {name}", part, "ns", f"{part / sum(parts):.0%}")
    figures.add("size of a state", game.states.itemsize, "bytes")
    figures.show(arguments.json)


if __name__ == "__main__":
    main()
