"""Compiled functions kept on disk, each under a hash of what was compiled.

Numba keys a cached function on its own source file: an edit of a helper in another file, or of a
constant there, would leave cached callers with the old behaviour, and an edit of a docstring
compiles anew all that stands in the same file. Here the name of a file carries the
:func:`~dreamfactory_env.engine.content_hash.content_hash` of the function. So what is found is
never stale, and processes that write the same file at once write the same content.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import re
import sys
import time
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core import sigutils
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

from dreamfactory_env.engine.content_hash import content_hash, forget, full_name, signature_hash

#: Files that were not used for so long are removed.
KEEP_SECONDS = 30 * 24 * 3600


def _cache_folder() -> Path:
    home = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return Path(home or Path.home() / ".cache") / "dreamfactory_env"


#: Where the files are. A folder that cannot be written still plays, and compiles every time.
CACHE_FOLDER = _cache_folder()


class FunctionCache:
    """Finds and keeps what is compiled of one function; takes the place of Numba's own class.

    Nothing is hashed before the first call: when a function is decorated, those further down in
    its module do not exist yet.

    Args:
        dispatcher: The function as Numba's decorator returns it.
    """

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._name = re.sub(r"[^\w.]", "", full_name(dispatcher.py_func))

    @property
    def cache_path(self) -> str:
        """The folder, for the ``stats`` of the function."""
        return str(CACHE_FOLDER)

    @functools.cached_property
    def _content(self) -> str:
        content = content_hash(self._dispatcher)
        # The linker knows a function by its name, and takes the first of two that have the same:
        # of a template bound twice, say, compiled by two processes and loaded by a third.
        function = self._dispatcher.py_func
        function.__qualname__ = f"{function.__qualname__.partition('-')[0]}-{content}"
        return content

    def _path(self, signature: Any, codegen: Any) -> Path:
        arguments, returned = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        machine = codegen.magic_tuple()  # the processor and its features
        hashed = signature_hash(self._content, tuple(arguments), returned, machine)
        return CACHE_FOLDER / f"{self._name[-100:]}-{hashed}.nbc"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Returns what was compiled for types of arguments, or None if that never was."""
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        try:
            reduced = pickle.loads(path.read_bytes())
        except (OSError, EOFError, pickle.UnpicklingError):  # not there, or cut off by a crash
            progress.announce()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return CompileResult._rebuild(target_context, *reduced)  # type: ignore[no-untyped-call]

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keeps what was compiled for types of arguments, if the folder can be written."""
        if compiled.lifted or compiled.library.has_dynamic_globals:
            reason = "it uses object mode, or a global array that is too large to copy"
            warnings.warn(f"{self._name} cannot be cached: {reason}", NumbaWarning, stacklevel=2)
            return
        path = self._path(signature, compiled.codegen)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            sweep(path.parent)
            _write(path, dumps(compiled._reduce()))  # type: ignore[no-untyped-call]

    def flush(self) -> None:
        """Looks at the function anew, before Numba compiles it again; no file is ever wrong."""
        forget()
        self.__dict__.pop("_content", None)


def _write(path: Path, data: bytes) -> None:
    """Writes aside and renames: another process finds a whole file or none."""
    aside = path.with_name(f"{uuid.uuid4().hex}.part")
    try:
        aside.write_bytes(data)
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise


@functools.cache
def sweep(folder: Path) -> None:
    """Removes the files in a folder that were not used for long, once a process."""
    oldest = time.time() - KEEP_SECONDS
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file() and path.stat().st_mtime < oldest:
                path.unlink()


class _Progress:
    """Tells whoever waits that something is compiled, and how long it took."""

    def __init__(self) -> None:
        self._compiled = 0
        self._announced = False

    def announce(self) -> None:
        """Says that something is compiled, unless that was the last thing said."""
        self._compiled += 1
        if not self._announced:
            self._announced = True
            _say("compiling, once; this takes a while …")

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Says at the end how long it took, if anything was compiled meanwhile."""
        before, start = self._compiled, time.perf_counter()
        yield
        if self._announced and self._compiled > before:
            self._announced = False
            _say(f"compiled in {time.perf_counter() - start:.0f} s, kept for next time.")


def _say(text: str) -> None:
    print(f"dreamfactory-env: {text}", file=sys.stderr, flush=True)


progress = _Progress()
