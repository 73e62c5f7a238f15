"""Timing loops, and figures that are printed as a table or as JSON."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

SECONDS = 4.0
#: Of so many timings the best counts, and they are of the processor's time, so that whatever else
#: runs on the machine disturbs least.
TIMINGS = 8
clock = time.process_time


def best_rate(play: Callable[[], int], seconds: float = SECONDS) -> float:
    """Returns how much is done a second, the best of several timings.

    Args:
        play: Does something, and returns how much; shorter than a timing.
        seconds: How long to measure in all.
    """
    return best_rates([play], seconds)[0]


def best_rates(plays: Sequence[Callable[[], int]], seconds: float = SECONDS) -> list[float]:
    """Returns the same for things that are compared: they are timed in turn.

    Args:
        plays: Each does something, and returns how much.
        seconds: How long to measure each.
    """
    for play in plays:
        play()  # compiles, or loads from the cache
    best = [0.0] * len(plays)
    for _ in range(TIMINGS):
        for index, play in enumerate(plays):
            done, begin, passed = 0, clock(), 0.0
            while passed < seconds / TIMINGS:
                done += play()
                passed = clock() - begin
            best[index] = max(best[index], done / passed)
    return best


def best_seconds(call: Callable[[], object], calls: int = 200) -> float:
    """Returns how long a call takes, the best of several series of so many calls."""
    times = []
    for _ in range(20):
        begin = clock()
        for _ in range(calls):
            call()
        times.append((clock() - begin) / calls)
    return min(times)


@dataclass
class Figures:
    """What was measured, each with its unit and what it is held to.

    Attributes:
        load: The load of the machine at the start.
        rows: Name, figure, unit and aim.
    """

    load: float = field(default_factory=lambda: os.getloadavg()[0])
    rows: list[tuple[str, float, str, str]] = field(default_factory=list)

    def add(self, name: str, figure: float, unit: str, aim: str = "") -> None:
        """Adds a figure."""
        self.rows.append((name, figure, unit, aim))

    def show(self, as_json: bool) -> None:
        """Prints all figures, with the load at the start."""
        rows = [("load at the start", self.load, "", "idle: below 0.5"), *self.rows]
        if as_json:
            print(json.dumps({name: figure for name, figure, _, _ in rows}, indent=1))
            return
        width = max(len(name) for name, *_ in rows)
        for name, figure, unit, aim in rows:
            shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
            print(f"{name:<{width}} {shown:>12} {unit:<6} {aim}".rstrip())
