"""How fast the engine is: ``python -m benchmarks.engine`` prints its figures.

Speeds are compared within the run: compiled with uncompiled code, two threads with one. What a
figure is held to stands beside it. Nothing else should be running meanwhile; the load that the
machine had at the start is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.random_play import play_at_random
from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.compiling import config, jit
from dreamfactory_env.engine.structs import Records

GAMES = 256
FIRST_MOVE = """
import time
begin = time.perf_counter()
from dreamfactory_env import DreamFactory
DreamFactory(players=4, seed=7).play("bid 3")
print(time.perf_counter() - begin)
"""


@jit
def copy_states(states: Records, count: int) -> None:
    """Copies states over one another, never one over itself."""
    for k in range(count):
        states[k % 64] = states[(k * 7 + 1) % 64]


def median_of(repeats: int, run: Callable[[], object]) -> float:
    """Returns the median of some timings, in seconds, after one that does not count."""
    run()
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def batch(players: int, size: int) -> tuple[Records, Any]:
    """Returns some games dealt from different seeds, and one of them to play with."""
    game = DreamFactory(players, seed=0)
    games = [DreamFactory(players, seed=seed).states for seed in range(size)]
    return np.concatenate(games), game


def decisions_per_second(players: int, decisions: int, repeats: int, threads: int = 1) -> float:
    """Returns how many random decisions a second are made, choosing and resets included."""
    states, game = batch(players, GAMES)
    each = max(decisions // GAMES, 1)
    seconds = median_of(repeats, lambda: play_at_random(game, states, 0, each, threads))
    return each * GAMES / seconds


def uncompiled_decisions_per_second() -> float:
    """Returns the same for the same code as ordinary Python, in a process of its own."""
    arguments = [sys.executable, "-m", "benchmarks.engine", "--uncompiled"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    return float(subprocess.check_output(arguments, env=environment, text=True))


def seconds_to_first_move(cache: str) -> float:
    """Returns the time from import to the first move in a new process."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    printed = subprocess.check_output(
        [sys.executable, "-c", FIRST_MOVE], env=environment, text=True, stderr=subprocess.DEVNULL
    )
    return float(printed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=10_000_000, help="in each timing")
    parser.add_argument("--repeats", type=int, default=5, help="timings of which the median counts")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--uncompiled", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.uncompiled:
        assert config.DISABLE_JIT
        print(decisions_per_second(4, 10_000, 1))
        return

    load = os.getloadavg()[0]
    size = (arguments.decisions, arguments.repeats)
    rows: list[tuple[str, str, float, str]] = [("load at the start", "", load, "idle: below 0.5")]
    one = decisions_per_second(4, *size)
    rows.append(("decisions, 4 players, one core", "/s", one, "at least 4,000,000"))
    for players in (2, 3, 5):
        speed = decisions_per_second(players, *size)
        rows.append((f"decisions, {players} players, one core", "/s", speed, ""))
    ratio = one / uncompiled_decisions_per_second()
    rows.append(("compiled over uncompiled", "times", ratio, ""))
    two = decisions_per_second(4, *size, threads=2)
    rows.append(("two threads over one", "times", two / one, "at least 1.7"))
    states, game = batch(4, 64)
    count = 1_000_000
    copied = median_of(arguments.repeats, lambda: copy_states(states, count)) / count
    rows.append(("copy of a state, compiled", "ns", copied * 1e9, "under 100"))
    rows.append(("size of a state", "bytes", float(states.itemsize), "at most 1,024"))
    copies = median_of(arguments.repeats, lambda: [game.copy() for _ in range(1000)]) / 1000
    rows.append(("copy of a game from Python", "µs", copies * 1e6, ""))
    with tempfile.TemporaryDirectory() as cache:
        rows.append(("import to first move, cold", "s", seconds_to_first_move(cache), "at most 25"))
        rows.append(
            ("import to first move, cached", "s", seconds_to_first_move(cache), "at most 2")
        )

    if arguments.json:
        print(json.dumps({name: figure for name, _, figure, _ in rows}, indent=1))
        return
    for name, unit, figure, aim in rows:
        shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
        print(f"{name:<34} {shown:>12} {unit:<6} {aim}")


if __name__ == "__main__":
    main()
