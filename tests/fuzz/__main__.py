"""``make fuzz``: damaged inputs for every reader of files, and what became of them.

    python -m tests.fuzz --inputs 20000

An input may be refused (by a ``GameError``, with a message) or accepted. It must not raise anything
else, crash the process, take seconds or take hundreds of megabytes: these are counted and kept in
``fuzz-failures/``, and the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.readers import READERS

OUTCOMES = ("refused", "accepted", "raw", "crashed", "slow", "fat")
BAD = OUTCOMES[2:]
#: So many inputs are read by one process; a process that says nothing for so long is ended.
PIECE, SILENCE = 20_000, 3600


def try_reader(name: str, inputs: int, seed: int, failures: Path) -> Counter[str]:
    """Returns what became of damaged inputs of one reader."""
    counts: Counter[str] = Counter()
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "input"
        while number < inputs:
            last = min(number + PIECE, inputs)
            command = [sys.executable, "-m", "tests.fuzz.worker", name, str(seed)]
            command += [str(number), str(last), folder, str(kept)]
            became = ""
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
            ) as process:
                for line in _lines(process):
                    place, became, why = line.split(maxsplit=2)
                    counts[became] += 1
                    number = int(place) + 1
                    if became in BAD:
                        _keep(failures, name, became, int(place), kept, why.strip())
            if number < last and became != "fat":
                counts["crashed"] += 1
                _keep(failures, name, "crashed", number, kept, f"exit {process.returncode}")
                number += 1
    return counts


def _lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """Gives the lines of a process; one that is silent for too long is ended."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(SILENCE):
                process.kill()
            line = process.stdout.readline()
            if not line:
                return
            yield line


def _keep(failures: Path, name: str, became: str, number: int, data: Path, why: str) -> None:
    failures.mkdir(exist_ok=True)
    path = failures / f"{name.replace(' ', '_')}-{number}-{became}"
    print(f"{name}, input {number}: {became}: {why}", flush=True)
    if became == "crashed":
        path.write_bytes(data.read_bytes() if data.exists() else b"")


def main() -> int:
    """Runs the trial; returns the exit code."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=5000, help="how many in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the name of one reader")
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"))
    given = parser.parse_args()
    readers = [reader for reader in READERS if given.only in (None, reader.name)]
    shares = sum(reader.share for reader in readers)
    total: Counter[str] = Counter()
    print(f"| reader | inputs | {' | '.join(OUTCOMES)} |\n|---|{'---:|' * (len(OUTCOMES) + 1)}")
    begin = time.monotonic()
    for reader in readers:
        inputs = max(round(given.inputs * reader.share / shares), 1)
        counts = try_reader(reader.name, inputs, given.seed, given.failures)
        total += counts
        print(_row(reader.name, counts), flush=True)
    print(_row("all", total))
    print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr)
    return 1 if any(total[outcome] for outcome in BAD) else 0


def _row(name: str, counts: Counter[str]) -> str:
    numbers = [counts.total(), *(counts[outcome] for outcome in OUTCOMES)]
    return f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |"


if __name__ == "__main__":
    sys.exit(main())
