"""What an update minimises, and its gradient at the network's outputs, in one pass over a batch.

Few actions are legal in a position, about eight of a hundred in Dream Factory. A loop over those is
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


@jit
def losses_and_gradients(
    logits: Array,
    values: Array,
    masks: Array,
    actions: Array,
    old_log_probs: Array,
    prox_log_probs: Array,
    advantages: Array,
    returns: Array,
    hints: Array,
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
        masks: What was legal, bool (n, actions); at least the action and the hint are.
        actions: What was played, int64 (n, 1).
        old_log_probs: Of the policy that has played, float32 (n,).
        prox_log_probs: Of the policy before the update, float32 (n,).
        advantages: float32 (n,).
        returns: float32 (n,).
        hints: What the teacher would have played, int64 (n, 1); read if it has any weight.
        weights: How much counts how much.
        count: How many decisions the batch has that these are a part of.
        to_logits: Where the gradient goes, float32 (n, actions).
        to_values: Where the gradient goes, float32 (n, 1).

    Returns:
        What they add to the mean of each of :data:`METRICS`, float64 (8,).
    """
    num_actions = logits.shape[1]
    gain = value_loss = entropy_sum = kl = clipped_count = imitation = agreement = 0.0
    from_games = weights.policy * (1.0 - weights.teacher) / count
    from_teacher = weights.policy * weights.teacher / count
    legal = np.zeros(num_actions, np.int64)
    log_probs, probs = np.zeros(num_actions), np.zeros(num_actions)
    for row in range(len(logits)):
        action, found, best = actions[row, 0], 0, 0
        for candidate in range(num_actions):
            to_logits[row, candidate] = 0.0
            if masks[row, candidate]:
                legal[found] = candidate
                if logits[row, candidate] > logits[row, legal[best]]:
                    best = found
                found += 1
        highest, total = float(logits[row, legal[best]]), 0.0
        for place in range(found):
            log_probs[place] = logits[row, legal[place]] - highest
            probs[place] = np.exp(log_probs[place])
            total += probs[place]
        log_total, entropy = np.log(total), 0.0
        for place in range(found):
            log_probs[place] -= log_total
            probs[place] /= total
            entropy -= probs[place] * log_probs[place]
        entropy_sum += entropy

        log_prob = logits[row, action] - highest - log_total
        log_ratio, advantage = log_prob - prox_log_probs[row], advantages[row]
        ratio = np.exp(log_ratio)
        clipped = min(max(ratio, 1.0 - weights.clip_range), 1.0 + weights.clip_range)
        weight = min(np.exp(prox_log_probs[row] - old_log_probs[row]), MAX_WEIGHT)
        gain += weight * min(advantage * ratio, advantage * clipped)
        kl += ratio - 1.0 - log_ratio
        clipped_count += abs(ratio - 1.0) > weights.clip_range
        moves = advantage * ratio <= advantage * clipped
        to_action = from_games * weight * advantage * ratio if moves else 0.0
        if from_games + from_teacher > 0:
            for place in range(found):
                of_entropy = probs[place] * (log_probs[place] + entropy)
                to_logits[row, legal[place]] = (to_action + from_teacher) * probs[
                    place
                ] + from_games * weights.ent_coef * of_entropy
            to_logits[row, action] -= to_action
        if weights.teacher > 0:
            hint = hints[row, 0]
            to_logits[row, hint] -= from_teacher
            imitation -= logits[row, hint] - highest - log_total
            agreement += legal[best] == hint

        error = values[row, 0] - returns[row]
        value_loss += error * error
        to_values[row, 0] = weights.vf_coef * 2.0 * error / count
    policy_loss = (1.0 - weights.teacher) * (-gain - weights.ent_coef * entropy_sum)
    loss = weights.vf_coef * value_loss
    loss += weights.policy * (policy_loss + weights.teacher * imitation)
    metrics = (-gain, value_loss, -entropy_sum, kl, clipped_count, imitation, agreement, loss)
    return np.array(metrics) / count


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
        As :func:`losses_and_gradients`; float32 (n, actions) and (n, 1).
    """
    to_logits, to_values = np.empty_like(logits), np.empty_like(values)
    metrics = losses_and_gradients(
        logits,
        values,
        *(samples.action_masks.numpy(), samples.actions.numpy()),
        *(samples.old_log_prob.numpy(), samples.prox_log_prob.numpy()),
        *(samples.advantages.numpy(), samples.returns.numpy(), samples.hints.numpy()),
        weights,
        count,
        *(to_logits, to_values),
    )
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
