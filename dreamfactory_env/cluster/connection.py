"""Joining a Ray cluster, or starting one on this machine; which of its nodes can be used."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple

from dreamfactory_env.cluster import installation
from dreamfactory_env.cluster.address import CLIENT, check_answer, own_mode, resolved
from dreamfactory_env.utils.errors import GameError, OptionError

INSTALL = 'pip install "dreamfactory-env[cluster]"'
#: How long the nodes of a cluster that is joined may take to say what is installed on them, in
#: seconds.
NODE_SECONDS = 60
#: How often one looks whether they have, in seconds.
GLANCE = 0.02

#: What Ray says where a head could not begin a server for who joins through ``ray://``. It may
#: succeed with the next one: a server that is not gone yet has the port, or the head is busy.
NO_SERVER = "Starting Ray client server failed"


class ClusterError(GameError):
    """A cluster that cannot do the work: what is wrong with it, and what would help."""


class Node(NamedTuple):
    """A machine of a cluster, or what Ray takes for one.

    Attributes:
        id: What Ray calls it.
        address: Its address in the network.
        cpus: How many processors it gives to Ray.
    """

    id: str
    address: str
    cpus: int


class _Question(NamedTuple):
    """What a node was asked: its answer to come, and when it was asked."""

    answer: Any
    since: float


class Cluster:
    """A Ray cluster that this process is connected to.

    Attributes:
        idle: Workers that have nothing to do, see ``workers``.
        numbers: Of workers, in the order in which they are started.

    Args:
        local: Whether it was started by this process, for itself.
    """

    def __init__(self, *, local: bool) -> None:
        self.local = local
        self.idle: list[Any] = []
        self.numbers = count()
        self._asked: dict[str, _Question] = {}  # by the id of a node
        self._silent: set[str] = set()  # nodes of which was told that they have not answered yet
        self._problems: dict[str, str] = {}  # by the id of every node that has answered; "" if none

    def nodes(self) -> list[Node]:
        """Returns the nodes that can be used: alive, with processors and with our installation.

        One that has joined meanwhile is among them as soon as it has said what is on it, which
        nobody waits for; with another installation it is left out, with a warning.
        """
        return [node for node in self._alive() if self._problem_of(node) == ""]

    def in_words(self) -> str:
        """Returns how large the cluster is."""
        nodes = self.nodes()
        machines = "1 node" if len(nodes) == 1 else f"{len(nodes)} nodes"
        processors = sum(node.cpus for node in nodes)
        return f"{machines}, {processors} processor{'s' * (processors != 1)}"

    def check(self) -> None:
        """Checks that every node of the cluster can be used.

        Raises:
            ClusterError: One has another installation or does not answer, or there is none.
        """
        alive = self._alive()
        if not alive:
            raise ClusterError("the cluster has no node with a processor: start one, `ray start`")
        deadline = time.monotonic() + NODE_SECONDS
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while None in (found := {node: self._problem_of(node) for node in alive}).values():
                if time.monotonic() > deadline:
                    break
                time.sleep(GLANCE)
        problems = [
            _silence(node) if problem is None else problem
            for node, problem in found.items()
            if problem != ""
        ]
        if problems:
            raise ClusterError("; ".join(problems))

    def _alive(self) -> list[Node]:
        import ray

        return [
            Node(node["NodeID"], node["NodeManagerAddress"], cpus)
            for node in ray.nodes()
            if node["Alive"] and (cpus := int(node["Resources"].get("CPU", 0)))
        ]

    def _problem_of(self, node: Node) -> str | None:
        """Returns why a node cannot be used: empty if it can, None if it has not answered yet."""
        import ray

        if self.local:
            return ""  # it runs what this process runs
        if node.id not in self._asked:
            self._asked[node.id] = _Question(_ask_what_is_on(node), time.monotonic())
        if node.id not in self._problems:
            answer, since = self._asked[node.id]
            if not ray.wait([answer], timeout=0)[0]:
                if node.id not in self._silent and time.monotonic() - since > NODE_SECONDS:
                    self._silent.add(node.id)
                    warnings.warn(f"not used yet: {_silence(node)}", stacklevel=3)
                return None
            # It is kept: to ask again and again would stop all work.
            self._problems[node.id] = problem = _problem_in(node, answer)
            if problem:
                warnings.warn(f"not used: {problem}", stacklevel=3)
        return self._problems[node.id]


def _ask_what_is_on(node: Node) -> Any:
    """Asks a node what is installed on it, by the function that says so here."""
    import ray
    from ray import cloudpickle
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    # By value: the module on the node may be another one.
    cloudpickle.register_pickle_by_value(installation)
    try:
        there = ray.remote(
            num_cpus=0,
            max_retries=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False),
        )(installation.installation)
        return there.remote()
    finally:
        cloudpickle.unregister_pickle_by_value(installation)


def _problem_in(node: Node, answer: Any) -> str:
    """Returns what is wrong with a node by its answer, empty if nothing is."""
    import ray

    try:
        return _difference(node, ray.get(answer))
    except ray.exceptions.RayError as error:
        return f"node {_name(node)} does not say what is on it: {' '.join(str(error).split())}"


def _silence(node: Node) -> str:
    """Returns that a node has not answered."""
    silent = f"has not said for {NODE_SECONDS} s what is on it: is it well, or very busy?"
    return f"node {_name(node)} {silent}"


def _name(node: Node) -> str:
    return f"{node.address} ({node.id[:8]})"


def _difference(node: Node, found: dict[str, str]) -> str:
    """Returns how what is installed on a node differs from what is installed here."""
    here = installation.installation()
    for name in here:
        if found.get(name) != here[name]:
            there = f"{name} {found[name]}" if name in found else f"no {name}"
            what = f"node {_name(node)} has {there}, this process {here[name]}"
            return f"{what}: install the same on all nodes, or remove that one"
    return ""


# ---------------------------------------------------------------------------- connecting


@contextmanager
def connected(address: str | None = None) -> Iterator[Cluster]:
    """Connects this process to a Ray cluster, for as long as the context lasts.

    Args:
        address: ``auto`` for the one that runs on this machine, ``host:port`` for one that this
            machine is a node of, ``ray://host:port`` for one elsewhere. None starts one on this
            machine, with all of its processors, which ends with the context.

    Raises:
        OptionError: Ray is not installed, no cluster answers at the address or it has another
            token, or Ray there is another.
        ClusterError: A node of the cluster has another installation.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    # Ray would start processes at nice 15: beside other work of this machine they hardly get on.
    os.environ.setdefault("RAY_worker_niceness", "0")
    # Ray would print of lost processes on the standard output, among our results.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        import ray
    except ImportError as error:
        raise OptionError(f"{error}; a cluster needs Ray: {INSTALL}") from error
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    cluster = Cluster(local=address is None)
    with own_mode():
        try:
            if address is None:
                ray.init("local", include_dashboard=False, num_cpus=os.cpu_count(), **settings)
            else:
                _join(address, settings)
            cluster.check()
            yield cluster
        finally:
            # Actors are numbered anew in every cluster: one that is forgotten later would be taken
            # for another one, of the next connection, and end it.
            cluster.idle.clear()
            ray.shutdown()


def _join(address: str, settings: dict[str, Any]) -> None:
    """Connects this process to a cluster that runs.

    Raises:
        OptionError: No cluster answers there, or it has another token or another Ray.
    """
    import ray

    where = resolved(address)
    check_answer(where)
    try:
        try:
            ray.init(where, **settings)
        except ConnectionError as error:
            if NO_SERVER not in str(error):
                raise
            ray.init(where, **settings)
    except RuntimeError as error:
        if "mismatch" not in str(error):
            raise
        lines = " ".join(str(error).split())
        raise OptionError(f"{address}: {lines}; install the same Ray and Python there") from error
    except (ConnectionError, ValueError) as error:
        advice = f"from a machine that is no node of it the address is {CLIENT}HOST:10001"
        if where.startswith(CLIENT):
            advice = "`ray status` on its head says whether it is well"
        lines = " ".join(str(error).split())
        raise OptionError(f"this process cannot join {address}: {lines}; {advice}") from error
