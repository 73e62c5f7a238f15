"""The tuner of the scripted policies, in small."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.scripted.weights import FILE, read_weights
from training import tune_scripted

SMALL: dict[str, Any] = {"population": 4, "deals": 1, "check": 2, "spread": 0.3, "against": None}


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(FILE, tmp_path / "weights.yaml")
    monkeypatch.setattr(tune_scripted, "FILE", tmp_path / "weights.yaml")
    monkeypatch.setattr(tune_scripted, "RUNS", tmp_path / "runs")


def test_constants_are_written_and_their_comments_stay(tmp_path: Path) -> None:
    weights = np.arange(1.0, 9.0) / 8
    tune_scripted.write_weights("builder", weights)
    text = (tmp_path / "weights.yaml").read_text()
    found = read_weights(text, "written")
    assert found["builder"][:8].tolist() == weights.tolist()
    for policy in ("greedy", "expert"):
        assert found[policy].tolist() == DreamFactory.scripted[policy].tolist()
    comments = [line.partition("#")[2] for line in text.splitlines()]
    assert comments == [line.partition("#")[2] for line in FILE.read_text().splitlines()]


def test_a_search_that_was_stopped_goes_on_as_if_it_had_not_been(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "runs" / "greedy.json"
    tune_scripted.tune("greedy", generations=3, **SMALL)
    whole = kept.read_text()
    kept.unlink()
    tune_scripted.tune("greedy", generations=1, **SMALL)
    tune_scripted.tune("greedy", generations=3, **SMALL)
    assert kept.read_text() == whole
    assert "greedy generation 3: results" in capsys.readouterr().out


def test_better_constants_are_found_and_accepted(tmp_path: Path) -> None:
    start = DreamFactory.scripted["greedy"].copy()
    DreamFactory.scripted["greedy"][3] = 0.05  # hardly bids at all
    try:
        small = {**SMALL, "population": 8, "deals": 4, "check": 60, "spread": 0.5}
        tune_scripted.tune("greedy", generations=10, **small)
    finally:
        DreamFactory.scripted["greedy"][:] = start
    search = json.loads((tmp_path / "runs" / "greedy.json").read_text())
    assert search["best"][3] > 0.05
    written = read_weights((tmp_path / "weights.yaml").read_text(), "tuned")["greedy"]
    assert written[:4] == pytest.approx(search["best"], rel=1e-3)
