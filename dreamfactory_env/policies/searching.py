"""The tree search behind the interface of all policies."""

from __future__ import annotations

from dreamfactory_env.games.game import SEED_LIMIT, Game
from dreamfactory_env.policies.policy import Policy, View
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.policies.search import Search, parse_budget


class SearchPolicy(Policy):
    """Searches for every move, with the defaults of :class:`Search`.

    Args:
        kind: Which game.
        budget: How long for a move: ``500`` iterations, or a time such as ``1s``.

    Raises:
        OptionError: The budget is written otherwise.
    """

    def __init__(self, kind: type[Game], budget: str) -> None:
        parsed = parse_budget(budget)
        self.kind = kind
        self.search = Search(parsed.iterations, seconds=parsed.seconds)
        # Compiles, if it was never done, before several processes begin to play.
        Search(1).choose(kind(seed=0))  # type: ignore[call-arg]

    def act(self, view: View) -> int:
        """Returns the move that the search finds best."""
        return self.search.choose(view.game, int(view.rng.integers(SEED_LIMIT)))

    def fingerprint(self) -> str:
        """Returns that of the scripted policy which plays the games to their end."""
        return ScriptedPolicy(self.kind, self.search.rollout).fingerprint()
