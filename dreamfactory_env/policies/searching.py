"""The tree search behind the interface of all policies."""

from __future__ import annotations

from dreamfactory_env.games.game import SEED_LIMIT, Game
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.policies.policy import Policy, View, digest_of
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.policies.search import Budget, Search


class SearchPolicy(Policy):
    """Searches for every move, with the defaults of :class:`Search`.

    Args:
        game: A game with the options that it is to play.
        budget: How long for a move.
        network: The network that says what is tried first; None for the scripted policy that plays
            the games to their end.

    """

    def __init__(self, game: Game, budget: Budget, network: NetworkPolicy | None = None) -> None:
        self.search = Search(budget.iterations, seconds=budget.seconds, network=network)
        self._rollout = ScriptedPolicy(game, game.spec.rollout)

    def act(self, view: View) -> int:
        """Returns the move that the search finds best."""
        return self.search.choose(view.game, int(view.rng.integers(SEED_LIMIT)))

    def fingerprint(self) -> str:
        """Returns that of whoever plays the games to their end, with that of the network."""
        network, ours = self.search.network, self._rollout.fingerprint()
        return ours if network is None else digest_of(f"{ours} {network.fingerprint()}".encode())
