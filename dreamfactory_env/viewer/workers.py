"""Processes that answer questions about games, so that no thinking ever blocks a click.

::

    with Workers(processes=2) as workers:
        future = workers.submit({"ask": "move", "record": record, "policy": "expert"}, timeout=10)
        future.result()["words"]

What can be asked stands in ``questions``. A future is one of ``concurrent.futures``: whoever runs
an event loop awaits ``asyncio.wrap_future(future)``. It ends with the answer, or with a GameError
whose message can be shown.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Self

from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.processes import serve_parent
from dreamfactory_env.utils.threads import use_one_thread
from dreamfactory_env.viewer.questions import ASKED, Answer, Desk, Question

#: To start, import and compile takes so long at most; only then the time of a question runs.
START_SECONDS = 300.0
#: So much lower is the priority of a process that thinks than that of the one that serves.
NICENESS = 5
#: A process says this when all is compiled and the time of a question begins.
BEGUN = b"begun"


class WorkerError(GameError):
    """A question that got no answer."""


class Busy(WorkerError):
    """Too many questions wait already."""


class TookTooLong(WorkerError):
    """The time was over before there was an answer; the process that was thinking is gone."""


class Died(WorkerError):
    """The process that was thinking has died, none could be started, or the server is ending."""


@dataclass
class _Job:
    """A question that waits or is being answered."""

    question: bytes
    topic: str
    timeout: float
    future: Future[Answer] = field(default_factory=Future)


class Workers:
    """Processes that answer questions, each one question at a time.

    Questions are answered in their order, except that those to one judge or policy never take the
    last free process: a slow one delays itself and nobody else. A question that takes too long ends
    its process, and another is started in its place. All end with this object, and also if the
    process that holds it is killed.

    Args:
        processes: How many.
        waiting: So many questions may wait for a process; more are refused.
        trusted: Names of policies that the user of the command has given: only these may be files
            or modules with code.

    Raises:
        OptionError: There is not at least one process.
    """

    def __init__(
        self, processes: int = 2, *, waiting: int = 64, trusted: Iterable[str] = ()
    ) -> None:
        if processes < 1:
            raise OptionError(f"processes must be at least 1, not {processes}")
        self._most, self._waiting_most = processes, waiting
        self._waiting: deque[_Job] = deque()
        self._running: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._closed = False
        self._slots = [_Slot(list(trusted)) for _ in range(processes)]
        self._threads = [
            threading.Thread(target=self._serve, args=(slot,), daemon=True) for slot in self._slots
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, question: Question, timeout: float) -> Future[Answer]:
        """Asks a question.

        Args:
            question: Plain data, see ``questions``.
            timeout: How many seconds an answer may take once somebody has begun with it.

        Returns:
            The answer to come. While it waits it can be cancelled.

        Raises:
            Busy: Too many questions wait already.
            OptionError: The question is not plain data.
        """
        name = question.get(ASKED.get(str(question.get("ask")), ""))
        try:
            data = json.dumps(question, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise OptionError(f"a question must be plain data: {error}") from error
        job = _Job(data, f"{question.get('ask')} {name}", timeout)
        with self._changed:
            if self._closed:
                raise Died("the server is ending")
            self._waiting = deque(each for each in self._waiting if not each.future.cancelled())
            if len(self._waiting) >= self._waiting_most:
                raise Busy(f"{len(self._waiting)} questions wait already; try again in a moment")
            self._waiting.append(job)
            self._changed.notify_all()
        return job.future

    def _serve(self, slot: _Slot) -> None:
        """Lets a process answer questions until the end; runs in a thread of its own."""
        with contextlib.suppress(OSError):  # whoever asks tries again, and is told
            slot.start()
        while job := self._next():
            try:
                answer = slot.ask(job)
            except GameError as error:
                job.future.set_exception(error)
            else:
                job.future.set_result(answer)
            with self._changed:
                self._running[job.topic] -= 1
                self._changed.notify_all()

    def _next(self) -> _Job | None:
        """Waits for a question that may be answered now; None at the end."""
        with self._changed:
            while not self._closed:
                for job in list(self._waiting):
                    if self._most > 1 and self._running[job.topic] >= self._most - 1:
                        continue
                    self._waiting.remove(job)
                    if job.future.set_running_or_notify_cancel():
                        self._running[job.topic] += 1
                        return job
                self._changed.wait()
        return None

    def close(self) -> None:
        """Ends all processes; what has no answer yet gets none."""
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, deque()
            self._changed.notify_all()
        for job in waiting:
            if job.future.set_running_or_notify_cancel():
                job.future.set_exception(Died("the server is ending"))
        for slot in self._slots:
            slot.kill()
        for thread in self._threads:
            thread.join()
        for slot in self._slots:
            slot.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class _Slot:
    """A place for a process, which is started anew when one is gone."""

    def __init__(self, trusted: list[str]) -> None:
        self._trusted = trusted
        self._process: Any = None
        self._connection: Connection | None = None
        self._guard = threading.Lock()
        self._closed = False

    def start(self) -> None:
        """Starts a process, unless there is one or all is over.

        Raises:
            OSError: The system lets nobody start one now.
        """
        with self._guard:
            if self._closed or (self._process is not None and self._process.is_alive()):
                return
            # Forked children would share threads and locks that only half exist in them.
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(theirs, self._trusted), name="worker", daemon=True
            )
            with theirs:
                process.start()
            self._process, self._connection = process, ours  # only one that runs can be ended

    def ask(self, job: _Job) -> Answer:
        """Asks the process, and waits no longer than the question may take.

        Raises:
            GameError: There is no answer; the message says why.
        """
        try:
            self.start()
        except OSError as error:
            raise Died(f"no process that thinks could be started: {error.strerror}") from error
        connection = self._connection
        if connection is None:
            raise Died("the server is ending")
        try:
            connection.send_bytes(job.question)
            reply = self._receive(connection, START_SECONDS, "to start")
            if reply == BEGUN:
                reply = self._receive(connection, job.timeout, "to answer")
        except (EOFError, OSError) as error:
            self.end()
            raise Died("the process that was thinking has died") from error
        data = json.loads(reply)
        if "answer" not in data:
            raise WorkerError(data["problem"])
        answer: Answer = data["answer"]
        return answer

    def _receive(self, connection: Connection, seconds: float, what: str) -> bytes:
        begin = time.monotonic()
        while not connection.poll(min(1.0, max(seconds - (time.monotonic() - begin), 0))):
            if time.monotonic() - begin >= seconds:
                self.end()
                raise TookTooLong(f"it took longer than {seconds:g} seconds {what}")
        return connection.recv_bytes()

    def end(self) -> None:
        """Ends the process, if there is one."""
        with self._guard:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process.close()
            if self._connection is not None:
                self._connection.close()
            self._process = self._connection = None

    def kill(self) -> None:
        """Ends the process, and lets nobody start another; whoever waits for it hears of it."""
        self._closed = True
        with self._guard:
            if self._process is not None:
                self._process.kill()


def _work(connection: Connection, trusted: list[str]) -> None:
    """Answers questions one after another, in a process of its own."""
    serve_parent()
    use_one_thread()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    desk = Desk(trusted)
    while True:
        try:
            question = connection.recv_bytes()
        except EOFError:
            return
        connection.send_bytes(_reply(desk, question, connection))


def _reply(desk: Desk, question: bytes, connection: Connection) -> bytes:
    """Returns the answer to a question, or what is wrong, as JSON."""
    try:
        answer = desk.prepare(json.loads(question))
        connection.send_bytes(BEGUN)
        return json.dumps({"answer": answer()}).encode()
    except GameError as error:
        return json.dumps({"problem": str(error)}).encode()
    except Exception as error:  # a policy of the user's may raise anything
        return json.dumps({"problem": f"it failed: {type(error).__name__}: {error}"}).encode()
