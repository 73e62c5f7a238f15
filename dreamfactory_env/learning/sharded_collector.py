"""Collecting a rollout in shards, each of them a job that anybody may do."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import trusted
from dreamfactory_env.learning.collector import Collector, Rollout
from dreamfactory_env.learning.other_seats import Weights
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.rollout_buffer import SeatRolloutBuffer
from dreamfactory_env.learning.rollout_jobs import (
    Networks,
    RolloutJob,
    ShardPlayer,
    ShardRollout,
    arrays_of,
)
from dreamfactory_env.learning.training_env import TrainingVecEnv
from dreamfactory_env.learning.training_games import StepResult


class ShardedCollector(Collector):
    """Collects a rollout from the shards of the games, laid side by side in their order.

    The first shard draws the random numbers of the run, so that with one shard the rollout is the
    one that :class:`Collector` collects; the others draw their own, from seeds that come from
    those of the run.

    Args:
        policy: A network of the shape of those that play.
        env: The games. They are not played here: they go to where they are played, and come back.
        buffer: A buffer like the one that is filled.
        player: Who plays.
        snapshots: Gives the weights of the snapshots among the other players.
    """

    def __init__(
        self,
        policy: SeatPolicy,
        env: TrainingVecEnv,
        buffer: SeatRolloutBuffer,
        player: ShardPlayer,
        snapshots: Callable[[], list[Weights]],
    ) -> None:
        super().__init__(policy, env, buffer)
        self._player = player
        self._snapshots = snapshots

    def _collect(self, observations: Array) -> Rollout:
        begun = time.perf_counter()
        buffer = self._buffer
        buffer.reset()
        games = self._env.games.shards()
        firsts = np.cumsum([0, *(shard.num_envs for shard in games[:-1])]).tolist()
        parts: dict[int, ShardRollout] = {}
        for part in self._until_cancelled(self._player.play(self._networks(), self._jobs())):
            if part is not None:
                buffer.add_rows(firsts[part.shard], part.decisions)
                parts[part.shard] = part._replace(decisions={})
        rollout = [parts[shard] for shard in range(len(games))]
        for shard, part in zip(games, rollout, strict=True):
            shard.restore_state(tuple(map(trusted, part.games)))
        np.random.set_state(rollout[0].numpy)
        buffer.finish()
        results = _results(buffer, rollout)
        seconds = time.perf_counter() - begun
        return Rollout(buffer, results, results[-1].observations, seconds, _actors(rollout))

    def _networks(self) -> Networks:
        learner = arrays_of(self._policy.state_dict())
        return Networks(learner, [arrays_of(weights) for weights in self._snapshots()])

    def _jobs(self) -> list[RolloutJob]:
        """Returns the jobs of a rollout from here on."""
        games = self._env.games.shards()
        seeds = np.random.randint(2**32, size=(len(games) - 1, 4), dtype=np.uint32)
        own = [np.random.RandomState(seed).get_state() for seed in seeds]
        steps = self._buffer.buffer_size
        return [
            RolloutJob(number, steps, shard.clone_state(), state)
            for number, (shard, state) in enumerate(
                zip(games, [np.random.get_state(), *own], strict=True)
            )
        ]


def _actors(rollout: list[ShardRollout]) -> int:
    return len({part.actor for part in rollout})


def _results(buffer: SeatRolloutBuffer, rollout: list[ShardRollout]) -> list[StepResult]:
    """Returns what each step has brought, in all shards."""
    lineups = np.concatenate([part.lineups for part in rollout], axis=1)
    returns = np.concatenate([part.returns for part in rollout], axis=1)
    last = np.concatenate([part.observations for part in rollout])
    together = np.sum([part.seconds for part in rollout], axis=0)
    return [
        StepResult(
            observations=buffer.observations[step + 1] if step + 1 < buffer.buffer_size else last,
            last_player=buffer.last_player[step],
            hints=buffer.hints[step],
            rewards=buffer.seat_rewards[step],
            dones=buffer.dones[step],
            lineups=lineups[step],
            returns=returns[step],
            seconds=float(together[step]) / _actors(rollout),  # they play side by side
        )
        for step in range(buffer.buffer_size)
    ]
