"""What is said while something is compiled: one true line, to whoever really waits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dreamfactory_env.engine import compile_watch
from dreamfactory_env.engine.cache_files import CacheFiles
from dreamfactory_env.engine.compile_watch import CompileWatch
from tests.paths import ROOT

LINE = "dreamfactory-env: compiling, which takes a while; kept in {}\n"
MORE = "dreamfactory-env: compiling more, which takes a while; kept in {}\n"
#: As long as it takes to say something, and some more.
LONG = 0.3


class OurCache:
    """Stands for the cache of functions that are watched."""


def watch_of(files: CacheFiles) -> CompileWatch:
    watch = CompileWatch(files)
    watch._cache_cls = OurCache
    return watch


def compile_for(watch: CompileWatch, seconds: float, cache: object | None = None) -> None:
    """Does as if Numba compiled a function, and one that it calls."""
    event: Any = SimpleNamespace(data={"dispatcher": SimpleNamespace(_cache=cache or OurCache())})
    watch.on_start(event)
    watch.on_start(event)
    watch.on_end(event)
    time.sleep(seconds)
    watch.on_end(event)


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_watch, "PATIENCE", 0.1)
    monkeypatch.setattr(compile_watch, "PAUSE", 60.0)


def test_who_hardly_waits_is_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compile_watch, "PATIENCE", 60.0)
    watch = watch_of(CacheFiles(tmp_path))
    compile_for(watch, 0)
    compile_for(watch, 0)
    assert capsys.readouterr().err == ""
    assert not list(tmp_path.iterdir())


def test_a_long_wait_is_explained_once_while_it_lasts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch = watch_of(CacheFiles(tmp_path))
    event: Any = SimpleNamespace(data={"dispatcher": SimpleNamespace(_cache=OurCache())})
    watch.on_start(event)
    time.sleep(LONG)
    assert capsys.readouterr().err == LINE.format(tmp_path)  # and not only at the end
    watch.on_end(event)
    for _ in range(2):
        compile_for(watch, LONG)
    assert capsys.readouterr().err == ""


def test_many_short_waits_are_a_long_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compile_watch, "PATIENCE", 1.0)
    watch = watch_of(CacheFiles(tmp_path))
    for _ in range(7):
        compile_for(watch, 0.2)
    assert capsys.readouterr().err == LINE.format(tmp_path)


def test_after_a_pause_it_is_said_again_in_other_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compile_watch, "PAUSE", 0.05)
    watch = watch_of(CacheFiles(tmp_path))
    compile_for(watch, LONG)
    time.sleep(LONG)
    compile_for(watch, LONG)
    assert capsys.readouterr().err == LINE.format(tmp_path) + MORE.format(tmp_path)


def test_what_others_compile_is_their_business(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_for(watch_of(CacheFiles(tmp_path)), LONG, cache="of Numba")
    assert capsys.readouterr().err == ""


def test_nothing_is_said_where_somebody_else_shows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch = watch_of(CacheFiles(tmp_path))
    with watch.silent():
        compile_for(watch, LONG)
    assert capsys.readouterr().err == ""


def test_the_line_names_what_stood_in_the_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    home, temporary = tmp_path / "file/home", tmp_path / "temporary"
    compile_for(watch_of(CacheFiles(home, temporary)), LONG)
    because = f", because {home} cannot be written (Not a directory)"
    assert capsys.readouterr().err == LINE.format(f"{temporary}{because}")
    compile_for(watch_of(CacheFiles(home)), LONG)
    said = f"dreamfactory-env: compiling, which takes a while; not kept{because}\n"
    assert capsys.readouterr().err == said


def test_a_disk_that_fills_up_later_is_told_of_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = CacheFiles(tmp_path / "home", tmp_path / "temporary")
    watch = watch_of(files)
    watch.tell_of_move()  # nothing was said that is no longer true
    compile_for(watch, LONG)
    capsys.readouterr()
    files.problems[tmp_path / "home"] = "No space left on device"
    watch.tell_of_move()
    watch.tell_of_move()
    assert capsys.readouterr().err == (
        f"dreamfactory-env: what is compiled from now on is kept in {tmp_path}/temporary, "
        f"because {tmp_path}/home cannot be written (No space left on device)\n"
    )


def test_processes_that_were_started_together_say_it_once(tmp_path: Path) -> None:
    script = """
from dreamfactory_env.engine import cache, compile_watch
compile_watch.PATIENCE = 0
import numpy as np
from dreamfactory_env.engine.rng import next_seed
next_seed(np.uint64(1))
print(cache.watch.compiled)
"""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    finished = [process.communicate() for process in processes]
    assert "".join(errors for _, errors in finished) == LINE.format(tmp_path / "dreamfactory_env")
    assert sum(int(output) for output, _ in finished) > 0
