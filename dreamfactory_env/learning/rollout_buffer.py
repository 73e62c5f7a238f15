"""Advantages along each seat's own decisions: a rollout buffer for games that many seats share.

Rows of a rollout are games; from one step to the next another seat may decide. What a decision was
worth shows in the next decision of the same seat, or in what the game paid it, so that is where its
advantage comes from.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.training_env import TrainingVecEnv

#: From fewer decisions nobody can tell how large advantages are.
ENOUGH = 30


@jit
def seat_advantages(
    values: Array,
    movers: Array,
    payments: Array,
    dones: Array,
    gamma: float,
    gae_lambda: float,
    advantages: Array,
    returns: Array,
    known: Array,
) -> None:
    """Computes generalised advantages, each along the decisions of one seat in one game.

    The last decision of a seat whose game goes on after the rollout is followed by nothing yet: it
    is marked as not known, and its value stands for the future of the seat's decision before it.

    Args:
        values: What the network thought of each decision, float32 (steps, rows).
        movers: Whose it was, int8 (steps, rows).
        payments: What every seat was paid after it, float32 (steps, rows, seats).
        dones: 1 where the game ended after it, int8 (steps, rows).
        gamma: The discount from one decision of a seat to its next one.
        gae_lambda: How far advantages look ahead.
        advantages: Where they go, float32 (steps, rows).
        returns: Where advantages and values together go, float32 (steps, rows).
        known: Where 1 is written for decisions to learn from, int8 (steps, rows).
    """
    steps, rows, seats = payments.shape
    paid = np.zeros(seats)  # since the seat's decision that we have not come to yet
    value_after = np.zeros(seats)
    advantage_after = np.zeros(seats)
    followed = np.zeros(seats, np.int8)  # 1: by another decision, 2: by the end of the game
    for row in range(rows):
        paid[:] = 0
        followed[:] = 0
        for step in range(steps - 1, -1, -1):
            if dones[step, row]:
                paid[:] = 0
                followed[:] = 2
            for seat in range(seats):
                paid[seat] += payments[step, row, seat]
            seat = int(movers[step, row])
            value = values[step, row]
            advantage = 0.0
            if followed[seat] == 2:
                advantage = paid[seat] - value
            elif followed[seat] == 1:
                delta = paid[seat] + gamma * value_after[seat] - value
                advantage = delta + gamma * gae_lambda * advantage_after[seat]
            known[step, row] = followed[seat] > 0
            advantages[step, row] = advantage
            returns[step, row] = advantage + value
            paid[seat] = 0
            value_after[seat] = value
            advantage_after[seat] = advantage
            followed[seat] = 1


class SeatSamples(NamedTuple):
    """A batch of decisions: what MaskablePPO learns from, and what the teacher would have done.

    Attributes:
        observations: float32 (n, size).
        actions: int64 (n, 1).
        old_values: float32 (n,).
        old_log_prob: float32 (n,).
        advantages: float32 (n,).
        returns: float32 (n,).
        action_masks: bool (n, actions).
        advice: int64 (n, 1).
    """

    observations: torch.Tensor
    actions: torch.Tensor
    old_values: torch.Tensor
    old_log_prob: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    action_masks: torch.Tensor
    advice: torch.Tensor


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """The rollout buffer of MaskablePPO for a table where the learner has several seats.

    Args:
        *args: As ``MaskableRolloutBuffer``.
        table: The environments, which know who moved and what everybody was paid.
        **options: As ``MaskableRolloutBuffer``.
    """

    def __init__(self, *args: Any, table: TrainingVecEnv, **options: Any) -> None:
        self.table = table
        super().__init__(*args, **options)

    def reset(self) -> None:
        """Empties the buffer. Its arrays are made once: every rollout fills them anew."""
        if not hasattr(self, "movers"):
            super().reset()
            shape = (self.buffer_size, self.n_envs)
            self.action_masks = np.zeros((*shape, self.mask_dims), np.bool_)
            self.movers = np.zeros(shape, np.int8)
            self.ended = np.zeros(shape, np.int8)
            self.known = np.zeros(shape, np.int8)
            self.advice = np.zeros(shape, np.int64)
            self.payments = np.zeros((*shape, self.table.most_players), np.float32)
        self.pos, self.full, self.generator_ready = 0, False, False

    def add(self, *args: Any, **options: Any) -> None:
        """Keeps a step, and with it who moved and what every seat was paid."""
        self.movers[self.pos] = self.table.movers
        self.ended[self.pos] = self.table.done
        self.payments[self.pos] = self.table.payments
        self.advice[self.pos] = self.table.advised
        super().add(*args, **options)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: Array) -> None:
        """Computes advantages along the decisions of each seat.

        Args:
            last_values: Not needed: a seat's future begins at its own next decision.
            dones: Not needed: ends were kept with the steps.
        """
        seat_advantages(
            self.values,
            self.movers,
            self.payments,
            self.ended,
            self.gamma,
            self.gae_lambda,
            self.advantages,
            self.returns,
            self.known,
        )
        self._level_advantages()

    def _level_advantages(self) -> None:
        """Gives the advantages of every player count the same scale.

        The more players, the less a game is worth to one of them on average, so that the games of
        few players would drown the others.
        """
        for players in np.unique(self.table.players):
            rows = self.table.players == players
            found = self.advantages[:, rows]
            spread = found[self.known[:, rows] == 1]
            if len(spread) >= ENOUGH and spread.std() > 1e-6:
                self.advantages[:, rows] = found / spread.std()

    def get(  # type: ignore[override]
        self, batch_size: int | None = None
    ) -> Generator[SeatSamples, None, None]:
        """Gives all decisions that are followed by something, in random batches of equal size.

        Args:
            batch_size: About how many decisions a batch has, all of them if not given.
        """
        if not self.generator_ready:
            self.flat_known = np.flatnonzero(self.known)
            self.generator_ready = True
        indices = np.random.permutation(self.flat_known)
        batches = max(round(len(indices) / batch_size), 1) if batch_size else 1
        for batch in np.array_split(indices, batches):
            yield self._get_samples(batch)

    def _get_samples(  # type: ignore[override]
        self, batch_inds: Array, env: Any = None
    ) -> SeatSamples:
        """Returns the decisions of the given numbers, counted step by step."""

        def take(array: Array, width: int = 0) -> torch.Tensor:
            flat = array.reshape(-1, width) if width else array.reshape(-1)
            return torch.from_numpy(flat[batch_inds])

        return SeatSamples(
            observations=take(self.observations, self.observations.shape[-1]),
            actions=take(self.actions, 1).long(),
            old_values=take(self.values),
            old_log_prob=take(self.log_probs),
            advantages=take(self.advantages),
            returns=take(self.returns),
            action_masks=take(self.action_masks, self.action_masks.shape[-1]),
            advice=take(self.advice, 1),
        )
