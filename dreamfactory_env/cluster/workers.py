"""Processes of a cluster that do jobs: as many as there are processors, whoever comes and goes.

What a job brings follows from the job alone, so one whose worker is lost is done again by another.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from dreamfactory_env.cluster.connection import Cluster, ClusterError, Node

Result = TypeVar("Result")
#: How long one waits for results before looking at the nodes, and at whoever wants to stop.
GLANCE = 0.1
#: How often the nodes are looked at, in seconds.
LOOK_SECONDS = 2.0
#: How long there may be no worker at all, in seconds.
PATIENCE = 60.0
#: So often a job may be lost; then it is the job that ends its workers.
MAX_LOSSES = 5


class Done(NamedTuple, Generic[Result]):
    """A job that is done.

    Attributes:
        number: Which one.
        result: What it has brought. Its arrays may be read, not written.
        worker: The number of the worker that has done it.
    """

    number: int
    result: Result
    worker: int


class Job(NamedTuple):
    """What a worker is asked: ``args``, of which references to objects arrive as the objects."""

    number: int
    args: tuple[Any, ...]


@dataclass(eq=False)
class _Worker:
    number: int
    node: Node
    actor: Any
    ready: bool = False
    job: Job | None = None


class _Actor:
    """Runs in a process of its own, somewhere in the cluster."""

    def start(self) -> None:
        """Says that there is a process."""

    def prepare(self, make: Callable[[], Callable[..., Any]]) -> None:
        """Makes what does the jobs."""
        self._do = make()

    def do(self, *args: Any) -> Any:
        """Does a job."""
        return self._do(*args)


class Workers(Generic[Result]):
    """Workers on all nodes of a cluster that can be used, one for a processor.

    It is used by one thread at a time.

    Args:
        cluster: Where they are.
        make: Makes, in each worker, what does the jobs: a function of their arguments.
        limit: The most workers at a time.
    """

    def __init__(
        self, cluster: Cluster, make: Callable[[], Callable[..., Result]], limit: int
    ) -> None:
        self._cluster = cluster
        self._make = self.put(make)
        self._limit = limit
        self._count = 0
        self._workers: list[_Worker] = []
        self._asked: dict[Any, _Worker] = {}  # by the reference of the answer
        self._waiting: deque[Job] = deque()
        self._losses: Counter[int | None] = Counter()  # of each job, and while none was done
        self._looked = 0.0
        self._alive = time.monotonic()

    def put(self, value: object) -> Any:
        """Puts an object where all workers find it; returns a reference for :meth:`submit`.

        Raises:
            ClusterError: There is no room for it.
        """
        import ray

        try:
            return ray.put(value)
        except (ray.exceptions.ObjectStoreFullError, ray.exceptions.OutOfDiskError) as error:
            raise _no_room() from error

    def submit(self, number: int, *args: Any) -> None:
        """Has a job done, as soon as there is a worker for it."""
        self._waiting.append(Job(number, args))
        self._look()
        self._assign()

    def forget(self) -> None:
        """Gives up all jobs that are not done; a worker that is at one comes back by itself."""
        self._waiting.clear()
        self._losses.clear()
        for worker in self._workers:
            worker.job = None

    def done(self) -> Iterator[Done[Result]]:
        """Gives the jobs that are done by now; waits a moment for the first.

        Raises:
            ClusterError: There is no worker for a long time, or none survives a job.
            Exception: What a job has raised.
        """
        import ray

        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._look()
            self._check_alive()
        if not self._asked:
            time.sleep(GLANCE)
            return
        answered, _ = ray.wait(list(self._asked), timeout=GLANCE)
        for reference in answered:
            worker = self._asked.pop(reference)
            job, worker.job = worker.job, None
            try:
                result = ray.get(reference)
            except (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError) as error:
                self._lose(worker, job, error)
                continue
            except (ray.exceptions.ObjectStoreFullError, ray.exceptions.OutOfDiskError) as error:
                raise _no_room() from error
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            self._free(worker)
            self._losses.pop(job and job.number, None)
            if job is not None:
                yield Done(job.number, result, worker.number)
        self._assign()

    def close(self) -> None:
        """Ends the workers."""
        import ray

        for worker in self._workers:
            ray.kill(worker.actor)
        self._workers.clear()
        self._asked.clear()

    # ------------------------------------------------------------------ who there is

    def _look(self) -> None:
        """Starts workers on processors that have none."""
        self._looked = time.monotonic()
        free = {node: node.cpus for node in self._cluster.nodes()}
        for worker in self._workers:
            if worker.node in free:
                free[worker.node] -= 1
        while free and len(self._workers) < self._limit:
            node = max(free, key=lambda node: free[node])
            if free[node] < 1:
                break
            free[node] -= 1
            self._start(node)

    def _start(self, node: Node) -> None:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(node.id, soft=False)
        actor = ray.remote(num_cpus=1, scheduling_strategy=there)(_Actor).remote()
        worker = _Worker(self._count, node, actor)
        self._count += 1
        self._workers.append(worker)
        self._asked[actor.start.remote()] = worker

    def _free(self, worker: _Worker) -> None:
        """Takes note of a worker that has answered: there is a process, it is ready, or done."""
        self._alive = time.monotonic()
        if not worker.ready:
            worker.ready = True
            self._asked[worker.actor.prepare.remote(self._make)] = worker

    def _assign(self) -> None:
        """Gives waiting jobs to workers that have nothing to do."""
        at_work = set(self._asked.values())
        for worker in self._workers:
            if self._waiting and worker.ready and worker not in at_work:
                worker.job = self._waiting.popleft()
                self._asked[worker.actor.do.remote(*worker.job.args)] = worker

    def _lose(self, worker: _Worker, job: Job | None, error: Exception) -> None:
        """Gives the job of a worker that is gone to the next one."""
        self._workers.remove(worker)
        self._looked = 0.0
        number = job and job.number
        self._losses[number] += 1
        if self._losses[number] >= MAX_LOSSES:
            doing = "while they started" if job is None else "at the same job"
            raise ClusterError(
                f"{MAX_LOSSES} workers were lost {doing}, the last one on node "
                f"{worker.node.address}: is there enough memory? {' '.join(str(error).split())}"
            )
        if job is not None:
            self._waiting.appendleft(job)

    def _check_alive(self) -> None:
        """Raises ClusterError if there was no process for a long time."""
        if any(worker.ready for worker in self._workers):
            self._alive = time.monotonic()
        elif time.monotonic() - self._alive > PATIENCE:
            raise ClusterError(
                f"no processor of the cluster was free for {PATIENCE:.0f} s: `ray status` says who "
                "uses them; start more nodes, or end what else runs there"
            )


def _no_room() -> ClusterError:
    return ClusterError(
        "the object store of Ray is full, in memory and on disk: start Ray with more, `ray start "
        "--object-store-memory`, or ask for less at a time"
    )
