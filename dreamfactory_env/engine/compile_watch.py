"""What a process compiles, and the line that says so to whoever waits.

A line is printed when compiling has taken a second, and not again as long as compiling goes on with
short pauses. Processes that were started together, such as the workers of a pool, say it once: they
share a mark in the cache.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from numba.core import event

from dreamfactory_env.engine.cache_files import CacheFiles

#: Who waits for less than this, in seconds, is not told.
PATIENCE = 1.0
#: Who was told is told again after a pause of so many seconds without compiling.
PAUSE = 10.0


class CompileWatch(event.Listener):
    """Counts what is compiled, and tells whoever waits for it.

    Attributes:
        compiled: How many functions this process has compiled, each for its types of arguments.
        found: How many it has found in the cache. What a found function calls is part of it.

    Args:
        files: Where compiled functions are kept.
    """

    def __init__(self, files: CacheFiles) -> None:
        self.compiled = self.found = 0
        self._files = files
        self._mark = f"told-{os.getpgrp() if hasattr(os, 'getpgrp') else os.getppid()}"
        self._depth = 0  # functions are compiled while those that call them are
        self._begin = self._end = -PAUSE
        self._waited = 0.0  # without a long pause
        self._told = False  # whoever waits knows, from us or from another process
        self._said = ""  # where things are kept, when it was last said
        self._silent = False
        self._timer: threading.Timer | None = None

    def start(self, cache_cls: type[Any]) -> None:
        """Begins to watch the functions that have a cache of some class."""
        self._cache_cls = cache_cls
        event.register("numba:compile", self)  # type: ignore[no-untyped-call]

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Says nothing meanwhile: somebody else does."""
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    # Numba calls these under a lock of its own: one thread compiles at a time.

    def on_start(self, event: Any) -> None:
        """Hears that a function is being compiled."""
        if not self._is_ours(event):
            return
        self._depth += 1
        if self._depth > 1:
            return
        self._begin = time.monotonic()
        if self._begin - self._end > PAUSE:
            self._waited, self._told = 0.0, False
        if not self._told and not self._silent:
            # Numba may be at work on one function for long: a thread has to look at the clock.
            self._timer = threading.Timer(max(PATIENCE - self._waited, 0), self._tell)
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, event: Any) -> None:
        """Hears that a function was compiled, or cannot be."""
        if not self._is_ours(event):
            return
        self._depth -= 1
        self._end = time.monotonic()
        if self._told:
            self._files.touch(self._mark)
        if self._depth == 0:
            self._waited += self._end - self._begin
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _is_ours(self, event: Any) -> bool:
        return isinstance(event.data["dispatcher"]._cache, self._cache_cls)

    def _tell(self) -> None:
        self._told = True
        if not self._files.claim(self._mark, PAUSE):
            return
        if self._files.folder is None and multiprocessing.parent_process() is not None:
            return  # nothing can be shared, and the process that started this one has said so
        more = " more" if self._said else ""
        self._said = self._files.where()
        _say(f"compiling{more}, which takes a while; {self._said}")

    def tell_of_move(self) -> None:
        """Says that what is compiled is kept elsewhere from now on, if the line said otherwise."""
        if self._said not in ("", where := self._files.where()):
            self._said = where
            _say(f"what is compiled from now on is {where}")


def _say(text: str) -> None:
    with suppress(OSError, ValueError):  # nobody listens any more: no reason to stop a game
        print(f"dreamfactory-env: {text}", file=sys.stderr, flush=True)
