"""What a learner's network says where nothing is learned from it: while it plays, above all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.export import tensors_of
from dreamfactory_env.learning.plain_network import PlainNetwork
from dreamfactory_env.learning.policy import SeatPolicy, draw_actions
from dreamfactory_env.policies.compiled_network import CompiledNetwork

#: Observations, float32 (n, size), and masks, bool or int8 (n, actions), in; logits, float32
#: (n, actions), those of illegal actions meaning nothing, and values, float32 (n, 1), out.
Infer = Callable[[Array, Array], tuple[Array, Array]]
#: So many positions are judged one by one rather than at once.
FEW = 32


def inference_of(policy: SeatPolicy) -> Infer:
    """Returns what says logits and values, with the weights that the policy has now.

    Torch takes several times as long, so it is for networks that are made of other things than
    files know.
    """
    return _plain(policy) if policy.is_plain else _in_torch(policy)


def _plain(policy: SeatPolicy) -> Infer:
    few = CompiledNetwork(policy.game.spec, tensors_of(policy), bool(policy.hint))
    many = PlainNetwork(policy)

    def infer(observations: Array, masks: Array) -> tuple[Array, Array]:
        if len(observations) <= FEW:
            return few.logits_and_values(observations, masks)
        return many.forward(observations, masks)[:2]

    return infer


def _in_torch(policy: SeatPolicy) -> Infer:
    def infer(observations: Array, masks: Array) -> tuple[Array, Array]:
        with torch.no_grad():
            said = policy.logits_and_values(*map(torch.from_numpy, (observations, masks)))
        return said[0].numpy(), said[1].numpy()

    return infer


def drawn_actions(logits: Array, masks: Array) -> tuple[Array, Array]:
    """Draws a legal action in each row with NumPy's random numbers: see :func:`draw_actions`.

    Returns:
        Actions, int64 (rows,), and their log-probabilities, float32 (rows,).
    """
    actions, log_probs = np.empty(len(logits), np.int64), np.empty(len(logits), np.float32)
    draw_actions(logits, masks, np.random.random(len(logits)), actions, log_probs)
    return actions, log_probs
