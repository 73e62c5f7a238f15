"""What the training commands refuse, and the trainings that ship."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dreamfactory_env import OptionError
from dreamfactory_env.cli.training import train_command
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.utils.errors import GameError
from tests.cli.tiny_training import CONFIG
from tests.commands import assert_refused, start
from tests.paths import ROOT

TIMEOUT = 300


def test_mistakes_on_the_command_line_end_it_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    assert_refused(
        {
            "train": "give the YAML file of a training run, or --resume and a run's folder",
            "train tiny.yaml --address auto": "--address is that of a cluster: give --engine ray",
            "train tiny.yaml --actors auto": "--actors auto counts the processors of a cluster",
            "train tiny.yaml --actors 9": r".*\n.*actors: .*so 8 actors at most, not 9",
            "train --resume tiny --actors 2": "--actors is for new ones",
            "train tiny.yaml --set ppo.gama=1": r".*\n.*ppo.gama: unknown key; .*'gamma'",
        },
        tmp_path,
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("seed", "--set must be a key and a value such as total_timesteps=1000, not 'seed'"),
        ("seed=many", r"  seed: must be a whole number, not 'many'$"),
        ("seed=", r"  seed: must be a whole number, not ''$"),
        ("seed.more=1", "line 4, seed: is 5, so there is no seed.more$"),
        ("sead=1", "  sead: unknown key; .*did you mean 'seed'"),
        ("n_envs={2:", "1 mistake\n  n_envs: '{2:' is not YAML$"),
        ("n_envs.2=0", "n_envs.2: must be at least 1, not 0"),
        ("n_envs.7=4", "n_envs: players must be .*2 to 5"),
        ("schedule.evaluation_players=[9]", "evaluation_players: players must be .*2 to 5"),
        ("options.editon=x", "1 mistake\n  options: unknown option 'editon'; .*'edition'"),
        ("seed=-1", "1 mistake\n.*seed: .*-1"),
    ],
)
def test_mistakes_in_changes_are_named(tmp_path: Path, change: str, message: str) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    with pytest.raises(GameError, match=message):
        train_command(tmp_path / "tiny.yaml", [change])


def test_a_run_is_begun_or_resumed_not_both(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="give the YAML file of a training run, or --resume"):
        train_command(tmp_path / "tiny.yaml", resume=tmp_path)
    with pytest.raises(OptionError, match="-o and --out are for new ones"):
        train_command(resume=tmp_path, out=tmp_path)
    with pytest.raises(GameError, match=r"missing.yaml: 1 mistake\n.*cannot be read"):
        train_command(tmp_path / "missing.yaml")


@pytest.mark.parametrize(
    ("missing", "extra", "words"),
    [("torch", "train", ()), ("ray", "cluster", ("--engine", "ray"))],
)
def test_without_an_extra_the_command_says_what_to_install(
    tmp_path: Path, missing: str, extra: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    source = f"raise ModuleNotFoundError(\"No module named '{missing}'\")"
    (tmp_path / f"{missing}.py").write_text(source)
    process = start("train", "tiny.yaml", *words, cwd=tmp_path, PYTHONPATH=str(tmp_path))
    printed, errors = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, printed) == (2, "")
    assert f"error: No module named '{missing}'" in errors
    assert f'pip install "dreamfactory-env[{extra}]"\n' in errors
    assert not (tmp_path / "runs").exists()


def test_the_trainings_that_ship_can_be_begun_and_so_can_the_fast_demo() -> None:
    folder = ROOT / "configs" / "train"
    files = sorted(set(folder.glob("*.yaml")) - {folder / "tuning.yaml"})  # which is a space
    assert {"quick.yaml", "pretrained.yaml"} <= {file.name for file in files}
    for file in files:
        # The agent of the run before, where there is one, is not there yet.
        read_training(file, resuming=".safetensors}" in file.read_text("utf-8"))
    recipe = (ROOT / "Makefile").read_text("utf-8").split("FAST_DEMO :=")[1].split("\n\n")[0]
    changes = dict(re.findall(r"--set (\S+)=(\S+)", recipe))
    assert changes.keys() >= {"total_timesteps", "teacher.timesteps"}
    fast = read_training(folder / "quick.yaml", changes)
    whole = read_training(folder / "quick.yaml")
    assert fast.total_timesteps < whole.total_timesteps / 10
