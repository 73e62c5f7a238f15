"""Going back in time: what a clone is of, and clones of environments that are made of arrays."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np

from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import SavedStateError

#: What a clone begins with: the kind of environment and all that its games depend on.
Identity = tuple[object, ...]


def identity_of(face: object, game: Game, *settings: object) -> Identity:
    """Returns what tells the clones of an environment from those of others."""
    config = json.dumps(game.config(), sort_keys=True)
    return (type(face).__name__, game.name, game.version, config, *settings)


def check_clone(clone: Any, identity: Identity, length: int) -> None:
    """Checks that a clone is one of this environment, or of one just like it.

    Raises:
        SavedStateError: It is not.
    """
    if not isinstance(clone, tuple) or len(clone) != length:
        raise SavedStateError(f"that is no clone of a {identity[0]}")
    if clone[0] != identity:
        raise SavedStateError(f"the clone is of another environment: {clone[0]}, not {identity}")


class ClonedArrays:
    """Gives an environment ``clone_state`` and ``restore_state``.

    Its arrays named in ``KEPT`` are all that changes after it was made; they are filled, never
    replaced.
    """

    KEPT: ClassVar[tuple[str, ...]]
    identity: Identity

    def clone_state(self) -> tuple[Any, ...]:
        """Returns everything as it stands, for :meth:`restore_state`."""
        return self.identity, *[getattr(self, name).tobytes() for name in self.KEPT]

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again.

        Raises:
            SavedStateError: It is a clone of another environment; nothing has changed.
        """
        check_clone(clone, self.identity, 1 + len(self.KEPT))
        for name, data in zip(self.KEPT, clone[1:], strict=True):
            array = getattr(self, name)
            array.view(np.uint8).reshape(-1)[:] = np.frombuffer(data, np.uint8)
