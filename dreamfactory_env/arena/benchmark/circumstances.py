"""Where and beside what games by the clock were played: a search finds more on an idle machine."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import TypedDict

#: Where Linux says which processor there is.
PROCESSORS = Path("/proc/cpuinfo")


class Circumstances(TypedDict):
    """What a result by the clock depends on, besides who plays.

    Attributes:
        processor: Its name, as the system has it.
        cores: How many of them can be used.
        load: How many processes ran or waited, the mean of the last minute of the games; these
            included.
        commit: Of the package that played, with ``-dirty`` if files were changed since; empty
            where it is not in a Git checkout.
    """

    processor: str
    cores: int
    load: float
    commit: str


def circumstances() -> Circumstances:
    """Returns those of this machine, now."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0,
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0,
        "commit": _commit(),
    }


def _processor() -> str:
    """Returns the name of the processor."""
    if PROCESSORS.exists():
        for line in PROCESSORS.read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """Returns the commit that the package is of, empty if nobody can tell."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]
    try:
        found = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()
