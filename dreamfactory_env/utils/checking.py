"""Values of a file, read one by one: what is wrong is reported, and a stand-in goes on."""

from __future__ import annotations

import re
from typing import Any

from dreamfactory_env.utils.validation import did_you_mean, shown
from dreamfactory_env.utils.yaml_lines import Document
from dreamfactory_env.utils.yaml_lines import Path as Key

#: Stands for what a file does not say; that has been reported, or it may be absent.
MISSING: Any = object()
#: Stand for values that are wrong and have been reported, so that nothing is built on them.
WRONG, WRONG_WORD = -99, ""


class Checker:
    """Reads values of a document and reports every mistake to it.

    Each method returns a stand-in for what is MISSING without a word, for what is wrong with a
    report.
    """

    def __init__(self, document: Document) -> None:
        self.report = document.report
        self.problems = document.problems
        self.data = document.data

    def any_mapping(self, data: Any, key: Key) -> dict[Any, Any]:
        """Returns a mapping with any keys."""
        if isinstance(data, dict) and data:
            return data
        if data is not MISSING:
            self.report(key, f"must be a mapping with something in it, not {shown(data)}")
        return {}

    def mapping(
        self, data: Any, key: Key, known: list[str], optional: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Returns the value of every known key, MISSING where there is none."""
        entries = self.any_mapping(data, key)
        for name in entries:
            if name not in known:
                hint = did_you_mean(str(name), known)
                problem = f"unknown key {shown(name)}; known are {', '.join(known)}{hint}"
                self.report((*key, str(name)), problem)
        for name in known:
            if entries and name not in entries and name not in optional:
                self.report(key, f"{name!r} is missing")
        return {name: entries.get(name, MISSING) for name in known}

    def sequence(self, data: Any, key: Key) -> list[Any]:
        """Returns a list."""
        if isinstance(data, list) and data:
            return data
        if data is not MISSING:
            self.report(key, f"must be a list with something in it, not {shown(data)}")
        return []

    def text(self, data: Any, key: Key) -> str:
        """Returns a text that is not empty."""
        plain = isinstance(data, str) and data == " ".join(data.split()) and data.isprintable()
        if plain and data:
            return str(data)
        if data is not MISSING:
            problem = f"must be one line of text without blanks around it, not {shown(data)}"
            self.report(key, problem)
        return WRONG_WORD

    def one_of(self, data: Any, known: list[str], key: Key) -> str:
        """Returns one of the words that are known."""
        if isinstance(data, str) and data in known:
            return data
        if data is not MISSING:
            hint = did_you_mean(data, known) if isinstance(data, str) else ""
            self.report(key, f"must be one of {', '.join(known)}, not {shown(data)}{hint}")
        return WRONG_WORD

    def number(self, data: Any, low: int, high: int, key: Key, what: str) -> int:
        """Returns a whole number within its range."""
        # A record is JSON, where the keys of a mapping are texts; a number may be a text in YAML.
        if isinstance(data, str) and re.fullmatch(r"0|-?[1-9][0-9]{0,3}", data):
            data = int(data)
        if isinstance(data, int) and not isinstance(data, bool) and low <= data <= high:
            return data
        if data is not MISSING:
            problem = f"must be a whole number from {low} to {high}, not {shown(data)}"
            self.report(key, f"{what}: {problem}")
        return WRONG
