"""The examples of the docs, which are run as they stand."""

from __future__ import annotations

import re
from typing import Any

from tests.paths import ROOT


def examples(page: str, heading: str = "") -> list[str]:
    """Returns the Python examples of a page, or those under one of its headings."""
    text = (ROOT / page).read_text("utf-8")
    if heading:
        text = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def run(code: str, page: str) -> dict[str, Any]:
    """Runs an example and returns the names that it has defined."""
    names: dict[str, Any] = {"__name__": page}
    exec(compile(code, page, "exec"), names)
    return names
