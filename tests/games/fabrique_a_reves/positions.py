"""Positions of all sorts: whole games, and one for each phase."""

from __future__ import annotations

import random
from functools import cache

from dreamfactory_env import FabriqueAReves
from tests.games.fabrique_a_reves.staging import fill, pass_all, play, random_moves

PHASES = ("thoughts", "quill", "dreams", "over")


@cache
def positions(mode: str, players: int, language: str = "en") -> tuple[FabriqueAReves, ...]:
    """Returns copies of all positions of a random game."""
    game = FabriqueAReves(players, mode=mode, language=language, seed=players)
    found = [game.copy()]
    for _ in random_moves(game, random.Random(players), passing=0.2):
        found.append(game.copy())
    return (*found, game.copy())


def of_every_phase(language: str = "en") -> dict[str, FabriqueAReves]:
    """Returns a game in each phase, with words, tokens and written dreams on the table."""
    game = FabriqueAReves(3, mode="saturday", language=language, seed=4)
    fill(game, 3, 1, 2, 1, 1)
    play(game, "dust on 1", "doubt on 2", "dust+2 on 3")
    found = {"thoughts": game.copy()}
    play(game, "quill 4")
    found["quill"] = game.copy()
    play(game, game.legal()[9])
    pass_all(game)
    for _ in range(2):
        play(game, game.legal()[0])
    found["dreams"] = game.copy()
    while not game.over:
        play(game, game.legal()[0])
    return found | {"over": game}
