"""The compile cache: nothing stale is ever run, and nothing is compiled without need."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from dreamfactory_env.engine import cache, compiling
from dreamfactory_env.engine.cache_files import CacheFiles
from tests.engine.program import program
from tests.paths import ROOT

# ---------------------------------------------------------------------------- the files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "files", CacheFiles(tmp_path / "cache"))
    return tmp_path / "cache"


def compiled(source: str = "def run(x): return x + LIMIT\nLIMIT = 1") -> Any:
    return compiling.jit(program(source)["run"])


def hits(function: Any) -> int:
    return sum(function.stats.cache_hits.values())


def test_what_is_kept_is_found_for_the_same_types(folder: Path) -> None:
    first, second = compiled(), compiled()
    assert (first(1), first(1.5), hits(first)) == (2, 2.5, 0)
    assert (second(1), second(1.5), hits(second)) == (2, 2.5, 2)
    assert len(list(folder.iterdir())) == 2
    assert first.stats.cache_path == str(folder)


@pytest.mark.parametrize("left", [0, 10, 1000])
def test_a_file_that_was_cut_off_is_written_anew(folder: Path, left: int) -> None:
    compiled()(1)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:left])
    again, last = compiled(), compiled()
    assert (again(1), hits(again)) == (2, 0)
    assert (last(1), hits(last)) == (2, 1)


def test_a_function_compiled_again_sees_the_new_value_of_a_global(folder: Path) -> None:
    function = compiled()
    assert function(1) == 2
    function.py_func.__globals__["LIMIT"] = 5
    function.recompile()
    assert function(1) == 6


def test_files_that_were_not_used_for_a_month_are_swept_away(folder: Path) -> None:
    old, young, used = folder / "old.nbc", folder / "deep/young.nbc", compiled()
    used(1)
    (file,) = folder.iterdir()
    os.utime(file, (0, 0))
    young.parent.mkdir()
    young.touch()
    old.touch()
    os.utime(old, (0, 0))
    assert compiled()(1) == 2  # finds its file, and so makes it young
    cache.files = CacheFiles(folder)
    compiled("def run(x): return x + 3")(1)
    assert not old.exists()
    assert young.exists()
    assert file.exists()


def test_a_global_array_too_large_to_keep_is_warned_of(folder: Path) -> None:
    source = "import numpy as np\nLARGE = np.zeros(10**6)\ndef run(x): return LARGE[x]"
    with pytest.warns(numba.NumbaWarning, match=r"program\.run cannot be cached"):
        assert compiled(source)(1) == 0
    assert not folder.exists()


def test_the_users_own_cache_setting_is_left_alone() -> None:
    @numba.njit(cache=True)
    def own(x: int) -> int:
        return x

    assert str(cache.files.folder) not in str(own.stats.cache_path)


# ---------------------------------------------------------------------------- processes

RED = """
from dreamfactory_env.games.dream_factory import rules, state
tile = state.make_tile(2, 1)
print(rules.is_red(tile), sum(rules.is_red.stats.cache_hits.values()))
"""
HASHES = """
import gc
from numba.core.dispatcher import Dispatcher
import dreamfactory_env
from dreamfactory_env.engine.content_hash import content_hash
found = [function for function in gc.get_objects() if isinstance(function, Dispatcher)]
own = [function for function in found if "dreamfactory_env" in function.__module__]
for line in sorted(f"{f.__module__}.{f.__qualname__} {content_hash(f)}" for f in own):
    print(line)
"""


def start(script: str, folder: Path, cached: Path) -> subprocess.Popen[str]:
    """Starts Python in a process of its own, with the modules of a folder."""
    return subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cached)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(script: str, folder: Path, cached: Path) -> tuple[str, str]:
    """Returns what a script prints on both streams."""
    process = start(script, folder, cached)
    output, messages = process.communicate()
    assert process.returncode == 0, messages
    return output, messages


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The folder with a copy of the package that a test may edit."""
    copy = tmp_path / "dreamfactory_env"
    shutil.copytree(ROOT / "dreamfactory_env", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def edit_docstrings(path: Path) -> None:
    """Adds words to every docstring of a file, and comments around it."""
    source = path.read_text()
    lines = source.splitlines(keepends=True)
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            line = node.body[0].lineno - 1
            lines[line] = lines[line].replace('"""', '"""Edited. ', 1)
    path.write_text("# Edited.\n\n" + "".join(lines) + "\n# Edited.\n")


def test_an_edited_helper_in_another_file_is_never_run_stale(package: Path) -> None:
    cached = package / "cache"
    assert run(RED, package, cached)[0].split() == ["1", "0"]
    assert run(RED, package, cached) == ("1 1\n", "")
    helper = package / "dreamfactory_env/games/dream_factory/state.py"
    helper.write_text(helper.read_text().replace("return tile >> 3", "return (tile >> 3) + 1"))
    assert run(RED, package, cached)[0].split() == ["0", "0"]


def test_edited_docstrings_comments_and_commands_compile_nothing(package: Path) -> None:
    cached = package / "cache"
    before = run(HASHES, package, cached)[0]
    assert before.count("\n") > 50
    run(RED, package, cached)
    for path in package.rglob("*.py"):
        edit_docstrings(path)
    for path in package.glob("dreamfactory_env/cli/*.py"):
        path.write_text(f"{path.read_text()}\nEDITED = 1\n")
    assert run(HASHES, package, cached)[0] == before
    assert run(RED, package, cached) == ("1 1\n", "")


def test_processes_that_compile_at_once_do_not_harm_the_cache(tmp_path: Path) -> None:
    processes = [start(RED, ROOT, tmp_path) for _ in range(3)]
    for process in processes:
        output, messages = process.communicate()
        assert process.returncode == 0, messages
        assert output.startswith("1 ")
    assert run(RED, ROOT, tmp_path) == ("1 1\n", "")
    assert not list(tmp_path.rglob("*.part"))


def test_a_second_clone_finds_what_the_first_has_compiled(package: Path) -> None:
    cached = package / "cache"
    run(RED, package, cached)
    second = package / "second"
    shutil.copytree(package / "dreamfactory_env", second / "dreamfactory_env")
    assert run(RED, second, cached) == ("1 1\n", "")
    assert run(HASHES, second, cached) == run(HASHES, package, cached)


def test_two_functions_of_one_name_are_not_taken_for_one_another(tmp_path: Path) -> None:
    """Functions that two processes compiled are linked by their names in a third."""
    (tmp_path / "program.py").write_text(
        """
from dreamfactory_env.engine.compiling import bind, jit
def _fibonacci(n): return one() if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
def _call(n): return fibonacci(n)
def starting_at(number):
    called = bind(_fibonacci, "game", one=jit(lambda: number))
    called.py_func.__globals__["fibonacci"] = called
    return bind(_call, "game", fibonacci=called)
"""
    )
    script = "from program import *; print({})".format
    alone = [run(script(f"starting_at({k})(10)"), tmp_path, tmp_path)[0] for k in (1, 2)]
    both = run(script("starting_at(1)(10), starting_at(2)(10)"), tmp_path, tmp_path)
    assert [*alone, both] == ["89\n", "178\n", ("89 178\n", "")]
