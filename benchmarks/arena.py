"""How fast the arena is: ``python -m benchmarks.arena`` prints its figures.

A tournament of the scripted policies, as the command plays it: all processes, the result file, and
both reports. What a figure is held to stands beside it. Nothing else should be running meanwhile;
the load that the machine had at the start is printed, and the seconds that all processes together
have computed, which depend less on it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path

from dreamfactory_env.arena import Tournament, run_tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.pool import compile_all
from dreamfactory_env.arena.reports.html import as_html
from dreamfactory_env.arena.results import Result, read_chunks


def computed() -> float:
    """Returns the seconds that this process and those it has started have computed."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(who) for who in both]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()

    load = os.getloadavg()[0]
    names = ("random", "greedy", "builder", "expert")
    tournament = Tournament(policies=names, players=4, deals=arguments.games // 4)
    compile_all(tournament)
    with tempfile.TemporaryDirectory() as folder:
        begin, before = time.perf_counter(), computed()
        run_tournament(tournament, folder, processes=arguments.processes)
        whole, used = time.perf_counter() - begin, computed() - before
        begin = time.perf_counter()
        result = Result.of(tournament, read_chunks(Path(folder) / "result.jsonl", tournament))
        as_html(make_report(result, {}))
        reporting = time.perf_counter() - begin
        size = (Path(folder) / "result.jsonl").stat().st_size
    games = f"{arguments.games:,} games, {arguments.processes} processes"
    rows = [
        ("load at the start", "", load, "idle: below 0.5"),
        (f"{games}, reports included", "s", whole, "under 60 for 100,000 on two cores"),
        ("the same, seconds computed by all processes", "s", used, ""),
        ("of it reading the result and reporting", "s", reporting, ""),
        ("games a second", "/s", arguments.games / whole, ""),
        ("size of the result", "MB", size / 1e6, ""),
    ]
    if arguments.json:
        print(json.dumps({name: figure for name, _, figure, _ in rows}, indent=1))
        return
    for name, unit, figure, aim in rows:
        shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
        print(f"{name:<54} {shown:>10} {unit:<4} {aim}")


if __name__ == "__main__":
    main()
