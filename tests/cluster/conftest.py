"""What the tests on a Ray cluster share: real Ray, in processes of this machine."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from dreamfactory_env.cluster.connection import Cluster, connected
from dreamfactory_env.learning.run import Run, begin
from tests.cluster.trainings import settings


def pytest_configure(config: pytest.Config) -> None:
    """Prepares Ray, before it is imported: a folder and a token of its own, as clusters have.

    The warnings of other libraries are left what they are; our own stay errors.
    """
    # A short path: sockets are made in it, whose names may not be long.
    folder = tempfile.TemporaryDirectory(prefix="ray-")
    config.add_cleanup(folder.cleanup)
    Path(folder.name, "ray").mkdir()
    os.environ.update(RAY_TMPDIR=folder.name, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=uuid4().hex)
    # Beside other work on the machine its processes begin as soon as ours, and that a node is gone
    # is noticed after 5 questions that are a second apart, not three.
    os.environ.update(RAY_worker_niceness="0", RAY_health_check_period_ms="1000")
    config.addinivalue_line("filterwarnings", "default")
    config.addinivalue_line("filterwarnings", "error:::dreamfactory_env")


def free_port() -> int:
    """Returns a port of this machine at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


@contextmanager
def silent_address() -> Iterator[str]:
    """Gives an address of this machine at which nobody listens, and nobody else can meanwhile."""
    with socket.socket() as bound:
        bound.bind(("0.0.0.0", 0))
        yield f"127.0.0.1:{bound.getsockname()[1]}"


def wait_until(holds: Callable[[], bool], seconds: float = 120) -> None:
    """Waits until something holds; fails if it does not within some time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.1)


def listens(port: int) -> bool:
    """Tells whether somebody listens at a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


@contextmanager
def started(nodes: int, **head: Any) -> Iterator[Any]:
    """Runs a cluster, each of whose nodes has one processor."""
    from ray.cluster_utils import Cluster

    # A port of its own: else it would be taken for another cluster of this machine.
    own = {"gcs_server_port": free_port(), "include_dashboard": False}
    args = {"num_cpus": 1, **own, **head}
    cluster = Cluster(initialize_head=True, head_node_args=args)
    try:
        for _ in range(nodes - 1):
            cluster.add_node(num_cpus=1)
        yield cluster
    finally:
        cluster.shutdown()


@pytest.fixture(scope="session")
def client_port() -> int:
    """Gives the port at which those join the cluster who are no node of it."""
    return free_port()


class Connection:
    """How this process has joined the cluster that tests share, if it has."""

    def __init__(self) -> None:
        self._joined = ExitStack()
        self._cluster: Cluster | None = None

    def open(self, address: str) -> Cluster:
        """Joins the cluster, unless that was done before."""
        if self._cluster is None:
            self._cluster = self._joined.enter_context(connected(address))
        return self._cluster

    def close(self) -> None:
        """Leaves it, and its workers with it."""
        self._cluster = None
        self._joined.close()


@pytest.fixture(scope="session")
def connection() -> Connection:
    """Gives the one connection of this process."""
    return Connection()


@pytest.fixture(scope="session")
def three_nodes(client_port: int, connection: Connection) -> Iterator[Any]:
    """Gives a cluster of three nodes, of which none is taken away."""
    pytest.importorskip("ray")
    with started(3, ray_client_server_port=client_port) as cluster:
        wait_until(lambda: listens(client_port))
        yield cluster
        connection.close()


@pytest.fixture(autouse=True)
def apart(request: pytest.FixtureRequest, connection: Connection) -> None:
    """Leaves the cluster for tests that make a connection of their own: there can be one."""
    if "cluster" not in request.fixturenames:
        connection.close()


@pytest.fixture
def cluster(three_nodes: Any, connection: Connection) -> Cluster:
    """Gives that cluster as this process has joined it.

    Its workers take seconds to begin, so those that are there do the work of all tests in a row.
    """
    return connection.open(three_nodes.address)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    """Gives runs of the training that tests disturb, made in this process, by their settings."""
    runs: dict[tuple[Any, ...], Run] = {}

    def run(*args: Any) -> Run:
        if args not in runs:
            runs[args] = begin(settings(*args), tmp_path_factory.mktemp("run"))
            runs[args].train()
        return runs[args]

    return run
