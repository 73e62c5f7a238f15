"""The update: that of MaskablePPO, and a teacher beside it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import CheckpointCallback

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.learning.config import Learning, Network, Opponents, Rhythm, Teacher, Training
from dreamfactory_env.learning.policy import SeatPolicy, SharedLayers
from dreamfactory_env.learning.ppo import DivergedError, SeatPPO
from dreamfactory_env.learning.run import Run, begin
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.policies import policy_named
from dreamfactory_env.policies.policy import view_of


def tiny(**changes: Any) -> Training:
    """Returns the settings of a run of seconds."""
    chosen: dict[str, Any] = {
        "steps": 1024,
        "rows": {2: 8, 4: 8},
        "network": Network([16]),
        "learning": Learning(rollout=32, batch=64, entropy=0.02),
        "opponents": Opponents(1.0, 0.0, {}),
        "rhythm": Rhythm(against=[]),
        "threads": 1,
        **changes,
    }
    return Training(**chosen)


def updated(run: Run, update: Any) -> tuple[list[torch.Tensor], dict[str, float]]:
    """Returns the weights after an update, and what was logged; the run is left as it was."""
    model = run.model
    before = copy.deepcopy((model.policy.state_dict(), model.policy.optimizer.state_dict()))
    model.rollout_buffer.generator_ready = False
    np.random.seed(1)
    update(model)
    after = [weight.detach().clone() for weight in model.policy.parameters()]
    logged = dict(model.logger.name_to_value)
    model.policy.load_state_dict(before[0])
    model.policy.optimizer.load_state_dict(before[1])
    return after, logged


def test_without_a_teacher_the_update_is_that_of_maskable_ppo(tmp_path: Path) -> None:
    # Large steps and a narrow clip range, so that some chances leave it.
    learning = Learning(5e-3, 5e-3, rollout=32, batch=64, entropy=0.02, clip=0.01)
    run = begin(tiny(steps=512, learning=learning), tmp_path)
    run.train()
    ours, figures = updated(run, SeatPPO.train)
    theirs, wanted = updated(run, MaskablePPO.train)
    for mine, other in zip(ours, theirs, strict=True):
        assert torch.allclose(mine, other, atol=1e-5)  # of steps of 5e-3
    for name in ("policy_gradient_loss", "value_loss", "entropy_loss", "clip_fraction"):
        assert figures[f"train/{name}"] == pytest.approx(wanted[f"train/{name}"], abs=1e-5)
    assert 0 < figures["train/clip_fraction"] < 1
    assert "train/teacher_loss" not in figures


def test_advice_is_what_the_teacher_would_do() -> None:
    table = TrainingVecEnv(DreamFactory, {2: 4, 4: 4}, adviser="expert", seed=3)
    table.reset()
    expert = policy_named("expert", DreamFactory)
    rng = np.random.default_rng(1)
    for _ in range(40):
        wanted = [expert.act(view_of(table.game_at(row))) for row in range(8)]
        table.step((rng.random(table.masks.shape) * table.masks).argmax(axis=1))
        assert table.advised.tolist() == wanted


def test_the_learner_comes_to_agree_with_its_teacher(tmp_path: Path) -> None:
    teacher = Teacher("builder", steps=1_000_000, batch=128)
    learning = Learning(rate=3e-3, rollout=32, batch=128, epochs=4)
    settings = tiny(steps=16_384, rows={2: 32}, teacher=teacher, learning=learning)
    run = begin(settings, tmp_path)
    agreement: list[float] = []
    log = SeatPPO._log_figures

    def kept(self: SeatPPO, figures: list[float], clip: float) -> None:
        agreement.append(figures[SeatPPO.FIGURES.index("teacher_agreement")])
        log(self, figures, clip)

    run.model._log_figures = kept.__get__(run.model)  # type: ignore[method-assign]
    run.train()
    assert agreement[-1] > agreement[0] + 0.1


def test_the_weight_of_the_teacher_falls_to_nothing(tmp_path: Path) -> None:
    run = begin(
        tiny(steps=2048, teacher=Teacher("greedy", steps=512, fading=1024, batch=32)), tmp_path
    )
    weights: list[tuple[float, int | None]] = []
    train = SeatPPO.train

    def kept(self: SeatPPO) -> None:
        weights.append((self.teacher_weight, self.batch_size))
        train(self)

    run.model.train = kept.__get__(run.model)  # type: ignore[method-assign]
    run.train()
    assert weights == [(1.0, 32), (1.0, 32), (0.5, 64), (0.0, 64)]


def test_a_training_that_diverges_says_so(tmp_path: Path) -> None:
    learning = Learning(rate=1e30, final_rate=1e30, rollout=32, batch=64)
    with pytest.raises(DivergedError, match=r"a lower learning\.rate may help"):
        begin(tiny(learning=learning), tmp_path).train()


def test_a_model_is_saved_and_loaded_as_models_of_stable_baselines3_are(tmp_path: Path) -> None:
    run = begin(tiny(steps=512), tmp_path / "run")
    run.train([CheckpointCallback(16, str(tmp_path / "saved"))])
    assert len(list((tmp_path / "saved").iterdir())) > 1
    run.model.save(tmp_path / "model.zip")
    seen, masks = run.table.observations, run.table.masks

    def predicted(model: SeatPPO) -> Any:
        return model.predict(seen, action_masks=masks, deterministic=True)[0]

    alone = SeatPPO.load(tmp_path / "model.zip", device="cpu")
    assert (predicted(alone) == predicted(run.model)).all()
    table = TrainingVecEnv(DreamFactory, {2: 8, 4: 8}, seed=5)
    again = SeatPPO.load(tmp_path / "model.zip", env=table, device="cpu")
    assert again.rollout_buffer.table is table
    before = copy.deepcopy(again.policy.state_dict())
    again.learn(512)
    assert any(
        not torch.equal(before[name], now) for name, now in again.policy.state_dict().items()
    )


def test_what_the_update_would_not_do_is_refused() -> None:
    table = TrainingVecEnv(DreamFactory, {2: 8}, seed=5)
    with pytest.raises(OptionError, match="target_kl is not for SeatPPO"):
        SeatPPO(SeatPolicy, table, target_kl=0.1)


def test_half_precision_is_for_learning_alone(tmp_path: Path) -> None:
    learning = Learning(rollout=32, batch=64, bfloat16=True)
    run = begin(tiny(steps=512, learning=learning), tmp_path)
    run.train()
    policy, seen = run.model.policy, torch.from_numpy(run.table.observations)
    layers = policy.mlp_extractor
    assert isinstance(layers, SharedLayers)

    def rated(learning: bool, bfloat16: bool) -> torch.Tensor:
        policy.set_training_mode(learning)
        layers.half_precision = bfloat16
        ratings: torch.Tensor = policy.rate(seen, None)[0].detach()
        return ratings

    exact = rated(learning=True, bfloat16=False)
    assert torch.equal(rated(learning=False, bfloat16=True), exact), "play is not exact"
    rough = rated(learning=True, bfloat16=True)
    assert rough.dtype == torch.float32
    assert not torch.equal(rough, exact), "learning does not use it"
    assert torch.allclose(rough, exact, atol=0.02)


def test_legal_actions_are_rated_alike_whether_or_not_illegal_ones_are_rated_too(
    tmp_path: Path,
) -> None:
    run = begin(tiny(steps=512), tmp_path)
    run.train()
    seen, masks = torch.from_numpy(run.table.observations), torch.from_numpy(run.table.masks)
    assert any(masks[:, pointer.actions].any() for pointer in DreamFactory.pointers)
    everything, values = run.model.policy.rate(seen, None)
    for rows in [slice(None), *(slice(row, row + 1) for row in range(len(seen)))]:
        legal, same_values = run.model.policy.rate(seen[rows], masks[rows])
        chosen = masks[rows].bool()
        assert torch.allclose(everything[rows][chosen], legal[chosen], atol=1e-5)
        assert torch.allclose(values[rows], same_values, atol=1e-5)
