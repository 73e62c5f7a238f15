"""The folder of a run: a lock for who trains there, and lines that were written whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from dreamfactory_env.utils.errors import OptionError

try:
    import fcntl
except ImportError:  # not on every system: then nothing is locked
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from training in a folder; a process that dies releases it.

    Raises:
        OptionError: Another process does already.
    """
    if fcntl is None:
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"the run in {folder} is being trained by another process"
            raise OptionError(f"{message}; wait for it, or stop it") from error
        yield
    finally:
        os.close(file)


def complete_lines(path: Path) -> list[str]:
    """Returns the lines of a file; a torn last one is left out. None are there without a file."""
    if not path.exists():
        return []
    *lines, _ = path.read_text("utf-8", errors="replace").split("\n")
    return lines
