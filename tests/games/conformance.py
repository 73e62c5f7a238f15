"""The conformance page of a game: which tests hold which rule."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

from tests.paths import DOCS

TESTS = Path(__file__).parent

HEAD = """# Which tests hold which rule

Made from the tests by `make docs`; a rule without a test fails `make test`. The rules are
those of [the rules page](rules.md). *Rulebook* means that the rulebooks say it; *ruling* that at
least a part of it is our answer to a question that they leave open.

{besides}| rule | source | tests |
|---|---|---|
"""


class Rule(NamedTuple):
    """A rule of the rules page."""

    number: str
    title: str
    ruling: bool


def read_rules(game: str) -> list[Rule]:
    """Returns the rules of the rules page of a game, in its order."""
    found = []
    for paragraph in (DOCS / game / "rules.md").read_text("utf-8").split("\n\n"):
        if match := re.match(r"\*\*([A-Z]\d+) · (.+?)\.\*\*", paragraph.replace("\n", " ")):
            found.append(Rule(match[1], match[2], "*Ruling:*" in paragraph))
    return found


def read_tests(game: str) -> dict[str, list[tuple[str, str]]]:
    """Returns the tests of a game that are marked with each rule, as file and name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((TESTS / game).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in _rules_of(node):
                    found.setdefault(number, []).append((path.name, node.name))
    return found


def _rules_of(test: ast.FunctionDef) -> list[str]:
    """Returns the numbers in the ``@pytest.mark.rule(...)`` of a test."""
    return [
        str(ast.literal_eval(argument))
        for decorator in test.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"
        for argument in decorator.args
    ]


def page(game: str, besides: str = "") -> str:
    """Returns the conformance page.

    Args:
        game: The name of the game, and of its folders.
        besides: What else holds the rules, a paragraph before the table.
    """
    tests = read_tests(game)
    folder = f"../../tests/games/{game}"  # seen from the page
    rows = []
    for rule in read_rules(game):
        names = "<br>".join(
            f"[{name.removeprefix('test_').replace('_', ' ')}]({folder}/{file})"
            for file, name in tests.get(rule.number, [])
        )
        source = "ruling" if rule.ruling else "rulebook"
        rows.append(f"| **{rule.number}** {rule.title} | {source} | {names} |\n")
    return HEAD.format(besides=f"{besides}\n\n" if besides else "") + "".join(rows)
