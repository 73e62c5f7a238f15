"""The league: who has the other seats. Snapshots of the learner come back as guests.

Which of them do is drawn anew for each rollout by prioritised fictitious self-play: the more a
snapshot wins against the learner, the more often it is invited.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.config import Opponents
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.training_env import FIRST_GUEST, LEARNER, TrainingVecEnv
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.utils.errors import OptionError

#: So many snapshots are at the tables at a time: each costs a pass through a network a step.
GUESTS = 2
#: The first of the agents that do not change; guests, too, but always the same ones.
FIRST_AGENT = FIRST_GUEST + GUESTS
#: So many snapshots are kept, and written with every checkpoint.
MOST_SNAPSHOTS = 40
#: How fast the memory of results fades, a game at a time.
FADING = 0.02


class League(BaseCallback):
    """Seats the opponents: a callback that snapshots the learner and invites its past.

    Attributes:
        snapshots: The weights of each snapshot, oldest first.
        results: What the learner scores against each, 0 to 1, recent games counting most.
        taken: How many snapshots were taken so far, those that are gone included.

    Args:
        table: Where they play.
        opponents: The shares of those who have the other seats.
        every: Decisions of the learner between two snapshots.
    """

    def __init__(self, table: TrainingVecEnv, opponents: Opponents, every: int) -> None:
        super().__init__()
        self.table = table
        self.opponents = opponents
        self.every = every
        self.snapshots: list[dict[str, torch.Tensor]] = []
        self.results: list[float] = []
        self.taken = 0
        self.invited: list[int] = []
        self._networks: list[SeatPolicy] = []
        self._known: dict[str, str] = {}  # the agents of the run that is gone on with
        self.agents = {name: network_named(name, table.kind) for name in opponents.agents}
        for slot, agent in enumerate(self.agents.values()):
            table.invite(FIRST_AGENT + slot, agent.best, agent.adviser)
        self.invite()  # so that the first deals, too, are played by whom it says

    # ------------------------------------------------------------------ as a callback

    def _on_rollout_start(self) -> None:
        wanted = self.opponents.past > 0
        if wanted and self.num_timesteps >= self.every * (self.taken + 1):
            self.take_snapshot()
        self.invite()

    def _on_step(self) -> bool:
        table = self.table
        for row in np.flatnonzero(table.done):
            seats = table.played[row]
            mine = seats == LEARNER
            score = (float(table.outcomes[row][mine].mean()) + 1) / 2
            for guest in {int(who) for who in seats if FIRST_GUEST <= who < FIRST_AGENT}:
                number = self.invited[guest - FIRST_GUEST]
                self.results[number] += FADING * (score - self.results[number])
        return True

    # ------------------------------------------------------------------ snapshots and guests

    def take_snapshot(self) -> None:
        """Adds the learner as it is now; where there are too many, the one it beats most goes."""
        if len(self.snapshots) >= MOST_SNAPSHOTS:
            beaten = int(np.argmax(self.results))
            del self.snapshots[beaten], self.results[beaten]
        weights = self.model.policy.state_dict()
        self.snapshots.append({name: tensor.clone() for name, tensor in weights.items()})
        self.results.append(0.5)
        self.taken += 1

    def chances(self) -> Array:
        """Returns how likely each snapshot is to be invited, float64 (snapshots,)."""
        losses = (1.0 - np.clip(self.results, 0.0, 1.0)) ** 2 + 0.01
        chances: Array = losses / losses.sum()
        return chances

    def invite(self) -> None:
        """Draws the guests of the next rollout, and says how often who has a seat.

        A guest whose games are not over keeps its slot only in name: whoever is invited next goes
        on in its place, and the result is counted as its own.
        """
        count = min(GUESTS, len(self.snapshots))
        shares: dict[int, float] = {}
        names = list(self.table.kind.scripted)
        for name, share in self.opponents.scripted.items():
            shares[names.index(name)] = share
        for slot, share in enumerate(self.opponents.agents.values()):
            shares[FIRST_AGENT + slot] = share
        if count:
            drawn = np.random.choice(len(self.snapshots), count, replace=False, p=self.chances())
            self.invited = sorted(int(number) for number in drawn)
            for slot, number in enumerate(self.invited):
                self._seat(slot, self.snapshots[number])
                shares[FIRST_GUEST + slot] = self.opponents.past / count
        no_past = 0.0 if count else self.opponents.past  # so the learner has its share
        for players in set(self.table.players.tolist()):
            own = self.opponents.self_at.get(players, self.opponents.self)
            self.table.set_mix({LEARNER: own + no_past, **shares}, players)

    def _seat(self, slot: int, weights: dict[str, torch.Tensor]) -> None:
        """Puts a snapshot's weights into the network of a slot."""
        while len(self._networks) <= slot:
            with torch.random.fork_rng():  # a run that goes on makes it anew, and draws no more
                network = SeatPolicy(**self.model.policy._get_constructor_parameters())
            network.set_training_mode(False)
            self._networks.append(network)
        network = self._networks[slot]
        network.load_state_dict(weights)

        def answer(observations: Array, masks: Array) -> Array:
            with torch.no_grad():
                seen = torch.from_numpy(observations)
                actions: Array = network(seen, action_masks=masks)[0].numpy()
            return actions

        self.table.invite(FIRST_GUEST + slot, answer, network.adviser)

    # ------------------------------------------------------------------ stopping and going on

    def save(self) -> dict[str, Any]:
        """Returns everything that changes, for a checkpoint."""
        return {
            "snapshots": self.snapshots,
            "results": list(self.results),
            "taken": self.taken,
            "invited": list(self.invited),
            "agents": self._fingerprints(),
        }

    def load(self, kept: dict[str, Any]) -> None:
        """Goes back to what :meth:`save` returned."""
        self._known = kept["agents"]
        self.snapshots, self.results = kept["snapshots"], list(kept["results"])
        self.taken = kept.get("taken", len(self.snapshots))  # before any could go, all were there
        self.invited = list(kept["invited"])

    def check_agents(self) -> None:
        """Raises OptionError if an agent is no longer the one that the run has played against."""
        for name, fingerprint in self._fingerprints().items():
            if self._known.get(name, fingerprint) != fingerprint:
                raise OptionError(f"{name} is not the agent that this run has played against")

    def _fingerprints(self) -> dict[str, str]:
        return {name: agent.fingerprint() for name, agent in self.agents.items()}
