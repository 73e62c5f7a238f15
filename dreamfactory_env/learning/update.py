"""The gradients of an update: batch by batch, each in parts that several threads compute."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self, TypeVar

import numpy as np
import torch

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.inference import inference_of
from dreamfactory_env.learning.losses import Coefficients, log_probs_of, losses_of
from dreamfactory_env.learning.plain_network import PlainNetwork
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.rollout_buffer import SeatRolloutBuffer, SeatSamples

#: About how many decisions of a batch are a part of it: with fewer, much of the time is overhead.
PART = 1024
#: So many decisions are looked at again at once before an update.
PROX_BATCH = 4096

#: The gradients of some weights; None for those that were not used.
Gradients = list[Array | None]
Result = TypeVar("Result")


class Update:
    """Computes the gradients of an update.

    The usual network is computed by hand, all others by autograd.

    Args:
        policy: The network; those of its weights are learned that ask for a gradient.
        buffer: The rollout that is learned from.
        coefficients: How much counts how much.
        threads: How many threads share a batch.
    """

    def __init__(
        self,
        policy: SeatPolicy,
        buffer: SeatRolloutBuffer,
        coefficients: Coefficients,
        threads: int,
    ) -> None:
        self._policy, self._buffer, self._coefficients = policy, buffer, coefficients
        self._weights = [weight for weight in policy.parameters() if weight.requires_grad]
        self._network: PlainNetwork | None = None
        if policy.is_plain and coefficients.policy and not policy.half_precision:
            self._network = PlainNetwork(policy, buffer.used)
        self._pool = ThreadPoolExecutor(threads, "update", torch.set_num_threads, (1,))
        policy.optimizer.zero_grad()  # those of weights that are not learned now, too

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown()

    def _map(self, compute: Callable[[Any], Result], parts: list[Any]) -> list[Result]:
        """Computes parts, on whichever thread is free; returns the results in their order."""
        if len(parts) == 1:
            return [compute(parts[0])]
        return list(self._pool.map(compute, parts))

    def set_gradients(self, batch: Array, max_norm: float) -> Array:
        """Gives every weight its gradient; returns the metrics of a batch.

        How a batch is parted depends on its size alone, and parts are added in their order: the
        result is the same bit for bit, however many threads there are and whoever is faster.

        Args:
            batch: Which decisions of the rollout, int64 (n,).
            max_norm: How long the gradients may be, all together.

        Returns:
            The mean of each of ``losses.METRICS``, float64 (8,).
        """
        advantages = np.ravel(self._buffer.advantages)[batch]
        mean, scale = advantages.mean(), advantages.std(ddof=1) + 1e-8
        columns = None if self._network is None else self._network.columns

        def of_part(part: Array) -> tuple[Gradients, Array]:
            samples = self._buffer.samples(part, columns)
            samples = samples._replace(advantages=(samples.advantages - mean) / scale)
            return self._gradients(samples, len(batch))

        parts = np.array_split(batch, max(round(len(batch) / PART), 1))
        (total, metrics), *others = self._map(of_part, parts)
        for gradients, more in others:
            total = [_sum(one, other) for one, other in zip(total, gradients, strict=True)]
            metrics = metrics + more
        _clip(total, max_norm)
        for weight, gradient in zip(self._weights, total, strict=True):
            weight.grad = None if gradient is None else torch.from_numpy(gradient)
        return metrics

    def _gradients(self, samples: SeatSamples, count: int) -> tuple[Gradients, Array]:
        """Returns what some decisions add to the gradients and metrics of a batch of so many."""
        network, coefficients = self._network, self._coefficients
        if network is not None:
            outputs = network.forward(samples.observations.numpy(), samples.action_masks.numpy())
            metrics, *back = losses_of(outputs.logits, outputs.values, samples, coefficients, count)
            return [*network.backward(outputs, *back)], metrics
        said = self._policy.logits_and_values(samples.observations, samples.action_masks)
        logits, values = (tensor.detach().numpy() for tensor in said)
        metrics, *back = losses_of(logits, values, samples, coefficients, count)
        learned = [place for place, tensor in enumerate(said) if tensor.requires_grad]
        found = torch.autograd.grad(
            [said[place] for place in learned],
            self._weights,
            [torch.from_numpy(back[place]) for place in learned],
            allow_unused=True,
        )
        return [None if gradient is None else gradient.numpy() for gradient in found], metrics

    def judge_again(self) -> None:
        """Gives the rollout the values and log-probabilities of the policy as it is now."""
        buffer, infer = self._buffer, inference_of(self._policy)

        def of_steps(steps: slice) -> tuple[Array, Array]:
            seen, masks, actions = (
                array[steps].reshape(-1, array.shape[-1])
                for array in (buffer.observations, buffer.action_masks, buffer.actions)
            )
            logits, values = infer(seen, masks)
            return values[:, 0], log_probs_of(logits, masks, actions[:, 0].astype(np.int64))

        size = max(PROX_BATCH // buffer.n_envs, 1)
        parts = [slice(start, start + size) for start in range(0, buffer.buffer_size, size)]
        found = zip(*self._map(of_steps, parts), strict=True)
        buffer.judge_again(*(np.concatenate(each).reshape(buffer.values.shape) for each in found))


def _sum(one: Array | None, other: Array | None) -> Array | None:
    """Returns the sum of two gradients; None is that of what was not used."""
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _clip(gradients: Gradients, max_norm: float) -> None:
    """Makes gradients shorter if they are longer than that, all together."""
    learned = [gradient for gradient in gradients if gradient is not None]
    norm = math.sqrt(sum(float(np.vdot(gradient, gradient)) for gradient in learned))
    if norm > max_norm:
        for gradient in learned:
            gradient *= np.float32(max_norm / norm)
