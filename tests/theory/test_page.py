"""docs/theory.md says what is true."""

from __future__ import annotations

import re

from tests.paths import DOCS

PAGE = DOCS / "dream_factory/theory.md"


def test_the_example_runs_as_it_stands() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(code, PAGE.name, "exec"), {})
