"""CONTRIBUTING tells of the packages and of how a game is added; both are as it says."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields

from dreamfactory_env.engine.contract import CONTRACT, GameKernels
from dreamfactory_env.games.game import Game
from tests.paths import ROOT
from tests.toy_game import SignalGame

WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def section(title: str) -> str:
    """Returns a section of the page."""
    return TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_the_map_has_every_package_and_nothing_else() -> None:
    named = re.findall(r"^      (\w+)/ ", section("Where things are"), re.MULTILINE)
    folders = [path.parent.name for path in (ROOT / "dreamfactory_env").glob("*/__init__.py")]
    assert sorted(named) == sorted(folders)
    top = re.findall(r"^    (\w+)/ ", section("Where things are"), re.MULTILINE)
    assert all((ROOT / folder).is_dir() for folder in top)


def test_the_code_of_the_example_is_that_of_the_toy_game() -> None:
    paths = [*(ROOT / "tests/toy_game").glob("*.py"), ROOT / "tests/testing/test_checks.py"]
    sources = [path.read_text("utf-8") for path in paths]
    blocks = re.findall(r"```python\n(.*?)```", section("How to add a game"), re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        assert any(block in source for source in sources), block


def rows_of(heading: str) -> set[str]:
    """Returns the names in the first column of a table of the section, by what stands before it."""
    table = section("How to add a game").partition(heading)[2].partition("\n\n")[2]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", table.partition("\n\n")[0], re.MULTILINE)
    return {name for row in rows for name in re.findall(r"\w+", row)}


def test_the_example_names_every_function_and_method_that_a_game_brings() -> None:
    functions = {function.__name__ for function in CONTRACT}
    required = {f.name for f in fields(GameKernels) if f.default is f.default_factory is MISSING}
    assert required <= functions
    assert rows_of(f"{WORDS[len(required)].title()} must be there:") == required
    assert rows_of("The others have defaults:") == functions - required
    methods = set(Game.__abstractmethods__)
    assert rows_of(f"adds {WORDS[len(methods)]} methods:") == methods


def test_what_the_example_leaves_out_has_a_default_that_it_uses() -> None:
    for name in ("configure", "blank", "setup", "load_setup", "phase", "result"):
        assert getattr(SignalGame, name) is getattr(Game, name), name
        assert f"`{name}`" in section("How to add a game")
