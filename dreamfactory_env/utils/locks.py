"""Locks on files and folders that grow: two who write into one would spoil it for both."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from dreamfactory_env.utils.errors import OptionError

try:
    import fcntl
except ImportError:  # not on every system: then nothing is locked
    fcntl = None  # type: ignore[assignment]

#: How often a lock that is waited for is tried, in seconds.
GLANCE = 0.2
#: Of who holds a lock its file says no more than this; whatever else stands there is not ours.
MAX_HOLDER = 200


class Lock:
    """Keeps other processes from writing a file, or into a folder, until it is released.

    Beside the file, or in the folder, stands a hidden file that says who holds the lock. A process
    that dies, however it dies, has released it.

    Args:
        path: The file, which need not be there, or the folder, which must be.
        folder: Whether it is a folder.
        wait: Wait until nobody else holds it, instead of refusing.

    Raises:
        OptionError: Another process holds it, or there cannot be one.
    """

    def __init__(self, path: Path, *, folder: bool = False, wait: bool = False) -> None:
        self._beside = path / ".lock" if folder else path.with_name(f".{path.name}.lock")
        self._file: IO[bytes] | None = None
        try:
            self._beside.parent.mkdir(parents=True, exist_ok=True)
            while fcntl is not None and not self._take():
                if not wait:
                    self._refuse(path)
                time.sleep(GLANCE)
        except OSError as error:
            raise OptionError(f"{path} cannot be written: {error.strerror or error}") from error

    def _take(self) -> bool:
        """Takes the lock if nobody has it; returns whether it is ours."""
        file = self._beside.open("a+b", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        except OSError:  # a file system without locks
            file.close()
            return True
        # Who held it before may have removed the file since we have opened it.
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(self._beside.stat(), os.fstat(file.fileno())):
                self._file = file
                with contextlib.suppress(OSError):  # a full disk has no room for our name
                    file.truncate(0)
                    file.write(f"process {os.getpid()} on {socket.gethostname()}".encode())
                return True
        file.close()
        return self._take()

    def _refuse(self, path: Path) -> None:
        holder = ""
        with contextlib.suppress(OSError), self._beside.open("rb") as file:
            holder = file.read(MAX_HOLDER).decode(errors="replace")
        who = holder if holder.startswith("process ") else "another process"
        raise OptionError(f"{path} is being written by {who}; wait for it, or stop it")

    def release(self) -> None:
        """Lets others have it."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._beside.unlink()
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
