"""A short trial with damaged inputs; ``make fuzz`` is the long one."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.fuzz.__main__ import BAD
from tests.fuzz.damage import damage_data
from tests.fuzz.readers import READERS
from tests.paths import ROOT

#: Those that take long to begin with are for the long trial.
LONG = ("lexicons", "run folders")
INPUTS = 12


def test_no_damaged_input_is_more_than_refused(tmp_path: Path) -> None:
    names = [reader.name for reader in READERS if reader.name not in LONG]
    command = [sys.executable, "-m", "tests.fuzz.worker", ",".join(names)]
    command += ["2", "0", str(INPUTS), str(tmp_path), str(tmp_path / "input")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    wrong = [line for line in lines if line[1] in BAD]
    assert not wrong, wrong
    assert len(lines) == INPUTS * len(names)
    assert Counter(line[1] for line in lines)["refused"] > len(lines) // 2


def test_an_input_does_not_depend_on_those_before_it() -> None:
    def inputs() -> list[str]:
        data = {"a": [1, {"b": 2}], "c": "text"}
        return [json.dumps(damage_data(data, random.Random(number))) for number in range(500)]

    assert inputs() == inputs()
