"""``make chaos``: commands are killed, started twice, run out of disk, and are resumed.

    python -m tests.chaos --kills 100

Each command runs once undisturbed. Then it is killed with -9 after a random time and started again,
as often as asked; in the end it must have come to the same, and no process may be left. Two at once
must leave what one leaves: the second is refused. A disk that takes no more costs a message, and
the same command then continues. The exit code is 1 if anything came out differently.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from dreamfactory_env.learning.checkpoints import read_newest
from dreamfactory_env.records.files import read_records
from tests.cli.tiny_training import CONFIG
from tests.paths import ROOT

MAIN = "from dreamfactory_env.cli.main import main; main()"
#: By this variable the processes of a subject are found, whoever is their parent.
MARK = "CHAOS_MARK"
#: Orphans have so many seconds to end; nothing takes longer than the other.
PATIENCE, LONGEST = 30.0, 1800.0


class Subject(ABC):
    """A command that is disturbed.

    Args:
        folder: Where it runs.
    """

    name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir()
        self.mark = f"{os.getpid()}-{self.name}"

    @abstractmethod
    def command(self) -> list[str]:
        """Returns the command that begins, or continues what is there."""

    @abstractmethod
    def outcome(self) -> Any:
        """Returns what it has come to, without what the clock says."""

    def start(self, limit: int | None = None) -> subprocess.Popen[str]:
        """Starts the command, perhaps on a disk where no file grows beyond a limit."""

        def no_room() -> None:
            assert limit is not None
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.Popen(
            [sys.executable, "-c", MAIN, *self.command()],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), MARK: self.mark},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=None if limit is None else no_room,
        )

    def finish(self) -> str:
        """Lets the command run to its end; returns what went wrong, nothing if all went well."""
        with self.start() as process:
            _, errors = process.communicate(timeout=LONGEST)
        return "" if process.returncode == 0 else f"exit {process.returncode}: {errors[-500:]}"

    def clear(self) -> None:
        """Removes all that it has written."""
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.suffix != ".yaml":
                path.unlink()

    def left_over(self) -> list[int]:
        """Returns the processes that are there, found by the mark in their environment."""
        wanted = f"{MARK}={self.mark}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return found


class Simulate(Subject):
    """``simulate`` into a plain or a compressed file."""

    def __init__(self, folder: Path, suffix: str = "") -> None:
        self.file = f"games.jsonl{suffix}"
        super().__init__(folder)

    name = "simulate"

    def command(self) -> list[str]:
        games = ["--games", "3000", "--policies", "greedy", "--seed", "5", "--quiet"]
        return ["simulate", *games, "--out", self.file, "--resume"]

    def outcome(self) -> Any:
        return list(read_records(self.folder / self.file))


class Tournament(Subject):
    """``tournament`` with two processes."""

    name = "tournament"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        text = "policies: [greedy, pretrained-small, random]\nplayers: 3\ndeals: 1500\n"
        (folder / "t.yaml").write_text(text)

    def command(self) -> list[str]:
        return ["tournament", "t.yaml", "--out", "out", "--processes", "2", "--quiet"]

    def outcome(self) -> Any:
        report = json.loads((self.folder / "out" / "report.json").read_text())
        for row in report["policies"]:
            row.pop("decisions_per_second")
        return (self.folder / "out" / "result.jsonl").read_bytes(), report


class Benchmark(Subject):
    """``benchmark`` of a few cells."""

    name = "benchmark"

    def command(self) -> list[str]:
        only = ["--only", "random,greedy,pretrained-small", "--players", "2,3"]
        return ["benchmark", *only, "--games", "1500", "--processes", "2"]

    def outcome(self) -> Any:
        data = json.loads((self.folder / "benchmark.json").read_text())
        for cell in data["cells"]:
            cell.pop("move_seconds")
        return data


class Train(Subject):
    """``train``, then ``train --resume``."""

    name = "train"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (folder / "tiny.yaml").write_text(CONFIG)

    def command(self) -> list[str]:
        if (self.folder / "run" / "config.yaml").exists():
            return ["train", "--resume", "run"]
        return ["train", "tiny.yaml", "--out", "run"]

    def outcome(self) -> Any:
        content, problems = read_newest(self.folder / "run" / "checkpoints")
        assert content is not None
        lines = (self.folder / "run" / "evaluations.jsonl").read_text().splitlines()
        evaluations = [json.loads(line) for line in lines]
        for line in evaluations:
            line.pop("seconds")
        policy = {name: tensor.numpy().tobytes() for name, tensor in content["policy"].items()}
        return policy, content["timesteps"], evaluations, problems


SUBJECTS: list[tuple[str, Callable[[Path], Subject]]] = [
    ("simulate", Simulate),
    ("simulate, compressed", lambda folder: Simulate(folder, ".zst")),
    ("tournament", Tournament),
    ("benchmark", Benchmark),
    ("train", Train),
]


# ---------------------------------------------------------------------------- what is done to them


def kill_and_continue(subject: Subject, kills: int, seconds: float, rng: random.Random) -> str:
    """Kills a command so often, and lets it finish; returns what went wrong."""
    done = 0
    while done < kills:
        with subject.start() as process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=rng.uniform(0.02, 1) * seconds)
            if process.poll() is None:
                process.kill()
                done += 1
                # Its processes have our pipes: to wait for the end of these is to wait for them.
                if problem := _orphans(subject):
                    return problem
            else:
                subject.clear()  # it was faster: once more from the beginning
    return subject.finish()


def _orphans(subject: Subject) -> str:
    """Returns which processes are left after a kill, when they have had time to end."""
    deadline = time.monotonic() + PATIENCE
    left: list[int] = []
    while time.monotonic() < deadline:
        left = subject.left_over()
        if not left:
            return ""
        time.sleep(0.1)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return f"{len(left)} processes are left after {PATIENCE:.0f} s"


def two_at_once(subject: Subject, seconds: float) -> str:
    """Starts a command twice; returns what went wrong."""
    with subject.start() as one, subject.start() as other:
        told = [process.communicate(timeout=LONGEST)[1] for process in (one, other)]
    codes = sorted(process.returncode for process in (one, other))
    words = ("is being written by process", "there is a run in", "is there already")
    refused = [any(word in text for word in words) for text in told]
    if codes not in ([0, 0], [0, 2]) or (codes == [0, 2] and not any(refused)):
        return f"exit codes {codes}: {told[0][-300:]} / {told[1][-300:]}"
    return subject.finish()


def full_disk(subject: Subject, seconds: float) -> str:
    """Lets a command run out of disk, and continues; returns what went wrong."""
    with subject.start(limit=3000) as process:
        _, errors = process.communicate(timeout=LONGEST)
    if "Traceback" in errors:
        return f"a traceback: {errors[-500:]}"
    return subject.finish()


def _trials(
    kills: int, rng: random.Random
) -> Iterator[tuple[str, Callable[[Subject, float], str]]]:
    yield f"{kills} kills", lambda subject, s: kill_and_continue(subject, kills, s, rng)
    yield "two at once", two_at_once
    yield "full disk", full_disk


def main() -> int:
    """Runs everything; returns the exit code."""
    parser = argparse.ArgumentParser(prog="tests.chaos", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="how many in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one of the commands")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    subjects = [(name, make) for name, make in SUBJECTS if given.only in (None, name)]
    wrong = 0
    print("| command | what was done | outcome |\n|---|---|---|")
    for name, make in subjects:
        with tempfile.TemporaryDirectory() as folder:
            whole = make(Path(folder) / "whole")
            begin = time.monotonic()
            if problem := whole.finish():
                raise SystemExit(f"{name} fails undisturbed: {problem}")
            seconds = time.monotonic() - begin
            expected = whole.outcome()
            for number, (what, disturb) in enumerate(_trials(given.kills // len(subjects), rng)):
                subject = make(Path(folder) / str(number))
                problem = disturb(subject, seconds)
                if not problem and subject.outcome() != expected:
                    problem = "it came out differently"
                problem = problem or _orphans(subject)
                wrong += bool(problem)
                print(f"| {name} | {what} | {problem or 'the same'} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
