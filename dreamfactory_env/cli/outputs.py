"""Where results will go, looked at before anything slow begins."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from dreamfactory_env.utils.errors import OptionError

Wait = Annotated[
    bool,
    typer.Option("--wait", help="Wait for another process that writes there, do not refuse."),
]


def check_output(path: Path, *, folder: bool = False) -> None:
    """Checks that a file, or files in a folder, can be written; changes nothing.

    Args:
        path: It need not exist, nor those above it.
        folder: Whether it is a folder.

    Raises:
        OptionError: It cannot be written.
    """
    try:
        _try(path, folder)
    except (OSError, ValueError) as error:  # a name with a zero in it is no OSError
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"{path} cannot be written: {reason}") from error


def _try(path: Path, folder: bool) -> None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        place = next(parent for parent in path.absolute().parents if parent.exists())
        _write_in(place)
        return
    if folder:
        _write_in(path)
    elif stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    elif stat.S_ISREG(mode):  # a pipe would wait for who reads it
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
        _write_in(path.parent)  # the new file may be written aside at first


def _write_in(folder: Path) -> None:
    """Writes a byte, which a full disk does not take, into a file that is gone again."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(b"\n")
