"""Policies at the seats of a batch: scripted ones by their codes, all others asked in batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dreamfactory_env.engine.stepper import FIRST_FROZEN
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.naming import policy_named
from dreamfactory_env.policies.policy import Policy, Views
from dreamfactory_env.utils.errors import OptionError


class SeatedPolicies:
    """The policies that have seats in a batch, each constructed once.

    Attributes:
        policies: Those that are not scripted, in the order of their codes from FIRST_FROZEN.

    Args:
        game: A game with the options of the batch.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.policies: list[Policy] = []
        self._codes: dict[str, int] = {name: code for code, name in enumerate(game.scripted)}

    def code(self, name: str) -> int:
        """Returns the code of a policy in lineups.

        Raises:
            OptionError: There is none of that name.
        """
        if name not in self._codes:
            policy = policy_named(name, self.game)
            self._codes[name] = FIRST_FROZEN + len(self.policies)
            self.policies.append(policy)
        return self._codes[name]

    def codes(self, names: Sequence[str], seats: int) -> list[int]:
        """Returns one code for each seat: of the names given, or of the only one for all.

        Raises:
            OptionError: One is unknown, or there are neither one nor as many as seats.
        """
        found = [self.code(name) for name in names]
        if len(names) not in (1, seats):
            raise OptionError(f"{len(names)} policies for {seats} players; give 1 or {seats}")
        return found * (seats if len(names) == 1 else 1)

    @property
    def batched(self) -> bool:
        """Whether all of them answer for many games at once."""
        return all(policy.batched for policy in self.policies)

    def play(self, batch: GameBatch) -> None:
        """Lets them move until every row waits for the caller, or is over.

        Raises:
            IllegalMove: One has answered with an action that is not legal.
        """
        while self.policies:  # scripted ones have moved already
            policies = batch.rows["current_policy"]
            waiting = np.flatnonzero((policies >= FIRST_FROZEN) & batch.masks.any(axis=1))
            if not len(waiting):
                return
            for code in np.unique(policies[waiting]).tolist():
                self._ask(
                    batch, self.policies[code - FIRST_FROZEN], waiting[policies[waiting] == code]
                )

    def _ask(self, batch: GameBatch, policy: Policy, which: np.ndarray) -> None:
        """Asks a policy for its moves in some rows, and plays them."""
        actions = np.asarray(policy.act_batch(Views.of(batch, which)))
        legal = (actions >= 0) & (actions < batch.masks.shape[1])
        legal[legal] = batch.masks[which[legal], actions[legal]] > 0
        if not legal.all():
            wrong = int(np.flatnonzero(~legal)[0])
            raise batch.game_at(int(which[wrong])).illegal_move(int(actions[wrong]))
        batch.advance(which, actions.astype(np.int64), fresh=False)
