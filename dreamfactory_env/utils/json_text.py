"""JSON from a file, read as strictly as a file from anybody must be."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

#: No file of ours nests more deeply; beyond, what walks through it would fail half-way.
MAX_DEPTH = 50


def read_json(text: bytes | str) -> Any:
    """Returns what a JSON text says.

    Raises:
        ValueError: It is no JSON, or names a key twice, has a number that is not finite, or nests
            more than MAX_DEPTH levels; the message says which.
    """
    try:
        data = json.loads(
            text.decode() if isinstance(text, bytes) else text,
            object_pairs_hook=_without_doubles,
            parse_float=_finite,
            parse_constant=_refuse,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"no text in UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos}") from error
    except RecursionError as error:
        raise ValueError(f"more than {MAX_DEPTH} levels") from error
    if _is_deep(data):
        raise ValueError(f"more than {MAX_DEPTH} levels")
    return data


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r} stands there twice")
            seen.add(key)
    return data


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits[:20])


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number that is finite")


def _is_deep(data: Any) -> bool:
    """Tells whether something nests more than MAX_DEPTH levels."""
    level = [data]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += (value for value in item.values() if isinstance(value, dict | list))
            elif isinstance(item, list):
                inner += (value for value in item if isinstance(value, dict | list))
        if not inner:
            return False
        level = inner
    return True
