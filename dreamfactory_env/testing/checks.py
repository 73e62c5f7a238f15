"""Checks that whoever adds a game, or changes one, runs: ``check_game(MyGame, players=3)``.

They hold what everything above the games relies on. Rules are not checked here: those need tests of
their own.
"""

from __future__ import annotations

from typing import Any

from dreamfactory_env.games.game import Game
from dreamfactory_env.testing.agreement import check_agreement
from dreamfactory_env.testing.copies import check_copies
from dreamfactory_env.testing.credit import check_credit
from dreamfactory_env.testing.declarations import check_declarations
from dreamfactory_env.testing.information import check_information
from dreamfactory_env.testing.observations import check_observations
from dreamfactory_env.testing.play import check_determinism, check_masks, check_stats


def check_game(game_cls: type[Game], *, games: int = 10, seed: int = 0, **options: Any) -> None:
    """Checks that a game keeps the contract of ``games.game``, by random play.

    - What it declares is complete and consistent.
    - Masks are exactly the legal moves, and there are some until the end.
    - A seed is a game; records, set-ups and saved positions give it back.
    - What a player cannot know changes nothing that the player is shown.
    - Observations are within their bounds, and are the same with a cache.
    - What is counted adds up to the points.
    - Everybody is paid what the game is worth, in the way of its utility.
    - All environments play the same games, and copies of them have the same future.

    Args:
        game_cls: The game; it must be in ``dreamfactory_env.games.GAMES``.
        games: How many games each check plays.
        seed: Where they come from.
        **options: The options of the game.

    Raises:
        AssertionError: Something does not hold; the message says what, and in which game.
        GameError: An option is wrong.
    """
    check_declarations(game_cls, **options)
    check_masks(game_cls, games, seed, **options)
    check_determinism(game_cls, games, seed, **options)
    check_information(game_cls, games, seed, **options)
    check_observations(game_cls, games, seed, **options)
    check_stats(game_cls, games, seed, **options)
    check_credit(game_cls, games, seed, **options)
    check_agreement(game_cls, games, seed, **options)
    check_copies(game_cls, games, seed, **options)
