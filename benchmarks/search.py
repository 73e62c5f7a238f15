"""How fast the search is: ``python benchmarks/search.py`` prints its figures.

A decision is a move made in a game that the search plays, in the tree or below it: listing the
legal moves, choosing one and playing it; redraws and the tree's own work are included. Nothing
else should be running meanwhile; the load that the machine had at the start is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics

from dreamfactory_env import DreamFactory
from dreamfactory_env.policies.search import Search

AIM = "at least 1,500,000"


def speeds(players: int, rollout: str, threads: int, seconds: float) -> tuple[float, float]:
    """Returns the decisions and the iterations a second, medians over some positions."""
    decisions: list[float] = []
    iterations: list[float] = []
    game = DreamFactory(players, seed=1)
    codes = iter(range(10**6))
    search = Search(seconds=seconds, rollout=rollout, threads=threads)
    while len(decisions) < 5:
        found = search.analyse(game)
        decisions.append(found.decisions / found.seconds)
        iterations.append(found.iterations / found.seconds)
        for _ in range(15):  # on to another position
            legal = game.legal()
            game.play(legal[next(codes) % min(len(legal), 3)])
    return statistics.median(decisions), statistics.median(iterations)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each of five positions")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    rows = [("load at the start", "", os.getloadavg()[0], "idle: below 0.5")]
    for players in (2, 4):
        for rollout in DreamFactory.scripted:
            decisions, iterations = speeds(players, rollout, 1, arguments.seconds)
            name = f"{players} players, {rollout} rollouts"
            aim = AIM if rollout == "random" else ""
            rows.append((f"decisions, {name}", "/s", decisions, aim))
            rows.append((f"iterations, {name}", "/s", iterations, ""))
    one = speeds(2, "random", 1, arguments.seconds)[0]
    two = speeds(2, "random", 2, arguments.seconds)[0]
    rows.append(("two threads over one", "times", two / one, ""))
    if arguments.json:
        print(json.dumps({name: figure for name, _, figure, _ in rows}, indent=1))
        return
    for name, unit, figure, aim in rows:
        shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
        print(f"{name:<40} {shown:>12} {unit:<6} {aim}")


if __name__ == "__main__":
    main()
