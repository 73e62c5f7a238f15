"""The files of the compile cache: where they are, and where else if they cannot be there.

A full disk, a quota, a read-only file system or a home that belongs to somebody else must never
stop a game. The first folder is the one that users know; the second is in the folder for temporary
files, and is used as soon as the first cannot be written. What was kept is found in both.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

#: Files that were not used for so long are removed.
KEEP_SECONDS = 30 * 24 * 3600
#: Of the files that hold a compiled function.
SUFFIX = ".nbc"


def home_folder() -> Path | None:
    """Returns the folder that users know, None for a user without a home."""
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "dreamfactory_env"
    except RuntimeError:  # a container may run under the number of no user
        return None


def temporary_folder() -> Path:
    """Returns the folder that takes the place of one that cannot be written."""
    if os.name != "posix":
        return Path(tempfile.gettempdir()) / "dreamfactory_env"  # each user has an own one
    # Not gettempdir(), which may also be the working directory.
    return Path(os.environ.get("TMPDIR") or "/tmp") / f"dreamfactory_env-{os.getuid()}"


class CacheFiles:
    """Files that are written to the first of two folders that can be, and read from both.

    Attributes:
        problems: What stood in the way of each folder that cannot be written, in words.

    Args:
        home: The folder that users know, if there is one.
        temporary: The one for when that cannot be written. It is in a place where everybody
            writes, and files hold machine code: it counts only if it belongs to this user alone.
    """

    def __init__(self, home: Path | None, temporary: Path | None = None) -> None:
        self._temporary = temporary
        self.folders = tuple(each for each in (home, temporary) if each is not None)
        self.problems: dict[Path, str] = {}
        self._swept: set[Path] = set()

    @property
    def folder(self) -> Path | None:
        """Where the next file goes, None if no folder can be written."""
        return next((each for each in self.folders if each not in self.problems), None)

    def where(self) -> str:
        """Returns in words where files are kept, and what stood in the way of a better place."""
        problems = [f"{path} cannot be written ({why})" for path, why in self.problems.items()]
        because = f", because {' and '.join(problems)}" if problems else ""
        return f"{f'kept in {self.folder}' if self.folder else 'not kept'}{because}"

    def read(self, name: str) -> bytes | None:
        """Returns what a file holds, None if it is nowhere; makes it young."""
        for folder in filter(self._is_trusted, self.folders):
            with contextlib.suppress(OSError):
                data = (folder / name).read_bytes()
                with contextlib.suppress(OSError):
                    os.utime(folder / name)
                return data
        return None

    def write(self, name: str, data: bytes) -> bool:
        """Writes a file; tells whether that was possible anywhere.

        It is written aside and renamed: another process finds a whole file or none.
        """

        def write_in(folder: Path) -> bool:
            aside = folder / f"{uuid.uuid4().hex}.part"
            try:
                aside.write_bytes(data)
                aside.replace(folder / name)
            except OSError:
                aside.unlink(missing_ok=True)
                raise
            return True

        return self._in_some_folder(write_in) or False

    def claim(self, name: str, seconds: float) -> bool:
        """Makes a mark; tells whether none of that name was made or touched in the last seconds.

        Of several processes that call this at once, one is told so. If nothing can be written,
        all are.
        """

        def claim_in(folder: Path) -> bool:
            path = folder / name
            with contextlib.suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime < seconds:
                    return False
                path.unlink()
            try:
                with path.open("xb") as file:
                    file.write(b"\n")  # a full disk may still take an empty file
            except FileExistsError:
                return False
            except OSError:
                path.unlink(missing_ok=True)
                raise
            return True

        answer = self._in_some_folder(claim_in)
        return True if answer is None else answer

    def touch(self, name: str) -> None:
        """Makes a mark young."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                os.utime(self.folder / name)

    def _in_some_folder(self, act: Callable[[Path], bool]) -> bool | None:
        """Does something in the first folder that it works in; None if it works in none."""
        while (folder := self.folder) is not None:
            try:
                if folder == self._temporary:
                    folder.mkdir(mode=0o700, exist_ok=True)
                folder.mkdir(parents=True, exist_ok=True)
                if not self._is_trusted(folder):
                    raise PermissionError(0, "somebody else may write there")
                self._sweep(folder)
                return act(folder)
            except OSError as error:
                self.problems[folder] = error.strerror or str(error)
        return None

    def _is_trusted(self, folder: Path) -> bool:
        """Tells whether nobody else can have put a file into a folder for temporary files."""
        if folder != self._temporary or os.name != "posix":
            return True
        try:
            found = folder.lstat()
        except OSError:
            return False
        others_write = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not others_write

    def _sweep(self, folder: Path) -> None:
        """Removes the files in a folder that were not used for long, once a process."""
        if folder in self._swept:
            return
        self._swept.add(folder)
        oldest = time.time() - KEEP_SECONDS
        for path in folder.rglob("*"):
            with contextlib.suppress(OSError):
                if path.is_file() and path.stat().st_mtime < oldest:
                    path.unlink()

    def functions(self) -> Iterator[os.stat_result]:
        """Gives the size and the times of each compiled function that is kept."""
        for folder in filter(self._is_trusted, self.folders):
            for path in folder.glob(f"*{SUFFIX}"):
                with contextlib.suppress(OSError):
                    yield path.stat()
