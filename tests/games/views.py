"""What holds for the views of all games."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict


@cache
def keys_of(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def assert_is(value: Any, hint: Any, where: str) -> None:
    """Asserts that a value is of a type, down to its leaves, with just the keys it should have."""
    if is_typeddict(hint):
        assert type(value) is dict, where
        assert list(value) == list(keys_of(hint)), where
        for key, inner in keys_of(hint).items():
            assert_is(value[key], inner, f"{where}.{key}")
    elif get_origin(hint) is list:
        assert type(value) is list, where
        for item in value:
            assert_is(item, get_args(hint)[0], f"{where}[]")
    elif get_origin(hint) is dict:
        assert type(value) is dict, where
        assert {type(key) for key in value} <= {str}, where
        for item in value.values():
            assert_is(item, get_args(hint)[1], f"{where}{{}}")
    elif isinstance(hint, UnionType):
        inner, nothing = get_args(hint)
        assert nothing is NoneType
        if value is not None:
            assert_is(value, inner, where)
    else:
        assert type(value) is hint, where
