"""``dreamfactory tune``: studies of tiny trials, stopped and resumed, and wrong spaces."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dreamfactory_env.cli.main import app
from dreamfactory_env.cli.terminal import EXIT_STOPPED
from dreamfactory_env.cli.tuning import FINISHING
from dreamfactory_env.learning import tuning
from dreamfactory_env.learning.config import Teacher, Training
from dreamfactory_env.learning.evaluation_lines import objective
from dreamfactory_env.learning.ppo import DivergedError, SeatPPO
from dreamfactory_env.learning.search_space import Choice, Range, read_space
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.learning.tuning import BEST, DATA, RUNS, TABLE, Study, as_table
from dreamfactory_env.utils.errors import ConfigError, OptionError
from tests.paths import CONFIGS

#: Four rollouts of 64 decisions.
CONFIG = """
total_timesteps: 256
n_envs: {2: 4}
network: {net_arch: [8], pointer_width: 0}
ppo: {n_steps: 16, batch_size: 16, n_epochs: 1}
schedule: {evaluation_deals: 2, evaluate_against: [random], evaluation_players: [2]}
"""
SPACE = """
ppo.learning_rate: {low: 1e-4, high: 1e-2, log: true}
network.net_arch: [[8], [16, 8]]
ppo.n_epochs: {low: 1, high: 2}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def space(tmp_path: Path) -> Path:
    path = tmp_path / "space.yaml"
    path.write_text(SPACE)
    return path


def outcome(study: Study) -> list[tuple[Any, ...]]:
    """Returns what came out of a study, the seconds apart."""
    return [(row["trial"], row["value"], row["settings"], row["timesteps"]) for row in study.rows()]


def test_the_command_finds_settings_and_resumes_after_ctrl_c(
    config: Path, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "study"
    words = ["tune", str(config), "--space", str(space), "--out", str(folder), "--trials"]
    learned = 0
    train = SeatPPO.train

    def interrupted(self: SeatPPO) -> None:
        nonlocal learned
        learned += 1
        if learned == 6:  # in the second trial
            signal.raise_signal(signal.SIGINT)
        train(self)

    monkeypatch.setattr(SeatPPO, "train", interrupted)
    first = CliRunner().invoke(app, [*words, "3"])
    assert first.exit_code == EXIT_STOPPED, first.output
    assert FINISHING in first.output
    assert "stopped after 1 of 3 trials; the same command resumes it" in first.output
    again = CliRunner().invoke(app, [*words, "3"])
    assert again.exit_code == 0, again.output
    assert f"study: {folder}, 1 of 3 trials are finished" in again.output
    rows = json.loads((folder / DATA).read_text())
    assert sorted(row["trial"] for row in rows) == [0, 1, 2]
    own = next(row for row in rows if row["trial"] == 0)
    assert own["settings"]["network.net_arch"] == "[8]"  # the training's own settings come first
    best = rows[0]
    assert best["value"] == max(row["value"] for row in rows)
    assert best["value"] == pytest.approx(objective(best))
    assert best["timesteps"] == 256
    assert (folder / TABLE).read_text().count("\n") == 2 + 3
    settings = read_training(folder / BEST)
    assert settings.ppo.learning_rate == best["settings"]["ppo.learning_rate"]
    assert settings.schedule == read_training(config).schedule
    assert f"dreamfactory train {folder / BEST}" in again.output
    assert not list((folder / RUNS).glob("*/checkpoints"))


def test_a_study_that_was_stopped_resumes_in_the_middle_of_a_trial(
    config: Path, space: Path, tmp_path: Path
) -> None:
    whole = Study(config, space, tmp_path / "whole")
    assert whole.run(3)
    cut = Study(config, space, tmp_path / "cut")
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += len(cut.finished)
        return asked > 25  # in the second trial

    assert not cut.run(3, stop)
    assert len(cut.finished) == 1
    assert list((tmp_path / "cut" / RUNS / "0001" / "checkpoints").iterdir())
    cut = Study(config, space, tmp_path / "cut")
    assert cut.run(3)
    assert outcome(cut) == outcome(whole)


def test_a_trial_that_lags_is_pruned(
    config: Path, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "UNPRUNED", 1)
    rates = iter([0.5, 0.6, 0.7, 0.8, 0.4])
    monkeypatch.setattr(tuning, "objective", lambda line: next(rates))
    study = Study(config, space, tmp_path / "study")
    assert study.run(2)
    finished, lagging = study.rows()
    assert finished["value"] == 0.8
    assert lagging["value"] is None
    assert lagging["timesteps"] == 64
    assert read_training(tmp_path / "study" / BEST) == read_training(config)


def test_a_trial_that_diverges_is_pruned(
    config: Path, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(self: SeatPPO) -> None:
        raise DivergedError("boom")

    monkeypatch.setattr(SeatPPO, "train", explode)
    study = Study(config, space, tmp_path / "study")
    assert study.run(1)
    (row,) = study.rows()
    assert (row["value"], row["error"]) == (None, "boom")
    assert not (tmp_path / "study" / BEST).exists()
    assert as_table(study.rows()).splitlines()[2].startswith("| 0 |  |  |")


def test_trials_of_equal_time_learn_as_many_decisions_as_fit(
    config: Path, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 10.0  # a rollout takes so long
        return now

    monkeypatch.setattr("dreamfactory_env.learning.tuning.time.process_time", clock)
    study = Study(config, space, tmp_path / "study", minutes=1.0)
    assert study.run(1)
    assert study.rows()[0]["timesteps"] == 6 * 4 * 16


def test_imitating_takes_its_time_from_a_trial(
    config: Path, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seconds(settings: Training, imitating: int, stop: Any) -> float:
        return 20.0 if imitating else 10.0

    monkeypatch.setattr("dreamfactory_env.learning.tuning._seconds_of_a_rollout", seconds)
    study = Study(config, space, tmp_path / "study", minutes=1.0)
    rollout = 4 * 16
    for steps, rollouts in ((0, 6), (rollout, 1 + 4), (rollout + 1, 2 + 2), (9 * rollout, 3)):
        settings = replace(study.settings, teacher=Teacher("greedy", steps))
        assert study._timesteps(settings, lambda: False) == rollouts * rollout
    assert (
        study._timesteps(replace(settings, teacher=Teacher("", 99)), lambda: False) == 6 * rollout
    )


def test_settings_that_do_not_go_together_cost_a_trial(
    config: Path, space: Path, tmp_path: Path
) -> None:
    space.write_text("ppo.batch_size: [16, 32]\nn_envs.2: [2, 4]")
    study = Study(config, space, tmp_path / "study")
    study._study.enqueue_trial({"ppo.batch_size": "32", "n_envs.2": "2"})
    assert study.run(2)
    finished, impossible = study.rows()
    assert finished["value"] is not None
    assert "a batch can be at most half of them" in impossible["error"]


def test_a_full_disk_is_told(
    config: Path, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "study"
    Study(config, space, folder)
    monkeypatch.setattr(tuning, "atomic_write", full)
    words = ["tune", str(config), "--space", str(space), "--out", str(folder), "--trials", "1"]
    found = CliRunner().invoke(app, words)
    assert isinstance(found.exception, OptionError)
    assert "No space left on device; make room, then the same" in str(found.exception)


def test_a_folder_has_one_study(config: Path, space: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    Study(config, space, folder)
    with pytest.raises(OptionError, match="was begun with another time for a trial"):
        Study(config, space, folder, minutes=1)
    space.write_text(SPACE + "shaping: [0, 1]\n")
    with pytest.raises(OptionError, match="was begun with another space"):
        Study(config, space, folder)
    config.write_text(CONFIG + "seed: 2\n")
    with pytest.raises(OptionError, match="was begun with other settings"):
        Study(config, space, folder)
    with pytest.raises(OptionError, match="minutes must be more than 0, not 0"):
        Study(config, space, folder, minutes=0)
    config.write_text(CONFIG.replace("[random]", "[]"))
    with pytest.raises(OptionError, match="nothing is compared"):
        Study(config, space, folder)


def test_a_space_says_what_kind_of_numbers_it_has(config: Path, space: Path) -> None:
    space.write_text(SPACE + "shaping: {low: 0, high: 1}\nn_envs.2: [4, 8]\n")
    found = read_space(space, config)
    assert found.settings == {
        "ppo.learning_rate": Range(1e-4, 1e-2, log=True, integer=False),
        "network.net_arch": Choice(("[8]", "[16, 8]")),
        "ppo.n_epochs": Range(1, 2, log=False, integer=True),
        "shaping": Range(0.0, 1.0, log=False, integer=False),
        "n_envs.2": Choice(("4", "8")),
    }
    assert found.start == {
        "ppo.learning_rate": read_training(config).ppo.learning_rate,
        "network.net_arch": "[8]",
        "ppo.n_epochs": 1,
        "shaping": 0.0,
        "n_envs.2": "4",
    }
    space.write_text("network.net_arch: [[16], [32]]")
    assert read_space(space, config).start is None


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("ppo.gama: [1, 2]", ["line 1, ppo.gama: unknown key", "did you mean 'gamma'?"]),
        ("a: 1\nppo.gamma: 3", ["line 2, ppo.gamma: must be a list", "not 3"]),
        ("shaping: [1]", ["line 1, shaping: must be a list of values"]),
        ("shaping: {low: 1}", ["must be a list of values, or a mapping with low, high"]),
        ("shaping: {low: 1, high: 2, lag: true}", ["a mapping with low, high and perhaps log"]),
        ("shaping: {low: 2, high: 1}", ["shaping: low must be a number below high"]),
        ("shaping: {low: 1, high: 1}", ["shaping: low must be a number below high"]),
        ("reward: {low: win, high: rank}", ["reward: low must be a number below high"]),
        ("shaping: {low: 0, high: 1, log: true}", ["shaping: low must be above 0"]),
        ("shaping: {low: 1, high: 2, log: 3}", ["shaping.log: must be true or false, not 3"]),
        ("ppo.batch_size: [32, many]", ["ppo.batch_size: must be a whole number, not 'many'"]),
        ("ppo.batch_size: [16, 4096]", ["ppo.batch_size: a rollout has 64 decisions"]),
        ("[1, 2]", ["must be a mapping with keys such as ppo.learning_rate"]),
        ("", ["must be a mapping with keys such as ppo.learning_rate"]),
        ("a: [", ["not YAML"]),
    ],
)
def test_mistakes_in_a_space_are_named(
    config: Path, space: Path, text: str, messages: list[str]
) -> None:
    space.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_space(space, config)
    for message in messages:
        assert message in str(error.value)


def test_the_space_that_comes_with_the_project_is_one() -> None:
    found = read_space(CONFIGS / "spaces/tuning.yaml", CONFIGS / "train/pretrained_small.yaml")
    assert found.start is not None  # so the first trial has the settings that ship
    assert {"ppo.learning_rate", "ppo.batch_size", "opponents.self_at.2"} <= found.settings.keys()
