"""Playing a tournament in as many processes as there are cores, its chunks given in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.worker import Chunk, Worker
from dreamfactory_env.engine.compiling import warm_up
from dreamfactory_env.policies import Policy, View
from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.utils.errors import GameError

#: How often somebody who waits looks whether to stop, in seconds.
GLANCE = 0.1
#: The name under which libraries are told how many threads to use.
THREADS = "OMP_NUM_THREADS"


class _FirstMove(Policy):
    """Plays the first legal move."""

    def act(self, view: View) -> int:
        return int(view.mask.argmax())


def compile_all(tournament: Tournament) -> None:
    """Compiles what a tournament needs, once, before several processes need it at once."""
    title = tournament.kind.title
    one = replace(tournament, deals=1, records=False)
    if tournament.compiled:
        warm_up(f"{title}, arena", lambda: Worker(one).play(0))
    else:
        both = (next(iter(tournament.kind.scripted)), "first")
        small = replace(one, policies=both, lineups="mixed", custom={"first": _FirstMove()})
        warm_up(f"{title}, arena of policies", lambda: Worker(small).play(0))


def play_chunks(
    tournament: Tournament,
    *,
    processes: int = 1,
    start: int = 0,
    records: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Generator[Chunk, None, None]:
    """Plays a tournament and gives its chunks in order.

    Args:
        tournament: Which one.
        processes: How many processes play; one plays in this process.
        start: The first chunk to play.
        records: A folder where each chunk leaves its records, None for no records.
        stop: Asked now and then; once it says yes, what is being played is finished and no more.

    Raises:
        GameError: A process has died.
    """
    compile_all(tournament)
    numbers = range(start, tournament.chunks)
    if processes == 1:
        _enter(tournament, records)
        for number in numbers:
            if stop():
                return
            yield _play(number)
        return
    before = set(multiprocessing.active_children())
    # Forked children would share threads and locks that only half exist in them.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        processes, context, initializer=_enter_worker, initargs=(tournament, records)
    )
    try:
        with _one_thread_each():
            yield from _in_order(pool, numbers, processes + 1, stop)
    except (GeneratorExit, KeyboardInterrupt):
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()  # nobody waits for what they play
        raise
    except BrokenProcessPool as error:
        raise GameError(
            "a process that played has died: out of memory, or a policy that ends Python itself; "
            "what was written is whole, and the same command goes on from there"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Lets processes that are started meanwhile compute with one thread: a core for each.

    NumPy's linear algebra reads it when it is loaded, which is before a process comes to our code.
    """
    wanted = THREADS not in os.environ
    os.environ.setdefault(THREADS, "1")
    try:
        yield
    finally:
        if wanted:
            os.environ.pop(THREADS, None)


def _in_order(
    pool: ProcessPoolExecutor, numbers: range, at_once: int, stop: Callable[[], bool]
) -> Iterator[Chunk]:
    """Gives the chunks of a pool in order; whoever is late is waited for."""
    waiting = iter(numbers)
    running: dict[Future[Chunk], int] = {}
    done: dict[int, Chunk] = {}
    wanted = numbers.start
    while True:
        while len(running) < at_once and not stop() and (number := next(waiting, None)) is not None:
            running[pool.submit(_play, number)] = number
        if not running:
            return
        finished, _ = wait(running, timeout=GLANCE, return_when=FIRST_COMPLETED)
        for future in finished:
            done[running.pop(future)] = future.result()
        while wanted in done:
            yield done.pop(wanted)
            wanted += 1


#: Where this process plays, and where its records go.
_HALL: list[Worker] = []
_RECORDS: list[Path | None] = []


def _enter_worker(tournament: Tournament, records: Path | None) -> None:
    """Makes a process of its own ready to play."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of who started it
    _enter(tournament, records)


def _enter(tournament: Tournament, records: Path | None) -> None:
    _HALL[:] = [Worker(tournament)]
    _RECORDS[:] = [records]


def _play(number: int) -> Chunk:
    """Plays a chunk, and leaves its records where they belong."""
    chunk, records = _HALL[0].play(number)
    folder = _RECORDS[0]
    if folder is not None:
        with RecordWriter(folder / records_name(number), replace=True) as writer:
            for record in records:
                writer.write(record)
    return chunk


def records_name(number: int) -> str:
    """Returns the name of the file with the records of a chunk."""
    return f"{number:06d}.jsonl.zst"
