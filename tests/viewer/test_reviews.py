"""Reviews of before: found by their game, and never trusted."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env.utils.errors import GameError
from dreamfactory_env.viewer.reviews import Reviews, is_review
from tests.viewer.judged_games import short_record, short_review, whole_record


def written(path: Path, analysis: Any) -> Path:
    path.write_text(json.dumps(analysis), "utf-8")
    return path


def test_a_review_is_found_by_its_game(tmp_path: Path) -> None:
    path = written(tmp_path / "review.json", short_review().analysis)
    assert is_review(path)
    found = Reviews([path]).of(short_record())
    assert found is not None
    for key in ("judge", "settings", "decisions", "totals", "start"):
        assert found[key] == short_review().analysis[key]
    assert Reviews([path]).of(whole_record()) is None
    assert Reviews().of(short_record()) is None


def test_what_the_game_says_is_not_taken_from_the_file(tmp_path: Path) -> None:
    hostile = {**short_review().analysis, "start": "import os", "totals": [{"lost": "<b>"}]}
    found = Reviews([written(tmp_path / "review.json", hostile)]).of(short_record())
    assert found is not None
    for key in ("start", "totals"):
        assert found[key] == short_review().analysis[key]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("points", [1.0]),
        ("points", ["1", "2"]),
        ("points", None),
        ("chances", [[0.5, 0.5]]),
        ("chances", [[], []]),
        ("values", [1.0, 2.0, 3.0]),
        ("moves", [{"words": "bid 1"}]),
        ("moves", "bid 1"),
        ("scripted", {"expert": ["bid 1"]}),
        ("verdict", "<img src=x>"),
        ("played", "x" * 20_000),
        ("seat", 7),
        ("difference", float("nan")),
        ("more", 1),
    ],
)
def test_a_review_that_is_damaged_is_refused(tmp_path: Path, key: str, value: object) -> None:
    analysis = copy.deepcopy(short_review().analysis)
    number = next(k for k, each in analysis["decisions"].items() if each["chances"])
    analysis["decisions"][number][key] = value
    path = written(tmp_path / "review.json", analysis)
    with pytest.raises(GameError, match=r"review\.json"):
        Reviews([path]).of(short_record())


def test_settings_are_checked_too(tmp_path: Path) -> None:
    settings = {**short_review().analysis["settings"], "floor": "much"}
    path = written(tmp_path / "review.json", {**short_review().analysis, "settings": settings})
    with pytest.raises(GameError, match=r"settings\.floor"):
        Reviews([path]).of(short_record())


def test_what_is_no_review_is_none(tmp_path: Path) -> None:
    for text in ("{}", "[]", "no JSON", '{"decisions": {}}'):
        path = tmp_path / "other.json"
        path.write_text(text)
        assert not is_review(path)
    assert not is_review(tmp_path / "missing.json")
