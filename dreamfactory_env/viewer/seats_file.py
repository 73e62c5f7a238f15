"""What stands beside the record of a game in play: who may sit where, and how it is played.

It is no part of the record, which may be given away. The file is for its owner alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.viewer.security import new_token

FORMAT = "dreamfactory-seats/1"
#: A larger file is none of ours.
MAX_BYTES = 64 << 10


class Seats(NamedTuple):
    """Who may sit where.

    Attributes:
        tokens: What lets a person sit at a seat; empty for that of a policy.
        take_back: Whether moves may be taken back.
        hints: Whether people may ask a judge.
    """

    tokens: list[str]
    take_back: bool
    hints: bool


def seats_path(record: Path) -> Path:
    """Returns the file beside a record."""
    return record.with_name(f".{record.name}.seats")


def write_seats(record: Path, seats: Seats) -> None:
    """Writes the file beside a record.

    Raises:
        OptionError: It cannot be written.
    """
    path = seats_path(record)
    write_file(path, json.dumps({"format": FORMAT, **seats._asdict()}).encode(), private=True)


def read_seats(record: Path, players: int) -> Seats:
    """Returns who may sit where; new seats if nothing, or nothing right, stands beside a record."""
    new = Seats([""] * players, False, False)
    try:
        with seats_path(record).open("rb") as file:
            found = read_json(file.read(MAX_BYTES))
        seats = Seats(found["tokens"], found["take_back"], found["hints"])
        right = (
            found["format"] == FORMAT
            and [type(seats.take_back), type(seats.hints)] == [bool, bool]
            and [type(token) for token in seats.tokens] == [str] * players
            and all(len(token) in (0, len(new_token())) for token in seats.tokens)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return new
    return seats if right else new


def write_file(path: Path, data: bytes, *, private: bool = False) -> None:
    """Writes a file as a whole.

    Args:
        path: The file.
        data: What it holds.
        private: Whether nobody but its owner may read it.

    Raises:
        OptionError: It cannot be written; the old one is whole.
    """
    try:
        atomic_write(path, data, private=private)
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror or error}") from error
