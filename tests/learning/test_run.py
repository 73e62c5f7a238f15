"""Runs: begun, stopped, resumed bit for bit; their checkpoints and folders."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env import OptionError
from dreamfactory_env.learning import checkpoints
from dreamfactory_env.learning.checkpoints import read_newest, write_checkpoint
from dreamfactory_env.learning.config import Others
from dreamfactory_env.learning.policy import draw_actions
from dreamfactory_env.learning.run import Run, begin, resume
from tests.learning.small import STEPS, drop_checkpoints, tiny, weights

# ---------------------------------------------------------------------------- the policy


def test_actions_are_drawn_by_their_probabilities_and_only_legal_ones() -> None:
    logits = np.array([[5.0, 1.0, 0.0, 2.0, 9.0]], np.float32)
    masks = np.array([[0, 1, 1, 1, 0]], np.int8)
    draws = 20_000
    uniforms = (np.arange(draws) + 0.5) / draws
    actions, log_probs = np.zeros(draws, np.int64), np.zeros(draws, np.float32)
    rows = (np.repeat(logits, draws, axis=0), np.repeat(masks, draws, axis=0))
    draw_actions(*rows, uniforms, actions, log_probs)
    softmax = np.exp([1.0, 0.0, 2.0]) / np.exp([1.0, 0.0, 2.0]).sum()
    counts = np.bincount(actions, minlength=5) / draws
    assert counts == pytest.approx([0, *softmax, 0], abs=2 / draws)
    assert np.exp(log_probs) == pytest.approx(np.array([0, *softmax, 0])[actions], abs=1e-6)
    draw_actions(*rows, np.full(draws, np.nextafter(1, 0)), actions, log_probs)
    assert set(actions) == {3}  # whatever is rounded, nothing illegal


def test_the_policy_says_what_its_parent_says(tmp_path: Path) -> None:
    run = Run(tiny(), tmp_path)
    policy = run.model.policy
    observations, masks = run.env.games.reset(), run.env.action_masks()
    seen = torch.from_numpy(observations)
    with torch.no_grad():
        for tensor in policy.action_net.parameters():
            tensor.normal_()  # it begins with almost equal logits
        actions, values, log_probs = policy(seen, action_masks=masks)
        theirs = policy.evaluate_actions(seen, actions, torch.from_numpy(masks))
        best = policy(seen, deterministic=True, action_masks=masks)[0]
    assert masks[np.arange(len(masks)), actions].all()
    assert values.numpy() == pytest.approx(theirs[0].numpy(), abs=1e-6)
    assert log_probs.numpy() == pytest.approx(theirs[1].numpy(), abs=1e-5)
    predicted, _ = run.model.predict(observations, action_masks=masks, deterministic=True)
    assert best.tolist() == predicted.tolist()


# ---------------------------------------------------------------------------- resuming


@pytest.mark.parametrize(("kept", "ahead"), [(1, True), (2, True), (2, False)])
def test_a_run_that_was_stopped_is_resumed_bit_for_bit(
    tmp_path: Path, kept: int, ahead: bool
) -> None:
    settings = tiny()
    settings = replace(settings, ppo=replace(settings.ppo, async_rollouts=ahead))
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    stream = torch.get_rng_state()
    assert whole.model.num_timesteps == STEPS
    assert len(whole.league.snapshots) >= 2
    # The same run, but everything after one of its first checkpoints is lost.
    cut = begin(settings, tmp_path / "cut")
    cut.train()
    drop_checkpoints(cut, kept)
    again = resume(tmp_path / "cut")
    assert 0 < again.model.num_timesteps < STEPS
    again.train()
    assert weights(again) == weights(whole)
    assert again.league.results == whole.league.results
    assert again.metrics.games == whole.metrics.games
    assert again.env.games.clone_state() == whole.env.games.clone_state()
    assert torch.equal(torch.get_rng_state(), stream)


def test_a_run_may_be_resumed_with_other_threads(tmp_path: Path) -> None:
    whole = begin(tiny(), tmp_path / "whole")
    whole.train()
    cut = begin(tiny(), tmp_path / "cut")
    cut.train()
    drop_checkpoints(cut)
    again = resume(tmp_path / "cut", {"threads": "1"})
    assert again.settings.threads == 1
    again.train()
    assert weights(again) == weights(whole)


def test_a_run_is_trained_by_one_process_at_a_time(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    again = resume(tmp_path)

    class Other(BaseCallback):
        message = ""

        def _on_step(self) -> bool:
            if not self.message:
                with pytest.raises(OptionError) as error:
                    again.train()
                self.message = str(error.value)
            return True

    other = Other()
    assert run.train([other])
    assert f"is being written by process {os.getpid()} on" in other.message
    assert resume(tmp_path).train()  # which is over at once


def test_a_run_of_before_a_setting_was_there_is_resumed(tmp_path: Path) -> None:
    begin(tiny(), tmp_path).train()
    content, _ = read_newest(tmp_path / "checkpoints")
    assert content is not None
    del content["identity"]["ppo.bfloat16"]
    write_checkpoint(tmp_path / "checkpoints", content["timesteps"], content)
    assert resume(tmp_path).finished
    content["identity"]["n_envs.5"] = 64
    write_checkpoint(tmp_path / "checkpoints", content["timesteps"], content)
    with pytest.raises(OptionError, match=r"n_envs.5 was 64 and is None; begin a new one"):
        resume(tmp_path)


def test_a_run_that_cannot_be_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="shaping must be a number from 0"):
        begin(tiny(shaping=-1.0), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_has_one_run(tmp_path: Path) -> None:
    begin(tiny(), tmp_path)
    with pytest.raises(OptionError, match=r"there is a run in .*: give --resume"):
        begin(tiny(), tmp_path)
    shutil.rmtree(tmp_path)
    with pytest.raises(OptionError, match="there is no run in"):
        resume(tmp_path)


def test_nothing_is_evaluated_where_nothing_is_asked_for(tmp_path: Path) -> None:
    run = begin(tiny(total_timesteps=256, opponents=Others(past=0)), tmp_path)
    assert run.train()
    assert run.evaluator.lines == []
    assert run.league.snapshots == []  # without a past nothing is kept for it


# ---------------------------------------------------------------------------- checkpoints


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path, capsys: Any) -> None:
    begin(tiny(), tmp_path).train()
    newest = sorted((tmp_path / "checkpoints").iterdir())[-1]
    data = bytearray(newest.read_bytes())
    data[len(data) // 2] ^= 1
    newest.write_bytes(bytes(data))
    run = resume(tmp_path)
    assert f"{newest.name} is damaged; an older checkpoint is used" in capsys.readouterr().out
    assert run.model.num_timesteps < STEPS


def test_a_full_disk_costs_a_checkpoint_and_not_the_run(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    run = begin(tiny(total_timesteps=512), tmp_path)
    monkeypatch.setattr("os.fsync", full)
    run.train()
    assert run.model.num_timesteps == 512
    assert "a checkpoint cannot be written: No space left" in capsys.readouterr().out
    assert not list((tmp_path / "checkpoints").iterdir())


def test_only_the_last_checkpoints_are_kept(tmp_path: Path) -> None:
    for steps in range(1, 6):
        write_checkpoint(tmp_path, steps, {"timesteps": torch.tensor(steps)})
    assert len(list(tmp_path.iterdir())) == checkpoints.KEPT
    content, problems = read_newest(tmp_path)
    assert content is not None
    assert int(content["timesteps"]) == 5
    assert problems == []
