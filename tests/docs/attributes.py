"""What the docstrings of classes say of their attributes."""

from __future__ import annotations

import inspect
import re
from typing import Any


def attributes_of(kind: Any) -> tuple[str, dict[str, str]]:
    """Returns what a docstring says before its attributes, and of each of them on one line."""
    says, _, attributes = inspect.cleandoc(kind.__doc__).partition("\n\nAttributes:\n")
    meanings = re.findall(r"^    (\w+): (.*(?:\n      .*)*)", attributes, re.MULTILINE)
    return says, {name: " ".join(words.split()).replace("``", "`") for name, words in meanings}
