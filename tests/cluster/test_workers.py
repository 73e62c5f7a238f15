"""Workers of a cluster: jobs are done once each, whoever dies meanwhile."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env.cluster import workers as module
from dreamfactory_env.cluster.connection import ClusterError, connected
from dreamfactory_env.cluster.workers import Done, Workers
from dreamfactory_env.utils.errors import OptionError
from tests.cluster.conftest import started

pytest.importorskip("ray")


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
def squares(address: str | None, limit: int = 8) -> Iterator[Workers[tuple[int, int]]]:
    with connected(address) as cluster:
        workers = Workers(cluster, make_squares, limit)
        yield workers
        workers.close()


def collect(workers: Workers[Any], count: int) -> list[Done[Any]]:
    done: list[Done[Any]] = []
    while len(done) < count:
        done += workers.done()
    return sorted(done)


def test_a_job_whose_worker_is_killed_is_done_by_another(three_nodes: Any, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.touch()
    with squares(three_nodes.address) as workers:
        for number in range(8):
            workers.submit(number, number, trap)
        done = collect(workers, 8)
    assert [job.result[0] for job in done] == [number**2 for number in range(8)]
    assert not trap.exists()


def test_no_more_workers_than_asked_for_and_jobs_that_are_given_up_do_not_come_back(
    three_nodes: Any, tmp_path: Path
) -> None:
    with squares(three_nodes.address, limit=1) as workers:
        for number in range(4):
            workers.submit(number, number, tmp_path / "none")
        assert [job.number for job in collect(workers, 1)] == [0]
        workers.close()
        for number in (7, 8):
            workers.submit(number, number, tmp_path / "none")
        done = collect(workers, 2)
    assert [(job.number, job.result[0]) for job in done] == [(7, 49), (8, 64)]
    assert len({job.result[1] for job in done}) == 1


def test_workers_do_jobs_of_one_kind_after_the_other(three_nodes: Any, tmp_path: Path) -> None:
    def pids(workers: Workers[tuple[int, int]]) -> set[int]:
        for number in range(12):
            workers.submit(number, number, tmp_path / "none")
        return {job.result[1] for job in collect(workers, 12)}

    with connected(three_nodes.address) as cluster:
        one, other = (Workers(cluster, make_squares, 3) for _ in range(2))
        assert pids(one) == pids(other) == pids(one)


def test_what_a_job_raises_is_raised_here(three_nodes: Any, tmp_path: Path) -> None:
    with squares(three_nodes.address) as workers:
        workers.submit(0, -1, tmp_path / "none")
        with pytest.raises(OptionError, match="there is no such number"):
            collect(workers, 1)


def test_a_job_that_ends_every_worker(three_nodes: Any, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text("always")
    with squares(three_nodes.address) as workers:
        workers.submit(3, 3, trap)
        with pytest.raises(ClusterError, match=r"5 workers were lost at the same job.*memory"):
            collect(workers, 1)


def test_nodes_go_and_come(tmp_path: Path) -> None:
    with started(2) as cluster, squares(cluster.address) as workers:
        numbers = count()

        def submit(jobs: int) -> None:
            for number in islice(numbers, jobs):
                workers.submit(number, number, tmp_path / "none")

        def used_by() -> int:
            submit(6)
            return len({job.worker for job in collect(workers, 6)})

        (first,) = cluster.worker_nodes
        assert used_by() <= 2
        cluster.add_node(num_cpus=1)
        while used_by() < 3:  # it takes a moment until a worker is there
            assert next(numbers) < 1000
        submit(12)
        done = collect(workers, 2)
        cluster.remove_node(first, allow_graceful=False)
        done += collect(workers, 10)
        assert len({job.number for job in done}) == 12
        assert used_by() <= 2


def test_all_processors_are_taken_by_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import ray

    monkeypatch.setattr(module, "PATIENCE", 3.0)
    with started(1) as cluster, squares(cluster.address) as workers:

        class Other:
            def here(self) -> None:
                pass

        other = ray.remote(num_cpus=1)(Other).remote()
        ray.get(other.here.remote())
        workers.submit(0, 0, tmp_path / "none")
        with pytest.raises(ClusterError, match="no processor of the cluster was free for 3 s"):
            collect(workers, 1)
        ray.kill(other)


def make_arrays() -> Callable[[int], Any]:
    return lambda megabytes: np.ones(megabytes << 20, np.uint8)


def test_results_larger_than_the_object_store_arrive() -> None:
    head = {"object_store_memory": 80 << 20}
    with started(1, **head) as cluster, connected(cluster.address) as ours:
        workers = Workers(ours, make_arrays, 1)
        workers.submit(0, 200)
        (done,) = collect(workers, 1)
        assert done.result.sum() == 200 << 20
        workers.close()


def test_the_object_store_and_the_disk_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_local_fs_capacity_threshold", "0.0001")
    head = {"object_store_memory": 80 << 20}
    with started(1, **head) as cluster, connected(cluster.address) as ours:
        workers = Workers(ours, make_arrays, 1)
        workers.submit(0, 200)
        with pytest.raises(ClusterError, match=r"object store of Ray is full.*object-store-memory"):
            collect(workers, 1)
        with pytest.raises(ClusterError, match=r"object store of Ray is full.*object-store-memory"):
            workers.put(np.ones(200 << 20, np.uint8))
        workers.close()
