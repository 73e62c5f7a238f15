"""One small tournament that several tests look at."""

from __future__ import annotations

from typing import Any

import pytest

from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result


@pytest.fixture(scope="package")
def result() -> Result:
    tournament = Tournament(policies=("random", "greedy", "builder"), players=3, deals=120, seed=2)
    return Result.of(tournament, play_chunks(tournament))


@pytest.fixture(scope="package")
def report(result: Result) -> Any:
    """Returns its report; plain data, whose parts tests look up by name."""
    return make_report(result, {"random": 1234567.0, "greedy": 3.21})
