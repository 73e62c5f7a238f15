"""Commands of the arena on clusters that lose processes, are left by Ctrl-C, or are not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreamfactory_env.arena import read_tournament, run_tournament
from dreamfactory_env.arena.results import read_chunks
from dreamfactory_env.viewer.review import Review
from tests.arena.interrupting import interrupted
from tests.cluster.conftest import silent_address
from tests.paths import ROOT
from tests.viewer.judged_games import short_record

pytest.importorskip("ray")

COMMAND = [sys.executable, "-c", "from dreamfactory_env.cli.main import main; main()"]
#: It plays slowly where the environment says so, which is that of a node.
SLOW = "tests.players:Sitter"


def start(*words: str | Path, **more: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    pipe = subprocess.PIPE
    command = [*COMMAND, *map(str, words)]
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


def test_a_result_is_continued_there_stopped_by_ctrl_c_and_ended_here(tmp_path: Path) -> None:
    config, out = tmp_path / "slow.yaml", tmp_path / "out"
    config.write_text(f"policies: [{SLOW}, greedy]\nplayers: 2\ndeals: 20\n")
    tournament, path = read_tournament(config, allow_code=True), out / "result.jsonl"
    done: list[int] = []
    stop = lambda: len(done) > 2  # noqa: E731
    run_tournament(tournament, out, processes=1, stop=stop, progress=done.append)
    assert len(read_chunks(path, tournament)) == 2
    words = [*map(str, ("tournament", config, "--out", out)), "--allow-code", "--engine", "ray"]
    process = start(*words, SITTER_SECONDS="0.002")
    printed, _ = interrupted(process, path, lines=5)
    assert f"report: {out / 'report.html'}" in printed
    assert 4 <= len(read_chunks(path, tournament)) < 20
    run_tournament(tournament, out, processes=1)
    run_tournament(tournament, tmp_path / "again", processes=1)
    assert path.read_bytes() == (tmp_path / "again" / "result.jsonl").read_bytes()


def test_a_review_stopped_by_ctrl_c_is_continued_by_one_process(tmp_path: Path) -> None:
    games, kept = tmp_path / "games.jsonl", tmp_path / "review.json"
    games.write_text(json.dumps(short_record()) + "\n")
    words: list[str | Path] = [
        "review",
        games,
        "--by",
        SLOW,
        "--deals",
        "30",
        "--out",
        tmp_path / "review.html",
    ]
    process = start(*words, "--engine", "ray", SITTER_SECONDS="0.5")
    _, errors = interrupted(process, kept, lines=1, finishing="finishing this decision")
    done, length = len(json.loads(kept.read_bytes())["decisions"]), len(short_record()["moves"])
    assert f"stopped after {done} of {length} decisions; the same command continues" in errors
    assert 0 < done < length
    assert (tmp_path / "review.html").exists()
    _, errors = start(*words).communicate(timeout=100)
    whole = Review(short_record(), SLOW, deals=30)
    assert len(list(whole.decisions())) == length
    whole.write(tmp_path / "whole.json")
    assert kept.read_bytes() == (tmp_path / "whole.json").read_bytes(), errors


def test_a_killed_process_leaves_no_trace_in_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "deadly"
    file.touch()
    words = ["evaluate", "tests.players:Casualty", "--games", "4", "--players", "2"]
    process = start(*words, "--json", "--quiet", "--engine", "ray", DEADLY=str(file))
    printed, errors = process.communicate(timeout=100)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(printed)["report"]["fouls"] == []
    assert not file.exists()


def test_nobody_listens_at_the_address(tmp_path: Path) -> None:
    out = tmp_path / "out"
    config = tmp_path / "small.yaml"
    config.write_text("policies: [random]\n")
    words: list[str | Path] = ["tournament", config, "--out", out, "--engine", "ray"]
    with silent_address() as where:
        process = start(*words, "--address", where)
        printed, errors = process.communicate(timeout=60)
    assert (process.returncode, printed, out.exists()) == (2, "", False)
    assert errors.startswith("error: nobody answers at ")
    assert f"{where.removeprefix('127.0.0.1')} " in errors


def test_an_agent_that_is_not_there_is_refused_as_ever(tmp_path: Path) -> None:
    process = start("evaluate", tmp_path / "no.safetensors", "--engine", "ray")
    printed, errors = process.communicate(timeout=60)
    assert (process.returncode, printed) == (2, "")
    assert "no.safetensors cannot be read as safetensors" in errors
