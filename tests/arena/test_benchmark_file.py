"""The results of a benchmark from anybody: what is damaged is named, all at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env import GameError
from dreamfactory_env.arena.benchmark import Benchmark, reading
from tests.paths import DOCS

SHIPPED = json.loads((DOCS / "dream_factory" / "benchmark.json").read_text("utf-8"))


def changed(path: Path, **changes: Any) -> Path:
    """Writes the shipped results with the first cell changed; returns the file."""
    first, *rest = SHIPPED["cells"]
    path.write_text(json.dumps({**SHIPPED, "cells": [{**first, **changes}, *rest]}))
    return path


def test_the_shipped_results_are_read(tmp_path: Path) -> None:
    assert len(Benchmark(changed(tmp_path / "b.json")).data["cells"]) == len(SHIPPED["cells"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 12}, r"cells\[0\].players: must be 2 to 5, not 12"),
        ({"players": "2"}, "must be a whole number, not '2'"),
        ({"players": True}, "must be a whole number, not True"),
        ({"row": ""}, "must be the name of a policy"),
        ({"row": "\x1b[2J"}, "must be a text"),
        ({"row": None}, "must be a text, not None"),
        ({"games": 0}, "must be at least 1, not 0"),
        ({"games": 10**30}, "must be a whole number"),
        ({"part": "matrik"}, "must be one of matrix, "),
        ({"win_rate": 1.5}, "must be from 0 to 1"),
        ({"places": [1.0]}, "must be 2 shares that sum up to 1"),
        ({"places": [-1.0, 2.0]}, "must be 2 shares that sum up to 1"),
        ({"covariance": [[0.0]]}, "must be 2 rows of 2 numbers"),
        ({"fingerprints": ["a"]}, "must be a list of two"),
        ({"move_seconds": [None, -1]}, "must be at least 0"),
        ({"facts": {"a": 1}}, "must be a text, not 1"),
        ({"plcaes": []}, "unknown key 'plcaes'; .* did you mean 'places'"),
    ],
)
def test_a_cell_that_cannot_be_is_named(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(GameError, match=message):
        Benchmark(changed(tmp_path / "b.json", **changes))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("policies", ["random", "random"], "has a policy twice"),
        ("policies", "random", "must be a list"),
        ("policies", [["random"]], "must be a text"),
        ("cells", [SHIPPED["cells"][0]] * 2, r"cells\[1\]: is there twice"),
        ("cells", [[]], "must be an object"),
        ("ratings", {"12": []}, "there are no games of '12' players"),
        ("ratings", [], "must be an object"),
        ("seed", None, "must be a whole number"),
        ("colour", 1, "unknown key 'colour'"),
    ],
)
def test_what_cannot_be_is_named(tmp_path: Path, key: str, value: Any, message: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(json.dumps({**SHIPPED, key: value}))
    with pytest.raises(GameError, match=message):
        Benchmark(path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"seed": NaN}', '{"seed": 1, "seed": 1}', "[" * 10_000, "\ufeff{}"]
)
def test_what_is_no_json_object_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text, "utf-8")
    with pytest.raises(GameError, match="cannot be read as a benchmark"):
        Benchmark(path)


def test_a_file_of_results_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 1 << 10)
    with pytest.raises(GameError, match="it is larger than"):
        Benchmark(changed(tmp_path / "b.json"))
