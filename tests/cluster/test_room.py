"""Clusters with too little room: no processor is free, or what is sent does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env.cluster import workers as module
from dreamfactory_env.cluster.connection import Cluster, ClusterError, connected
from dreamfactory_env.cluster.workers import Workers
from tests.cluster.conftest import started
from tests.cluster.squares import collect, squares

ray = pytest.importorskip("ray")

MEGABYTES = 200
MEMORY = 80 << 20  # of the object store


@pytest.fixture
def small() -> Iterator[Cluster]:
    """Gives a cluster with one processor and a small object store."""
    with started(1, object_store_memory=MEMORY) as nodes, connected(nodes.address) as cluster:
        yield cluster


def make_arrays() -> Callable[[int], Any]:
    return lambda megabytes: np.ones(megabytes << 20, np.uint8)


def test_what_is_larger_than_the_object_store_arrives_and_others_take_all_processors(
    small: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arrays = Workers(small, make_arrays, 1)
    arrays.submit(0, MEGABYTES)
    (done,) = collect(arrays, 1)
    assert done.result.sum() == MEGABYTES << 20
    small.idle.clear()  # which gives the processor back

    class Other:
        def here(self) -> None:
            pass

    other = ray.remote(num_cpus=1)(Other).remote()
    ray.get(other.here.remote())
    monkeypatch.setattr(module, "PATIENCE", 3.0)
    with squares(small) as workers:
        workers.submit(0, 0, tmp_path / "none")
        with pytest.raises(ClusterError, match="no processor of the cluster was free for 3 s"):
            collect(workers, 1)


@pytest.fixture
def no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_local_fs_capacity_threshold", "0.0001")


@pytest.mark.usefixtures("no_disk")
def test_the_object_store_and_the_disk_are_full(small: Cluster) -> None:
    workers = Workers(small, make_arrays, 1)
    workers.submit(0, MEGABYTES)
    with pytest.raises(ClusterError, match=r"object store of Ray is full.*object-store-memory"):
        collect(workers, 1)
    with pytest.raises(ClusterError, match=r"object store of Ray is full.*object-store-memory"):
        workers.put(np.ones(MEGABYTES << 20, np.uint8))
    workers.close()
