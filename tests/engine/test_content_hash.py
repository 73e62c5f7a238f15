"""The hash of a compiled function follows what is compiled, and nothing else."""

from __future__ import annotations

import enum
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from dreamfactory_env.engine import compiling
from dreamfactory_env.engine.content_hash import content_hash, signature_hash
from tests.engine.program import program

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
