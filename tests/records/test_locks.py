"""Two processes never write into one file or folder: the second is refused, or waits."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dreamfactory_env import OptionError
from dreamfactory_env.arena import Tournament, run_tournament
from dreamfactory_env.records.files import RecordWriter, read_records
from dreamfactory_env.utils.locks import Lock

HOLDER = """
import sys, time
from pathlib import Path
from dreamfactory_env.utils.locks import Lock
lock = Lock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("resume", [False, True])
def test_a_file_that_is_being_written_is_refused_and_left_alone(
    tmp_path: Path, resume: bool
) -> None:
    path = tmp_path / "games.jsonl"
    with RecordWriter(path) as writer:
        writer.write({"game": 0})
        message = rf"games\.jsonl is being written by process {os.getpid()} on"
        with pytest.raises(OptionError, match=message):
            RecordWriter(path, resume=resume, replace=not resume)
        writer.write({"game": 1})
    assert list(read_records(path)) == [{"game": 0}, {"game": 1}]
    assert names(tmp_path) == ["games.jsonl"]  # the lock leaves nothing
    with RecordWriter(path, resume=True) as writer:
        writer.write({"game": 2})
    assert len(list(read_records(path))) == 3


def test_who_is_told_to_wait_gets_the_lock_when_it_is_free(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    first = Lock(path)
    got: list[Lock] = []
    thread = threading.Thread(target=lambda: got.append(Lock(path, wait=True)))
    thread.start()
    thread.join(0.3)
    assert thread.is_alive()
    first.release()
    thread.join(10)
    with pytest.raises(OptionError, match="is being written by process"):
        Lock(path)
    got[0].release()
    with Lock(path):
        pass
    assert names(tmp_path) == []


def test_a_process_that_is_killed_has_released_its_lock(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            with pytest.raises(OptionError, match=f"is being written by process {process.pid} on"):
                Lock(path)
        finally:
            process.kill()
    with Lock(path):
        pass


def test_what_stands_in_the_file_of_a_lock_is_shown_only_if_it_is_ours(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Lock(path):
        (tmp_path / ".games.jsonl.lock").write_text("\x1b]0;boo\x07")
        with pytest.raises(OptionError, match="is being written by another process"):
            Lock(path)


def test_a_tournament_is_played_by_one_process_at_a_time(tmp_path: Path) -> None:
    tournament = Tournament(policies=("random", "greedy"), players=2, deals=4)
    refused = []

    def once_more(deals: int) -> None:
        with pytest.raises(OptionError) as error:
            run_tournament(tournament, tmp_path, processes=1)
        refused.append(str(error.value))

    assert run_tournament(tournament, tmp_path, processes=1, progress=once_more) is not None
    assert refused
    assert all("is being written by process" in message for message in refused)
    assert ".lock" not in names(tmp_path)
    whole = (tmp_path / "result.jsonl").read_bytes()
    run_tournament(tournament, tmp_path, processes=1)
    assert (tmp_path / "result.jsonl").read_bytes() == whole
