"""The folder of a run: who may write there, and lines that were written whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from dreamfactory_env.utils.errors import OptionError

try:
    import fcntl
except ImportError:  # not everywhere: then nobody is kept out
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from training in a folder; whoever dies lets go of it.

    Raises:
        OptionError: Somebody does already.
    """
    if fcntl is None:
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            told = f"the run in {folder} is being trained by another process"
            raise OptionError(f"{told}; wait for it, or stop it") from error
        yield
    finally:
        os.close(file)


def complete_lines(path: Path) -> list[str]:
    """Returns the lines of a file; a torn last one is left out. None are there without a file."""
    if not path.exists():
        return []
    *lines, _ = path.read_text("utf-8", errors="replace").split("\n")
    return lines
