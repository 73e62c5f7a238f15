"""Collecting a rollout beside an update: in a thread of its own, with its own copy of the network.

The games, compiled, and torch run without the interpreter's lock, so a thread is enough.
"""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.inference import drawn_actions, inference_of
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.rollout_buffer import SeatRolloutBuffer
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.learning.training_games import StepResult, TrainingGames

Item = TypeVar("Item")


class RolloutStep(NamedTuple):
    """A decision in every row, and what it has brought.

    Attributes:
        observations: What it was made from, float32 (rows, size).
        action_masks: What was legal, int8 or bool (rows, actions).
        actions: What was chosen, int64 (rows,).
        values: What the network thought of the positions, float32 (rows, 1).
        log_probs: Of the actions, float32 (rows,).
        result: What has followed.
    """

    observations: Array
    action_masks: Array
    actions: torch.Tensor
    values: torch.Tensor
    log_probs: torch.Tensor
    result: StepResult


def play_steps(
    policy: SeatPolicy, games: TrainingGames, observations: Array, count: int
) -> Iterator[RolloutStep]:
    """Lets a network decide in every row, so many times.

    Args:
        policy: The network.
        games: The games.
        observations: What the first decisions are made from, float32 (rows, size).
        count: How many steps.
    """
    infer = inference_of(policy)
    for _ in range(count):
        masks = games.action_masks()
        logits, values = infer(observations, masks)
        actions, log_probs = drawn_actions(logits, masks)
        result = games.play(actions)
        yield RolloutStep(
            observations,
            masks,
            torch.from_numpy(actions),
            torch.from_numpy(values),
            torch.from_numpy(log_probs),
            result,
        )
        observations = result.observations


def fill(buffer: SeatRolloutBuffer, steps: Iterable[RolloutStep]) -> list[StepResult]:
    """Fills a buffer with steps.

    Returns:
        What each step has brought; its observations are those of the buffer, but for the last.
    """
    results: list[StepResult] = []
    buffer.reset()
    for step in steps:
        if results:  # instead of a second copy
            results[-1] = results[-1]._replace(observations=buffer.observations[buffer.pos])
        buffer.add(*step)
        results.append(step.result)
    return results


class Rollout(NamedTuple):
    """A rollout that is complete.

    Attributes:
        buffer: The decisions, with their advantages.
        results: What each step has brought; its observations are those of the buffer.
        observations: What the next decisions are made from, float32 (rows, size).
        seconds: How long it took.
        actors: How many processes have played it.
    """

    buffer: SeatRolloutBuffer
    results: list[StepResult]
    observations: Array
    seconds: float
    actors: int = 1

    def steps(self) -> Iterator[RolloutStep]:
        """Gives what was decided, step by step."""
        buffer = self.buffer
        for place, result in enumerate(self.results):
            yield RolloutStep(
                buffer.observations[place],
                buffer.action_masks[place],
                torch.from_numpy(buffer.actions[place, :, 0]),
                torch.from_numpy(buffer.values[place])[:, None],
                torch.from_numpy(buffer.log_probs[place]),
                result,
            )


class Collector:
    """Collects one rollout at a time, beside whatever else is computed.

    While it does, the games and NumPy's random numbers are its own. What it collects follows from
    its origin: the network that plays, the games and the random numbers at the start. That is what
    a checkpoint keeps of a rollout; it is collected again from there.

    Args:
        policy: A network of the shape of those that play.
        env: The games.
        buffer: A buffer like the one that is filled.
    """

    def __init__(self, policy: SeatPolicy, env: TrainingVecEnv, buffer: SeatRolloutBuffer) -> None:
        self._policy = policy.twin()
        self._env = env
        self._buffer = copy.deepcopy(buffer)
        # Each thread has its own number of threads for matrix products.
        threads = torch.get_num_threads()
        self._thread = ThreadPoolExecutor(1, "rollout", torch.set_num_threads, (threads,))
        self._pending: Future[Rollout] | None = None
        self._origin: dict[str, Any] | None = None
        self._cancelled = threading.Event()

    def start(self, weights: dict[str, Any]) -> None:
        """Starts a rollout, unless there is one.

        Args:
            weights: Those of the network that plays, which are copied.
        """
        if self._pending is not None:
            return
        games = self._env.games
        if self._origin is None:
            self._policy.load_state_dict(weights)
            self._origin = {
                "policy": self._policy.state_dict(),
                "games": games.clone_state(),
                "numpy": np.random.get_state(),
            }
        self._cancelled.clear()
        self._pending = self._thread.submit(self._collect, games.observe())

    def _collect(self, observations: Array) -> Rollout:
        begun = time.perf_counter()
        buffer = self._buffer
        steps = play_steps(self._policy, self._env.games, observations, buffer.buffer_size)
        results = fill(buffer, self._until_cancelled(steps))
        buffer.finish()
        return Rollout(buffer, results, results[-1].observations, time.perf_counter() - begun)

    def _until_cancelled(self, items: Iterable[Item]) -> Iterator[Item]:
        """Gives items, until somebody gives up the rollout."""
        for item in items:
            if self._cancelled.is_set():
                raise CancelledError
            yield item

    def wait(self) -> None:
        """Waits until the rollout is complete.

        Raises:
            Exception: What has ended it instead.
        """
        assert self._pending is not None
        self._pending.result()

    def take(self, buffer: SeatRolloutBuffer) -> Rollout:
        """Returns the rollout, once it is complete.

        Args:
            buffer: Where the next one goes.
        """
        assert self._pending is not None
        rollout = self._pending.result()
        self._pending = self._origin = None
        self._buffer = buffer
        return rollout

    def cancel(self) -> None:
        """Gives up the rollout, unless it is complete; :meth:`start` collects it again."""
        self._cancelled.set()
        if self._pending is not None and self._pending.exception() is not None:
            self._pending = None
            self.restore(self._origin)

    # ------------------------------------------------------------------ saving

    def save(self) -> dict[str, Any] | None:
        """Returns the origin of the rollout, for a checkpoint; None if there is none."""
        return self._origin

    def restore(self, origin: dict[str, Any] | None) -> None:
        """Goes back to what :meth:`save` returned, with the games and the random numbers."""
        self._origin = origin
        if origin is not None:
            self._policy.load_state_dict(origin["policy"])
            self._env.games.restore_state(origin["games"])
            np.random.set_state(origin["numpy"])
