"""Positions of whole games of Faux Raccords, for tests of what shows them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from dreamfactory_env import FauxRaccords
from tests.games.faux_raccords.staging import OPTIONS
from tests.games.faux_raccords.styles import STYLES


@cache
def positions(mode: str, players: int, seed: int = 1, **options: Any) -> tuple[FauxRaccords, ...]:
    """Returns every position of a game."""
    game = FauxRaccords(players, mode=mode, seed=seed, **options)
    rng = random.Random(seed)
    style = STYLES["lively" if seed % 2 else "placing"]
    found = [game.copy()]
    while not game.over:
        game.play(style(game.legal(), rng))
        found.append(game.copy())
    return tuple(found)


@cache
def of_every_phase() -> dict[str, FauxRaccords]:
    """Returns a position of every phase."""
    found: dict[str, FauxRaccords] = {}
    for seed in range(4):
        for mode, players in OPTIONS:
            for game in positions(mode, players, seed):
                found.setdefault(game.phase, game)
    return found


def moves_of(games: tuple[FauxRaccords, ...]) -> list[int]:
    """Returns the actions that lead from each position of a game to the next."""
    moves = []
    for before, after in zip(games, games[1:], strict=False):
        legal = before.legal_actions().values()
        moves.append(next(a for a in legal if before.copy().play(a) == after))
    return moves
