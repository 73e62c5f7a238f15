"""Damage of every kind: to bytes, and to the data that JSON and YAML stand for."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import yaml
import zstandard

Rng = random.Random

#: What stands where something else should.
STRANGE: list[Any] = [
    None, True, False, 0, 1, -1, 2, 5, 12, 127, 255, 2**31, 2**63, 2**64, -(2**63), 2**70, 10**40,
    0.5, -0.0, 1e308, 1e-308, float("inf"), float("nan"), "", " ", "0", "random", "sys:exit",
    "os:abort", "a" * 5000, "\x1b]0;x\x07", "\u202e", "\x00", "é", "日本", "../../etc/passwd",
    "__class__", "{0.__class__}", "<script>", [], {}, [[]], [None], {"": None}, ["random"] * 500,
]  # fmt: skip


def strange(rng: Rng) -> Any:
    """Returns something strange of its own: what is done to it later is done to nothing else."""
    return copy.deepcopy(rng.choice(STRANGE))


def nested(depth: int) -> Any:
    """Returns lists within one another."""
    inner: Any = []
    for _ in range(depth):
        inner = [inner]
    return inner


# ---------------------------------------------------------------------------- bytes


def flip_bits(data: bytes, rng: Rng) -> bytes:
    """Flips a few bits."""
    broken = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if broken:
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
    return bytes(broken)


def set_bytes(data: bytes, rng: Rng) -> bytes:
    """Puts other bytes in the place of a few."""
    broken = bytearray(data)
    for _ in range(rng.choice((1, 2, 4))):
        if broken:
            broken[rng.randrange(len(broken))] = rng.choice((0, 10, 34, 127, 128, 255))
    return bytes(broken)


def cut(data: bytes, rng: Rng) -> bytes:
    """Takes away the end, the beginning or a piece."""
    if not data:
        return data
    first, second = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return rng.choice((data[:first], data[first:], data[:first] + data[second:]))


def double(data: bytes, rng: Rng) -> bytes:
    """Repeats a piece."""
    first, second = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    times = rng.choice((1, 2, 50)) if second - first < 2000 else 1
    return data[:second] + data[first:second] * times + data[second:]


def insert(data: bytes, rng: Rng) -> bytes:
    """Puts something between."""
    at = rng.randrange(len(data) + 1)
    garbage = rng.choice(
        (rng.randbytes(rng.randrange(1, 40)), bytes(64), b"\xff" * 8, b"[" * 3000, b"\n", b"\r\n")
    )
    return data[:at] + garbage + data[at:]


BYTE_DAMAGE: list[Callable[[bytes, Rng], bytes]] = [flip_bits, set_bytes, cut, double, insert]


def damage_bytes(data: bytes, rng: Rng) -> bytes:
    """Returns bytes with damage of some kind."""
    return rng.choice(BYTE_DAMAGE)(data, rng)


# ---------------------------------------------------------------------------- data


def _places(data: Any, found: list[tuple[Any, Any]], depth: int = 0) -> list[tuple[Any, Any]]:
    """Returns every place in data that is not too deep, as a container and a key."""
    keys: Any = list(data) if isinstance(data, dict) else ()
    if isinstance(data, list):
        keys = range(len(data))
    for key in keys if depth < 20 else ():
        found.append((data, key))
        _places(data[key], found, depth + 1)
    return found


def damage_data(data: Any, rng: Rng) -> Any:
    """Returns a copy of plain data with something in it replaced, removed, renamed or repeated."""
    data = json.loads(json.dumps(data))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = _places(data, [])
        if not places:
            return strange(rng)
        inside, key = rng.choice(places)
        kind = rng.randrange(8)
        if kind <= 2:
            inside[key] = strange(rng)
        elif kind == 3:
            del inside[key]
        elif kind == 4:
            other, where = rng.choice(places)
            if where in other if isinstance(other, dict) else where < len(other):
                inside[key] = json.loads(json.dumps(other[where]))
        elif kind == 5 and isinstance(inside, dict):
            inside[rng.choice(("x", "", "\x1b[2J", str(key).upper(), "game"))] = inside.pop(key)
        elif kind == 6:
            inside[key] = nested(rng.choice((3, 45, 60, 850)))
        elif isinstance(inside, list):
            inside += [inside[key]] * rng.choice((1, 1, 2, 2, 2, 100, 100, 1000, 8000))
        elif isinstance(inside[key], int) and not isinstance(inside[key], bool):
            inside[key] += rng.choice((-1, 1, 100))
        else:
            inside[key] = [inside[key]]
    return data


def as_json(data: Any, rng: Rng) -> bytes:
    """Returns data as JSON, at times with a key that stands twice."""
    text = json.dumps(data)
    if isinstance(data, dict) and data and rng.random() < 0.1:
        key = rng.choice(list(data))
        text = f"{{{json.dumps(key)}: {json.dumps(rng.choice(STRANGE))}, {text[1:]}"
    return text.encode()


def as_yaml(data: Any, rng: Rng) -> bytes:
    """Returns data as YAML, at times with anchors that stand for billions."""
    if rng.random() < 0.02:
        rows = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
        rows += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 8)}]" for k in range(1, 12)]
        return "\n".join(rows).encode()
    try:
        return yaml.safe_dump(data, sort_keys=False, allow_unicode=True).encode()
    except (yaml.YAMLError, RecursionError):
        return json.dumps(data).encode()


def bomb(rng: Rng) -> bytes:
    """Returns a compressed file that stands for much more, or looks like many frames."""
    magic = zstandard.MAGIC_NUMBER.to_bytes(4, "little")
    if rng.random() < 0.3:
        return magic * rng.choice((10, 1000, 20_000))
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    pieces = (bytes(1 << 20), b"\n" * (1 << 20), b"[" * (1 << 20), b'{"a":' * 200_000)
    piece = rng.choice(pieces)
    packed = b"".join(packer.compress(piece) for _ in range(rng.choice((20, 200)))) + packer.flush()
    return packed * rng.choice((1, 1, 3))
