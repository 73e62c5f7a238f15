"""Workers of a cluster: jobs are done once each, whoever dies meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamfactory_env.cluster.connection import Cluster, ClusterError
from dreamfactory_env.cluster.workers import Workers
from dreamfactory_env.utils.errors import OptionError
from tests.cluster.squares import collect, make_squares, squares

pytest.importorskip("ray")


def test_a_job_whose_worker_is_killed_is_done_by_another(cluster: Cluster, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.touch()
    with squares(cluster) as workers:
        for number in range(8):
            workers.submit(number, number, trap)
        done = collect(workers, 8)
    assert [job.result[0] for job in done] == [number**2 for number in range(8)]
    assert not trap.exists()


def test_no_more_workers_than_asked_for_and_jobs_that_are_given_up_do_not_come_back(
    cluster: Cluster, tmp_path: Path
) -> None:
    with squares(cluster, limit=1) as workers:
        for number in range(4):
            workers.submit(number, number, tmp_path / "none")
        assert [job.number for job in collect(workers, 1)] == [0]
        workers.close()
        for number in (7, 8):
            workers.submit(number, number, tmp_path / "none")
        done = collect(workers, 2)
    assert [(job.number, job.result[0]) for job in done] == [(7, 49), (8, 64)]
    assert len({job.result[1] for job in done}) == 1


def test_workers_do_jobs_of_one_kind_after_the_other(cluster: Cluster, tmp_path: Path) -> None:
    def pids(workers: Workers[tuple[int, int]]) -> set[int]:
        for number in range(12):
            workers.submit(number, number, tmp_path / "none")
        return {job.result[1] for job in collect(workers, 12)}

    one, other = (Workers(cluster, make_squares, 3) for _ in range(2))
    found: set[int] = set()
    for _ in range(100):  # it takes a moment until the last of them has begun
        found |= pids(one)
        if len(found) == 3:
            break
    assert len(found) == 3
    assert pids(other) | pids(one) == found


def test_one_that_has_begun_is_taken_before_those_that_still_begin(
    cluster: Cluster, tmp_path: Path
) -> None:
    cluster.idle.clear()  # which gives the processors back
    found = []
    for _ in range(2):
        with squares(cluster, limit=1) as workers:
            workers.submit(0, 0, tmp_path / "none")
            found += [job.worker for job in collect(workers, 1)]
        with squares(cluster, limit=3) as workers:
            workers.submit(0, 0, tmp_path / "none")  # and is closed before they have
    assert found[0] == found[1]


def test_what_a_job_raises_is_raised_here(cluster: Cluster, tmp_path: Path) -> None:
    with squares(cluster) as workers:
        workers.submit(0, -1, tmp_path / "none")
        with pytest.raises(OptionError, match="there is no such number"):
            collect(workers, 1)


def test_a_job_that_ends_every_worker(cluster: Cluster, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text("always")
    with squares(cluster) as workers:
        workers.submit(3, 3, trap)
        with pytest.raises(ClusterError, match=r"5 workers were lost at the same job.*memory"):
            collect(workers, 1)
