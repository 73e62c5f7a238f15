"""The games of the package, by the names that records use."""

from __future__ import annotations

from dreamfactory_env.checking import did_you_mean
from dreamfactory_env.errors import GameError
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.game import Game

GAMES: dict[str, type[Game]] = {game.name: game for game in (DreamFactory,)}


def game_named(name: object) -> type[Game]:
    """Returns the class of a game.

    Raises:
        GameError: There is no game of that name.
    """
    if isinstance(name, str) and name in GAMES:
        return GAMES[name]
    hint = did_you_mean(str(name), GAMES)
    raise GameError(f"unknown game {name!r}; known are {', '.join(GAMES)}{hint}")
