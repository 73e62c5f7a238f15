from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.paths import ROOT
from tests.viewer.judged_games import short_record, short_review

COMMAND = "from dreamfactory_env.cli.main import main; main()"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    other = {**short_record(), "agents": ["a", "<b>\x1b[2J"]}
    path.write_text("".join(json.dumps(each) + "\n" for each in (other, short_record())))
    return path


def test_a_game_is_judged_and_its_page_written(games: Path, run: Run) -> None:
    words = ("review", "games.jsonl", "--by", "mcts:20", "--deals", "40", "--game", "2")
    code, output, errors = run(*words, "--out", "pages/review.html")
    assert (code, "Traceback" in errors) == (0, False)
    analysis = json.loads((games.parent / "pages" / "review.json").read_text())
    assert analysis == short_review().analysis
    page = (games.parent / "pages" / "review.html").read_text()
    assert json.dumps(analysis["decisions"]["0"]["preferred"]) in page
    for seat, total in enumerate(analysis["totals"]):
        row = next(line for line in output.splitlines() if re.match(rf"{seat}\s", line)).split()
        assert row[1] == short_record()["agents"][seat]
        assert row[-2:] == [str(total["mistake"]), f"{total['lost']:.1f}"]
    code, again, _ = run(*words, "--out", "pages/review.html", "--json", "--quiet")
    assert (code, json.loads(again)) == (0, {**analysis, "complete": True})


def test_what_cannot_be_reviewed_is_refused_before_anything_is_written(
    games: Path, run: Run
) -> None:
    wanted = {
        "--game 3": "has 2 games; there is no game 3",
        "--game 0": "counts from 1",
        "--by nobody": "unknown policy 'nobody'",
        "--by mcts:much": "the budget of a search",
        "--out review.txt": "must end with .html",
        "--deals 29": "at least 30 deals",
        "--seed -1": "seed must be",
    }
    for words, message in wanted.items():
        code, output, errors = run("review", "games.jsonl", *words.split())
        assert (code, output) == (2, ""), words
        assert re.match(f"error: .*{message}", errors), errors
    code, _, errors = run("review", "nowhere.jsonl")
    assert (code, "cannot be read" in errors) == (2, True)
    assert [path.name for path in games.parent.iterdir()] == ["games.jsonl"]


def test_another_review_of_that_name_is_not_lost(games: Path, run: Run) -> None:
    small = ("review", "games.jsonl", "--by", "expert", "--deals", "30", "--quiet")
    assert run(*small)[0] == 0
    assert (games.parent / "games-1-review.html").exists()
    kept = (games.parent / "games-1-review.json").read_bytes()
    code, _, errors = run(*small, "--seed", "1")
    assert (code, "is another review" in errors) == (2, True)
    assert (games.parent / "games-1-review.json").read_bytes() == kept
    assert run(*small, "--seed", "1", "--force")[0] == 0
    assert (games.parent / "games-1-review.json").read_bytes() != kept


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_keeps_what_is_done_and_the_same_command_continues(games: Path) -> None:
    words = ["review", games.name, "--by", "mcts:20", "--deals", "40", "--game", "2", "--quiet"]
    slow = [*words[:3], "mcts:0.5s", *words[4:]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def start(command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", COMMAND, *command],
            cwd=games.parent,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    kept = games.parent / "games-2-review.json"
    process = start(slow)
    begin = time.monotonic()
    while not kept.exists():
        assert time.monotonic() - begin < 90
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    done = len(json.loads(kept.read_text())["decisions"])
    length = len(short_record()["moves"])
    assert process.returncode == 130, errors
    assert f"stopped after {done} of {length} decisions; the same command continues" in errors
    assert 0 < done < length
    assert kept.with_suffix(".html").exists()
    again = start(slow)
    while len(json.loads(kept.read_text())["decisions"]) <= done:
        assert time.monotonic() - begin < 180
        assert again.poll() is None
        time.sleep(0.05)
    again.kill()
    again.communicate()
