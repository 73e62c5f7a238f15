"""The compile cache: nothing stale is ever run, and nothing is compiled without need."""

from __future__ import annotations

import ast
import enum
import os
import shutil
import subprocess
import sys
import types
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from dreamfactory_env.engine import cache, compiling
from dreamfactory_env.engine.content_hash import content_hash, signature_hash
from tests.paths import ROOT

# ---------------------------------------------------------------------------- the hash

PROGRAM = '''
import enum
from typing import NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit, parallel_jit


class Phase(enum.IntEnum):
    """Where a game is."""
    BID = 0
    PASS = 1


class Pair(NamedTuple):
    """Two numbers."""
    first: int
    second: int = 5


LIMIT = 3
SCALE = 50.0
TABLE = np.array([1, 2], np.int64)
SPARE = (1, (2.0, "three"))
RECORD = np.dtype([("seats", np.int8), ("turn", np.int8)])
BIG = np.uint64(7)
UNUSED = 1


@jit
def run(x, step=1):
    """Calls what is defined below."""
    if x > 2 * LIMIT:
        raise ValueError("too large")
    room = np.zeros(1, RECORD)
    return helper(x, step) + TABLE[0] + Phase.PASS + Pair(x).second + SPARE[0] + room[0].turn


@jit
def helper(x, step):
    """Adds."""
    return deepest(x + step) * SCALE + tables.DEEP + BIG


@jit
def deepest(x):
    return x + 1
'''
CHANGED = {
    "code": ("2 * LIMIT", "LIMIT"),
    "literal": ("2 * LIMIT", "4 * LIMIT"),
    "type of a literal": ("2 * LIMIT", "2.0 * LIMIT"),
    "message": ("too large", "too long"),
    "default": ("step=1", "step=2"),
    "name of a parameter": ("run(x, step", "run(x, stride"),
    "constant": ("LIMIT = 3", "LIMIT = 4"),
    "type of a constant": ("LIMIT = 3", "LIMIT = 3.0"),
    "constant of a helper": ("SCALE = 50.0", "SCALE = 51.0"),
    "NumPy scalar": ("np.uint64(7)", "np.int64(7)"),
    "table": ("np.array([1, 2]", "np.array([1, 3]"),
    "dtype of a table": ("2], np.int64", "2], np.int32"),
    "shape of a table": ("np.array([1, 2]", "np.array([[1, 2]]"),
    "tuple": ('(2.0, "three")', '(2.0, "four")'),
    "value of an enum": ("PASS = 1", "PASS = 2"),
    "name in an enum": ("BID = 0", "OPEN = 0"),
    "field of a named tuple": ("first: int", "other: int"),
    "default of a named tuple": ("second: int = 5", "second: int = 6"),
    "field of a record": ('("seats", np.int8)', '("seats", np.int16)'),
    "order of a record": ('[("seats", np.int8), ("turn"', '[("turn", np.int8), ("seats"'),
    "helper": ("x + step", "x - step"),
    "helper of a helper": ("return x + 1", "return x + 2"),
    "which helper": ("return deepest", "return deeper"),
    "options": ("@jit\ndef deepest", "@parallel_jit\ndef deepest"),
    "who calls whom": ("return deepest(x + step)", "return helper(x, step)"),
}
UNCHANGED = {
    "docstring": ("Calls what is defined below.", "Says what it does, at length."),
    "docstring of a helper": ("Adds.", "Adds, and more."),
    "docstring of an enum": ("Where a game is.", "Where it is."),
    "comment and line numbers": ("LIMIT = 3", "# Nothing\n\n# new\nLIMIT = 3"),
    "what is not referred to": ("UNUSED = 1", "UNUSED = 2"),
    "type hints": ("def helper(x, step)", "def helper(x: int, step: int) -> float"),
}


def program(source: str, deep: int = 9) -> dict[str, Any]:
    """Returns the names of a program that also uses an attribute of a module."""
    tables = types.ModuleType("tables_of_a_test")
    vars(tables)["DEEP"] = deep
    names = {"__name__": "program", "tables": tables}
    exec(compile(source, "program.py", "exec", dont_inherit=True), names)
    return names


def hash_of(source: str, deep: int = 9) -> str:
    return content_hash(program(source, deep)["run"])


@pytest.mark.parametrize(("old", "new"), CHANGED.values(), ids=CHANGED)
def test_a_change_of_what_is_compiled_changes_the_hash(old: str, new: str) -> None:
    assert PROGRAM.count(old) == 1
    assert hash_of(PROGRAM.replace(old, new)) != hash_of(PROGRAM)


@pytest.mark.parametrize(("old", "new"), UNCHANGED.values(), ids=UNCHANGED)
def test_a_change_of_something_else_does_not(old: str, new: str) -> None:
    assert PROGRAM.count(old) == 1
    assert hash_of(PROGRAM.replace(old, new)) == hash_of(PROGRAM)


def test_attributes_of_modules_count_if_they_are_named() -> None:
    assert hash_of(PROGRAM, deep=9) != hash_of(PROGRAM, deep=10)
    names = program(PROGRAM)
    names["tables"].OTHER = 1
    assert content_hash(names["run"]) == hash_of(PROGRAM)


def test_versions_and_bounds_checks_count(monkeypatch: pytest.MonkeyPatch) -> None:
    names = program(PROGRAM)
    hashes = {content_hash(names["run"])}
    for module in (numba, np):
        with monkeypatch.context() as patch:
            patch.setattr(module, "__version__", "0.1")
            hashes.add(content_hash(names["run"]))
    monkeypatch.setattr(compiling.config, "BOUNDSCHECK", 1)
    hashes.add(content_hash(names["run"]))
    assert len(hashes) == 4


def test_functions_that_call_each_other_have_hashes() -> None:
    source = """
from dreamfactory_env.engine.compiling import jit
@jit
def run(n): return n < 1 or odd(n - 1)
@jit
def odd(n): return n > 0 and run(n - 1)
"""
    assert hash_of(source) == hash_of(source) != hash_of(source.replace("n < 1", "n < 2"))
    assert hash_of(source) != hash_of(source.replace("n > 0 and run", "n > 0 and odd"))


def test_a_bound_function_has_the_hash_of_what_it_is_bound_to() -> None:
    names = program(
        "def run(x): return a(x) + b(x) + c(x)\ndef one(x): return 1\ndef two(x): return 2"
    )
    one, two = compiling.jit(names["one"]), compiling.jit(names["two"])

    def bound(a: Any, b: Any, c: Any) -> str:
        return content_hash(compiling.bind(names["run"], "game", a=a, b=b, c=c))

    assert bound(one, two, one) == bound(one, two, one)
    assert len({bound(one, two, one), bound(one, two, two), bound(two, one, one)}) == 3


def test_closures_and_inner_functions_count() -> None:
    def adding(number: int) -> Callable[[int], int]:
        return compiling.jit(lambda x: x + number)

    assert content_hash(adding(1)) == content_hash(adding(1)) != content_hash(adding(2))
    source = "def run(x):\n  def inner(y): return y + LIMIT\n  return inner(x)\nLIMIT = 1"
    assert hash_of(source) != hash_of(source.replace("LIMIT = 1", "LIMIT = 2"))


def test_a_docstring_that_is_also_used_counts() -> None:
    source = 'def run(x):\n  "one"\n  return "one"'
    assert hash_of(source) != hash_of(source.replace("one", "two"))


def test_an_object_that_may_change_unseen_is_refused_with_its_name() -> None:
    names = program("def run(x): return x + THING\nTHING = object()")
    with pytest.raises(TypeError, match=r"program\.run refers to <object"):
        content_hash(names["run"])


def test_types_of_arguments_are_told_apart_by_fields_and_values() -> None:
    pairs: list[Any] = [namedtuple("Pair", fields) for fields in ("a b", "b a")]
    phases: list[Any] = [enum.IntEnum("Phase", {"BID": value}) for value in (1, 2)]
    for one, other in (
        [pair(1, 2) for pair in pairs],
        [(0.5, pair(1, 2)) for pair in pairs],
        [phase.BID for phase in phases],
    ):
        types_of: Any = numba.typeof
        assert str(types_of(one)) == str(types_of(other))
        assert signature_hash(types_of(one)) != signature_hash(types_of(other))


# ---------------------------------------------------------------------------- the files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "CACHE_FOLDER", tmp_path / "cache")
    monkeypatch.setattr(cache.progress, "_announced", True)  # says nothing
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
    cache.sweep.cache_clear()
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

    assert str(cache.CACHE_FOLDER) not in str(own.stats.cache_path)


# ---------------------------------------------------------------------------- messages


def test_compiling_is_announced_and_timed_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cache, "progress", cache._Progress())
    monkeypatch.setattr(compiling, "progress", cache.progress)
    monkeypatch.setattr(compiling, "_WARM", set())
    compiled()(1)
    compiled()(1.5)
    assert capsys.readouterr().err.splitlines() == [
        "dreamfactory-env: compiling, once; this takes a while …"
    ]
    compiling.warm_up("what is there", lambda: compiled()(1))
    assert capsys.readouterr().err == ""
    runs: list[object] = []
    for _ in range(2):
        compiling.warm_up("more", lambda: runs.append(compiled()(1j)))
    assert capsys.readouterr().err == "dreamfactory-env: compiled in 0 s, kept for next time.\n"
    assert runs == [1 + 1j]
    compiling.warm_up("and more", lambda: compiled()(True))
    assert len(capsys.readouterr().err.splitlines()) == 2


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
for function in gc.get_objects():
    if isinstance(function, Dispatcher) and "dreamfactory_env" in function.__module__:
        print(function.__module__, function.__qualname__, content_hash(function))
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
    output, messages = run(RED, package, cached)
    assert output.split() == ["1", "0"]
    assert messages == "dreamfactory-env: compiling, once; this takes a while …\n"
    assert run(RED, package, cached) == ("1 1\n", "")
    helper = package / "dreamfactory_env/games/dream_factory/state.py"
    helper.write_text(helper.read_text().replace("return tile >> 3", "return (tile >> 3) + 1"))
    assert run(RED, package, cached)[0].split() == ["0", "0"]


def test_edited_docstrings_pages_and_reports_compile_nothing(package: Path) -> None:
    cached = package / "cache"
    before = run(HASHES, package, cached)[0]
    assert before.count("\n") > 100
    run(RED, package, cached)
    for path in package.rglob("*.py"):
        edit_docstrings(path)
    with (package / "dreamfactory_env/arena/report.py").open("a") as report:
        report.write("NEW = 1\n")
    assert run(HASHES, package, cached)[0] == before
    assert run(RED, package, cached) == ("1 1\n", "")


def test_processes_that_compile_at_once_do_not_harm_the_cache(tmp_path: Path) -> None:
    processes = [start(RED, ROOT, tmp_path) for _ in range(3)]
    for process in processes:
        output, messages = process.communicate()
        assert process.returncode == 0, messages
        assert output.startswith("1 ")
    assert run(RED, ROOT, tmp_path) == ("1 1\n", "")
    assert {path.suffix for path in (tmp_path / "dreamfactory_env").iterdir()} == {".nbc"}


def test_a_home_that_cannot_be_written_still_plays() -> None:
    nowhere = ROOT / "README.md" / "below a file"
    assert run(RED, ROOT, nowhere)[0].split() == ["1", "0"]


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
