"""Files that are whole at every moment, whatever happens to who writes them."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

#: What is being written aside ends with this; after a kill it may be left over.
ASIDE = ".part"


def atomic_write(path: Path, data: bytes, *, private: bool = False) -> None:
    """Writes a file aside and puts it in its place: there is always the old one or the new one.

    Args:
        path: The file.
        data: What it holds.
        private: Whether nobody but its owner may read it.

    Raises:
        OSError: It cannot be written, on a full disk say; the old one is untouched.
    """
    aside = path.with_name(path.name + ASIDE)
    try:
        if private:  # before there is anything in it
            aside.unlink(missing_ok=True)
            aside.touch(mode=0o600, exist_ok=False)
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise
