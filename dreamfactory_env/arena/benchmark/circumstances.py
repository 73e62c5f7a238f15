"""Where and beside what games by the clock were played: a search finds more on an idle machine."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import TypedDict

from dreamfactory_env.arena.pool import check_processes

#: Where Linux says which processor there is.
PROCESSORS = Path("/proc/cpuinfo")


class Circumstances(TypedDict):
    """What a result by the clock depends on, besides who plays.

    Attributes:
        processor: Its name, as the system has it.
        cores: How many of them can be used.
        load: How many processes ran or waited when the games ended, the mean of a minute; these
            included. None where the system does not tell.
        commit: Of the package that played, with ``-dirty`` if files were changed since; empty
            where Git does not keep it.
    """

    processor: str
    cores: int
    load: float | None
    commit: str


def circumstances() -> Circumstances:
    """Returns those of this machine, now."""
    return {
        "processor": _processor(),
        "cores": check_processes(None),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
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
    file = Path(__file__)
    # An installed package may lie inside of somebody's checkout, which does not keep it.
    kept = ("ls-files", "--error-unmatch", file.name)
    told = ("describe", "--always", "--dirty", "--exclude=*", "--abbrev=12")
    try:
        _, found = (
            subprocess.run(
                ["git", *words], cwd=file.parent, capture_output=True, text=True, check=True
            )
            for words in (kept, told)
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()
