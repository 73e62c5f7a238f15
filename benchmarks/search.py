"""How fast the search is: ``python -m benchmarks.search`` prints its figures.

A decision is a move made in a game that the search plays, in the tree or below it: listing the
legal moves, choosing one and playing it; redraws and the tree's own work are included. Seconds are
those of the processor, so that others on the machine disturb little; only threads are compared by
the clock, and need an idle machine. The load that it had at the start is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable

from dreamfactory_env import DreamFactory
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.search import Search

POSITIONS = 5
AIM = "at least 1,500,000"
GUIDED_AIM = "at least 0.5"


def speeds(
    players: int,
    rollout: str,
    threads: int,
    seconds: float,
    clock: Callable[[], float],
    guide: str = "",
) -> tuple[float, float]:
    """Returns the decisions and the iterations a second, medians over some positions."""
    decisions: list[float] = []
    iterations: list[float] = []
    game = DreamFactory(players, seed=1)
    network = network_named(guide, game) if guide else None
    search = Search(seconds=seconds, rollout=rollout, threads=threads, network=network)
    search.analyse(game)  # compiles
    for _ in range(POSITIONS):
        begin = clock()
        found = search.analyse(game)
        took = clock() - begin
        decisions.append(found.decisions / took)
        iterations.append(found.iterations / took)
        for k in range(15):  # on to another position
            legal = game.legal()
            game.play(legal[k % min(len(legal), 3)])
    return statistics.median(decisions), statistics.median(iterations)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each of five positions")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    rows = [("load at the start", "", os.getloadavg()[0], "idle: below 0.5")]
    for players in (2, 4):
        for rollout in DreamFactory.spec.scripted:
            size = (players, rollout, 1, arguments.seconds)
            decisions, iterations = speeds(*size, time.process_time)
            name = f"{players} players, {rollout} rollouts"
            aim = AIM if rollout == "random" else ""
            rows.append((f"decisions, {name}", "/s", decisions, aim))
            rows.append((f"iterations, {name}", "/s", iterations, ""))
        for guide in DreamFactory.agents:  # iterations are those of the last rollouts, the default
            guided = speeds(*size, time.process_time, guide)[1]
            aim = GUIDED_AIM if players == 2 else ""
            rows.append((f"guided by {guide}, {name}", "times", guided / iterations, aim))
    one, two = (
        speeds(2, "random", threads, arguments.seconds, time.perf_counter)[0] for threads in (1, 2)
    )
    rows.append(("two threads over one", "times", two / one, ""))
    if arguments.json:
        print(json.dumps({name: figure for name, _, figure, _ in rows}, indent=1))
        return
    for name, unit, figure, aim in rows:
        shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
        print(f"{name:<60} {shown:>12} {unit:<6} {aim}")


if __name__ == "__main__":
    main()
