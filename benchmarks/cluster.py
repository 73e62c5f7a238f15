"""What a cluster costs: ``python -m benchmarks.cluster`` prints tables; it needs Ray and RLlib.

A training file, quick.yaml if nothing is said, is trained in small in this process, and with one
and two actors of a Ray that is started on this machine; rollouts beside updates, and taking turns.
Its first rollouts are not counted: processes start, and compiled code is loaded. All ways take
turns, for several rounds; a figure is the median of its rounds.

Then: the bytes that an update moves; the decisions a second of one runner on one core, ours and
those of RLlib (``benchmarks.rllib_runners``); with ``--strength SECONDS`` also how strong each way
is after so long.

Nothing else should be running meanwhile. The load at the start is printed.
"""

from __future__ import annotations

import argparse
import os
import pickle
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from stable_baselines3.common.callbacks import BaseCallback

from benchmarks.training_load import QUICK, in_small
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.cluster.connection import Cluster, connected
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.evaluation import ModelPolicy
from dreamfactory_env.learning.rollout_jobs import (
    Networks,
    PlayHere,
    RemoteWorker,
    RolloutJob,
    RolloutWorker,
    ShardRollout,
)
from dreamfactory_env.learning.run import Run, begin
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.utils.threads import use_one_thread

ROLLOUTS = 9
ROUNDS = 3
#: Rollouts that are not counted.
FIRST = 3
Way = tuple[str, Training, bool]


class Figures(NamedTuple):
    """How fast a training is.

    Attributes:
        speed: Decisions of the learner a second.
        cost: Processor time of a thousand decisions in milliseconds, that of all processes.
    """

    speed: float
    cost: float


class Clock(BaseCallback):
    """Takes the time from one rollout to the last."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[tuple[int, float, float]] = []

    def _on_rollout_end(self) -> None:
        self.times.append((self.num_timesteps, time.perf_counter(), processor_time()))

    def _on_step(self) -> bool:
        return True

    def figures(self) -> Figures:
        """Returns how fast the rollouts and updates were that are counted."""
        (before, begun, used), (after, ended, used_then) = self.times[FIRST - 1], self.times[-1]
        decisions = after - before
        return Figures(decisions / (ended - begun), (used_then - used) / decisions * 1e6)


def processor_time() -> float:
    """Returns the seconds of processor time of this process and all below it, so far."""
    parents, used = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, (_, parent, *more) = int(path.parent.name), _fields(path)
        except OSError:
            continue  # it has ended meanwhile
        parents[pid], used[pid] = int(parent), int(more[9]) + int(more[10])

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    return sum(used[pid] for pid in used if is_ours(pid)) / os.sysconf("SC_CLK_TCK")


def _fields(path: Path) -> list[str]:
    """Returns what stands behind the name of a process, which may have blanks."""
    return path.read_text().rpartition(")")[2].split()


def ways(settings: Training) -> Iterator[Way]:
    """Gives the same training in several ways: a name, its settings, whether on the cluster."""
    for manner, beside in (("beside updates", True), ("taking turns", False)):
        way = replace(settings, ppo=replace(settings.ppo, async_rollouts=beside))
        yield f"in this process, {manner}", way, False
        for actors in (1, 2):
            named = f"{actors} actor{'s' * (actors > 1)}, {manner}"
            yield named, replace(way, actors=actors), True


def trained(settings: Training, folder: str, cluster: Cluster | None) -> tuple[Run, Figures]:
    """Trains; returns the run, and how fast it was."""
    run = begin(settings, Path(folder) / "run", cluster)
    run.notify = lambda text: None
    clock = Clock()
    run.train([clock])
    return run, clock.figures()


def figures_of(settings: Training, cluster: Cluster | None) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        return trained(settings, folder, cluster)[1]


def measure(settings: Training, rounds: int, cluster: Cluster) -> dict[str, Figures]:
    """Returns how fast each way is."""
    found: dict[str, list[Figures]] = {}
    for _ in range(rounds):
        for name, way, on_cluster in ways(settings):
            found.setdefault(name, []).append(figures_of(way, cluster if on_cluster else None))
            print(f"{name}: {found[name][-1]}", file=sys.stderr, flush=True)
    return {
        name: Figures(*map(statistics.median, zip(*found[name], strict=True))) for name in found
    }


# ---------------------------------------------------------------------------- bytes


class Counted:
    """Counts the bytes that go to those who play, and those that come back."""

    def __init__(self, player: Any) -> None:
        self._player = player
        self.sent: list[tuple[int, int, int]] = []

    def play(self, networks: Networks, jobs: Sequence[RolloutJob]) -> Iterator[ShardRollout | None]:
        """Gives the shards of a rollout, and counts what they are."""
        back = 0
        for part in self._player.play(networks, jobs):
            back += _size(part) if part is not None else 0
            yield part
        self.sent.append((_size(networks), sum(map(_size, jobs)), back))


def _worker_of(run: Run) -> Callable[[], RolloutWorker]:
    agents = list(run.league.agents.values())
    return partial(RolloutWorker, run.settings, agents, run.model.policy.twin())


def _size(value: object) -> int:
    return len(pickle.dumps(value, 5))


def bytes_of_an_update(settings: Training) -> tuple[int, int, int]:
    """Returns the bytes of the networks, of the games that go out, and of what comes back."""
    with tempfile.TemporaryDirectory() as folder:
        run = begin(replace(settings, actors=2), Path(folder) / "run")
        run.notify = lambda text: None
        collector: Any = run.model.collector
        remote: Any = partial(RemoteWorker, _worker_of(run))
        collector._player = counted = Counted(PlayHere(remote))
        run.train()
        return counted.sent[-1]


# ---------------------------------------------------------------------------- strength


def strengths(
    settings: Training, figures: dict[str, Figures], seconds: float, cluster: Cluster
) -> Iterator[tuple[str, int, float, float]]:
    """Gives for each way the decisions of so long a training, and how often it beats ``greedy``."""
    rollout = sum(settings.n_envs.values()) * settings.ppo.n_steps
    for name, way, on_cluster in ways(settings):
        longer = in_small(way, max(round(figures[name].speed * seconds / rollout), FIRST + 1))
        with tempfile.TemporaryDirectory() as folder:
            run, _ = trained(longer, folder, cluster if on_cluster else None)
            match = duel(ModelPolicy(run.model), ["greedy"], players=2, games=1000)
            result = evaluate(match, processes=1)
        assert result is not None
        yield name, run.model.num_timesteps, result.win_rate, result.half_width


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path, nargs="?", default=QUICK, help="a training file")
    parser.add_argument("--rollouts", type=int, default=ROLLOUTS, help="of a training")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--strength", type=float, metavar="SECONDS", help="train each way so long")
    arguments = parser.parse_args()
    print(f"load at the start {os.getloadavg()[0]:.2f} (idle: below 0.5), {os.cpu_count()} cores\n")
    use_one_thread()  # as `dreamfactory train` does
    whole = read_training(arguments.config)
    settings = in_small(whole, arguments.rollouts)
    figures_of(settings, None)  # compiles, or loads from the cache
    with connected() as cluster:
        figures = measure(settings, arguments.rounds, cluster)
        print("| training | decisions a second | processor time of 1,000 |\n|---|---:|---:|")
        for name, (speed, cost) in figures.items():
            print(f"| {name} | {speed:,.0f} | {cost:.0f} ms |", flush=True)
        if arguments.strength:
            print(
                "\n| after equal time | decisions | beats `greedy`, two players |\n|---|---:|---:|"
            )
            for name, steps, rate, half in strengths(whole, figures, arguments.strength, cluster):
                print(f"| {name} | {steps:,} | {rate:.1%} ± {half:.1%} |", flush=True)
    networks, games, back = bytes_of_an_update(settings)
    print(f"\nan update: networks {networks:,} bytes to each node, games {games:,}, back {back:,}")
    # Last: RLlib starts a Ray of its own.
    from benchmarks.rllib_runners import print_runners

    print_runners()


if __name__ == "__main__":
    main()
