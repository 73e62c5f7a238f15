"""The games of the package, by the names that records use."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.validation import did_you_mean

GAMES: dict[str, type[Game]] = {game.name: game for game in (DreamFactory,)}


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
    raise GameError(f"unknown game {name!r}; known are {', '.join(GAMES)}{hint}")


def new_game(kind: type[Game], options: Mapping[str, Any]) -> Game:
    """Returns a game with the options given, dealt from seed 0.

    Raises:
        GameError: One of them is unknown or wrong.
    """
    known = [name for name in inspect.signature(kind).parameters if name != "seed"]
    for name in options:
        if name not in known:
            hint = did_you_mean(str(name), known)
            listed = ", ".join(known)
            raise OptionError(f"unknown option {name!r}; those of the game are {listed}{hint}")
    return kind(seed=0, **options)  # type: ignore[call-arg]
