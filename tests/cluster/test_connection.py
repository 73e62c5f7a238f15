"""Joining a cluster: what is said where it cannot be, or where a node is not like the others."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env.cluster import address as address_module
from dreamfactory_env.cluster import connection as connection_module
from dreamfactory_env.cluster.connection import Cluster, ClusterError, connected
from dreamfactory_env.cluster.installation import installation
from dreamfactory_env.utils.errors import OptionError
from tests.cluster.conftest import silent_address, started, wait_until
from tests.cluster.squares import collect, squares
from tests.paths import ROOT

ray = pytest.importorskip("ray")
from ray._raylet import AuthenticationMode, Config, get_authentication_mode  # noqa: E402


def join(address: str | None) -> None:
    with connected(address):
        pass


def whose_turn() -> tuple[int, int]:
    """Returns a process, and how nice it is to others of its machine."""
    return os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)


def test_without_an_address_a_cluster_is_started_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_worker_niceness")
    with connected() as cluster:
        (node,) = cluster.nodes()
        assert node.cpus == os.cpu_count()
        there, here = ray.get(ray.remote(whose_turn).remote()), whose_turn()
        assert there[0] != here[0]
        assert there[1] == here[1]  # it gets on beside other work as this process does
    assert not ray.is_initialized()


def test_all_nodes_of_a_cluster_are_found(three_nodes: Any) -> None:
    with connected(three_nodes.address) as cluster:
        assert [node.cpus for node in cluster.nodes()] == [1, 1, 1]
    assert not ray.is_initialized()


@pytest.mark.usefixtures("three_nodes")
def test_work_for_a_cluster_that_this_machine_is_no_node_of(
    client_port: int, tmp_path: Path
) -> None:
    with connected(f"ray://127.0.0.1:{client_port}") as cluster, squares(cluster) as workers:
        assert cluster.in_words() == "3 nodes, 3 processors"
        for number in range(4):
            workers.submit(number, number, tmp_path / "none")
        assert [job.result[0] for job in collect(workers, 4)] == [0, 1, 4, 9]
    assert not ray.is_initialized()


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_where_nobody_listens(scheme: str) -> None:
    with silent_address() as where:
        port = where.rpartition(":")[2]
        with pytest.raises(OptionError, match=rf"nobody answers at .*{port} \(.*refused"):
            join(f"{scheme}{where}")


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_where_somebody_else_listens(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_module, "ANSWER_SECONDS", 1)
    with socket.create_server(("0.0.0.0", 0)) as somebody:  # who says nothing
        address = f"{scheme}127.0.0.1:{somebody.getsockname()[1]}"
        with pytest.raises(
            OptionError, match=r"who listens at .* for 1 s: it is no Ray cluster, or"
        ):
            join(address)


def test_a_cluster_without_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as other:
        other.setenv("RAY_AUTH_MODE", "disabled")
        with started(1) as cluster:
            other.undo()
            with pytest.raises(
                OptionError, match=r"uses no token, and this process does \(RAY_AUTH"
            ):
                join(cluster.address)


def test_the_token_of_another_cluster(three_nodes: Any) -> None:
    code = "import sys; from tests.cluster.test_connection import join; join(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, three_nodes.address],
        env={**os.environ, "RAY_AUTH_TOKEN": "another"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "asks for its token, and this process has none or another one: copy" in done.stderr


@pytest.fixture
def mode() -> Iterator[pytest.MonkeyPatch]:
    """Gives the environment to change in, which Ray reads again afterwards."""
    with pytest.MonkeyPatch.context() as environment:
        yield environment
    Config.initialize("")


def shows_a_token() -> bool:
    """Tells whether Ray shows the token of this process to whom it asks."""
    return bool(get_authentication_mode() == AuthenticationMode.TOKEN)


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_process_that_shall_show_no_token(
    three_nodes: Any, client_port: int, mode: pytest.MonkeyPatch, scheme: str
) -> None:
    mode.setenv("RAY_AUTH_MODE", "disabled")
    address = f"{scheme}127.0.0.1:{client_port}" if scheme else three_nodes.address
    message = (
        r"asks for its token, .* shows none \(RAY_AUTH_MODE=disabled\): say RAY_AUTH_MODE=token"
    )
    with pytest.raises(OptionError, match=message):
        join(address)
    assert os.environ["RAY_AUTH_MODE"] == "disabled"


def test_a_token_is_shown_no_longer_than_the_connection_lasts(
    three_nodes: Any, mode: pytest.MonkeyPatch
) -> None:
    mode.delenv("RAY_AUTH_MODE")
    Config.initialize("")
    assert not shows_a_token()
    with connected(three_nodes.address):
        assert shows_a_token()
    assert "RAY_AUTH_MODE" not in os.environ
    assert not shows_a_token()


@pytest.mark.parametrize("address", ["nonsense", "ray://nowhere", "local", ""])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(OptionError, match="--address must be auto, host:port or ray://host:port"):
        join(address)


def test_no_cluster_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    from ray._private import services

    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    # Others may run one on the machine of the tests.
    monkeypatch.setattr(services, "find_gcs_addresses", cache(set))
    monkeypatch.setattr(services, "find_bootstrap_address", lambda folder: None)
    with pytest.raises(OptionError, match="no Ray cluster runs on this machine: start one with"):
        join("auto")


def test_another_python_in_the_cluster(three_nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from ray._private import utils

    monkeypatch.setattr(utils, "compute_version_info", lambda: ("2.60.0", "3.9.1"))
    with pytest.raises(OptionError, match=r"Version mismatch.*3\.9\.1.*the same Ray and Python"):
        join(three_nodes.address)


@pytest.mark.parametrize("error", [ConnectionError, ValueError])
@pytest.mark.parametrize(
    ("through", "advice"),
    [
        ("", r"no node of it the address is ray://HOST:10001$"),
        ("ray://", "`ray status` on its head says whether it is well$"),
    ],
)
def test_who_cannot_join_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, through: str, advice: str, error: type[Exception]
) -> None:
    def fail(*where: object, **settings: object) -> None:
        raise error("no server\nwas begun")

    monkeypatch.setattr(ray, "init", fail)  # nobody knows when a server cannot be begun
    monkeypatch.setattr(connection_module, "check_answer", lambda address: None)
    address = f"{through}127.0.0.1:1"
    with pytest.raises(
        OptionError, match=f"cannot join {address}: no server was begun; .*{advice}"
    ):
        join(address)


def test_a_head_that_cannot_begin_a_server_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def fail(*where: object, **settings: object) -> None:
        asked.append(where)
        raise ConnectionError("RuntimeError: Starting Ray client server failed. See a file.")

    monkeypatch.setattr(ray, "init", fail)
    monkeypatch.setattr(connection_module, "check_answer", lambda address: None)
    with pytest.raises(OptionError, match="Starting Ray client server failed"):
        join("ray://127.0.0.1:1")
    assert len(asked) == 2


# ---------------------------------------------------------------------------- other installations


def test_a_node_that_takes_its_time_to_say_what_is_on_it_is_used_from_then_on(
    three_nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(three_nodes.address):
        monkeypatch.setattr(connection_module, "NODE_SECONDS", 0)
        cluster = Cluster(local=False)
        silent = r"node \S+ \(\w+\) has not said for 0 s what is on it"
        with pytest.warns(UserWarning, match=f"not used yet: {silent}"):
            assert len(cluster.nodes()) < 3
        with pytest.raises(ClusterError, match=silent):
            Cluster(local=False).check()
        wait_until(lambda: len(cluster.nodes()) == 3)  # without another warning, which would raise


@pytest.fixture
def other_source(tmp_path: Path) -> Path:
    """Gives a folder with the package, in which one line is another."""
    shutil.copytree(
        ROOT / "dreamfactory_env",
        tmp_path / "dreamfactory_env",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    with (tmp_path / "dreamfactory_env/engine/rng.py").open("a") as file:
        file.write("# another line\n")
    return tmp_path


def test_a_node_with_another_source_is_refused_or_left_out(
    other_source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(other_source.parent)  # Ray would find our own package in the folder of tests
    here = installation()["dreamfactory-env"]
    words = rf"node \S+ \(\w+\) has dreamfactory-env \S+ \(\w+\), this process {here[:5]}.*install"
    with started(1) as cluster:
        with connected(cluster.address) as ours:
            (head,) = ours.nodes()
            other = cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(other_source)})
            with pytest.warns(UserWarning, match=f"not used: {words}") as said:
                wait_until(  # nobody waits until it has said what is on it
                    lambda: ours.nodes() == [head] and "not used:" in " ".join(map(str, said))
                )
            assert ours.nodes() == [head]  # it is said once
        with pytest.raises(ClusterError, match=words):
            join(cluster.address)
        cluster.remove_node(other)
        with connected(cluster.address) as ours:
            assert ours.nodes() == [head]
