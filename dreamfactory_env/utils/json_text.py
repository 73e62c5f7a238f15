"""JSON from a file, read as strictly as a file from anybody must be."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

import numpy as np

#: No file of ours nests more deeply; beyond, what walks through it would fail half-way.
MAX_DEPTH = 50
#: A text in quotes; one that never ends goes to the end, so that none is looked for twice.
_QUOTED = re.compile(rb'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)', re.DOTALL)


def read_json(text: bytes | str) -> Any:
    """Returns what a JSON text says.

    Raises:
        ValueError: It is no JSON, or names a key twice, has a number that is not finite, or nests
            more than MAX_DEPTH levels; the message says which.
    """
    encoded = text.encode() if isinstance(text, str) else bytes(text)
    # Before anything is made of it: a few megabytes of brackets are a gigabyte of lists.
    if _levels(encoded) > MAX_DEPTH:
        raise ValueError(f"more than {MAX_DEPTH} levels")
    try:
        decoded = encoded.decode()
        if decoded.startswith("\ufeff"):
            raise ValueError("a byte order mark stands before the text")
        return _DECODER.decode(decoded)
    except UnicodeDecodeError as error:
        raise ValueError(f"no text in UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos}") from error


def _levels(text: bytes) -> int:
    """Returns how deeply brackets nest, or a bound of it; at least up to where it is no JSON."""
    if (opened := text.count(b"[") + text.count(b"{")) <= MAX_DEPTH:
        return opened  # as if each stood in the one before, which is enough for short texts
    marks = np.frombuffer(_QUOTED.sub(b"", text), np.uint8)
    opening = (marks == ord("[")) | (marks == ord("{"))
    closing = (marks == ord("]")) | (marks == ord("}"))
    return int(np.cumsum(opening.astype(np.int8) - closing, dtype=np.int32).max(initial=0))


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


#: Made once: a list of games reads twenty thousand texts.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_doubles, parse_float=_finite, parse_constant=_refuse
)
