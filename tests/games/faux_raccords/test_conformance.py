"""Every rule has its tests, and no test cites a rule that there is not."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

RULES = [f"F{number}" for number in range(1, 29)]


def rules_of(test: ast.FunctionDef) -> list[str]:
    """Returns the numbers in the ``@pytest.mark.rule(...)`` of a test."""
    return [
        str(ast.literal_eval(argument))
        for decorator in test.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"
        for argument in decorator.args
    ]


def cited() -> Counter[str]:
    """Returns how many tests cite each rule."""
    found: Counter[str] = Counter()
    for path in sorted(Path(__file__).parent.glob("test_rules_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbers = rules_of(node)
                assert numbers, f"{path.name}: {node.name} cites no rule"
                found.update(numbers)
    return found


def test_every_rule_has_a_test() -> None:
    assert [rule for rule in RULES if rule not in cited()] == []


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    assert set(cited()) <= set(RULES)
