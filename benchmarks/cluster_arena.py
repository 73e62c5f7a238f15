"""What a cluster costs a tournament: ``python -m benchmarks.cluster_arena``; it needs Ray.

A tournament with as many workers on a cluster as processes on this machine: how many games a second
once all of them play, the first third of the chunks apart, and how long it takes to the first
chunk. Both play in turn, several times, and the best of each counts. Before that: what a job costs
in which nothing is done. Nothing else should be running meanwhile; the load that the machine had at
the start is printed.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.pool import compile_all, play_chunks
from dreamfactory_env.cluster.connection import Cluster, connected
from dreamfactory_env.cluster.jobs import do_jobs

#: Compiled policies, whose chunks are over in a moment, and a network, whose are not.
TOURNAMENTS = {
    "scripted": Tournament(("random", "greedy", "builder", "expert"), players=4, deals=60 * 128),
    "network": Tournament(("pretrained-small", "greedy"), players=4, deals=12 * 128),
}


def rates(
    tournament: Tournament, processes: int, cluster: Cluster | None = None
) -> tuple[float, float]:
    """Returns the games a second of a tournament that is under way, and the seconds until then.

    Args:
        tournament: Which one.
        processes: How many play.
        cluster: Whose they are; this machine's if not given.
    """
    begin = time.perf_counter()
    played = play_chunks(tournament, processes=processes, cluster=cluster)
    done = [(time.perf_counter() - begin, len(chunk.won)) for chunk in played]
    rest = done[len(done) // 3 :]
    games = sum(count for _, count in rest[1:])
    return games / (rest[-1][0] - rest[0][0]), done[0][0]


def make_nothing() -> Callable[[int], int]:
    """Makes a job in which nothing is done."""
    return lambda number: number


def job_seconds(cluster: Cluster, jobs: int = 500) -> float:
    """Returns how long a job takes in which nothing is done, the best of three times so many."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        list(do_jobs(cluster, make_nothing, [(number,) for number in range(jobs)]))
        times.append((time.perf_counter() - begin) / jobs)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    count = arguments.processes
    print(f"load at the start: {os.getloadavg()[0]:.2f}")
    with connected() as cluster:
        print(f"a job in which nothing is done: {1000 * job_seconds(cluster):.1f} ms")
        for name, tournament in TOURNAMENTS.items():
            compile_all(tournament)
            places = {f"{count} processes": None, f"{count} workers on a cluster": cluster}
            found: dict[str, list[tuple[float, float]]] = {place: [] for place in places}
            for _ in range(arguments.rounds):
                for place, where in places.items():
                    found[place].append(rates(tournament, count, where))
            print(f"{name}: {tournament.chunks} chunks")
            for place, rounds in found.items():
                rate, first = max(rate for rate, _ in rounds), min(first for _, first in rounds)
                print(f"  {place:<24} {rate:>10,.0f} games/s, first chunk after {first:.1f} s")


if __name__ == "__main__":
    main()
