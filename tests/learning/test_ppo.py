"""The update: that of MaskablePPO, and a teacher beside it."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CheckpointCallback

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.learning.config import Others, PPOSettings, Teacher, Training
from dreamfactory_env.learning.losses import METRICS, Coefficients
from dreamfactory_env.learning.policy import SeatPolicy, SharedLayers
from dreamfactory_env.learning.ppo import DivergedError, SeatPPO
from dreamfactory_env.learning.run import Run, begin
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.learning.update import Update
from tests.learning import small


def tiny(**changes: Any) -> Training:
    """Returns the settings of a run of seconds in self-play."""
    settings: dict[str, Any] = {
        "total_timesteps": 1024,
        "n_envs": {2: 8, 4: 8},
        "ppo": PPOSettings(n_steps=32, batch_size=64, ent_coef=0.02),
        "opponents": Others(self=1.0, past=0.0),
    }
    return small.tiny(**{**settings, **changes})


def updated(run: Run, update: Any) -> tuple[list[torch.Tensor], dict[str, float]]:
    """Returns the weights after an update, and what was logged; the run is left as it was."""
    model = run.model
    before = copy.deepcopy((model.policy.state_dict(), model.policy.optimizer.state_dict()))
    np.random.seed(1)
    update(model)
    after = [weight.detach().clone() for weight in model.policy.parameters()]
    logged = dict(model.logger.name_to_value)
    model.policy.load_state_dict(before[0])
    model.policy.optimizer.load_state_dict(before[1])
    return after, logged


def test_without_a_teacher_the_update_is_that_of_maskable_ppo(tmp_path: Path) -> None:
    # Large steps and a narrow clip range, so that some probabilities leave it.
    ppo = PPOSettings(5e-3, 5e-3, n_steps=32, batch_size=64, ent_coef=0.02, clip_range=0.01)
    ppo = replace(ppo, async_rollouts=False)
    run = begin(tiny(total_timesteps=512, ppo=ppo), tmp_path)
    run.train()
    ours, metrics = updated(run, SeatPPO.train)
    theirs, expected = updated(run, MaskablePPO.train)
    for mine, other in zip(ours, theirs, strict=True):
        assert torch.allclose(mine, other, atol=1e-5)  # of steps of 5e-3
    for name in ("policy_gradient_loss", "value_loss", "entropy_loss", "clip_fraction"):
        assert metrics[f"train/{name}"] == pytest.approx(expected[f"train/{name}"], abs=1e-5)
    assert 0 < metrics["train/clip_fraction"] < 1
    assert "train/teacher_loss" not in metrics


@pytest.mark.parametrize("teacher", [Teacher(), Teacher("greedy", timesteps=0)])
def test_a_batch_in_parts_has_the_gradients_of_the_whole(
    tmp_path: Path, teacher: Teacher, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(tiny(total_timesteps=512, teacher=teacher), tmp_path)
    run.train()
    model = run.model
    model.teacher_weight = 0.3 if teacher.policy else 0.0
    batch = model.rollout_buffer.batches(100)[0]
    found = []
    coefficients = Coefficients(0.1, 0.01, 0.5, model.teacher_weight, policy=True)
    with Update(model.policy, model.rollout_buffer, coefficients, threads=2) as update:
        for part in (1000, 30, 7):
            monkeypatch.setattr("dreamfactory_env.learning.update.PART", part)
            metrics = update.set_gradients(batch, 0.5)
            gradients = [weight.grad.clone() for weight in model.policy.parameters()]  # type: ignore[union-attr]
            found.append([*gradients, torch.from_numpy(metrics)])
    whole, *parted = found
    # What is added to all legal logits alike, as some biases are, changes nothing.
    assert all(gradient.abs().sum() > 0 for gradient in whole if gradient.numel() > 1)
    for other in parted:
        for mine, expected in zip(other, whole, strict=True):
            assert torch.allclose(mine, expected, atol=1e-6, rtol=1e-4)


def test_where_only_the_value_is_learned_the_rest_stays_as_it_is(tmp_path: Path) -> None:
    model = begin(tiny(total_timesteps=512), tmp_path).model
    model.learn(512)  # of which gradients are left
    model.value_only = True
    before = copy.deepcopy(model.policy.state_dict())
    model.learn(512, reset_num_timesteps=False)
    changed = {
        name
        for name, weight in model.policy.state_dict().items()
        if not torch.equal(weight, before[name])
    }
    assert changed == {"value_net.weight", "value_net.bias"}


def test_an_agent_comes_out_the_same_however_many_threads_learn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamfactory_env.learning.update.PART", 16)
    found = set()
    for threads in (1, 2, 5):
        run = begin(tiny(threads=threads), tmp_path / str(threads))
        run.train()
        found.add(small.weights(run))
    assert len(found) == 1


@pytest.mark.parametrize("ahead", [False, True])
def test_callbacks_are_handed_what_a_step_has_brought(tmp_path: Path, ahead: bool) -> None:
    ppo = PPOSettings(n_steps=32, batch_size=64, async_rollouts=ahead)
    run = begin(tiny(total_timesteps=512, ppo=ppo), tmp_path)
    games = run.env.games

    class Kept(BaseCallback):
        steps = 0
        seen = games.observe()

        def _on_step(self) -> bool:
            result, actions = self.locals["result"], self.locals["actions"]
            assert ahead or result.observations.tobytes() == games.observe().tobytes()
            assert self.steps == 0 or self.locals["observations"].tobytes() == self.seen.tobytes()
            assert self.locals["action_masks"][np.arange(16), actions].all()
            self.seen = result.observations.copy()
            self.steps += 1
            return self.steps < 20  # in the middle of a rollout

    kept = Kept()
    run.train([kept])
    assert kept.steps == 20
    assert run.model.num_timesteps == 20 * 16


def test_the_learner_comes_to_agree_with_its_teacher(tmp_path: Path) -> None:
    teacher = Teacher("builder", timesteps=1_000_000, batch_size=128)
    ppo = PPOSettings(learning_rate=3e-3, n_steps=32, batch_size=128, n_epochs=4)
    settings = tiny(total_timesteps=16_384, n_envs={2: 32}, teacher=teacher, ppo=ppo)
    run = begin(settings, tmp_path)
    agreement: list[float] = []
    log = SeatPPO._log_metrics

    def kept(self: SeatPPO, metrics: list[float], clip_range: float) -> None:
        agreement.append(metrics[METRICS.index("teacher_agreement")])
        log(self, metrics, clip_range)

    run.model._log_metrics = kept.__get__(run.model)  # type: ignore[method-assign]
    run.train()
    assert agreement[-1] > agreement[0] + 0.1


def test_the_weight_of_the_teacher_falls_to_nothing(tmp_path: Path) -> None:
    teacher = Teacher("greedy", timesteps=512, fading_timesteps=1024, batch_size=32)
    run = begin(tiny(total_timesteps=2048, teacher=teacher), tmp_path)
    weights: list[tuple[float, int | None]] = []
    train = SeatPPO.train

    def kept(self: SeatPPO) -> None:
        weights.append((self.teacher_weight, self.batch_size))
        train(self)

    run.model.train = kept.__get__(run.model)  # type: ignore[method-assign]
    run.train()
    assert weights == [(1.0, 32), (1.0, 32), (0.5, 64), (0.0, 64)]


def test_a_training_that_diverges_says_so(tmp_path: Path) -> None:
    ppo = PPOSettings(learning_rate=1e30, final_learning_rate=1e30, n_steps=32, batch_size=64)
    with pytest.raises(DivergedError, match=r"a lower ppo\.learning_rate may help"):
        begin(tiny(ppo=ppo), tmp_path).train()


def test_a_model_is_saved_and_loaded_as_models_of_stable_baselines3_are(tmp_path: Path) -> None:
    run = begin(tiny(total_timesteps=512), tmp_path / "run")
    run.train([CheckpointCallback(16, str(tmp_path / "saved"))])
    assert len(list((tmp_path / "saved").iterdir())) > 1
    run.model.save(tmp_path / "model.zip")
    seen, masks = run.env.games.observe(), run.env.action_masks()

    def predicted(model: SeatPPO) -> Any:
        return model.predict(seen, action_masks=masks, deterministic=True)[0]

    alone = SeatPPO.load(tmp_path / "model.zip", device="cpu")
    assert (predicted(alone) == predicted(run.model)).all()
    env = TrainingVecEnv(DreamFactory, {3: 16}, seed=5)  # of other player counts, too
    again = SeatPPO.load(tmp_path / "model.zip", env=env, device="cpu")
    assert again.rollout_buffer.players is env.games.players
    before = copy.deepcopy(again.policy.state_dict())
    again.learn(512)
    assert any(
        not torch.equal(before[name], now) for name, now in again.policy.state_dict().items()
    )


def test_what_the_update_would_not_do_is_refused() -> None:
    env = TrainingVecEnv(DreamFactory, {2: 8}, seed=5)
    with pytest.raises(OptionError, match="target_kl is not for SeatPPO"):
        SeatPPO(SeatPolicy, env, target_kl=0.1)


def test_half_precision_is_for_learning_alone(tmp_path: Path) -> None:
    ppo = PPOSettings(n_steps=32, batch_size=64, bfloat16=True)
    run = begin(tiny(total_timesteps=512, ppo=ppo), tmp_path)
    run.train()
    policy, seen = run.model.policy, torch.from_numpy(run.env.games.observe())
    layers = policy.mlp_extractor
    assert isinstance(layers, SharedLayers)

    def logits(learning: bool, bfloat16: bool) -> torch.Tensor:
        policy.set_training_mode(learning)
        layers.half_precision = bfloat16
        result: torch.Tensor = policy.logits_and_values(seen, None)[0].detach()
        return result

    exact = logits(learning=True, bfloat16=False)
    assert torch.equal(logits(learning=False, bfloat16=True), exact), "play is not exact"
    rough = logits(learning=True, bfloat16=True)
    assert rough.dtype == torch.float32
    assert not torch.equal(rough, exact), "learning does not use it"
    assert torch.allclose(rough, exact, atol=0.02)


def test_logits_of_legal_actions_do_not_depend_on_the_mask(tmp_path: Path) -> None:
    run = begin(tiny(total_timesteps=512), tmp_path)
    run.train()
    seen = torch.from_numpy(run.env.games.observe())
    masks = torch.from_numpy(run.env.action_masks())
    assert any(masks[:, pointer.actions].any() for pointer in DreamFactory.spec.pointers)
    policy = run.model.policy
    everything, values = policy.logits_and_values(seen, None)
    for rows in [slice(None), *(slice(row, row + 1) for row in range(len(seen)))]:
        legal, same_values = policy.logits_and_values(seen[rows], masks[rows])
        chosen = masks[rows].bool()
        assert torch.allclose(everything[rows][chosen], legal[chosen], atol=1e-5)
        assert torch.allclose(values[rows], same_values, atol=1e-5)
