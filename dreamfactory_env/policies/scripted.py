"""The compiled policies that a game brings, behind the interface of all policies."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.policy import Policy, Views, digest_of
from dreamfactory_env.policies.rows import decide_rows


class ScriptedPolicy(Policy):
    """A scripted policy of a game; it plays as the same name does in the stepper.

    Attributes:
        name: Its name.
        code: What it is called in compiled code.
        weights: Its constants, float64.

    Args:
        game: A game with the options that it is to play.
        name: One of the names in its ``scripted``.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.name = name
        self.code = list(game.scripted).index(name)
        self.weights = np.asarray(game.scripted[name], np.float64)
        self._fingerprint = digest_of(np.asarray(game.constants_of(name), np.float64).tobytes())

    def act_batch(self, views: Views) -> Array:
        """Returns what the policy plays in each game, int64 (n,)."""
        out = np.empty(len(views), np.int64)
        buffer = np.empty(views.spec.num_actions, np.int32)
        views.template.compiled(decide_rows)(
            *(views.states, views.params, self.code, self.weights),
            *(views.streams, views.moves, buffer, out),
        )
        return out

    def fingerprint(self) -> str:
        """Returns a hash of the constants that count with the options of the game."""
        return self._fingerprint
