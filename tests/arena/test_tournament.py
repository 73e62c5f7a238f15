"""A whole tournament: its files, whatever the number of processes, stopped and resumed."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from dreamfactory_env import GameError, RecordError
from dreamfactory_env.arena import Tournament, read_tournament, run_tournament
from dreamfactory_env.arena.results import read_chunks
from tests.arena.interrupting import interrupted
from tests.paths import ROOT

SMALL = Tournament(policies=("random", "greedy"), players=3, deals=6, seed=4)


def test_a_policy_that_ends_its_process_leaves_a_whole_result(tmp_path: Path) -> None:
    name = "tests.players:Killer"
    tournament = Tournament(policies=(name, "random"), players=2, deals=3)
    with pytest.raises(GameError, match="a process that played has died"):
        run_tournament(tournament, tmp_path, processes=2)
    assert read_chunks(tmp_path / "result.jsonl", tournament) == []


def test_a_result_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    scripted = replace(SMALL, deals=300)
    mixed_ = Tournament(
        policies=("tests.players:Sitter", "tests.players:Batcher", "greedy"), players=3, deals=4
    )
    for number, tournament in enumerate((scripted, mixed_)):
        folders = [tmp_path / f"{number}-{count}" for count in (1, 2)]
        for folder, count in zip(folders, (1, 2), strict=True):
            run_tournament(tournament, folder, processes=count)
        one, two = ((folder / "result.jsonl").read_bytes() for folder in folders)
        assert one == two
        reports = [json.loads((folder / "report.json").read_text()) for folder in folders]
        for report in reports:
            for row in report["policies"]:
                assert row.pop("decisions_per_second") > 0
        assert reports[0] == reports[1]


def test_a_torn_result_is_resumed_and_a_whole_one_is_not_played_again(tmp_path: Path) -> None:
    tournament = Tournament(policies=("tests.players:Sitter", "greedy"), players=2, deals=5)
    run_tournament(tournament, tmp_path / "whole", processes=1)
    whole = (tmp_path / "whole" / "result.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 6
    torn = tmp_path / "torn" / "result.jsonl"
    torn.parent.mkdir()
    for left in (b"", lines[0][:40], lines[0], lines[0] + lines[1] + lines[2][:-9], whole):
        torn.write_bytes(left)
        done: list[int] = []
        report = run_tournament(tournament, torn.parent, processes=1, progress=done.append)
        assert torn.read_bytes() == whole
        assert done == list(range(max(left.count(b"\n") - 1, 0), 6))
        assert report is not None
        assert report["complete"]


def test_the_result_of_another_tournament_is_not_touched(tmp_path: Path) -> None:
    run_tournament(SMALL, tmp_path, processes=1)
    path = tmp_path / "result.jsonl"
    before = path.read_bytes()
    with pytest.raises(RecordError, match="another tournament: its seed is 4, not 5; --force"):
        run_tournament(replace(SMALL, seed=5), tmp_path, processes=1)
    assert path.read_bytes() == before
    path.write_bytes(before.replace(b'"won"', b'"wom"'))
    with pytest.raises(RecordError, match="line 2 is not a chunk of this tournament: 'won'"):
        run_tournament(SMALL, tmp_path, processes=1)
    run_tournament(replace(SMALL, seed=5), tmp_path, processes=1, replace=True)
    assert path.read_bytes() != before
    path.write_text("nonsense\n" * 2)
    with pytest.raises(RecordError, match=r"result.jsonl is no result: .*--force replaces it"):
        run_tournament(SMALL, tmp_path, processes=1)


def test_a_result_of_other_constants_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tournament(SMALL, tmp_path, processes=1)
    scripted = SMALL.template.scripted
    monkeypatch.setitem(scripted, "greedy", scripted["greedy"] * 1.01)
    with pytest.raises(RecordError, match="another tournament: its fingerprints is"):
        run_tournament(replace(SMALL), tmp_path, processes=1)


def test_times_of_another_shape_do_no_harm_and_old_records_go(tmp_path: Path) -> None:
    run_tournament(replace(SMALL, records=True), tmp_path, processes=1)
    (tmp_path / "times.json").write_text("[1]")
    assert run_tournament(replace(SMALL, records=True), tmp_path, processes=1) is not None
    assert list((tmp_path / "records").iterdir())
    run_tournament(SMALL, tmp_path, processes=1, replace=True)
    assert not list((tmp_path / "records").iterdir())


def test_stopping_leaves_what_was_finished(tmp_path: Path) -> None:
    tournament = Tournament(policies=("tests.players:Sitter", "greedy"), players=2, deals=5)
    done: list[int] = []
    stop = lambda: len(done) > 2  # noqa: E731
    report = run_tournament(tournament, tmp_path, processes=1, stop=stop, progress=done.append)
    assert report is not None
    assert (report["deals"], report["complete"]) == (2, False)
    assert "not finished yet" in (tmp_path / "report.html").read_text("utf-8")
    nothing = tmp_path / "nothing"
    assert run_tournament(tournament, nothing, processes=1, stop=lambda: True) is None


def test_ctrl_c_leaves_a_valid_result_and_running_again_plays_the_rest(tmp_path: Path) -> None:
    config = tmp_path / "slow.yaml"
    config.write_text("policies: [tests.players:Sitter, greedy]\nplayers: 2\ndeals: 30\n")
    out = tmp_path / "out"
    command = [sys.executable, "-c", "from dreamfactory_env.cli.main import main; main()"]
    command += ["tournament", str(config), "--out", str(out), "--processes", "2", "--allow-code"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SITTER_SECONDS": "0.003"}
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)
    path = out / "result.jsonl"
    printed, errors = interrupted(process, path, lines=4)
    assert "the same command continues" in errors
    assert f"report: {out / 'report.html'}" in printed
    tournament = read_tournament(config, allow_code=True)
    chunks = read_chunks(path, tournament)
    assert 3 <= len(chunks) < 30
    assert path.read_bytes().endswith(b"\n")
    assert json.loads((out / "report.json").read_text())["deals"] == len(chunks)
    done: list[int] = []
    run_tournament(tournament, out, processes=1, progress=done.append)
    assert done[0] == len(chunks)  # only the rest was played
    assert done[-1] == 30
    run_tournament(tournament, tmp_path / "again", processes=1)
    assert path.read_bytes() == (tmp_path / "again" / "result.jsonl").read_bytes()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found in /proc")
def test_processes_end_when_the_one_that_started_them_is_killed(tmp_path: Path) -> None:
    config = tmp_path / "slow.yaml"
    config.write_text("policies: [tests.players:Sitter, greedy]\nplayers: 2\ndeals: 300\n")
    command = [sys.executable, "-c", "from dreamfactory_env.cli.main import main; main()"]
    command += ["tournament", str(config), "--out", str(tmp_path / "out"), "--processes", "2"]
    mark = f"ORPHANS={os.getpid()}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SITTER_SECONDS": "0.02"}
    environment |= dict([mark.split("=")])

    def alive() -> list[int]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return found

    path, deadline = tmp_path / "out" / "result.jsonl", time.monotonic() + 100
    with subprocess.Popen([*command, "--allow-code"], env=environment) as process:
        while not (path.exists() and path.read_bytes().count(b"\n") > 1):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert len(alive()) >= 3
        process.kill()
    while alive():
        assert time.monotonic() < deadline + 30, alive()
        time.sleep(0.05)
