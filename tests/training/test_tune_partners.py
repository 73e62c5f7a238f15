"""The tuner of partners: it plays, and writes what plays better into the file of constants."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from dreamfactory_env.games.faux_raccords.scripted.weights import FILE, POLICIES
from tests.training.scripts import load

tuner = load("tune_partners")


def test_results_are_those_of_the_same_deals() -> None:
    weights = tuner.FauxRaccords.spec.scripted["careful"][: len(POLICIES["careful"])]
    found = tuner.results_of("careful", "tutorial", np.array([weights, weights]), 4, 0)
    assert found.shape == (2, 12)
    assert (found[0] == found[1]).all()
    assert 0 < found.mean() < 1.5


def test_constants_of_a_mode_are_written_and_all_others_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "weights.yaml"
    shutil.copy(FILE, copy)
    monkeypatch.setattr(tuner, "FILE", copy)
    tuner.write_weights("convention", "series", np.arange(len(POLICIES["convention"])) + 0.5)
    before, after = (yaml.safe_load(path.read_text("utf-8")) for path in (FILE, copy))
    for number, name in enumerate(POLICIES["convention"]):
        key = name.name.lower()
        assert after["convention"][key].pop(3) == number + 0.5
        before["convention"][key].pop(3)
    assert after == before
