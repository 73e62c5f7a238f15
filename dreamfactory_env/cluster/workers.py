"""Processes of a cluster that do jobs: as many as there are processors, whoever comes and goes.

What a job brings follows from the job alone, so one whose worker is lost is done again by another.
"""

from __future__ import annotations

import time
import uuid
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
#: A worker keeps what does jobs of so many kinds: of a training and of an evaluation, say.
KINDS = 2


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
    """What a worker is asked, under a number."""

    number: int
    args: tuple[Any, ...]


@dataclass(eq=False)
class Worker:
    """A process of the cluster.

    Attributes:
        number: Which one of those that were started.
        node: Where it is.
        actor: What Ray calls it.
        started: Whether it was ever heard of.
        job: What it is at.
    """

    number: int
    node: Node
    actor: Any
    started: bool = False
    job: Job | None = None


class _Actor:
    """Runs in a process of its own, somewhere in the cluster."""

    def __init__(self) -> None:
        self._made: dict[str, Callable[..., Any]] = {}

    def start(self) -> None:
        """Says that there is a process."""

    def prepare(self, key: str, make: list[Any]) -> None:
        """Makes what does the jobs of a kind, unless it was made before."""
        import ray

        made = self._made.pop(key, None) or ray.get(make[0])()
        while len(self._made) >= KINDS:
            del self._made[next(iter(self._made))]
        self._made[key] = made  # as the newest

    def do(self, key: str, *args: Any) -> Any:
        """Does a job."""
        return self._made[key](*args)


class Workers(Generic[Result]):
    """Workers for one kind of jobs, on all nodes of a cluster that can be used.

    There is one for each processor. They belong to the cluster, and are here while there are jobs:
    afterwards they may do jobs of another kind. All of this is used by one thread at a time.

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
        self._key = uuid.uuid4().hex
        self._limit = limit
        self._workers: list[Worker] = []
        self._asked: dict[Any, Worker] = {}  # by the reference of the answer
        self._waiting: deque[Job] = deque()
        self._losses: Counter[int | None] = Counter()  # of each job, and of those that start
        self._looked = 0.0
        self._alive = 0.0

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
        """Has a job done, as soon as there is a worker for it.

        Args:
            number: A number of its own, by which :meth:`done` names it.
            *args: What the worker is asked; references arrive as the objects.
        """
        if not self._waiting and not self._asked:
            self._alive = time.monotonic()
        self._waiting.append(Job(number, args))
        self._look()
        self._assign()

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
            worker.started = True
            self._alive = time.monotonic()
            self._losses.pop(job and job.number, None)
            if job is not None:
                yield Done(job.number, result, worker.number)
        self._assign()
        if not self._waiting and not any(worker.job for worker in self._workers):
            self.close()  # others may need the workers meanwhile

    def close(self) -> None:
        """Gives up all jobs that are not done; workers that are at one are ended."""
        import ray

        for worker in self._workers:
            if worker.job is not None:
                ray.kill(worker.actor)
            else:
                self._cluster.idle.append(worker)
        for remains in (self._workers, self._asked, self._waiting, self._losses):
            remains.clear()

    # ------------------------------------------------------------------ who there is

    def _look(self) -> None:
        """Takes workers that have nothing to do, and starts some on processors that have none."""
        self._looked = time.monotonic()
        nodes = self._cluster.nodes()
        idle = self._cluster.idle
        idle.sort(key=lambda worker: worker.started)  # one that still begins is taken last
        while idle and len(self._workers) < self._limit:
            worker = idle.pop()
            if worker.node in nodes:
                self._take(worker)
        taken = Counter(worker.node for worker in (*self._workers, *idle))
        free = {node: node.cpus - taken[node] for node in nodes}
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
        worker = Worker(next(self._cluster.numbers), node, actor)
        self._asked[actor.start.remote()] = worker
        self._take(worker)

    def _take(self, worker: Worker) -> None:
        """Makes a worker ready for our jobs."""
        self._workers.append(worker)
        # In a list, so that it is fetched only if it is needed.
        self._asked[worker.actor.prepare.remote(self._key, [self._make])] = worker

    def _assign(self) -> None:
        """Gives waiting jobs to workers that have nothing to do."""
        at_work = set(self._asked.values())
        for worker in self._workers:
            if self._waiting and worker not in at_work:
                worker.job = self._waiting.popleft()
                self._asked[worker.actor.do.remote(self._key, *worker.job.args)] = worker

    def _lose(self, worker: Worker, job: Job | None, error: Exception) -> None:
        """Gives the job of a worker that is gone to the next one."""
        import ray

        if worker not in self._workers:
            return  # it was asked twice, and is known to be gone
        self._workers.remove(worker)
        ray.kill(worker.actor)  # if nothing but its answer is lost
        self._looked = 0.0
        if job is not None:
            self._waiting.appendleft(job)
        elif worker.started:
            return  # it had nothing to do for a while, and nobody has seen it go
        number = job and job.number
        self._losses[number] += 1
        if self._losses[number] >= MAX_LOSSES:
            doing = "while they started" if job is None else "at the same job"
            raise ClusterError(
                f"{MAX_LOSSES} workers were lost {doing}, the last one on node "
                f"{worker.node.address}: is there enough memory? {' '.join(str(error).split())}"
            )

    def _check_alive(self) -> None:
        """Raises ClusterError if there was no process for a long time."""
        if any(worker.started for worker in self._workers):
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
