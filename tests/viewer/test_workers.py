from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.records.format import make_record
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.viewer.questions import Desk
from dreamfactory_env.viewer.workers import Busy, Died, TookTooLong, Workers
from tests.paths import ROOT

GAME = DreamFactory(2, seed=3)
RECORD = make_record(GAME, [2, 0], ["human", "expert"])


def move(policy: str, **more: Any) -> dict[str, Any]:
    return {"ask": "move", "record": RECORD, "policy": policy, **more}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(processes=2, waiting=4) as workers:
        yield workers


def wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    begin = time.monotonic()
    while not true():
        assert time.monotonic() - begin < seconds
        time.sleep(0.02)


def test_a_policy_answers_as_it_does_anywhere(workers: Workers) -> None:
    game = DreamFactory(2, seed=3).play(2)
    expected = policy_named("expert", game).act(view_of(game, seed=3, moves=1))
    answer = workers.submit(move("expert", frame=1), 60).result()
    words = game.action_to_string(expected)
    assert answer == {"seat": game.to_move, "action": expected, "words": words}


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (move("nobody"), "unknown policy 'nobody'"),
        (move("os:system"), "would run code, that of the module os"),
        (move("/etc/agent.safetensors"), "was not named on the command line"),
        (move("mcts:much"), "the budget of a search"),
        (move("expert", frame=3), "there is no position 3"),
        (move("x" * 300), "short text"),
        ({**move("expert"), "ask": "everything"}, "ask must be one of move, judge"),
        ({**move("expert"), "record": {"moves": []}}, "wrong keys"),
        ({**move("expert"), "record": None}, "record must be an object"),
    ],
)
def test_what_cannot_be_answered_says_why(
    workers: Workers, question: dict[str, Any], message: str
) -> None:
    with pytest.raises(GameError, match=message):
        workers.submit(question, 60).result()


def test_only_names_that_the_user_has_given_may_run_code() -> None:
    question = move("tests.players:Sitter")
    with pytest.raises(OptionError, match="would run code"):
        Desk().prepare(question)
    assert Desk(["tests.players:Sitter"]).prepare(question)()["seat"] == to_move()


def test_a_slow_one_is_stopped_in_time_and_delays_nobody_else(workers: Workers) -> None:
    both = [workers.submit(move(name), 60) for name in ("expert", "greedy")]
    assert [future.result()["seat"] for future in both] == [to_move()] * 2  # both have begun
    slow: list[Future[Any]] = [workers.submit(move("mcts:60s"), 5.0) for _ in range(2)]
    wait_until(slow[0].running)
    assert workers.submit(move("expert"), 60).result()["seat"] == to_move()
    # Meanwhile; the last free process is not for more of the same.
    assert (slow[0].running(), slow[1].running()) == (True, False)
    slow[1].cancel()
    with pytest.raises(TookTooLong, match="longer than 5 seconds"):
        slow[0].result(60)
    again = [workers.submit(move(name), 60) for name in ("expert", "greedy")]
    assert [future.result()["seat"] for future in again] == [to_move()] * 2  # a new process, too


def to_move() -> int | None:
    return DreamFactory(2, seed=3).play(2).play(0).to_move


def test_more_questions_than_may_wait_are_refused(workers: Workers) -> None:
    slow = [workers.submit(move("mcts:60s"), 0.5)]
    wait_until(slow[0].running)
    waiting = [workers.submit(move("mcts:60s"), 0.5) for _ in range(4)]
    with pytest.raises(Busy, match="4 questions wait already"):
        workers.submit(move("mcts:60s"), 0.5)
    assert all(future.cancel() for future in waiting)
    assert workers.submit(move("expert"), 60).result()["action"] >= 0  # there is room again


def test_the_end_answers_nothing_more_and_leaves_no_process() -> None:
    workers = Workers(processes=1)
    running = workers.submit(move("mcts:60s"), 60)
    waiting = workers.submit(move("expert"), 60)
    wait_until(running.running)
    process = workers._slots[0]._process
    workers.close()
    for future in (running, waiting):
        with pytest.raises(Died):
            future.result(10)
    with pytest.raises(Died):
        workers.submit(move("expert"), 60)
    with pytest.raises(ValueError, match="closed"):
        process.is_alive()


def test_a_process_that_cannot_be_started_is_told_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as system:
        refuse_to_start(system, times=100)
        workers = Workers(processes=1)
        with pytest.raises(Died, match=f"could be started: {os.strerror(errno.EAGAIN)}"):
            workers.submit(move("expert"), 60).result(10)
    with workers:
        assert workers.submit(move("expert"), 60).result(100)["seat"] == to_move()


def test_the_end_ends_those_that_could_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_to_start(monkeypatch, times=1)
    workers = Workers(processes=2)
    wait_until(lambda: any(slot._process for slot in workers._slots))
    (process,) = (slot._process for slot in workers._slots if slot._process)
    workers.close()
    with pytest.raises(ValueError, match="closed"):
        process.is_alive()


def refuse_to_start(system: pytest.MonkeyPatch, times: int) -> None:
    """Lets so many processes not be started, as a system does that has too many."""
    left, start = iter(range(times)), SpawnProcess.start

    def refused(process: SpawnProcess) -> None:
        if next(left, None) is not None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        start(process)

    system.setattr(SpawnProcess, "start", refused)


SERVER = """
import time
from dreamfactory_env.viewer.workers import Workers
if __name__ == "__main__":
    workers = Workers(processes=1)
    while not getattr(workers._slots[0]._process, "pid", None):
        time.sleep(0.01)
    print(workers._slots[0]._process.pid, flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
def test_processes_end_when_the_server_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert server.stdout is not None
    child = int(server.stdout.readline())
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    wait_until(lambda: not _is_running(child))


def _is_running(process: int) -> bool:
    """Tells whether a process is there, and more than an entry that nobody has read yet."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
