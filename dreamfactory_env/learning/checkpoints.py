"""Checkpoints that survive a crash: written aside, checked when read, the last few kept.

They hold plain data and numbers, see ``checkpoint_format``: to read one executes nothing, whoever
has written it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dreamfactory_env.learning.checkpoint_format import decode, encode
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.files import ASIDE, atomic_write

KEPT = 3
_DIGEST = 32
#: How checkpoints of older versions begin: a zip of pickles, which are never read.
PICKLED = b"PK\x03\x04"


def write_checkpoint(folder: Path, steps: int, content: dict[str, Any]) -> None:
    """Writes a checkpoint; at any moment the folder has only whole ones under their names.

    Args:
        folder: Where checkpoints are.
        steps: How far the run has come; names the file.
        content: What to keep.

    Raises:
        OSError: It cannot be written, on a full disk say; those before it are untouched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    payload = encode(content)
    digest = hashlib.blake2b(payload, digest_size=_DIGEST).digest()
    atomic_write(folder / f"{steps:012d}.checkpoint", digest + payload)
    for old in [*_newest_first(folder)[KEPT:], *folder.glob(f"*{ASIDE}")]:
        old.unlink()


def read_newest(folder: Path) -> tuple[dict[str, Any] | None, list[str]]:
    """Reads the newest checkpoint that is whole.

    Returns:
        Its content, None if there are no checkpoints; and what was wrong with newer ones.

    Raises:
        OptionError: There are some, and not one is whole.
    """
    problems = []
    for path in _newest_first(folder):
        try:
            data = path.read_bytes()
        except OSError as error:
            problems.append(f"{path.name} cannot be read: {error.strerror or error}")
            continue
        digest, payload = data[:_DIGEST], data[_DIGEST:]
        if hashlib.blake2b(payload, digest_size=_DIGEST).digest() != digest:
            problems.append(f"{path.name} is damaged")
            continue
        if payload.startswith(PICKLED):
            message = "is from before checkpoints were plain data; what it says may be code"
            problems.append(f"{path.name} {message}")
            continue
        try:
            content = decode(payload)
        except ValueError as error:
            problems.append(f"{path.name} is damaged: {error}")
            continue
        if isinstance(content, dict):
            return content, problems
        problems.append(f"{path.name} is no checkpoint")
    if problems:
        raise OptionError(f"no checkpoint in {folder} is whole: {', '.join(problems)}")
    return None, []


@contextmanager
def fitting(folder: Path) -> Iterator[None]:
    """Tells of a checkpoint that holds something else than this run needs."""
    try:
        yield
    except GameError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise OptionError(f"the checkpoint in {folder} is of something else: {reason}") from error


def _newest_first(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.checkpoint"), reverse=True)
