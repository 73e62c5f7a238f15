"""A run that is made longer when it is resumed, and runs of before some settings were there."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dreamfactory_env import OptionError
from dreamfactory_env.cli.training import train_command
from dreamfactory_env.learning.checkpoints import read_newest, write_checkpoint
from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.learning.schedules import falling
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.utils.errors import ConfigError
from tests.cli.tiny_training import CONFIG
from tests.learning.small import STEPS, drop_checkpoints, tiny, weights

LONGER = {"total_timesteps": str(STEPS + 512)}


def test_a_finished_run_trains_on_with_more_timesteps(tmp_path: Path) -> None:
    begin(tiny(), tmp_path).train()
    longer = resume(tmp_path, LONGER)
    assert read_training(tmp_path / "config.yaml").total_timesteps == STEPS  # not yet
    assert not longer.finished
    rates: list[float] = []
    log = longer.model._log_metrics

    def kept(metrics: list[float], clip_range: float) -> None:
        rates.append(longer.model.policy.optimizer.param_groups[0]["lr"])
        log(metrics, clip_range)

    longer.model._log_metrics = kept  # type: ignore[method-assign]
    longer.train()
    assert longer.finished
    assert longer.model.num_timesteps == STEPS + 512
    assert read_training(tmp_path / "config.yaml") == longer.settings
    # The schedule is that of a run of this length.
    ppo, left = longer.settings.ppo, 256 / (STEPS + 512)
    rate = falling(ppo.learning_rate, ppo.final_learning_rate)
    assert rates == pytest.approx([rate(left), ppo.final_learning_rate])
    assert resume(tmp_path).finished


def test_a_longer_run_that_is_stopped_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    for name in ("whole", "cut"):
        begin(tiny(), tmp_path / name).train()
    whole = resume(tmp_path / "whole", LONGER)
    whole.train()
    cut = resume(tmp_path / "cut", LONGER)
    assert not cut.train(stop=lambda: cut.model.num_timesteps > STEPS)
    drop_checkpoints(cut, kept=2)  # even back to the one with which it was finished
    again = resume(tmp_path / "cut")
    assert again.saved_steps == STEPS
    assert again.train()
    assert weights(again) == weights(whole)


def test_a_run_is_made_longer_and_nothing_else(tmp_path: Path) -> None:
    begin(tiny(), tmp_path)
    message = f"total_timesteps of .* must be more than {STEPS}, which it has already"
    for steps in (1, STEPS):
        with pytest.raises(OptionError, match=message):
            resume(tmp_path, {"total_timesteps": str(steps)})
    with pytest.raises(ConfigError, match="total_timesteps: must be a whole number, not 'more'"):
        resume(tmp_path, {"total_timesteps": "more"})
    with pytest.raises(
        OptionError, match="keeps its settings but for total_timesteps and threads: not seed"
    ):
        resume(tmp_path, {"seed": "3", **LONGER})


def test_the_command_says_what_it_resumes_and_each_evaluation_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tiny.yaml").write_text(CONFIG)
    train_command(Path("tiny.yaml"), ["total_timesteps=256"], out=Path("run"))
    printed = "".join(capfd.readouterr())
    for steps in (0, 256):
        assert printed.count(f"evaluation after {steps} decisions") == 1
    train_command(resume=Path("run"), changes=["total_timesteps=512"])
    printed = "".join(capfd.readouterr())
    assert printed.startswith("run: run, from 256 decisions on\n512 decisions in ")
    assert printed.count("evaluation after 512 decisions") == 1
    assert "evaluation after 256" not in printed
    train_command(resume=Path("run"))  # is finished, and says how it stands
    assert capfd.readouterr().out.count("evaluation after 512 decisions") == 1


def test_runs_of_before_rollouts_were_collected_ahead_do_as_they_did(tmp_path: Path) -> None:
    begin(tiny(), tmp_path).train(stop=lambda: True)
    path = tmp_path / "config.yaml"
    settings = yaml.safe_load(path.read_text())
    del settings["ppo"]["async_rollouts"]
    path.write_text(yaml.safe_dump(settings))
    content, _ = read_newest(tmp_path / "checkpoints")
    assert content is None
    run = resume(tmp_path)
    assert not run.model.async_rollouts
    assert not run.train(stop=lambda: run.model.num_timesteps >= 512)
    content, _ = read_newest(tmp_path / "checkpoints")
    assert content is not None
    assert content.pop("pending") is None
    del content["identity"]["ppo.async_rollouts"], content["metrics"]["trained"]
    write_checkpoint(tmp_path / "checkpoints", content["timesteps"], content)
    again = resume(tmp_path)
    assert not again.model.async_rollouts
    assert again.train()
