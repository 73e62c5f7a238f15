"""What the tests of the commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamfactory_env.cli import main
from dreamfactory_env.cli.terminal import console

#: Runs a command; gives its exit code, what it prints, and what it prints to the error stream.
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Returns what runs a command in this process, where the test's games are registered."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(console, "width", 200)  # it was made before the test began

    def run_here(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dreamfactory", *words])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        return code, *capsys.readouterr()

    return run_here
