"""Advantages along each seat's own decisions: a rollout buffer for games that many seats share.

Rows of a rollout are games; from one step to the next another seat may decide. What a decision was
worth shows in the next decision of the same seat, or in what the game paid it, so that is where its
advantage comes from.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.packing import Packed, unpack
from dreamfactory_env.learning.plain_network import take_columns, used_columns
from dreamfactory_env.learning.training_games import StepResult

#: Fewer decisions do not say how large advantages are.
MIN_DECISIONS = 30
#: What follows a decision: nothing yet, another decision of the seat, the end of the game.
NOTHING, DECISION, END = 0, 1, 2
#: The arrays of a buffer that hold what was decided, and what has followed.
DECISIONS = (
    *("observations", "action_masks", "actions", "values", "log_probs"),
    *("last_player", "hints", "seat_rewards", "dones"),
)


@jit
def seat_advantages(
    values: Array,
    last_player: Array,
    rewards: Array,
    dones: Array,
    gamma: float,
    gae_lambda: float,
) -> tuple[Array, Array, Array]:
    """Computes generalised advantages, each along the decisions of one seat in one game.

    The last decision of a seat whose game is not over at the end of the rollout is followed by
    nothing yet: it is marked as not valid, and its value stands for the future of the seat's
    decision before it.

    Args:
        values: What the network thought of each decision, float32 (steps, rows).
        last_player: Whose it was, int8 (steps, rows).
        rewards: What every seat was paid after it, float32 (steps, rows, seats).
        dones: Whether the game ended after it, bool (steps, rows).
        gamma: The discount from one decision of a seat to its next one.
        gae_lambda: How far advantages look ahead.

    Returns:
        Advantages, float32 (steps, rows); advantages and values together, float32 (steps, rows);
        whether a decision can be learned from, bool (steps, rows).
    """
    steps, rows, seats = rewards.shape
    advantages = np.zeros((steps, rows), np.float32)
    returns = np.zeros((steps, rows), np.float32)
    valid = np.zeros((steps, rows), np.bool_)
    paid = np.zeros(seats)  # since the seat's decision that we have not come to yet
    value_after = np.zeros(seats)
    advantage_after = np.zeros(seats)
    followed_by = np.zeros(seats, np.int8)
    for row in range(rows):
        paid[:] = 0
        followed_by[:] = NOTHING
        for step in range(steps - 1, -1, -1):
            if dones[step, row]:
                paid[:] = 0
                followed_by[:] = END
            for seat in range(seats):
                paid[seat] += rewards[step, row, seat]
            seat = int(last_player[step, row])
            value = values[step, row]
            advantage = 0.0
            if followed_by[seat] == END:
                advantage = paid[seat] - value
            elif followed_by[seat] == DECISION:
                delta = paid[seat] + gamma * value_after[seat] - value
                advantage = delta + gamma * gae_lambda * advantage_after[seat]
            valid[step, row] = followed_by[seat] != NOTHING
            advantages[step, row] = advantage
            returns[step, row] = advantage + value
            paid[seat] = 0
            value_after[seat] = value
            advantage_after[seat] = advantage
            followed_by[seat] = DECISION
    return advantages, returns, valid


class SeatSamples(NamedTuple):
    """A batch of decisions: what MaskablePPO learns from, and what the teacher would have done.

    Attributes:
        observations: float32 (n, size).
        actions: int64 (n, 1).
        old_values: float32 (n,).
        old_log_prob: Of the policy that has played, float32 (n,).
        prox_log_prob: Of the policy before the update, float32 (n,).
        advantages: float32 (n,).
        returns: float32 (n,).
        action_masks: bool (n, actions).
        hints: int64 (n, 1).
    """

    observations: torch.Tensor
    actions: torch.Tensor
    old_values: torch.Tensor
    old_log_prob: torch.Tensor
    prox_log_prob: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    action_masks: torch.Tensor
    hints: torch.Tensor


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """The rollout buffer of MaskablePPO for games in which the learner may have several seats.

    Attributes:
        prox_log_probs: Of the actions, by the policy before the update; those of the policy that
            has played, unless somebody has put others in their place. float32 (steps, rows).
        used: Which columns of the observations are not 0 in all of them, bool (size,).

    Args:
        *args: As ``MaskableRolloutBuffer``.
        players: How many play in each row, int8 (rows,).
        **options: As ``MaskableRolloutBuffer``.
    """

    def __init__(self, *args: Any, players: Array, **options: Any) -> None:
        self.players = players
        super().__init__(*args, **options)

    def reset(self) -> None:
        """Empties the buffer. Its arrays are made once: every rollout fills them anew."""
        if not hasattr(self, "last_player"):
            super().reset()
            shape = (self.buffer_size, self.n_envs)
            self.action_masks = np.zeros((*shape, self.mask_dims), np.bool_)
            self.last_player = np.zeros(shape, np.int8)
            self.dones = np.zeros(shape, np.bool_)
            self.valid = np.zeros(shape, np.bool_)
            self.hints = np.zeros(shape, np.int64)
            self.seat_rewards = np.zeros((*shape, int(self.players.max())), np.float32)
        self.pos, self.full, self.generator_ready = 0, False, False
        self._orders: list[Array] = []

    def add(  # type: ignore[override]
        self,
        observations: Array,
        action_masks: Array,
        actions: torch.Tensor,
        values: torch.Tensor,
        log_probs: torch.Tensor,
        result: StepResult,
    ) -> None:
        """Keeps a step.

        Args:
            observations: What the decisions were made from, float32 (rows, size).
            action_masks: What was legal, int8 (rows, actions).
            actions: What was chosen, int64 (rows,).
            values: What the network thought of the positions, float32 (rows, 1).
            log_probs: Of the actions, float32 (rows,).
            result: What the step has brought.
        """
        self.observations[self.pos] = observations
        self.action_masks[self.pos] = action_masks
        self.actions[self.pos, :, 0] = actions.numpy()
        self.values[self.pos] = values.flatten().numpy()
        self.log_probs[self.pos] = log_probs.numpy()
        self.last_player[self.pos] = result.last_player
        self.hints[self.pos] = result.hints
        self.seat_rewards[self.pos] = result.rewards
        self.dones[self.pos] = result.dones
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def decisions(self) -> dict[str, Array]:
        """Returns the arrays that :meth:`add` fills, by name, each (steps, rows, …)."""
        return {name: getattr(self, name) for name in DECISIONS}

    def add_rows(self, first: int, decisions: Mapping[str, Array | Packed]) -> None:
        """Takes all steps of some rows, which another buffer was filled with.

        Args:
            first: The first of the rows.
            decisions: What :meth:`decisions` of that buffer has returned, perhaps packed.
        """
        for name, array in decisions.items():
            rows = getattr(self, name)[:, first : first + array.shape[1]]
            if isinstance(array, Packed):
                unpack(array, rows)
            else:
                rows[:] = array
        self.pos, self.full = self.buffer_size, True

    def finish(self) -> None:
        """Computes advantages along the decisions of each seat, once the buffer is full."""
        self._compute_advantages()
        self.used = used_columns(self.observations.reshape(-1, self.observations.shape[-1]))
        self.prox_log_probs = self.log_probs

    def judge_again(self, values: Array, log_probs: Array) -> None:
        """Takes what the policy before the update thinks of a rollout that an older one has played.

        Advantages are computed from its values: what is one update old is the play alone.

        Args:
            values: Of the decisions, float32 (steps, rows).
            log_probs: Of the actions, float32 (steps, rows).
        """
        self.values[:] = values
        self.prox_log_probs = log_probs
        self._compute_advantages()

    def _compute_advantages(self) -> None:
        self.advantages, self.returns, self.valid = seat_advantages(
            *(self.values, self.last_player, self.seat_rewards, self.dones),
            *(self.gamma, self.gae_lambda),
        )
        self._scale_advantages()

    def _scale_advantages(self) -> None:
        """Gives the advantages of every player count the same scale.

        The more players, the less a game is worth to one of them on average, so that the games of
        few players would drown the others.
        """
        for count in np.unique(self.players):
            rows = self.players == count
            advantages = self.advantages[:, rows]
            learned = advantages[self.valid[:, rows]]
            if len(learned) >= MIN_DECISIONS and learned.std() > 1e-6:
                self.advantages[:, rows] = advantages / learned.std()

    def shuffle(self, epochs: int) -> None:
        """Draws the orders in which the next calls of :meth:`get` give the decisions."""
        valid = np.flatnonzero(self.valid)
        self._orders = [np.random.permutation(valid) for _ in range(epochs)]

    def batches(self, batch_size: int | None = None) -> list[Array]:
        """Returns the numbers of all valid decisions, in random batches of equal size.

        Args:
            batch_size: About how many decisions a batch has, all of them if not given.

        Returns:
            int64 (n,) each: decisions, counted step by step.
        """
        if not self._orders:
            self.shuffle(1)
        indices = self._orders.pop(0)
        batches = max(round(len(indices) / batch_size), 1) if batch_size else 1
        return np.array_split(indices, batches)

    def get(  # type: ignore[override]
        self, batch_size: int | None = None
    ) -> Generator[SeatSamples, None, None]:
        """Gives all valid decisions, in random batches: :meth:`batches`."""
        for batch in self.batches(batch_size):
            yield self.samples(batch)

    def samples(self, batch: Array, columns: Array | None = None) -> SeatSamples:
        """Returns some decisions.

        Args:
            batch: Their numbers, counted step by step, int64 (n,).
            columns: The columns of observations to return, int64 (columns,); all if None.
        """

        def take(array: Array, width: int = 0) -> torch.Tensor:
            flat = array.reshape(-1, width) if width else array.reshape(-1)
            return torch.from_numpy(flat).index_select(0, places)

        places, size = torch.from_numpy(batch), self.observations.shape[-1]
        if columns is None:
            observations = take(self.observations, size)
        else:
            seen = take_columns(self.observations.reshape(-1, size), batch, columns)
            observations = torch.from_numpy(seen)
        return SeatSamples(
            observations=observations,
            actions=take(self.actions, 1).long(),
            old_values=take(self.values),
            old_log_prob=take(self.log_probs),
            prox_log_prob=take(self.prox_log_probs),
            advantages=take(self.advantages),
            returns=take(self.returns),
            action_masks=take(self.action_masks, self.action_masks.shape[-1]),
            hints=take(self.hints, 1),
        )
