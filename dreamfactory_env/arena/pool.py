"""Playing a tournament in as many processes as there are cores, its chunks given in order."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.importing import why_not_elsewhere
from dreamfactory_env.arena.worker import Chunk, Worker
from dreamfactory_env.engine.compiling import warm_up
from dreamfactory_env.policies import Policy, View
from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.utils.errors import GameError
from dreamfactory_env.utils.processes import serve_parent

#: How often ``stop`` is asked while the pool is waited for, in seconds.
GLANCE = 0.1
#: The environment variable that says how many threads libraries use.
THREADS = "OMP_NUM_THREADS"


class _FirstMove(Policy):
    """Plays the first legal move."""

    def act(self, view: View) -> int:
        return int(view.mask.argmax())


def compile_all(tournament: Tournament) -> None:
    """Compiles what a tournament needs, once, before several processes need it at once."""
    title = tournament.template.spec.title
    weakest = tournament.template.spec.ladder[0]
    if tournament.compiled:
        warm_up(f"{title}, arena", lambda: _play_one(tournament, (weakest,)))
    else:
        warm_up(
            f"{title}, arena of policies", lambda: _play_one(tournament, (weakest, "first move"))
        )


def _play_one(tournament: Tournament, policies: tuple[str, ...]) -> None:
    """Plays one deal of a tournament's game."""
    small = type(tournament)(
        policies=policies,
        players=tournament.players,
        deals=1,
        lineups="mixed",
        game=tournament.game,
        options=tournament.options,
        custom={"first move": _FirstMove()},
    )
    Worker(small).play(0)


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
        processes: How many processes play; one plays in this process, and so it is, with a
            warning, where other processes cannot have the policies.
        start: The first chunk to play.
        records: A folder where each chunk leaves its records, None for no records.
        stop: Asked now and then; once it says yes, what is being played is finished and no more.

    Raises:
        GameError: A process has died, or cannot make the policies.
    """
    compile_all(tournament)
    numbers = range(start, tournament.chunks)
    if processes > 1 and (reason := why_not_elsewhere(tournament)):
        message = f"all games are played in this process, on one core, and take longer: {reason}"
        warnings.warn(message, stacklevel=2)
        processes = 1
    if processes == 1:
        worker = Worker(tournament)
        for number in numbers:
            if stop():
                return
            yield _play(worker, records, number)
        return
    before = set(multiprocessing.active_children())
    # Forked children would share threads and locks that only half exist in them.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        processes, context, initializer=_start_process, initargs=(pickle.dumps(tournament), records)
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
            "what was written is whole, and the same command continues from there"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Lets processes that are started meanwhile compute with one thread: a core for each.

    NumPy's linear algebra reads it when it is loaded, which is before a process comes to our code.
    """
    ours = THREADS not in os.environ
    os.environ.setdefault(THREADS, "1")
    try:
        yield
    finally:
        if ours:
            os.environ.pop(THREADS, None)


def _in_order(
    pool: ProcessPoolExecutor, numbers: range, at_once: int, stop: Callable[[], bool]
) -> Iterator[Chunk]:
    """Gives the chunks of a pool in order; one that is late is waited for."""
    waiting = iter(numbers)
    running: dict[Future[Chunk], int] = {}
    done: dict[int, Chunk] = {}
    following = numbers.start
    while True:
        while len(running) < at_once and not stop() and (number := next(waiting, None)) is not None:
            running[pool.submit(_play_in_process, number)] = number
        if not running:
            return
        finished, _ = wait(running, timeout=GLANCE, return_when=FIRST_COMPLETED)
        for future in finished:
            done[running.pop(future)] = future.result()
        while following in done:
            yield done.pop(following)
            following += 1


#: In a process of a pool: its worker or why it has none, and where its records go. Empty in every
#: other process.
_PROCESS: list[tuple[Worker | GameError, Path | None]] = []


def _start_process(tournament: bytes, records: Path | None) -> None:
    """Makes a process of a pool ready to play."""
    serve_parent()
    try:
        _PROCESS.append((Worker(pickle.loads(tournament)), records))
    except Exception as error:  # who raises here is not heard: the first chunk tells it
        reason = f"{type(error).__name__}: {error}"
        message = f"a process cannot make the policies ({reason}); one process, this one, can"
        _PROCESS.append((GameError(message), records))


def _play_in_process(number: int) -> Chunk:
    worker, records = _PROCESS[0]
    if isinstance(worker, GameError):
        raise worker
    return _play(worker, records, number)


def _play(worker: Worker, folder: Path | None, number: int) -> Chunk:
    """Plays a chunk, and leaves its records in the folder."""
    chunk, records = worker.play(number)
    if folder is not None:
        with RecordWriter(folder / records_name(number), replace=True) as writer:
            for record in records:
                writer.write(record)
    return chunk


def records_name(number: int) -> str:
    """Returns the name of the file with the records of a chunk."""
    return f"{number:06d}.jsonl.zst"
