"""The league: who has the other seats. Snapshots of the learner come back as frozen players.

Which of them do is drawn anew for each rollout. Opponents are drawn by prioritised fictitious
self-play: the more a snapshot wins against the learner, the more often. Partners are drawn evenly:
to prefer those with whom the learner fails would prefer those who play badly.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.engine.stepper import CALLER, FIRST_FROZEN
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.config import Others
from dreamfactory_env.learning.other_seats import ACTIVE_SNAPSHOTS, OtherSeats, Weights
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.training_games import StepResult, TrainingGames
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.threads import use_one_thread

#: So many snapshots are kept, and written with every checkpoint.
MAX_SNAPSHOTS = 40
#: How fast the memory of results fades, a game at a time.
RESULT_STEP = 0.02


class League(BaseCallback):
    """Says who has the other seats: a callback that takes snapshots and lets the past play.

    Attributes:
        snapshots: The weights of each snapshot, oldest first.
        results: What the learner scores against each, 0 to 1, recent games counting most; with
            partners not kept up to date.
        taken: How many snapshots were taken so far, those that are gone included.
        active: The snapshots that play, by slot: places in ``snapshots``.
        seats: Where they play.

    Args:
        games: Where they play.
        others: The shares of those who have the other seats.
        snapshot_every: Decisions of the learner between two snapshots.
    """

    def __init__(self, games: TrainingGames, others: Others, snapshot_every: int) -> None:
        super().__init__()
        use_one_thread()  # for the products of the frozen players' networks
        self.games = games
        self.others = others
        self.snapshot_every = snapshot_every
        self.snapshots: list[Weights] = []
        self.results: list[float] = []
        self.taken = 0
        self.active: list[int] = []
        self._saved_agents: dict[str, str] = {}  # those of the run that is resumed
        self.agents = {name: network_named(name, games.game) for name in others.agents}
        self.seats = OtherSeats(games, others, list(self.agents.values()))
        self.draw()  # so that the first deals, too, are played by whom it says

    # ------------------------------------------------------------------ as a callback

    def _on_training_start(self) -> None:
        self._seat()  # a run that is resumed has drawn them before

    def _on_rollout_end(self) -> None:
        # The next rollout may begin before the learner has learned from this one.
        due = self.num_timesteps >= self.snapshot_every * (self.taken + 1)
        if due and self.others.past > 0:
            self.take_snapshot()
        self.draw()

    def _on_step(self) -> bool:
        if not self.games.game.spec.shared:
            self._update_results(self.locals["result"])
        return True

    def _update_results(self, step: StepResult) -> None:
        """Notes what the learner has scored against snapshots in games that have ended."""
        for row in np.flatnonzero(step.dones):
            lineup = step.lineups[row, : self.games.players[row]]
            score = (float(step.returns[row, : len(lineup)][lineup == CALLER].mean()) + 1) / 2
            slots = {int(who) - FIRST_FROZEN for who in lineup if who >= FIRST_FROZEN}
            for slot in slots & set(range(ACTIVE_SNAPSHOTS)):
                number = self.active[slot]
                self.results[number] += RESULT_STEP * (score - self.results[number])

    # ------------------------------------------------------------------ snapshots

    def take_snapshot(self) -> None:
        """Adds the learner as it is now; where there are too many, one goes.

        Of opponents that is the one that the learner beats most, of partners the oldest.
        """
        if len(self.snapshots) >= MAX_SNAPSHOTS:
            goes = 0 if self.games.game.spec.shared else int(np.argmax(self.results))
            del self.snapshots[goes], self.results[goes]
        weights = self.model.policy.state_dict()
        self.snapshots.append({name: tensor.clone() for name, tensor in weights.items()})
        self.results.append(0.5)
        self.taken += 1

    def probabilities(self) -> Array:
        """Returns how likely each snapshot is to play, float64 (snapshots,)."""
        if self.games.game.spec.shared:
            return np.full(len(self.snapshots), 1 / len(self.snapshots))
        losses = (1.0 - np.clip(self.results, 0.0, 1.0)) ** 2 + 0.01
        probabilities: Array = losses / losses.sum()
        return probabilities

    def draw(self) -> None:
        """Draws the snapshots of the next rollout, and says how often who has a seat.

        A snapshot whose games are not over keeps its slot only in name: whoever is drawn next
        plays them on, and the result is counted as its own.
        """
        count = min(ACTIVE_SNAPSHOTS, len(self.snapshots))
        if count:
            p = self.probabilities()
            drawn = np.random.choice(len(self.snapshots), count, replace=False, p=p)
            self.active = sorted(int(number) for number in drawn)
        self._seat()

    def _seat(self) -> None:
        """Lets the active snapshots play, and says how often who has a seat."""
        weights = self.active_weights()
        network = cast(SeatPolicy, self.model.policy) if weights else None
        self.seats.set_players(weights, network)

    def active_weights(self) -> list[Weights]:
        """Returns the weights of the snapshots that play, by slot."""
        return [self.snapshots[number] for number in self.active]

    # ------------------------------------------------------------------ saving

    def save(self) -> dict[str, Any]:
        """Returns everything that changes, for a checkpoint."""
        return {
            "snapshots": self.snapshots,
            "results": list(self.results),
            "taken": self.taken,
            "active": list(self.active),
            "agents": self._fingerprints(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Goes back to what :meth:`save` returned."""
        self._saved_agents = saved["agents"]
        self.snapshots, self.results = saved["snapshots"], list(saved["results"])
        self.taken, self.active = saved["taken"], list(saved["active"])

    def check_agents(self) -> None:
        """Raises OptionError if an agent is no longer the one that the run has played with."""
        for name, fingerprint in self._fingerprints().items():
            if self._saved_agents.get(name, fingerprint) != fingerprint:
                raise OptionError(f"{name} is not the agent that this run has played with")

    def _fingerprints(self) -> dict[str, str]:
        return {name: agent.fingerprint() for name, agent in self.agents.items()}
