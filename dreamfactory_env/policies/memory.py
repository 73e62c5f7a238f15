"""What a policy keeps in mind at one seat, where a game is played move by move.

Whoever asks a policy for one move may be another process than the one that asked before, and moves
may have been taken back since. A memory is a dict of anything, so it cannot be sent or kept in a
file: what is missing of it is made again, by asking the policy once more at its decisions so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.policies.policy import Policy, view_of
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.policies.searching import SearchPolicy

#: These never write into a memory, and some take long to answer.
KEEP_NOTHING = (ScriptedPolicy, NetworkPolicy, SearchPolicy)


class SeatMemory:
    """The memory of a policy at a seat of a game.

    Args:
        policy: The policy.
        start: The game before its first move; not changed.
        seat: The seat.
        seed: Where the policy's chance comes from, as in :func:`view_of`.
    """

    def __init__(self, policy: Policy, start: Game, seat: int, seed: int) -> None:
        self._policy, self._start, self._seat, self._seed = policy, start, seat, seed
        self._memory: dict[Any, Any] = {}
        self._asked: list[int] | None = None  # what was played before the last decision

    def at(self, actions: Sequence[int]) -> dict[Any, Any]:
        """Returns the memory for the decision that comes now, which the policy may change.

        What the policy answers where it is asked again is not played: the game goes on as it did.

        Args:
            actions: What was played before.
        """
        asked, self._asked = self._asked, list(actions)
        if isinstance(self._policy, KEEP_NOTHING):
            return self._memory
        if asked is None or len(asked) >= len(actions) or asked != self._asked[: len(asked)]:
            asked, self._memory = None, {}  # the first time, or moves were taken back
        game = self._start.copy()
        for number, action in enumerate(actions):
            fresh = asked is None or number > len(asked)
            if fresh and game.to_move == self._seat:
                view = view_of(game, seed=self._seed, moves=number, memory=self._memory)
                self._policy.act(view)
            game.play(action)
        return self._memory
