"""The command line as a user meets it: the real command in a process of its own."""

from __future__ import annotations

import json
import random
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from dreamfactory_env import DreamFactory
from dreamfactory_env.cli import main, records
from dreamfactory_env.cli.records import with_names
from dreamfactory_env.records.files import RecordWriter, read_lines, read_records
from dreamfactory_env.records.format import parse_line, replay
from dreamfactory_env.records.simulation import simulate
from tests.commands import assert_refused, in_parallel, run, run_all, start

#: A simulation that takes a moment, and fills several frames of a compressed file.
GAMES = 400
SIMULATE = ["simulate", "--players", "2", "--games", str(GAMES), "--seed", "5", "--out"]
FILES = ["games.jsonl", "games.jsonl.zst"]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compiles the rules if they are not, so that no command has to say that it does."""
    DreamFactory(2, seed=1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with FILES of a simulation that nothing has interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    for finished in run_all([" ".join([*SIMULATE, name]) for name in FILES], folder):
        assert finished.returncode == 0
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder with four games, and the same with a damaged, an edited and a torn line."""
    tmp_path = tmp_path / "folder"
    tmp_path.mkdir()
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        for record in simulate(DreamFactory(3), ["random"], 4, 1):
            writer.write(record)
    lines = (tmp_path / "games.jsonl").read_bytes().splitlines(keepends=True)
    edited = json.loads(lines[2])
    edited["moves"][7][2] = "bid 99"
    bad = [lines[0], b"{]\n", lines[1], json.dumps(edited).encode() + b"\n", lines[3]]
    (tmp_path / "bad.jsonl").write_bytes(b"".join([*bad, lines[2][:500]]))
    return tmp_path


def lines_of(path: Path) -> list[bytes]:
    """Returns the whole lines of a file; only after the last of them something may be torn."""
    lines = list(read_lines(path))
    assert not any(line.problem for line in lines[:-1])
    return [line.text for line in lines if not line.problem]


# ---------------------------------------------------------------------------- simulate


def test_simulate_writes_the_records_and_prints_speed_and_scores(tmp_path: Path) -> None:
    options = ["--players", "3", "-o", "edition=traumfabrik", "--option", "choose_studio=true"]
    path = tmp_path / "new" / "games.jsonl"
    finished = run(
        "simulate", "--games", "20", *options, "--seed", "9", "--out", path, cwd=tmp_path
    )
    assert finished.returncode == 0
    game = DreamFactory(3, edition="traumfabrik", choose_studio=True)
    expected = list(simulate(game, ["random"], 20, 9))
    assert list(read_records(path)) == expected
    output = " ".join(finished.stdout.split())
    decisions = sum(len(record["moves"]) for record in expected)
    assert re.search(rf"20 games, {decisions:,} decisions in [\d.]+ s: [\d,]+ games/s, ", output)
    assert re.search(r", [\d,]+ decisions/s", output)
    scores = np.array([record["result"]["scores"] for record in expected])
    winners = [record["result"]["winners"] for record in expected]
    wins = [sum((seat in won) / len(won) for won in winners) / 20 for seat in range(3)]
    rows = [(f"{seat} random {wins[seat]:.1%}", scores[:, seat]) for seat in range(3)]
    for name, column in [*rows, ("all 33.3%", scores.ravel())]:
        numbers = [f"{column.mean():.1f}", f"{column.std():.1f}"]
        numbers += [f"{n:.0f}" for n in np.quantile(column, [0, 0.25, 0.5, 0.75, 1])]
        assert " ".join([name, *numbers]) in output
    assert f"20 records in {path}" in finished.stdout


def test_simulate_without_a_file_writes_none(tmp_path: Path) -> None:
    command = ["simulate", "--games", "5", "--policies", "random,random,random,random"]
    assert "5 games, " in run(*command, cwd=tmp_path).stdout
    assert list(tmp_path.iterdir()) == []


def test_a_compressed_file_holds_the_same_records_and_both_are_verified(whole: Path) -> None:
    expected = list(simulate(DreamFactory(2), ["random"], GAMES, 5))
    for name, finished in zip(FILES, run_all([f"replay {n}" for n in FILES], whole), strict=True):
        assert list(read_records(whole / name)) == expected
        assert finished.returncode == 0
        assert finished.stdout == f"{name}: {GAMES} games verified, 0 wrong\n"


def test_a_bad_option_is_named_with_what_would_be_right_and_nothing_is_replaced(
    folder: Path,
) -> None:
    bad = {
        "--players 1": "players must be 2 to 5, not 1",
        "--players 6": "players must be 2 to 5, not 6",
        "-o edition=traumfabric": "'traumfabric'; did you mean 'traumfabrik'",
        "-o hidden_money=maybe": "hidden_money must be one of rule, never, always, not 'maybe'",
        "-o choose_studio=maybe": "choose_studio must be true or false, not 'maybe'",
        "-o choose_studio": "-o must be a key and a value such as edition=dream_factory, not "
        "'choose_studio'",
        "-o editon=traumfabrik": "unknown option 'editon'; .*did you mean 'edition'",
        "-o players=3": "players is set by --players, .* not by -o",
        "--game dream_factor": "unknown game 'dream_factor'; .*did you mean 'dream_factory'",
        "--policies randon": "unknown policy 'randon'; known are random,",
        "--policies random,random": "2 policies for 4 players; give 1 or 4",
        "--games 0": "--games must be at least 1, not 0",
        "--seed -1": r"seed must be a whole number from 0 to 2\*\*63 - 1, not -1",
        "-o components=missing.yaml": "missing.yaml: 1 mistake\n  cannot be read: .*missing.yaml",
        "--resume": "give only one",
    }
    command = "simulate --games 3 --force --out games.jsonl"
    assert_refused({f"{command} {options}": message for options, message in bad.items()}, folder)


def test_an_output_file_that_cannot_be_is_named_and_nothing_is_touched(folder: Path) -> None:
    bad = {
        "games.jsonl": "games.jsonl is there already; --resume continues it, --force replaces",
        "games.jsonl --resume": "line 1 .*its config is .*'players': 3.*, not .*'players': 4",
        "games.jsonl --resume --players 3 --seed 2": "line 1 .*its seed is [0-9]+, not [0-9]+",
        "bad.jsonl --resume --players 3": "line 2: not a JSON object",
        "games.jsonl/x.jsonl": "games.jsonl/x.jsonl cannot be written: ",
        "games.jsonl/x.jsonl --force": "games.jsonl/x.jsonl cannot be written: ",
        f"{'long' * 100}.jsonl": "longlong.* cannot be written: File name too long",
        "../dir.jsonl --force": "dir.jsonl cannot be written: ",
        "../dir.jsonl --resume": "dir.jsonl cannot be written: Is a directory",
        "x.txt": "--out must end with .jsonl or .jsonl.zst, which says what it is: x.txt",
        "x.jsonl.gz": "--out must end with .jsonl or .jsonl.zst, .*: x.jsonl.gz",
        "x.zst --force": "--out must end with .jsonl or .jsonl.zst, .*: x.zst",
    }
    (folder.parent / "dir.jsonl").mkdir()
    assert_refused(
        {f"simulate --games 9 --out {out}": message for out, message in bad.items()}, folder
    )


def test_force_replaces_a_file_and_brackets_in_its_name_are_shown(folder: Path) -> None:
    (folder / "a[").mkdir()
    path = (folder / "games.jsonl").rename(folder / "a[" / "b].jsonl")
    command = ["simulate", "--players", "2", "--games", "3", "--force", "--out", "a[/b].jsonl"]
    assert "3 records in a[/b].jsonl\n" in run(*command, cwd=folder).stdout
    assert len(lines_of(path)) == 3
    assert run("replay", "a[/b].jsonl", cwd=folder).stdout.startswith("a[/b].jsonl: 3 games")


# ---------------------------------------------------------------------------- replay and show


def test_replay_names_line_and_move_of_each_wrong_game_and_verifies_the_others(
    folder: Path,
) -> None:
    finished = run("replay", "bad.jsonl", cwd=folder)
    assert (finished.returncode, finished.stdout) == (1, "bad.jsonl: 3 games verified, 3 wrong\n")
    lines = [line for line in finished.stderr.splitlines() if line.startswith("line ")]
    assert [line.split(": ")[:2] for line in lines] == [
        ["line 2", "not a JSON object"],
        ["line 4", "move 7"],
        ["line 6", "cut off while it was written"],
    ]
    assert "'bid 99'" in lines[1]


def test_replay_of_nothing_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    finished = run("replay", "empty.jsonl", cwd=tmp_path)
    assert finished.returncode == 1
    assert finished.stdout == "empty.jsonl: 0 games verified, 0 wrong\n"
    assert_refused({"replay missing.jsonl": "missing.jsonl cannot be read"}, tmp_path)


def test_show_narrates_the_game_of_the_record(folder: Path) -> None:
    finished = run("show", "games.jsonl", "--number", "2", cwd=folder)
    assert finished.returncode == 0
    lines = finished.stdout.splitlines()
    record = list(read_records(folder / "games.jsonl"))[1]
    first, result = record["setup"]["first_player"], record["result"]
    assert lines[0].endswith(
        f"3 players, edition dream_factory, money hidden; player {first} (random) is first."
    )
    moves = [line.strip() for line in lines if re.match(r"    player \d .*?: ", line)]
    assert moves == [f"player {seat} (random): {words}" for seat, _, words in record["moves"]]
    finished_films = [line for line in lines if " is finished with " in line]
    assert len(finished_films) == len(result["films"])
    for line, film in zip(finished_films, result["films"], strict=True):
        assert f"{film['title']} is finished with {film['stars']} stars" in line
    for seat, (score, money) in enumerate(zip(result["scores"], result["money"], strict=True)):
        line = f"  player {seat} (random): {score} points, {money} of them money; "
        assert any(each.startswith(line) for each in lines)
    names = " and ".join(f"player {seat} (random)" for seat in result["winners"])
    assert lines[-1] == f"  won by {names}"


def test_show_says_who_played_on_which_seat(folder: Path) -> None:
    agents = ["greedy", "runs/a/my.safetensors", "bots:Mine\x1b[2J"]
    line = "player 0 and player 1: player 2, player 3, players 1"
    assert with_names(line, agents) == (
        "player 0 (greedy) and player 1 (my.safetensors): player 2 (bots:Mine?[2J), "
        "player 3, players 1"
    )
    start = DreamFactory(2, seed=3)
    with RecordWriter(folder / "two.jsonl", replace=True) as writer:
        writer.write(next(simulate(start, ["greedy", "random"], 1, 3)))
    finished = run("show", "two.jsonl", cwd=folder)
    assert "  player 0 (greedy), money 12, " in finished.stdout
    assert "  player 1 (random), money 12, " in finished.stdout
    assert not re.search(r"player 0(?! \(greedy\))|player 1(?! \(random\))", finished.stdout)


def test_show_says_in_one_line_what_it_cannot_show(folder: Path) -> None:
    lines = (folder / "bad.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "edited.jsonl").write_bytes(lines[3])
    (folder / "torn.jsonl").write_bytes(lines[0] + lines[-1])
    bad = {
        "games.jsonl -n 0": "--number counts from 1, not 0",
        "games.jsonl -n 5": "games.jsonl has 4 games; there is no game 5",
        "games.jsonl --game 2": "unknown game '2'; known are dream_factory",
        "games.jsonl -o edition=traumfabrik": "has 0 such games; there is no game 1",
        "bad.jsonl -n 2": "line 2: not a JSON object",
        "torn.jsonl -n 2": "line 2: cut off while it was written",
        "edited.jsonl": "line 1: move 7: .*'bid 99'",
        "missing.jsonl": "missing.jsonl cannot be read: No such file",
    }
    assert_refused({f"show {arguments}": message for arguments, message in bad.items()}, folder)


def test_colours_are_for_terminals_or_on_demand(folder: Path) -> None:
    commands = ["show games.jsonl", "show missing.jsonl"]
    for finished in run_all(commands, folder):
        assert "\x1b[" not in finished.stdout + finished.stderr
    for finished in run_all(commands, folder, FORCE_COLOR="1"):
        assert "\x1b[" in finished.stdout + finished.stderr


def test_output_that_cannot_be_encoded_or_is_no_longer_read_is_no_error(folder: Path) -> None:
    shown = run("show", "games.jsonl", cwd=folder, PYTHONIOENCODING="ascii")
    assert shown.returncode == 0
    assert "? first drama: " in shown.stdout
    process = start("show", "games.jsonl", cwd=folder)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    assert process.communicate(timeout=60)[1] == ""


# ---------------------------------------------------------------------------- interruptions


def wait_for_size(path: Path, size: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if path.exists() and path.stat().st_size >= size:
            return
        time.sleep(0.001)


def resume(path: Path, whole: Path) -> None:
    """Resumes a file and compares the end with what nothing has interrupted."""
    finished = run(*SIMULATE, path, "--resume", cwd=path.parent)
    assert finished.returncode == 0, finished.stderr
    assert f"{GAMES} records in {path}" in finished.stdout
    assert path.read_bytes() == (whole / path.name).read_bytes()


def check_beginning(path: Path, whole: Path) -> None:
    """Checks that a file holds whole records of the simulation, and at most a torn end."""
    lines = lines_of(path) if path.exists() else []
    assert lines == lines_of(whole / path.name)[: len(lines)]
    for line in lines:
        replay(parse_line(line))


def test_a_killed_simulation_leaves_whole_records_and_is_resumed_to_the_same_bytes(
    tmp_path: Path, whole: Path
) -> None:
    def kill_and_resume(name: str) -> None:
        size = (whole / name).stat().st_size
        for part in (0.1, 0.6):
            process = start(*SIMULATE, name, "--resume", cwd=tmp_path)
            wait_for_size(tmp_path / name, int((part + random.random() * 0.4) * size), process)
            process.kill()
            process.communicate()
            check_beginning(tmp_path / name, whole)
        resume(tmp_path / name, whole)

    in_parallel(kill_and_resume, FILES)


def test_a_torn_damaged_or_whole_file_is_resumed_to_the_same_bytes(
    tmp_path: Path, whole: Path
) -> None:
    plain, compressed = ((whole / name).read_bytes() for name in FILES)
    contents = [(FILES[0], plain), (FILES[0], plain[: len(plain) // 2])]
    contents += [(FILES[1], compressed[: len(compressed) * k // 100]) for k in (20, 99)]
    contents += [(FILES[1], compressed + b"no frame")]

    def write_and_resume(case: int) -> None:
        path = tmp_path / str(case) / contents[case][0]
        path.parent.mkdir()
        path.write_bytes(contents[case][1])
        resume(path, whole)

    in_parallel(write_and_resume, range(len(contents)))


def test_a_torn_file_that_others_have_compressed_is_resumed_without_a_gap(
    tmp_path: Path, whole: Path
) -> None:
    text = (whole / "games.jsonl").read_bytes()
    begin = text.index(b"\n") + 1
    middle = text.index(b"\n", begin) + 100  # within a line
    frames = [
        zstandard.ZstdCompressor().compress(piece)
        for piece in (text[:begin], text[begin:middle], text[middle:])
    ]
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(b"".join(frames)[:-50])
    assert run(*SIMULATE, path, "--resume", cwd=tmp_path).returncode == 0
    assert b"".join(lines_of(path)) == text


def test_a_full_disk_is_named_and_the_file_can_be_resumed(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "games.jsonl"
    process = start(*SIMULATE, path, cwd=tmp_path)
    limit = (whole / path.name).stat().st_size * 2 // 3
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
    _, error = process.communicate(timeout=60)
    assert "Traceback" not in error, error
    assert process.returncode == 2
    assert re.search(rf"^error: {path} cannot be written: .*too large", error, re.M), error
    check_beginning(path, whole)
    resume(path, whole)


def test_an_interrupt_leaves_whole_records_and_says_how_to_resume(
    tmp_path: Path, whole: Path
) -> None:
    path = tmp_path / "games.jsonl"
    process = start(*SIMULATE, path, cwd=tmp_path)
    wait_for_size(path, 1, process)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    count = len(lines_of(path))
    assert not any(line.problem for line in read_lines(path))
    assert f"{count} records in {path}" in out
    assert f"stopped after {count} of {GAMES} games; the same command with --resume" in error
    assert "Traceback" not in error
    resume(path, whole)


@pytest.mark.parametrize("name", FILES)
def test_an_interrupt_right_after_a_write_counts_that_record(
    tmp_path: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Interrupted(RecordWriter):
        written = 0

        def write(self, record: dict[str, Any]) -> None:
            super().write(record)
            self.written += 1
            if self.written == 3:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(records, "RecordWriter", Interrupted)
    monkeypatch.setattr(sys, "argv", ["dreamfactory", *SIMULATE, str(tmp_path / name)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 130
    assert len(lines_of(tmp_path / name)) == 3
    assert f"stopped after 3 of {GAMES} games" in capsys.readouterr().err
