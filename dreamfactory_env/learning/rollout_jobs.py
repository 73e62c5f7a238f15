"""Rollouts as jobs: what is played follows from a job alone, wherever and by whom it is done.

The games of a training are split into shards, and a rollout into as many jobs. A job has all that
changes: the network, the snapshots among the other players, the games, the random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch

from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.cluster.jobs import compile_once
from dreamfactory_env.cluster.workers import Workers
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import Saved, trusted
from dreamfactory_env.learning.collector import fill, play_steps
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.other_seats import OtherSeats, Weights
from dreamfactory_env.learning.packing import pack
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.rollout_buffer import SeatRolloutBuffer
from dreamfactory_env.learning.training_env import make_env
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.utils.threads import use_one_thread


class Networks(NamedTuple):
    """The networks of a rollout, which all of its jobs share.

    Attributes:
        learner: The weights of the one that plays, by name, float32.
        snapshots: Those of the snapshots among the other players.
    """

    learner: dict[str, Array]
    snapshots: list[dict[str, Array]]


class RolloutJob(NamedTuple):
    """One shard of a rollout that is to be played.

    Attributes:
        shard: Which one.
        n_steps: How many steps.
        games: What ``TrainingGames.clone_state`` has returned for the shard.
        numpy: The state of NumPy's random numbers.
    """

    shard: int
    n_steps: int
    games: tuple[Saved, ...]
    numpy: Any


class ShardRollout(NamedTuple):
    """One shard of a rollout.

    Attributes:
        shard: Which one.
        decisions: What ``SeatRolloutBuffer.decisions`` returns, perhaps packed.
        lineups: Who had each seat in the games that are done, int64 (steps, rows, max_players).
        returns: What those were worth to each seat, float64 (steps, rows, max_players).
        seconds: How long the games took in each step, float64 (steps,).
        observations: What the next decisions are made from, float32 (rows, size).
        games: The games at the end.
        numpy: The state of NumPy's random numbers at the end.
        actor: The number of the process that has played it.
    """

    shard: int
    decisions: Mapping[str, Any]
    lineups: Array
    returns: Array
    seconds: Array
    observations: Array
    games: tuple[Saved, ...]
    numpy: Any
    actor: int = 0


class RolloutWorker:
    """Does jobs of the rollouts of a training; it may do those of any shard.

    Args:
        settings: Those of the training.
        agents: The trained networks among the other players.
        policy: A network of the learner's shape, which is this worker's from now on.
    """

    def __init__(
        self, settings: Training, agents: Sequence[NetworkPolicy], policy: SeatPolicy
    ) -> None:
        use_one_thread()
        torch.set_num_threads(1)
        games = make_env(settings).games
        self._policy = policy
        self._seats = OtherSeats(games, settings.others, agents)
        self._shards = games.shards()
        self._buffers: dict[tuple[int, int], SeatRolloutBuffer] = {}

    def __call__(self, networks: Networks, job: RolloutJob) -> ShardRollout:
        """Plays a shard of a rollout; NumPy's random numbers are used for it."""
        self._policy.load_state_dict(_tensors(networks.learner))
        self._seats.set_players(list(map(_tensors, networks.snapshots)), self._policy)
        games = self._shards[job.shard]
        games.restore_state(tuple(map(trusted, job.games)))
        np.random.set_state(job.numpy)
        buffer = self._buffer(job)
        steps = play_steps(self._policy, games, games.observe(), job.n_steps)
        results = fill(buffer, steps)
        return ShardRollout(
            shard=job.shard,
            decisions=buffer.decisions(),
            lineups=np.stack([result.lineups for result in results]),
            returns=np.stack([result.returns for result in results]),
            seconds=np.array([result.seconds for result in results]),
            observations=results[-1].observations,
            games=games.clone_state(),
            numpy=np.random.get_state(),
        )

    def compile(self) -> None:
        """Plays a little, so that all that is needed is compiled now and not later."""
        games = self._shards[0]
        games.reset()
        networks = Networks(arrays_of(self._policy.state_dict()), [])
        self(networks, RolloutJob(0, 2, games.clone_state(), np.random.get_state()))

    def _buffer(self, job: RolloutJob) -> SeatRolloutBuffer:
        """Returns a buffer for a job; those of all shards of a size are the same."""
        games = self._shards[job.shard]
        size = job.n_steps, games.num_envs
        if size not in self._buffers:
            self._buffers[size] = SeatRolloutBuffer(
                job.n_steps,
                self._policy.observation_space,
                self._policy.action_space,
                "cpu",
                n_envs=games.num_envs,
                players=games.players,
            )
        return self._buffers[size]


def arrays_of(weights: Weights) -> dict[str, Array]:
    """Returns weights as arrays, which are sent without a copy."""
    return {name: tensor.numpy() for name, tensor in weights.items()}


def _tensors(arrays: dict[str, Array]) -> Weights:
    return {name: torch.tensor(array) for name, array in arrays.items()}


# ---------------------------------------------------------------------------- where jobs are done

MakeWorker = Callable[[], RolloutWorker]


class ShardPlayer(Protocol):
    """Has the jobs of rollouts done."""

    def play(self, networks: Networks, jobs: Sequence[RolloutJob]) -> Iterator[ShardRollout | None]:
        """Gives the shards of a rollout in any order, and nothing now and then."""


class PlayHere:
    """Plays the shards of rollouts in this process, one after the other.

    Args:
        make: Makes who plays.
    """

    def __init__(self, make: MakeWorker) -> None:
        self._worker = make()

    def play(self, networks: Networks, jobs: Sequence[RolloutJob]) -> Iterator[ShardRollout | None]:
        """Gives the shards of a rollout."""
        for job in jobs:
            yield self._worker(networks, job)


class RemoteWorker:
    """Does jobs of rollouts on a node of a cluster, and packs what is sent back.

    Args:
        make: Makes who plays.
    """

    def __init__(self, make: MakeWorker) -> None:
        self._worker = make()
        compile_once(self._worker.compile)

    def __call__(self, networks: Networks, job: RolloutJob) -> ShardRollout:
        """Plays a shard of a rollout."""
        part = self._worker(networks, job)
        observations = pack(part.decisions["observations"])
        return part._replace(decisions={**part.decisions, "observations": observations})


class PlayOnCluster:
    """Plays the shards of rollouts on a cluster, by as many processes as there are.

    Args:
        make: Makes who plays, in each process.
        cluster: Where.
        shards: How many shards there are: no more processes are of use.
    """

    def __init__(self, make: MakeWorker, cluster: Cluster, shards: int) -> None:
        self._workers: Workers[ShardRollout] = Workers(cluster, partial(RemoteWorker, make), shards)

    def play(self, networks: Networks, jobs: Sequence[RolloutJob]) -> Iterator[ShardRollout | None]:
        """Gives the shards of a rollout, and nothing now and then."""
        shared = self._workers.put(networks)
        try:
            for job in jobs:
                self._workers.submit(job.shard, shared, job)
            left = len(jobs)
            while left:
                yield None
                for done in self._workers.done():
                    left -= 1
                    yield done.result._replace(actor=done.worker)
        finally:
            self._workers.close()


def make_player(
    settings: Training,
    agents: Sequence[NetworkPolicy],
    policy: SeatPolicy,
    cluster: Cluster | None,
) -> ShardPlayer:
    """Returns who plays the shards of a training's rollouts.

    Args:
        settings: Those of the training.
        agents: The trained networks among the other players.
        policy: A network of the learner's shape.
        cluster: Where they are played; in this process if None.
    """
    make = partial(RolloutWorker, settings, agents, policy.twin())
    return PlayHere(make) if cluster is None else PlayOnCluster(make, cluster, settings.actors)
