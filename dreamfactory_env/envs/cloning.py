"""Clones of environments: what they are of."""

from __future__ import annotations

import json
from typing import Any

from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import SavedStateError

#: What a clone begins with: the kind of environment and all that its games depend on.
Identity = tuple[object, ...]


def identity_of(env: object, game: Game, *settings: object) -> Identity:
    """Returns what tells the clones of an environment from those of others."""
    config = json.dumps(game.config(), sort_keys=True)
    return (type(env).__name__, game.spec.name, game.spec.version, config, *settings)


def check_clone(clone: Any, identity: Identity, length: int) -> None:
    """Checks that a clone is one of this environment, or of one just like it.

    Raises:
        SavedStateError: It is not.
    """
    if not isinstance(clone, tuple) or len(clone) != length:
        raise SavedStateError(f"that is no clone of a {identity[0]}")
    if clone[0] != identity:
        raise SavedStateError(f"the clone is of another environment: {clone[0]}, not {identity}")
