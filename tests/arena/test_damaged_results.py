"""Results of tournaments that are damaged behind a whole line of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env import RecordError
from dreamfactory_env.arena import Tournament, run_tournament
from dreamfactory_env.arena.results import read_chunks

TOURNAMENT = Tournament(policies=("random", "tests.players:Cheater"), players=2, deals=2)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Returns the lines of a result in which one policy fouls."""
    folder = tmp_path_factory.mktemp("result")
    run_tournament(TOURNAMENT, folder, processes=1)
    text = (folder / "result.jsonl").read_text()
    found = [json.loads(line) for line in text.splitlines()]
    assert found[1]["fouls"]
    return found


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scores", [[float("inf"), 0]]),
        ("scores", [[10**30, 0]]),
        ("scores", "ab"),
        ("won", [[7, 7], [7, 7]]),
        ("decisions", [1]),
        ("decisions", [-1, -1]),
        ("table", [[1]]),
        ("seats", []),
        ("roles", [1, 2]),
        ("fouls", [[0, 0, "<b>", "x"]]),
        ("fouls", [[99, 0, "illegal", "x"]]),
        ("fouls", [[0, -1, "illegal", "x"]]),
        ("fouls", [[0, 0, "illegal", None]]),
        ("fouls", [[[], {}, [], []]]),
        ("fouls", 3),
        ("chunk", [0]),
    ],
)
def test_a_chunk_that_cannot_be_is_named(
    lines: list[Any], tmp_path: Path, key: str, value: object
) -> None:
    path = tmp_path / "result.jsonl"
    whole = [lines[0], {**lines[1], key: value}, *lines[2:]]
    path.write_text("".join(json.dumps(line) + "\n" for line in whole))
    with pytest.raises(RecordError, match="line 2"):
        read_chunks(path, TOURNAMENT)


@pytest.mark.parametrize(("place", "value"), [(0, 2), (0, -1), (1, 5), (1, 2**31 - 1)])
def test_a_role_that_nobody_can_have_is_named(
    lines: list[Any], tmp_path: Path, place: int, value: int
) -> None:
    path = tmp_path / "result.jsonl"
    roles = json.loads(json.dumps(lines[1]["roles"]))
    roles[-1][1][place] = value
    whole = [lines[0], {**lines[1], "roles": roles}, *lines[2:]]
    path.write_text("".join(json.dumps(line) + "\n" for line in whole))
    with pytest.raises(RecordError, match=r"line 2 .*(turn|studio) must be 0 to [14]"):
        read_chunks(path, TOURNAMENT)
