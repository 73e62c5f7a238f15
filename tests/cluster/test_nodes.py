"""Nodes that go and come, while jobs are done, an agent is trained, a tournament is played."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env.arena import Tournament, run_tournament
from dreamfactory_env.cluster.connection import Cluster, connected
from dreamfactory_env.learning.run import Run, begin
from tests.cluster.conftest import Connection, started, wait_until
from tests.cluster.squares import collect, squares
from tests.cluster.trainings import AtRollout, same, settings

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Gives a cluster of two nodes; whoever takes one away adds another one."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SITTER_SECONDS", "0.001")  # of the nodes, and those that come later
        with started(2) as nodes:
            yield nodes


@pytest.fixture(scope="module")
def changing(nodes: Any, connection: Connection) -> Iterator[Cluster]:
    """Gives that cluster as this process has joined it."""
    connection.close()  # there can be one, and this is made before any test leaves the other
    with connected(nodes.address) as cluster:
        yield cluster


def remove_one(nodes: Any) -> None:
    leaving = next(iter(nodes.worker_nodes))
    nodes.remove_node(leaving, allow_graceful=False)


def test_jobs_while_nodes_go_and_come(nodes: Any, changing: Cluster, tmp_path: Path) -> None:
    numbers = count()
    with squares(changing) as workers:

        def submit(jobs: int) -> None:
            for number in islice(numbers, jobs):
                workers.submit(number, number, tmp_path / "none")

        def used_by() -> int:
            submit(6)
            return len({job.worker for job in collect(workers, 6)})

        assert used_by() <= 2
        (first,) = nodes.worker_nodes
        nodes.add_node(num_cpus=1)
        while used_by() < 3:  # it takes a moment until a worker is there
            assert next(numbers) < 1000
        submit(12)
        done = collect(workers, 2)
        nodes.remove_node(first, allow_graceful=False)
        done += collect(workers, 10)
        assert len({job.number for job in done}) == 12
        while used_by() > 2:  # processes may outlive their node for a moment
            assert next(numbers) < 2000


def test_a_training_whose_nodes_go_and_come(
    nodes: Any, changing: Cluster, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    run = begin(settings(2), tmp_path, changing)
    run.train(
        [
            AtRollout(2, lambda: remove_one(nodes)),
            AtRollout(4, lambda: nodes.add_node(num_cpus=1)),
        ]
    )
    assert same(run, undisturbed(2))


def test_a_node_that_joins_a_training_plays_from_then_on(
    nodes: Any, changing: Cluster, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    # Rollouts are longer than the question who is there: all who are get a part of one.
    longer = 3, True, 4
    run = begin(settings(*longer), tmp_path, changing)
    wait_until(lambda: len(changing.nodes()) == 2)  # others are those that tests have taken away

    def join() -> None:
        nodes.add_node(num_cpus=1)
        wait_until(lambda: len(changing.nodes()) == 3)

    def wait_for_the_new_one() -> None:
        """Waits until whoever was started in the last rollout has begun."""
        assert len(changing.idle) == 3
        ray.get([worker.actor.start.remote() for worker in changing.idle])

    try:
        run.train([AtRollout(2, join), AtRollout(3, wait_for_the_new_one)])
    finally:
        remove_one(nodes)
    lines = csv.DictReader((tmp_path / "progress.csv").read_text().splitlines())
    actors = [int(row["rollout/actors"]) for row in lines]
    assert max(actors[:2]) <= 2  # the third one is played with the new node there
    assert max(actors[3:]) == 3
    assert same(run, undisturbed(*longer))


def test_a_tournament_whose_nodes_go_and_come(
    nodes: Any, changing: Cluster, tmp_path: Path
) -> None:
    policies = ("tests.players:Sitter", "greedy")
    tournament = Tournament(policies=policies, players=2, deals=20, records=True)

    def disturb(deals: int) -> None:
        if deals == 4:
            remove_one(nodes)
        if deals == 8:
            nodes.add_node(num_cpus=1)

    run_tournament(tournament, tmp_path / "there", cluster=changing, progress=disturb)
    run_tournament(tournament, tmp_path / "here", processes=1)
    found = {path.name: path.read_bytes() for path in (tmp_path / "there" / "records").iterdir()}
    assert len(found) == 20
    for name, records in found.items():
        assert (tmp_path / "here" / "records" / name).read_bytes() == records
    there, here = (tmp_path / place / "result.jsonl" for place in ("there", "here"))
    assert there.read_bytes() == here.read_bytes()
