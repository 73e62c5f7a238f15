"""What an update minimises, and its gradient at the network's outputs, in one pass over a batch.

Few actions are legal in a position, often eight of a hundred. A loop over those is
several times as fast as a score of operations on whole arrays, and it holds no lock meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array

if TYPE_CHECKING:
    from dreamfactory_env.learning.rollout_buffer import SeatSamples

#: How much a decision of an older policy counts at most, so that rare ones do not outweigh all.
MAX_WEIGHT = 2.0
#: What is measured of a batch, in the order in which :func:`losses_and_gradients` has it.
METRICS = (
    *("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction"),
    *("teacher_loss", "teacher_agreement", "loss"),
)


class Coefficients(NamedTuple):
    """How much each part of the loss counts.

    Attributes:
        clip_range: How far an update may change the probability of an action.
        ent_coef: The weight of the entropy bonus.
        vf_coef: The weight of the value's loss.
        teacher: The weight of imitation, 0 to 1; the games have the rest.
        policy: Whether the policy is learned at all, and not the value alone.
    """

    clip_range: float
    ent_coef: float
    vf_coef: float
    teacher: float
    policy: bool


class Decisions(NamedTuple):
    """Some decisions of a batch, as arrays.

    Attributes:
        masks: What was legal, bool (n, actions); at least the action and the hint are.
        actions: What was played, int64 (n, 1).
        old_log_probs: Of the policy that has played, float32 (n,).
        prox_log_probs: Of the policy before the update, float32 (n,).
        advantages: float32 (n,).
        returns: float32 (n,).
        hints: What the teacher would have played, int64 (n, 1); read if it has any weight.
    """

    masks: Array
    actions: Array
    old_log_probs: Array
    prox_log_probs: Array
    advantages: Array
    returns: Array
    hints: Array


@jit
def softmax_of_legal(
    logits: Array, mask: Array, legal: Array, log_probs: Array, probs: Array
) -> tuple[int, int, float]:
    """Computes the probabilities of the legal actions of a position.

    Args:
        logits: float32 (actions,).
        mask: What is legal, bool (actions,).
        legal: Where the legal actions go, int64 (actions,).
        log_probs: Where their log-probabilities go, float64 (actions,).
        probs: Where their probabilities go, float64 (actions,).

    Returns:
        How many there are, which of them is the most likely, and what is to be taken from a logit
        to get a log-probability.
    """
    found, best = 0, 0
    for action in range(len(logits)):
        if mask[action]:
            legal[found] = action
            if logits[action] > logits[legal[best]]:
                best = found
            found += 1
    highest, total = float(logits[legal[best]]), 0.0
    for place in range(found):
        log_probs[place] = logits[legal[place]] - highest
        probs[place] = np.exp(log_probs[place])
        total += probs[place]
    log_total = np.log(total)
    for place in range(found):
        log_probs[place] -= log_total
        probs[place] /= total
    return found, best, highest + log_total


@jit
def losses_and_gradients(
    logits: Array,
    values: Array,
    decisions: Decisions,
    weights: Coefficients,
    count: int,
    to_logits: Array,
    to_values: Array,
) -> Array:
    """Computes the loss of some decisions, and how it changes with what the network says.

    Where an older policy has played, its decisions are weighed as those of the one before the
    update, around which the update is clipped: decoupled PPO (Hilton et al., 2021). Clipped around
    the older one, updates would overdo and undo each other ever more.

    Args:
        logits: float32 (n, actions).
        values: float32 (n, 1).
        decisions: What was decided, and what came of it.
        weights: How much counts how much.
        count: How many decisions the batch has that these are a part of.
        to_logits: Where the gradient goes, float32 (n, actions); 0 before.
        to_values: Where the gradient goes, float32 (n, 1).

    Returns:
        What they add to the mean of each of :data:`METRICS` but the last, float64 (8,).
    """
    metrics = np.zeros(8)
    from_games = weights.policy * (1.0 - weights.teacher) / count
    from_teacher = weights.policy * weights.teacher / count
    legal = np.zeros(logits.shape[1], np.int64)
    log_probs, probs = np.zeros(logits.shape[1]), np.zeros(logits.shape[1])
    for row in range(len(logits)):
        mask = decisions.masks[row]
        found, best, taken = softmax_of_legal(logits[row], mask, legal, log_probs, probs)
        entropy = -(probs[:found] * log_probs[:found]).sum()
        action, prox = decisions.actions[row, 0], decisions.prox_log_probs[row]
        log_ratio, advantage = logits[row, action] - taken - prox, decisions.advantages[row]
        ratio = np.exp(log_ratio)
        clipped = min(max(ratio, 1.0 - weights.clip_range), 1.0 + weights.clip_range)
        weight = min(np.exp(prox - decisions.old_log_probs[row]), MAX_WEIGHT)
        moves = advantage * ratio <= advantage * clipped
        to_action = from_games * weight * advantage * ratio if moves else 0.0
        for place in range(found):
            of_entropy = from_games * weights.ent_coef * (log_probs[place] + entropy)
            to_logits[row, legal[place]] = probs[place] * (to_action + from_teacher + of_entropy)
        to_logits[row, action] -= to_action
        if weights.teacher > 0:
            hint = decisions.hints[row, 0]
            to_logits[row, hint] -= from_teacher
            metrics[5] -= logits[row, hint] - taken
            metrics[6] += legal[best] == hint
        error = values[row, 0] - decisions.returns[row]
        to_values[row, 0] = weights.vf_coef * 2.0 * error / count
        metrics[0] -= weight * min(advantage * ratio, advantage * clipped)
        metrics[1] += error * error
        metrics[2] -= entropy
        metrics[3] += ratio - 1.0 - log_ratio
        metrics[4] += abs(ratio - 1.0) > weights.clip_range
    return metrics / count


def losses_of(
    logits: Array, values: Array, samples: SeatSamples, weights: Coefficients, count: int
) -> tuple[Array, Array, Array]:
    """Returns the metrics of some decisions, and the gradients of logits and values.

    Args:
        logits: What the network says of them, float32 (n, actions).
        values: The same, float32 (n, 1).
        samples: The decisions.
        weights: How much counts how much.
        count: How many decisions the batch has that these are a part of.

    Returns:
        What they add to the mean of each of :data:`METRICS`, float64 (8,); gradients, float32
        (n, actions) and (n, 1).
    """
    to_logits, to_values = np.zeros_like(logits), np.zeros_like(values)
    decisions = Decisions(
        samples.action_masks.numpy(),
        samples.actions.numpy(),
        samples.old_log_prob.numpy(),
        samples.prox_log_prob.numpy(),
        samples.advantages.numpy(),
        samples.returns.numpy(),
        samples.hints.numpy(),
    )
    metrics = losses_and_gradients(logits, values, decisions, weights, count, to_logits, to_values)
    of_games, value_loss, minus_entropy, *_, imitation, _, _ = metrics
    of_policy = (1.0 - weights.teacher) * (of_games + weights.ent_coef * minus_entropy)
    of_policy += weights.teacher * imitation
    metrics[-1] = weights.vf_coef * value_loss + weights.policy * of_policy
    return metrics, to_logits, to_values


@jit
def log_probs_of(logits: Array, masks: Array, actions: Array) -> Array:
    """Returns the log-probabilities of actions among the legal ones, float32 (n,).

    Args:
        logits: float32 (n, actions).
        masks: What is legal, bool (n, actions).
        actions: int64 (n,).
    """
    log_probs = np.zeros(len(logits), np.float32)
    for row in range(len(logits)):
        highest = -np.inf
        for action in range(logits.shape[1]):
            if masks[row, action]:
                highest = max(highest, logits[row, action])
        total = 0.0
        for action in range(logits.shape[1]):
            if masks[row, action]:
                total += np.exp(logits[row, action] - highest)
        log_probs[row] = logits[row, actions[row]] - highest - np.log(total)
    return log_probs
