"""Ctrl-C for a command that plays, as soon as it has played some."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path


def interrupted(
    process: subprocess.Popen[str],
    path: Path,
    lines: int,
    finishing: str = "finishing what is being played",
) -> tuple[str, str]:
    """Interrupts a command once its results have so many lines; it stops as it should.

    Args:
        process: The command.
        path: The file of its results.
        lines: How many.
        finishing: What it says then.

    Returns:
        What it has printed, and what it has said of errors.
    """
    deadline = time.monotonic() + 100
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert finishing in errors
    return printed, errors
