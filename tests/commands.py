"""The real command in a process of its own, as a user meets it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

COMMAND = str(Path(sys.executable).with_name("dreamfactory"))
#: Whatever of the environment could change what is printed.
DISPLAY = {"FORCE_COLOR", "NO_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "COLUMNS", "TERM"}
DISPLAY |= {"TTY_COMPATIBLE", "TTY_INTERACTIVE", "PYTHONIOENCODING", "PYTHONUTF8"}
Finished = subprocess.CompletedProcess[str]
Item = TypeVar("Item")
Result = TypeVar("Result")


def in_parallel(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def start(*arguments: str | Path, cwd: Path, **more: str) -> subprocess.Popen[str]:
    environment = {key: value for key, value in os.environ.items() if key not in DISPLAY}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [COMMAND, *map(str, arguments)],
        stdout=pipe,
        stderr=pipe,
        cwd=cwd,
        env={**environment, **more},
        encoding="utf-8",
    )


def run(*arguments: str | Path, cwd: Path, **more: str) -> Finished:
    return finish(start(*arguments, cwd=cwd, **more))


def finish(process: subprocess.Popen[str], timeout: float = 120) -> Finished:
    out, error = process.communicate(timeout=timeout)
    assert "Traceback" not in error, error
    return Finished(process.args, process.returncode, out, error)


def run_all(commands: Iterable[str], cwd: Path, **more: str) -> list[Finished]:
    return in_parallel(lambda words: run(*words.split(), cwd=cwd, **more), commands)


def assert_refused(commands: dict[str, str], cwd: Path) -> None:
    """Runs commands that must all be refused with just a message, and touch no file."""
    before = {path: path.read_bytes() for path in cwd.iterdir()}
    for finished, message in zip(run_all(commands, cwd), commands.values(), strict=True):
        told = (finished.args, finished.stderr)
        assert (finished.returncode, finished.stdout) == (2, ""), told
        assert re.match(f"error: .*{message}.*\n\\Z", finished.stderr), told
    assert {path: path.read_bytes() for path in cwd.iterdir()} == before
