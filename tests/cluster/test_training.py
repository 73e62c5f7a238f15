"""Training on a cluster: the agent is the same, whoever plays, dies, comes or goes meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.cluster.connection import Cluster, connected
from dreamfactory_env.learning.config import Network, Others, PPOSettings, Training
from dreamfactory_env.learning.run import Run, begin, resume
from tests.cluster.conftest import started
from tests.cluster.processes import actors_at_work
from tests.learning.small import drop_checkpoints, tiny, weights

pytest.importorskip("ray")

#: Everybody who may play: the learner, its past, a scripted policy, a trained network.
OTHERS = Others(self=0.4, past=0.3, scripted={"greedy": 0.2}, agents={"pretrained-small": 0.1})
ROLLOUT = 32 * 32
STEPS = 8 * ROLLOUT


def settings(actors: int, async_rollouts: bool = True) -> Training:
    """Returns the settings of eight rollouts, each long enough to be killed in the middle."""
    return tiny(
        total_timesteps=STEPS,
        actors=actors,
        n_envs={2: 16, 3: 16},
        opponents=OTHERS,
        network=Network(net_arch=[32]),
        ppo=PPOSettings(1e-2, n_steps=32, batch_size=256, async_rollouts=async_rollouts),
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    """Gives runs in this process, by the number of actors."""
    runs: dict[tuple[Any, ...], Run] = {}

    def run(*args: Any) -> Run:
        if args not in runs:
            runs[args] = begin(settings(*args), tmp_path_factory.mktemp("run"))
            runs[args].train()
        return runs[args]

    return run


@contextmanager
def beginning(address: str, folder: Path, *args: Any) -> Iterator[Run]:
    """Gives a run on a cluster, to be trained while the context lasts."""
    with connected(address) as cluster:
        yield begin(settings(*args), folder, cluster)


class AtRollout(BaseCallback):
    """Does something at the end of a rollout, the next one of which is not begun yet."""

    def __init__(self, number: int, what: Callable[[], object]) -> None:
        super().__init__()
        self._left, self._what = number, what

    def _on_rollout_end(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._what()

    def _on_step(self) -> bool:
        return True


def same(run: Run, other: Run) -> bool:
    """Tells whether two runs have come to the same end."""
    found = [
        (weights(each), each.metrics.games, each.league.results, each.env.games.clone_state())
        for each in (run, other)
    ]
    return found[0] == found[1]


# ---------------------------------------------------------------------------- undisturbed


@pytest.mark.parametrize("async_rollouts", [False, True])
def test_one_actor_makes_the_agent_of_the_plain_run(
    three_nodes: Any, tmp_path: Path, undisturbed: Callable[..., Run], async_rollouts: bool
) -> None:
    with beginning(three_nodes.address, tmp_path, 1, async_rollouts) as run:
        run.train()
    assert same(run, undisturbed(1, async_rollouts))


def test_actors_that_are_fewer_than_asked_for_make_the_same_agent(
    three_nodes: Any, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    with beginning(three_nodes.address, tmp_path, 4) as run:
        run.train()
    assert same(run, undisturbed(4))
    assert not same(run, undisturbed(1))


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
    three_nodes: Any, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    ended, killed = threading.Event(), list[int]()
    killer = threading.Thread(target=kill_twice, args=(ended, killed))
    with beginning(three_nodes.address, tmp_path, 2) as run:
        run.train([AtRollout(2, killer.start)])
        ended.set()
        killer.join()
    assert len(killed) == 2
    assert same(run, undisturbed(2))


def test_nodes_that_go_and_come(tmp_path: Path, undisturbed: Callable[..., Run]) -> None:
    with started(2, num_cpus=0) as cluster:
        cluster.add_node(num_cpus=1)
        first, _ = cluster.worker_nodes
        with beginning(cluster.address, tmp_path, 2) as run:
            run.train(
                [
                    AtRollout(2, lambda: cluster.remove_node(first, allow_graceful=False)),
                    AtRollout(4, lambda: cluster.add_node(num_cpus=1)),
                ]
            )
    assert same(run, undisturbed(2))


def test_a_run_moves_to_a_cluster_and_back(
    three_nodes: Any, tmp_path: Path, undisturbed: Callable[..., Run]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed(2).folder, folder)

    def go_on(kept: int, cluster: Cluster | None) -> Run:
        """Trains the run on from one of its first checkpoints."""
        drop_checkpoints(resume(folder), kept)
        run = resume(folder, cluster=cluster)
        assert 0 < run.saved_steps < STEPS
        run.train()
        return run

    with connected(three_nodes.address) as cluster:
        assert same(go_on(1, cluster), undisturbed(2))
    assert same(go_on(2, None), undisturbed(2))
