"""The games of the package, by the names that records use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.fabrique_a_reves.game import FabriqueAReves
from dreamfactory_env.games.faux_raccords.game import FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import GameError
from dreamfactory_env.utils.validation import did_you_mean, shown

#: The registry: a game is known everywhere once it stands here.
GAMES: dict[str, type[Game]] = {
    game.spec.name: game for game in (DreamFactory, FauxRaccords, FabriqueAReves)
}
#: The game that commands and files mean if they name none.
DEFAULT_GAME = next(iter(GAMES))


def game_named(name: object) -> type[Game]:
    """Returns the class of a game, by its name; a class is returned as it is.

    Raises:
        GameError: There is no game of that name.
    """
    if isinstance(name, type) and issubclass(name, Game):
        return name
    if isinstance(name, str) and name in GAMES:
        return GAMES[name]
    hint = did_you_mean(str(name), GAMES)
    raise GameError(f"unknown game {shown(name)}; known are {', '.join(GAMES)}{hint}")


def new_game(game: object, options: Mapping[str, Any]) -> Game:
    """Returns a game with the options given, dealt from seed 0.

    Args:
        game: Its name, or its class.
        options: The options, the number of players among them.

    Raises:
        GameError: One of them is unknown or wrong.
    """
    game_cls = game_named(game)
    for name in options:
        if name != "players":
            game_cls.spec.option(name)
    return game_cls(seed=0, **options)
