"""HTML made so that whatever is not HTML already is escaped: the only way that pages are made."""

from __future__ import annotations

import string
from collections.abc import Iterable
from html import escape
from typing import Any, LiteralString


class Html(str):
    """Text that is HTML; every other text becomes one by being escaped."""

    __slots__ = ()


class _Escaping(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        return value if isinstance(value, Html) else escape(format(value, spec))


def html(template: LiteralString, /, **values: object) -> Html:
    """Returns a template with values in its places; those that are no HTML are escaped.

    Args:
        template: As ``str.format`` takes it. It is written here, and never comes from data.
        **values: Text, numbers or HTML, by the names of their places.
    """
    return Html(_Escaping().vformat(template, (), values))


def join(parts: Iterable[str]) -> Html:
    """Returns parts one after another; those that are no HTML are escaped."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))
