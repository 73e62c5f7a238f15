"""Where games by the clock were played."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dreamfactory_env.arena.benchmark import circumstances as module
from dreamfactory_env.arena.benchmark.circumstances import circumstances
from dreamfactory_env.arena.pool import check_processes


def test_the_machine_its_load_and_the_commit_are_told() -> None:
    found = circumstances()
    assert found["processor"]
    assert found["cores"] == check_processes(None)
    assert found["load"] is None or found["load"] >= 0
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"],
        cwd=Path(module.__file__).parent,
        capture_output=True,
        text=True,
    )
    head = found["commit"].removesuffix("-dirty")
    assert bool(head) == (told.returncode == 0)
    assert told.stdout.startswith(head)


def test_outside_of_a_checkout_there_is_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(module, "__file__", str(tmp_path / "module.py"))
    assert circumstances()["commit"] == ""


def test_a_checkout_that_does_not_keep_the_package_has_another_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), (*author, "commit", "-q", "--allow-empty", "-m", "x")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "module.py").touch()
    monkeypatch.setattr(module, "__file__", str(tmp_path / "module.py"))
    assert circumstances()["commit"] == ""
    subprocess.run(["git", "add", "module.py"], cwd=tmp_path, check=True, capture_output=True)
    assert circumstances()["commit"].endswith("-dirty")
