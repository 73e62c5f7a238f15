"""Small programs as text, so that a test can edit them."""

from __future__ import annotations

import types
from typing import Any


def program(source: str, deep: int = 9) -> dict[str, Any]:
    """Returns the names of a program that also uses an attribute of a module."""
    tables = types.ModuleType("tables_of_a_test")
    vars(tables)["DEEP"] = deep
    names = {"__name__": "program", "tables": tables}
    exec(compile(source, "program.py", "exec", dont_inherit=True), names)
    return names
