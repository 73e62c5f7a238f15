"""What processes need that are started to work for another one."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading


def serve_parent() -> None:
    """Makes this process one that works for its parent, and lives no longer than it.

    Ctrl-C is the business of who started it. It would wait for more work for ever when its parent
    is gone: the pipe that brings work has its other end here, too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process when the one that started it ends, however it does."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)
