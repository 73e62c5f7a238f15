"""A short trial with damaged inputs; ``make fuzz`` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.__main__ import BAD, OUTCOMES, try_reader
from tests.fuzz.readers import READERS

#: Those that take long to begin with are for the long trial.
LONG = ("lexicons", "run folders")


@pytest.mark.parametrize("name", [reader.name for reader in READERS if reader.name not in LONG])
def test_no_damaged_input_is_more_than_refused(tmp_path: Path, name: str) -> None:
    counts = try_reader(name, 25, 2, tmp_path)
    assert not any(counts[outcome] for outcome in BAD), counts
    assert counts.total() == 25
    assert set(counts) <= set(OUTCOMES)
    assert counts["refused"] > 0
