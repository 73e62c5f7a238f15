"""Positions of whole games of Faux Raccords, for tests of what shows them."""

from __future__ import annotations

import itertools
import random
from functools import cache

from dreamfactory_env import FauxRaccords
from dreamfactory_env.games.faux_raccords.state import Phase
from tests.games.faux_raccords.staging import OPTIONS
from tests.games.faux_raccords.styles import STYLES


@cache
def history(
    mode: str, players: int, seed: int = 1, memory: str = "none"
) -> tuple[tuple[FauxRaccords, ...], tuple[int, ...]]:
    """Returns every position of a game, and the actions that lead from each to the next."""
    game = FauxRaccords(players, mode=mode, seed=seed, memory=memory)
    rng = random.Random(seed)
    style = STYLES["lively" if seed % 2 else "placing"]
    found, moves = [game.copy()], []
    while not game.over:
        legal = game.legal_actions()
        action = legal[style(list(legal), rng)]
        moves.append(action)
        found.append(game.play(action).copy())
    return tuple(found), tuple(moves)


def positions(
    mode: str, players: int, seed: int = 1, memory: str = "none"
) -> tuple[FauxRaccords, ...]:
    """Returns every position of a game."""
    return history(mode, players, seed, memory)[0]


@cache
def of_every_phase() -> dict[str, FauxRaccords]:
    """Returns a position of every phase."""
    found: dict[str, FauxRaccords] = {}
    for seed, (mode, players) in itertools.product(range(20), OPTIONS):
        for game in positions(mode, players, seed):
            found.setdefault(game.phase, game)
        if len(found) == len(Phase):
            break
    return found
