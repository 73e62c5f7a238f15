"""Training on a cluster: the agent is the same, whoever plays, dies, comes or goes meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamfactory_env.cli.training import _as_many_as_useful
from dreamfactory_env.cluster.connection import Cluster, connected
from dreamfactory_env.learning.run import Run, begin, resume
from tests.cluster.processes import actors_at_work
from tests.cluster.trainings import STEPS, AtRollout, same, settings
from tests.learning.small import drop_checkpoints, tiny

pytest.importorskip("ray")

# ---------------------------------------------------------------------------- undisturbed


@pytest.mark.parametrize("async_rollouts", [False, True])
def test_one_actor_makes_the_agent_of_the_plain_run(
    cluster: Cluster, tmp_path: Path, undisturbed: Callable[..., Run], async_rollouts: bool
) -> None:
    run = begin(settings(1, async_rollouts), tmp_path, cluster)
    run.train()
    assert same(run, undisturbed(1, async_rollouts))


def test_actors_that_are_fewer_than_asked_for_make_the_same_agent(
    cluster: Cluster, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    run = begin(settings(4), tmp_path, cluster)
    run.train()
    assert same(run, undisturbed(4))
    assert not same(run, undisturbed(1))


@pytest.mark.usefixtures("three_nodes")
def test_a_training_on_a_cluster_that_this_machine_is_no_node_of(
    client_port: int, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    with connected(f"ray://127.0.0.1:{client_port}") as cluster:
        run = begin(settings(2), tmp_path, cluster)
        run.train()
    assert same(run, undisturbed(2))


# ---------------------------------------------------------------------------- disturbed


def kill_twice(ended: threading.Event, killed: list[int]) -> None:
    """Kills actors that are in the middle of something: one, and another one later."""
    while len(killed) < 2 and not ended.is_set():
        for pid in set(actors_at_work()) - set(killed):
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
            time.sleep(0.5)
            break
        time.sleep(0.002)


def test_actors_that_are_killed_in_the_middle_of_a_rollout(
    cluster: Cluster, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    ended, killed = threading.Event(), list[int]()
    killer = threading.Thread(target=kill_twice, args=(ended, killed))
    run = begin(settings(2), tmp_path, cluster)
    run.train([AtRollout(2, killer.start)])
    ended.set()
    killer.join()
    assert len(killed) == 2
    assert same(run, undisturbed(2))


def test_a_run_moves_to_a_cluster_and_back(
    cluster: Cluster, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed(2).folder, folder)

    def go_on(kept: int, where: Cluster | None) -> Run:
        """Trains the run on from one of its first checkpoints."""
        drop_checkpoints(resume(folder), kept)
        run = resume(folder, cluster=where)
        assert 0 < run.saved_steps < STEPS
        run.train()
        return run

    assert same(go_on(1, cluster), undisturbed(2))
    assert same(go_on(2, None), undisturbed(2))


def test_auto_leaves_room_for_nodes_that_join(cluster: Cluster) -> None:
    assert _as_many_as_useful(cluster, tiny(n_envs={2: 8})) == 2 * 3
    assert _as_many_as_useful(cluster, tiny(n_envs={2: 8, 3: 5})) == 5  # a game of each for a part
    assert _as_many_as_useful(Cluster(local=True), tiny(n_envs={2: 8})) == 3
