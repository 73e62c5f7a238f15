"""The commands of the page that end by themselves: export, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dreamfactory_env.cli import viewing
from dreamfactory_env.cli.terminal import EXIT_USAGE
from tests.cli.conftest import Run
from tests.viewer.games import record_of


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "games.jsonl"
    records = [record_of("fabrique"), record_of("dream factory, 2")]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_a_game_is_exported_as_one_file(games: Path, run: Run) -> None:
    code, out, _ = run("view", str(games), "--game", "2", "--export", "pages/game.html")
    assert (code, out.startswith("game 2 in pages/game.html")) == (0, True)
    page = Path("pages/game.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "Dream Factory: greedy, greedy" in page


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("view none.jsonl", "none.jsonl cannot be read"),
        ("view games.jsonl --game 3 --no-browser", "there are games 1 to 2, not 3"),
        ("view games.jsonl --game 3 --export x.html", "there are games 1 to 2, not 3"),
        ("view games.jsonl --export x.txt", "must end with .html"),
        ("view games.jsonl --port 99999 --no-browser", "no server at 127.0.0.1, port 99999"),
        ("play --players 9", "players must be 2 to 5"),
        ("play --players 3 --seat 3", "there are players 0 to 2, not 3"),
        ("play --players 4 --with expert,greedy", "2 names for 3 other seats; give 1 or 3"),
        ("play --with nobody", "unknown policy 'nobody'"),
        ("play --pace -1", "--pace is from 0 to 60 seconds"),
        ("play --out game.txt", "must end with .jsonl"),
        ("play --out games.jsonl", "is there already"),
        ("play --resume none.jsonl", "none.jsonl cannot be read"),
        ("play --resume games.jsonl", "has 2 games, not the one that is played"),
        ("play --resume games.jsonl --players 3", "give no game, options or --out"),
        ("play --terminal --players 3 --with person", "in a terminal there is one person"),
    ],
)
def test_what_cannot_be_is_refused_and_touches_nothing(
    games: Path, run: Run, words: str, problem: str
) -> None:
    before = {path: path.read_bytes() for path in games.parent.iterdir()}
    code, _, error = run(*words.split())
    assert code == EXIT_USAGE
    assert problem in error
    assert {path: path.read_bytes() for path in games.parent.iterdir()} == before


def test_a_host_that_others_reach_is_warned_of(
    games: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[str] = []
    name = "dreamfactory_env.viewer.serving.serve"
    monkeypatch.setattr(name, lambda site, host, found, ready: served.append(host))
    for host, warned in (("127.0.0.1", False), ("0.0.0.0", True)):
        _, _, error = run("view", str(games), "--host", host, "--port", "0", "--no-browser")
        assert ("warning: whoever reaches" in error) == warned
    assert served == ["127.0.0.1", "0.0.0.0"]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, games: Path, run: Run) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, _, error = run("view", str(games))
    assert code == EXIT_USAGE
    assert "pip install 'dreamfactory-env[viewer]'" in error
    assert viewing.PROCESSES >= 2
