"""CONTRIBUTING tells of the packages and of how a game is added; both are as it says."""

from __future__ import annotations

import re

from dreamfactory_env.engine.contract import CONTRACT
from dreamfactory_env.games.game import Game
from tests.paths import ROOT

WORDS = {6: "six", 7: "seven", 8: "eight", 9: "nine"}
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
    assert len(blocks) == 4
    for block in blocks:
        assert any(block in source for source in sources), block


def test_the_example_names_every_function_and_method_that_a_game_brings() -> None:
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", section("How to add a game"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"\w+", row)}
    functions = {function.__name__ for function in CONTRACT} - {"observe_cached"}
    assert named == functions | Game.__abstractmethods__
    assert f"adds {WORDS[len(Game.__abstractmethods__)]} methods" in TEXT
