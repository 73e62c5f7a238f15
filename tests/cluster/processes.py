"""The processes of a cluster that this one has started, found as the system shows them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

#: What Ray calls a process while it is at a job, see ``dreamfactory_env.cluster.workers``.
AT_WORK = b"ray::_Actor.do"


def actors_at_work() -> Iterator[int]:
    """Gives the processes below this one that are in the middle of a job."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            at_work = (folder / "cmdline").read_bytes().startswith(AT_WORK)
        except OSError:
            continue  # it has ended meanwhile
        if at_work and os.getpid() in ancestors(int(folder.name)):
            yield int(folder.name)


def ancestors(pid: int) -> Iterator[int]:
    """Gives who has started a process, and who has started that, up to the first."""
    while pid > 1:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return
        pid = int(stat.rpartition(")")[2].split()[1])
        yield pid
