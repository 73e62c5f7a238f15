"""Where results go is looked at first, before anything is compiled or imported for long."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamfactory_env.cli.arena import tournament_command
from dreamfactory_env.cli.benchmark import benchmark_command
from dreamfactory_env.cli.outputs import check_output
from dreamfactory_env.cli.records import simulate_command
from dreamfactory_env.cli.training import export_command, train_command
from dreamfactory_env.cli.tuning import tune_command
from dreamfactory_env.utils.errors import OptionError
from tests.paths import ROOT

MISSING = Path("missing.yaml")
NO_CONFIG = str(ROOT / "Makefile")  # a file that is there, and is none
#: Each has a second mistake, which shows as soon as a command begins to work.
COMMANDS: dict[str, Callable[[Path], None]] = {
    "simulate": lambda below: simulate_command(out=below / "a.jsonl", players=99),
    "tournament": lambda below: tournament_command(NO_CONFIG, out=below),
    "benchmark": lambda below: benchmark_command(below / "a.json", copy_of=MISSING),
    "train": lambda below: train_command(NO_CONFIG, out=below),
    "export": lambda below: export_command(MISSING, out=below / "a.safetensors"),
    "tune": lambda below: tune_command(NO_CONFIG, NO_CONFIG, out=below),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_cannot_be_written_is_noticed_first(command: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "out"
    with pytest.raises(OptionError, match=f"{below}.* cannot be written: Not a directory"):
        COMMANDS[command](below)


def test_an_output_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    check_output(tmp_path / "new/deep/file.json")
    check_output(tmp_path / "new/folder", folder=True)
    check_output(tmp_path, folder=True)
    assert not list(tmp_path.iterdir())
    (tmp_path / "old.json").write_text("old")
    check_output(tmp_path / "old.json")
    assert (tmp_path / "old.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_opened_before_its_time(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    check_output(tmp_path / "pipe.jsonl")


@pytest.mark.parametrize(
    ("name", "folder", "reason"),
    [
        ("", False, "Is a directory"),
        ("file", True, "Not a directory"),
        ("file/x", False, "Not a directory"),
        ("x" * 300, False, "File name too long"),
        ("a\0b", False, "embedded null byte"),
    ],
)
def test_an_output_that_cannot_be_says_why(
    name: str, folder: bool, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match=f"cannot be written: .*{reason}"):
        check_output(tmp_path / name, folder=folder)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no such file system")
def test_a_place_that_takes_no_files_is_noticed() -> None:
    with pytest.raises(OptionError, match=r"/proc/out/a\.jsonl cannot be written: "):
        check_output(Path("/proc/out/a.jsonl"))
