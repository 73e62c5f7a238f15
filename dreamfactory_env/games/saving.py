"""Saved positions: what the bytes are made of, and how they are checked.

Compiled code trusts what it plays on, so what comes from outside is checked before: the bytes here,
then the numbers (:func:`check_ranges`), then what belongs together (``Game.check_position``).
Copies of a live position are :class:`LiveBytes`, which need none of that.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from dreamfactory_env.engine.rng import SEED_BITS
from dreamfactory_env.engine.structs import SPARE, Between, Records
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.utils.errors import SavedStateError
from dreamfactory_env.utils.json_text import read_json

MAGIC = b"dreamfac"
VERSION = 1
#: The JSON description is no longer than this: as data it takes fifty times as much.
MAX_DESCRIPTION = 4 << 20
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
    if length > MAX_DESCRIPTION:
        most = f"{MAX_DESCRIPTION >> 20} MiB"
        raise SavedStateError(f"the saved position describes itself in {length} bytes, over {most}")
    return _config_of(spec, body[_HEADER.size : _HEADER.size + length]), body[
        _HEADER.size + length :
    ]


def _config_of(spec: GameSpec, text: bytes) -> Any:
    """Returns the options that the description of a saved position names.

    Raises:
        SavedStateError: It is no such description, or one of another game.
    """
    try:
        described = read_json(text)
    except ValueError as error:
        raise SavedStateError(f"the saved position does not say what it is: {error}") from error
    if not isinstance(described, dict) or sorted(described) != ["config", "game", "version"]:
        raise SavedStateError("the saved position must say its game, version and config")
    if (described["game"], described["version"]) != (spec.name, spec.version):
        found = f"{described['game']} {described['version']}"
        raise SavedStateError(f"a position of {found}, not of {spec.name} {spec.version}")
    return described["config"]


# ---------------------------------------------------------------------------- the numbers


class LiveBytes(bytes):
    """Memory that this process has copied from live games, so that it can be trusted.

    Sent elsewhere or copied by other means it becomes plain bytes, which are checked.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return bytes, (bytes(self),)


def require(holds: bool, problem: str) -> None:
    """Raises SavedStateError unless something holds."""
    if not holds:
        raise SavedStateError(f"no such position can be: {problem}")


def check_ranges(records: Records, ranges: Mapping[str, Between]) -> None:
    """Checks that every number of some records is within the range of its field.

    Args:
        records: Any number of them.
        ranges: The range of each field; what fills up a record must be 0.

    Raises:
        SavedStateError: One is not; the message names the field.
    """
    names = records.dtype.names or ()
    for name in names:
        between = Between(0, 0) if name == SPARE else ranges.get(name)
        if between is None or records[name].size == 0:
            continue
        least, most = int(np.min(records[name])), int(np.max(records[name]))
        wrong = least if least < between.low else most
        within = between.low <= least and most <= between.high
        require(within, f"{name} is {wrong}, not from {between.low} to {between.high}")


def read_state(game: Any, state: object) -> Records:
    """Returns the state, shape (1,), that bytes from outside hold.

    Args:
        game: A ``Game`` with the options; it is not changed.
        state: The bytes of its ``states``.

    Raises:
        SavedStateError: They are no position of a game with these options.
    """
    expected = game.states.nbytes
    if not isinstance(state, bytes) or len(state) != expected:
        found = f"{len(state)} bytes" if isinstance(state, bytes) else type(state).__name__
        raise SavedStateError(f"{found} of state; there should be {expected} bytes")
    other = game.copy()
    other.states = np.frombuffer(bytearray(state), game.states.dtype)
    check_saved(other)
    states: Records = other.states
    return states


def check_saved(game: Any) -> None:
    """Checks a position that was written from outside, before compiled code plays on it.

    Args:
        game: A ``Game``, whose module imports this one.

    Raises:
        SavedStateError: It cannot be one of a game with these options.
    """
    check_ranges(game.states, game.state_ranges)
    players, seat = int(game.states["players"][0]), int(game.states["to_move"][0])
    require(players == game.players, f"{players} players in a game of {game.players}")
    require(0 <= seat < players, f"player {seat} of {players} is to move")
    seed = game.seed
    require(seed is None or seed <= int(SEED_BITS), f"its seed is {seed}")
    game.check_position()
    require(game.legal_count() > 0 or game.phase == "over", "nobody can move")
    if seed is not None:
        same = game.deal(seed).setup() == game.setup()
        require(same, f"its set-up is not the one that seed {seed} deals")
