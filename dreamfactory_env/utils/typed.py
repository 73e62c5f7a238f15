"""Data of a file compared with the types that declare it: TypedDict, list, dict, numbers, texts."""

from __future__ import annotations

import types
import typing
from typing import Any

from dreamfactory_env.utils.validation import did_you_mean, shown
from dreamfactory_env.utils.yaml_lines import Document
from dreamfactory_env.utils.yaml_lines import Path as Key

#: Larger numbers are not exact as floats, and none of ours is nearly as large.
MAX_NUMBER = 2**53
#: A text that is shown somewhere is not longer.
MAX_TEXT = 10_000
IN_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def check_typed(document: Document, hint: Any, value: Any, key: Key = ()) -> None:
    """Reports everything in a value that is not as its type says.

    Args:
        document: Where it is reported.
        hint: The type: a TypedDict, ``list[…]``, ``dict[str, …]``, ``… | None``, bool, int, float,
            str or Any. A number must be finite, a text printable; keys that are not required may be
            missing, and none may be unknown.
        value: What a file says.
        key: Where the value stands in it.
    """
    origin = typing.get_origin(hint)
    if origin in (typing.NotRequired, typing.Required):
        (hint,) = typing.get_args(hint)
        origin = typing.get_origin(hint)
    if hint is Any:
        return
    if origin in (types.UnionType, typing.Union):
        kinds = [kind for kind in typing.get_args(hint) if kind is not types.NoneType]
        if value is not None:
            check_typed(document, kinds[0], value, key)
    elif typing.is_typeddict(hint):
        _check_typeddict(document, hint, value, key)
    elif origin is list:
        if not isinstance(value, list):
            document.report(key, f"must be a list, not {shown(value)}")
            return
        (inner,) = typing.get_args(hint)
        for place, item in enumerate(value):
            check_typed(document, inner, item, (*key, place))
    elif origin is dict:
        if not isinstance(value, dict):
            document.report(key, f"must be an object, not {shown(value)}")
            return
        _, inner = typing.get_args(hint)
        for name, item in value.items():
            check_typed(document, str, name, key)
            check_typed(document, inner, item, (*key, str(name)))
    elif not _is_plain(hint, value):
        document.report(key, f"must be {IN_WORDS[hint]}, not {shown(value)}")


def _check_typeddict(document: Document, hint: Any, value: Any, key: Key) -> None:
    if not isinstance(value, dict):
        document.report(key, f"must be an object, not {shown(value)}")
        return
    hints = typing.get_type_hints(hint, include_extras=True)
    for name in value:
        if name not in hints:
            known, near = ", ".join(hints), did_you_mean(str(name), hints)
            document.report(key, f"unknown key {shown(name)}; known are {known}{near}")
    for name, inner in hints.items():
        if name in value:
            check_typed(document, inner, value[name], (*key, name))
        elif name in hint.__required_keys__ and typing.get_origin(inner) is not typing.NotRequired:
            document.report(key, f"{name!r} is missing")


def _is_plain(hint: Any, value: Any) -> bool:
    """Tells whether a value is a number, a text or a truth value as it should be."""
    if hint is str:
        return isinstance(value, str) and value.isprintable() and len(value) <= MAX_TEXT
    if isinstance(value, bool) or hint is bool:
        return isinstance(value, bool) and hint is bool
    kinds = (int, float) if hint is float else int
    return isinstance(value, kinds) and abs(value) <= MAX_NUMBER  # which no number at all is not
