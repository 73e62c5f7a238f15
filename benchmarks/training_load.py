"""How fast training is beside others: ``python -m benchmarks.training_load`` prints a table.

A training file, quick.yaml if nothing is said, is trained in small (all of its phases, shorter, and
without evaluations) in three ways: with the next rollout beside the update and two threads that
share an update, which is the default; with these threads, but rollouts and updates taking turns;
and on one core: one thread, taking turns. Beside it run processes that do nothing but compute,
which are started here: none, one for every second core, one for every core. All ways take turns
under each load, for several rounds; a figure is the median of its rounds.

Nothing else should be running meanwhile. The load at the start is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.run import Run, begin
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.utils.threads import use_one_thread

QUICK = Path("configs/train/quick.yaml")
ROLLOUTS = 9
ROUNDS = 3
NEVER = 2**62
#: What a busy process does; it ends with the one that has started it, however that ends.
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keeps so many processes computing meanwhile."""
    started = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def in_small(settings: Training, rollouts: int) -> Training:
    """Returns a training with all phases of another one, of so many rollouts."""
    total = rollouts * sum(settings.n_envs.values()) * settings.ppo.n_steps
    share = total / settings.total_timesteps
    teacher, schedule = settings.teacher, settings.schedule
    return replace(
        settings,
        total_timesteps=total,
        teacher=replace(
            teacher,
            timesteps=int(teacher.timesteps * share),
            fading_timesteps=max(int(teacher.fading_timesteps * share), 1),
        ),
        schedule=replace(
            schedule,
            snapshot_every=max(int(schedule.snapshot_every * share), 1),
            checkpoint_every=NEVER,
            evaluation_players=[],
        ),
    )


def ways(settings: Training) -> dict[str, Training]:
    """Returns the same training in several ways, by name."""
    turns = replace(settings, ppo=replace(settings.ppo, async_rollouts=False))
    return {
        "rollouts beside updates": settings,
        "taking turns": turns,
        "one thread, taking turns": replace(turns, threads=1),
    }


def decisions_per_second(settings: Training) -> float:
    """Trains; returns the decisions of the learner a second."""
    with tempfile.TemporaryDirectory() as folder:
        run: Run = begin(settings, Path(folder) / "run")
        run.notify = lambda text: None
        run.train()
        return run.model.num_timesteps / run.metrics.trained


def measure(settings: Training, rounds: int, cores: int) -> dict[str, dict[int, float]]:
    """Returns the figure of each way, by the number of busy processes beside it."""
    every = ways(settings)
    decisions_per_second(in_small(settings, 2))  # compiles, or loads from the cache
    found: dict[str, dict[int, list[float]]] = {name: {} for name in every}
    for _ in range(rounds):
        for processes in sorted({0, cores // 2, cores}):
            with busy(processes):
                for name, way in every.items():
                    found[name].setdefault(processes, []).append(decisions_per_second(way))
    return {
        name: {beside: statistics.median(each) for beside, each in figures.items()}
        for name, figures in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path, nargs="?", default=QUICK, help="a training file")
    parser.add_argument("--rollouts", type=int, default=ROLLOUTS, help="of a training")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = os.getloadavg()[0]
    use_one_thread()  # as `dreamfactory train` does
    settings = in_small(read_training(arguments.config), arguments.rollouts)
    figures = measure(settings, arguments.rounds, cores or 1)
    if arguments.json:
        print(json.dumps({"load": load, "cores": cores, "figures": figures}, indent=1))
        return
    print(f"load at the start {load:.2f} (idle: below 0.5), {cores} cores; decisions a second\n")
    print(
        "| busy processes beside it | " + " | ".join(map(str, next(iter(figures.values())))) + " |"
    )
    print("|---" * (1 + len(next(iter(figures.values())))) + "|")
    for name, by_load in figures.items():
        print(f"| {name} | " + " | ".join(f"{figure:,.0f}" for figure in by_load.values()) + " |")


if __name__ == "__main__":
    main()
