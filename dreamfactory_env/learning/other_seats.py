"""Who has the seats beside the learner's own, in some games: the players, and how often each."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from dreamfactory_env.engine.stepper import CALLER, FIRST_FROZEN
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.config import Others
from dreamfactory_env.learning.inference import drawn_actions, inference_of
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.training_games import Choose, TrainingGames
from dreamfactory_env.policies.network import NetworkPolicy

#: So many snapshots play at a time: each costs a pass through a network a step. Theirs are the
#: first slots of the frozen players; those of agents come after them.
ACTIVE_SNAPSHOTS = 2
#: The weights of a network, by name.
Weights = dict[str, torch.Tensor]


class OtherSeats:
    """Says who has the other seats of some games.

    Args:
        games: The games.
        others: The shares of those who have the other seats.
        agents: The trained networks among them, in the order of ``others.agents``.
    """

    def __init__(
        self, games: TrainingGames, others: Others, agents: Sequence[NetworkPolicy]
    ) -> None:
        self.games = games
        self.others = others
        self._networks: list[SeatPolicy] = []
        for slot, agent in enumerate(agents):
            games.set_frozen(ACTIVE_SNAPSHOTS + slot, agent.best, agent.hint)

    def set_players(self, snapshots: Sequence[Weights], network: SeatPolicy | None) -> None:
        """Lets snapshots play, and says how often who has a seat, from the next deals on.

        Args:
            snapshots: Their weights, by slot.
            network: A network of their shape; none is needed where there are no snapshots.
        """
        shares: dict[int, float] = {}
        scripted = list(self.games.game.scripted)
        for name, share in self.others.scripted.items():
            shares[scripted.index(name)] = share
        for slot, share in enumerate(self.others.agents.values()):
            shares[FIRST_FROZEN + ACTIVE_SNAPSHOTS + slot] = share
        for slot, weights in enumerate(snapshots):
            assert network is not None
            self._activate(slot, weights, network)
            shares[FIRST_FROZEN + slot] = self.others.past / len(snapshots)
        no_past = 0.0 if snapshots else self.others.past  # so the learner has its share
        for players in set(self.games.players.tolist()):
            own = self.others.self_at.get(players, self.others.self)
            mix = {CALLER: own + no_past, **shares}
            self.games.set_mix(mix, players=players, together=self.others.together)

    def _activate(self, slot: int, weights: Weights, network: SeatPolicy) -> None:
        """Puts a snapshot's weights into the network of a slot."""
        while len(self._networks) <= slot:
            self._networks.append(network.twin())
        own = self._networks[slot]
        own.load_state_dict(weights)
        self.games.set_frozen(slot, _drawing_from(own), own.hint)


def _drawing_from(network: SeatPolicy) -> Choose:
    """Returns a network as a frozen player, which draws its actions."""
    infer = inference_of(network)

    def choose(observations: Array, masks: Array) -> Array:
        logits, _ = infer(observations, masks)
        return drawn_actions(logits, masks)[0]

    return choose
