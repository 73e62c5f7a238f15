"""The tree search behind the interface of all policies."""

from __future__ import annotations

from dreamfactory_env.games.game import SEED_LIMIT, Game
from dreamfactory_env.policies.policy import Policy, View
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.policies.search import Search, parse_budget


class SearchPolicy(Policy):
    """Searches for every move, with the defaults of :class:`Search`.

    Args:
        game: A game with the options that it is to play.
        budget: How long for a move: ``500`` iterations, or a time such as ``1s``.

    Raises:
        OptionError: The budget is written otherwise.
    """

    def __init__(self, game: Game, budget: str) -> None:
        parsed = parse_budget(budget)
        self.search = Search(parsed.iterations, seconds=parsed.seconds)
        self._rollout = ScriptedPolicy(game, game.spec.rollout)

    def act(self, view: View) -> int:
        """Returns the move that the search finds best."""
        return self.search.choose(view.game, int(view.rng.integers(SEED_LIMIT)))

    def fingerprint(self) -> str:
        """Returns that of the scripted policy which plays the games to their end."""
        return self._rollout.fingerprint()
