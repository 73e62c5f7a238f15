"""Every promise of the page has a test that is there."""

from __future__ import annotations

import re

from tests.paths import DOCS

PAGE = DOCS / "promises.md"
TEST = re.compile(r"\[`(test_\w+)`\]\(([^)]+)\)")


def test_every_test_that_is_named_is_there() -> None:
    named = TEST.findall(PAGE.read_text("utf-8"))
    assert len(named) > 30
    for name, target in named:
        source = (PAGE.parent / target).read_text("utf-8")
        assert f"def {name}(" in source, name


def test_every_promise_and_every_limit_names_one() -> None:
    text = PAGE.read_text("utf-8")
    tables = re.findall(r"^\|.*held by \|\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert len(tables) == 4
    for row in "".join(tables).splitlines():
        assert TEST.search(row), row
