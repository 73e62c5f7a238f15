"""Saved positions: what the bytes are made of, and how they are checked."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.utils.errors import SavedStateError

MAGIC = b"dreamfac"
VERSION = 1
_HEADER = struct.Struct("<8sHI")  # magic, version, length of the JSON description
_DIGEST = 16


def pack(spec: GameSpec, config: dict[str, Any], state: bytes) -> bytes:
    """Returns a position as bytes, with a version and a checksum.

    Args:
        spec: What the game is.
        config: Its options as a record writes them.
        state: The record of the position.
    """
    described = {"game": spec.name, "version": spec.version, "config": config}
    text = json.dumps(described, sort_keys=True).encode()
    body = _HEADER.pack(MAGIC, VERSION, len(text)) + text + state
    return body + hashlib.blake2b(body, digest_size=_DIGEST).digest()


def unpack(spec: GameSpec, blob: object) -> tuple[Any, bytes]:
    """Returns the options and the record of a position that :func:`pack` put into bytes.

    Raises:
        SavedStateError: They are not a whole saved position of this game and version.
    """
    if not isinstance(blob, bytes | bytearray | memoryview):
        raise SavedStateError(f"a saved position is bytes, not {type(blob).__name__}")
    blob = bytes(blob)
    if len(blob) < _HEADER.size + _DIGEST or not blob.startswith(MAGIC):
        raise SavedStateError("these bytes are not a saved position, or only a piece of one")
    body, digest = blob[:-_DIGEST], blob[-_DIGEST:]
    if hashlib.blake2b(body, digest_size=_DIGEST).digest() != digest:
        raise SavedStateError("the saved position is damaged or cut off: its checksum is wrong")
    _, version, length = _HEADER.unpack_from(body)
    if version != VERSION:
        raise SavedStateError(f"saved in format {version}; this version reads {VERSION}")
    described = json.loads(body[_HEADER.size : _HEADER.size + length])
    if (described["game"], described["version"]) != (spec.name, spec.version):
        found = f"{described['game']} {described['version']}"
        raise SavedStateError(f"a position of {found}, not of {spec.name} {spec.version}")
    return described["config"], body[_HEADER.size + length :]
