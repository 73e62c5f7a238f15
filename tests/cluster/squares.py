"""Jobs for workers of a cluster that end their processes on demand."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.cluster.workers import Done, Workers
from dreamfactory_env.utils.errors import OptionError


def make_squares() -> Callable[..., tuple[int, int]]:
    """Makes a job that says its process, and ends it if a file is there, which it takes away."""

    def square(number: int, trap: Path) -> tuple[int, int]:
        time.sleep(0.2)
        if number == 3 and trap.exists():
            if trap.read_text() != "always":
                trap.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise OptionError("there is no such number")
        return number**2, os.getpid()

    return square


@contextmanager
def squares(cluster: Cluster, limit: int = 8) -> Iterator[Workers[tuple[int, int]]]:
    workers = Workers(cluster, make_squares, limit)
    try:
        yield workers
    finally:
        workers.close()


def collect(workers: Workers[Any], count: int) -> list[Done[Any]]:
    done: list[Done[Any]] = []
    while len(done) < count:
        done += workers.done()
    return sorted(done)
