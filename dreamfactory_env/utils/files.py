"""Files that are whole at every moment, whatever happens to who writes them."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

#: What is being written aside ends with this; after a kill it may be left over.
ASIDE = ".part"


def atomic_write(path: Path, data: bytes) -> None:
    """Writes a file aside and puts it in its place: there is always the old one or the new one.

    Raises:
        OSError: It cannot be written, on a full disk say; the old one is untouched.
    """
    aside = path.with_name(path.name + ASIDE)
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise
