"""Where games by the clock were played."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from dreamfactory_env.arena.benchmark import circumstances as module
from dreamfactory_env.arena.benchmark.circumstances import circumstances


def test_the_machine_its_load_and_the_commit_are_told() -> None:
    found = circumstances()
    assert found["processor"]
    assert found["cores"] == len(os.sched_getaffinity(0))
    assert found["load"] >= 0
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"],
        cwd=Path(module.__file__).parent,
        capture_output=True,
        text=True,
    )
    head = found["commit"].removesuffix("-dirty")
    assert told.stdout.startswith(head) if told.returncode == 0 else head == ""


def test_outside_of_a_checkout_there_is_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(module, "__file__", str(tmp_path / "module.py"))
    assert circumstances()["commit"] == ""
