"""Compiled functions kept on disk, each under a hash of what was compiled.

Numba keys a cached function on its own source file: an edit of a helper in another file, or of a
constant there, would leave cached callers with the old behaviour, and an edit of a docstring
compiles anew all that stands in the same file. Here the name of a file carries the
:func:`~dreamfactory_env.engine.content_hash.content_hash` of the function. So what is found is
never stale, and processes that write the same file at once write the same content.
"""

from __future__ import annotations

import functools
import pickle
import re
import warnings
from typing import Any

from numba.core import sigutils
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

from dreamfactory_env.engine.cache_files import (
    SUFFIX,
    CacheFiles,
    home_folder,
    temporary_folder,
)
from dreamfactory_env.engine.compile_watch import CompileWatch
from dreamfactory_env.engine.content_hash import content_hash, forget, full_name, signature_hash

#: Where the files are. If nothing can be written, games are still played, and compiled each time.
files = CacheFiles(home_folder(), temporary_folder())
#: What this process compiles, and tells of it.
watch = CompileWatch(files)


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
        return str(files.folder)

    @functools.cached_property
    def _content(self) -> str:
        content = content_hash(self._dispatcher)
        # The linker knows a function by its name, and takes the first of two that have the same:
        # of a template bound twice, say, compiled by two processes and loaded by a third.
        function = self._dispatcher.py_func
        function.__qualname__ = f"{function.__qualname__.partition('-')[0]}-{content}"
        return content

    def _file_name(self, signature: Any, codegen: Any) -> str:
        arguments, returned = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        machine = codegen.magic_tuple()  # the processor and its features
        hashed = signature_hash(self._content, tuple(arguments), returned, machine)
        return f"{self._name[-100:]}-{hashed}{SUFFIX}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Returns what was compiled for types of arguments, or None if that never was."""
        target_context.refresh()
        kept = files.read(self._file_name(signature, target_context.codegen()))
        try:
            reduced = None if kept is None else pickle.loads(kept)
        except (EOFError, pickle.UnpicklingError):  # cut off by a crash
            reduced = None
        if reduced is None:
            return None
        watch.found += 1
        return CompileResult._rebuild(target_context, *reduced)  # type: ignore[no-untyped-call]

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keeps what was compiled for types of arguments, if there is a folder for it."""
        watch.compiled += 1
        if compiled.lifted or compiled.library.has_dynamic_globals:
            reason = "it uses object mode, or a global array that is too large to copy"
            warnings.warn(f"{self._name} cannot be cached: {reason}", NumbaWarning, stacklevel=2)
            return
        name = self._file_name(signature, compiled.codegen)
        before = files.folder
        files.write(name, dumps(compiled._reduce()))  # type: ignore[no-untyped-call]
        if files.folder != before:
            watch.tell_of_move()

    def flush(self) -> None:
        """Looks at the function anew, before Numba compiles it again; no file is ever wrong."""
        forget()
        self.__dict__.pop("_content", None)


watch.start(FunctionCache)
