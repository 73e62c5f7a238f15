"""Ctrl-C while the command line is still being imported."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

#: The name of the command, and the exit code of one that Ctrl-C has ended.
COMMAND, EXIT_STOPPED = "dreamfactory", 130


def _end(number: int, frame: object) -> None:
    os._exit(EXIT_STOPPED)


def end_quietly_while_importing() -> None:
    """Lets Ctrl-C end the command at once until :func:`hear_interrupts`; does nothing elsewhere.

    To import all takes longer than an impatient moment, and until then there is nothing to tidy up.
    An exception in the middle of it would show as a traceback, or as an error of another library.
    """
    started = Path(sys.argv[0] if sys.argv else "").name.removesuffix(".exe")
    if started == COMMAND and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def hear_interrupts() -> None:
    """Lets Ctrl-C raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)
