"""The network computed by hand: that of torch, forwards and backwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from dreamfactory_env.learning.config import Network, PPOSettings
from dreamfactory_env.learning.inference import FEW, inference_of
from dreamfactory_env.learning.losses import METRICS, Coefficients, log_probs_of, losses_of
from dreamfactory_env.learning.plain_network import PlainNetwork, put_columns, used_columns
from dreamfactory_env.learning.run import Run, begin
from dreamfactory_env.learning.update import Update
from tests.learning.small import tiny

NETWORKS = {
    "pointers": Network([24, 16], pointer_width=8),
    "no pointers": Network([16], pointer_width=0),
    "hints": Network([16], pointer_width=8, hint="greedy"),
    "no hidden layers": Network([], pointer_width=8),
}


@pytest.fixture(scope="module", params=NETWORKS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of a few rollouts: its last one is at hand, of games whose rows see fewer columns."""
    ppo = PPOSettings(learning_rate=1e-2, n_steps=16, batch_size=64)
    settings = tiny(network=NETWORKS[request.param], ppo=ppo, total_timesteps=1024)
    run = begin(settings, tmp_path_factory.mktemp("run"))
    run.train()
    return run


@pytest.mark.parametrize("teacher", [0.0, 0.3, 1.0])
def test_gradients_are_those_of_autograd(run: Run, teacher: float) -> None:
    policy, buffer = run.model.policy, run.model.rollout_buffer
    batch = buffer.batches()[0]
    buffer.hints[:] = buffer.action_masks.argmax(axis=2)  # somebody's legal moves
    found = []
    with Update(policy, buffer, Coefficients(0.1, 0.02, 0.5, teacher, policy=True), 1) as update:
        assert update._network is not None
        assert update._network.columns is None or len(update._network.columns) < len(buffer.used)
        for network in (update._network, None):
            update._network = network
            metrics = update.set_gradients(batch, max_norm=1.0)
            gradients = [weight.grad.clone() for weight in policy.parameters()]  # type: ignore[union-attr]
            found.append((metrics, gradients))
    (metrics, mine), (same_metrics, expected) = found
    assert metrics == pytest.approx(same_metrics, abs=1e-5)
    assert sum(float(gradient.square().sum()) for gradient in mine) ** 0.5 <= 1.0 + 1e-5
    for gradient, other in zip(mine, expected, strict=True):
        assert torch.allclose(gradient, other, atol=1e-6, rtol=1e-3)


def test_the_loss_and_its_gradient_are_those_of_torch(run: Run) -> None:
    buffer, weights = run.model.rollout_buffer, Coefficients(0.1, 0.02, 0.5, 0.3, policy=True)
    samples = buffer.samples(buffer.batches()[0])
    legal = samples.action_masks
    samples = samples._replace(hints=legal.int().argmax(dim=1, keepdim=True))
    said = run.model.policy.logits_and_values(samples.observations, legal)
    logits, values = (tensor.detach().requires_grad_() for tensor in said)
    log_probs = functional.log_softmax(logits.masked_fill(~legal, -1e9), dim=1)
    log_prob = log_probs.gather(1, samples.actions).flatten()
    ratio = (log_prob - samples.prox_log_prob).exp()
    older = (samples.prox_log_prob - samples.old_log_prob).exp().clamp(max=2.0)
    gain = torch.min(samples.advantages * ratio, samples.advantages * ratio.clamp(0.9, 1.1))
    entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
    from_games = -(older * gain).mean() - weights.ent_coef * entropy
    imitation = -log_probs.gather(1, samples.hints).mean()
    value_loss = functional.mse_loss(values.flatten(), samples.returns)
    loss = 0.7 * from_games + 0.3 * imitation + weights.vf_coef * value_loss
    expected = torch.autograd.grad(loss, (logits, values))

    arrays = logits.detach().numpy(), values.detach().numpy()
    metrics, *gradients = losses_of(*arrays, samples, weights, len(arrays[0]))
    assert metrics[METRICS.index("loss")] == pytest.approx(loss.item(), abs=1e-5)
    assert metrics[METRICS.index("entropy_loss")] == pytest.approx(-entropy.item(), abs=1e-5)
    for gradient, other in zip(gradients, expected, strict=True):
        assert gradient == pytest.approx(other.numpy(), abs=1e-7)
    actions = samples.actions[:, 0].numpy()
    found = log_probs_of(arrays[0], legal.numpy(), actions)
    assert found == pytest.approx(log_prob.detach().numpy(), abs=1e-5)


@pytest.mark.parametrize("rows", [1, FEW, FEW + 1, 200])
def test_few_and_many_positions_are_judged_as_torch_does(run: Run, rows: int) -> None:
    policy, buffer = run.model.policy, run.model.rollout_buffer
    samples = buffer.samples(np.arange(rows))
    with torch.no_grad():
        logits, values = policy.logits_and_values(samples.observations, None)
    masks = samples.action_masks.numpy()
    found = inference_of(policy)(samples.observations.numpy(), masks)
    assert found[0][masks] == pytest.approx(logits.numpy()[masks], abs=1e-5)
    assert found[1] == pytest.approx(values.numpy(), abs=1e-5)


def test_columns_that_are_0_throughout_are_left_out(run: Run) -> None:
    policy, buffer = run.model.policy, run.model.rollout_buffer
    samples = buffer.samples(np.arange(buffer.valid.size))
    seen, masks = samples.observations.numpy(), samples.action_masks.numpy()
    used = used_columns(seen)
    assert used.tolist() == seen.any(axis=0).tolist()
    assert 0 < used.sum() < len(used)
    network = PlainNetwork(policy, used)
    if network.columns is None:
        assert not policy.net_arch
        return
    assert np.isin(np.flatnonzero(used), network.columns).all()
    some = buffer.samples(np.arange(buffer.valid.size), network.columns).observations.numpy()
    assert (some == seen[:, network.columns]).all()
    assert (put_columns(some, network.columns, len(used)) == seen).all()
    every, those = PlainNetwork(policy).forward(seen, masks), network.forward(some, masks)
    assert those.logits == pytest.approx(every.logits, abs=1e-5)


def test_what_is_no_plain_network_is_told(tmp_path: Path) -> None:
    def plain(**changes: Any) -> bool:
        policy = begin(tiny(), tmp_path / str(changes)).model.policy
        for name, value in changes.items():
            setattr(policy, name, value)
        return policy.is_plain

    assert plain()
    assert not plain(activation_fn=torch.nn.Tanh)
    assert not plain(features_extractor=torch.nn.Identity())
