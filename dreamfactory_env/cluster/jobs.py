"""Many jobs done on a cluster, their results given in order, and code compiled once a node."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from dreamfactory_env.cluster.connection import Cluster, ClusterError
from dreamfactory_env.cluster.workers import Workers
from dreamfactory_env.engine import cache
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.in_order import in_order
from dreamfactory_env.utils.locks import Lock

Result = TypeVar("Result")


def do_jobs(
    cluster: Cluster,
    make: Callable[[], Callable[..., Result]],
    jobs: Sequence[tuple[Any, ...]],
    *,
    limit: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Generator[Result, None, None]:
    """Does jobs on a cluster, and gives their results in order, whoever has done which.

    Args:
        cluster: Whose processes do them.
        make: Makes, in each process, what does the jobs: a function of their arguments.
        jobs: The arguments of each.
        limit: How many are done at a time at most; as many as there are processors if not given.
        stop: Asked now and then; once it says yes, what has begun is finished and no more.

    Raises:
        ClusterError: A node lacks what is needed, there is no process for a long time, or none
            survives a job.
        Exception: What a job has raised.
    """

    def most() -> int:
        # One more, so that no process waits for its next job.
        processors = sum(node.cpus for node in cluster.nodes()) + 1
        return processors if limit is None else min(limit, processors)

    workers = Workers(cluster, partial(_begin, pickle.dumps(make)), limit or len(jobs))
    try:
        yield from in_order(
            range(len(jobs)),
            lambda number: workers.submit(number, *jobs[number]),
            lambda: ((done.number, done.result) for done in workers.done()),
            most,
            stop,
        )
    finally:
        workers.close()


def _begin(make: bytes) -> Callable[..., Any]:
    """Makes, in a process of a node, what does the jobs.

    Raises:
        ClusterError: A module is not there, say; the message names the node.
    """
    try:
        done: Callable[..., Any] = pickle.loads(make)()
    except Exception as error:
        import ray

        reason = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
        raise ClusterError(
            f"node {ray.util.get_node_ip_address()} cannot begin: {reason}; modules that are used "
            "here must be there, too"
        ) from error
    return done


def compile_once(compile_all: Callable[[], None]) -> None:
    """Compiles in one process of a node, while others wait for what it leaves in the cache."""
    if cache.files.folder is None:  # nothing is kept
        compile_all()
        return
    path = cache.files.folder / "compiling"
    try:
        lock = Lock(path)
    except OptionError:  # another process compiles, or there can be no lock
        with suppress(OptionError):
            Lock(path, wait=True).release()
        compile_all()
    else:
        with lock:
            compile_all()
