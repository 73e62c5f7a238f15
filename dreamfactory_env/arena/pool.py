"""Playing a tournament in many processes, here or on a cluster; its chunks are given in order."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.importing import why_not_elsewhere, why_not_on_cluster
from dreamfactory_env.arena.worker import Chunk, Worker
from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.cluster.jobs import compile_once, do_jobs
from dreamfactory_env.engine.compiling import warm_up
from dreamfactory_env.policies import Policy, View
from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.utils.errors import GameError, OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.in_order import in_order
from dreamfactory_env.utils.processes import serve_parent
from dreamfactory_env.utils.validation import as_int

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


def check_processes(processes: object) -> int:
    """Returns a number of processes; None stands for one on each core of this machine.

    Raises:
        OptionError: It is no whole number from 1 up.
    """
    if processes is None:
        mine = getattr(os, "sched_getaffinity", None)  # where it is not, all cores are ours
        return len(mine(0)) if mine else os.cpu_count() or 1
    count = as_int(processes)
    if count is None or count < 1:
        raise OptionError(f"processes must be a whole number from 1 up, not {processes!r}")
    return count


def play_chunks(
    tournament: Tournament,
    *,
    processes: int | None = 1,
    start: int = 0,
    records: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
    cluster: Cluster | None = None,
) -> Generator[Chunk, None, None]:
    """Plays a tournament and gives its chunks in order.

    Args:
        tournament: Which one.
        processes: How many processes play, None for one on each core of the machine, or of the
            cluster. One of this machine is this process; and so it is, with a warning, where others
            cannot have the policies.
        start: The first chunk to play.
        records: A folder where each chunk leaves its records, None for no records.
        stop: Asked now and then; once it says yes, what is being played is finished and no more.
        cluster: Whose processes play; those of this machine if not given.

    Raises:
        GameError: A process has died, or cannot make the policies.
    """
    compile_all(tournament)
    numbers = range(start, tournament.chunks)
    count = check_processes(processes)
    if cluster is not None:
        reason = why_not_on_cluster(tournament)
    else:
        reason = why_not_elsewhere(tournament) if count > 1 else ""
    if reason:
        message = f"all games are played in this process, on one core, and take longer: {reason}"
        warnings.warn(message, stacklevel=2)
    if reason or (cluster is None and count == 1):
        worker = Worker(tournament)
        for number in numbers:
            if stop():
                return
            yield _play(worker, records, number)
    elif cluster is None:
        yield from _play_in_processes(tournament, numbers, count, records, stop)
    else:
        jobs = [(0, number) for number in numbers]
        playing = _play_on_cluster([tournament], jobs, cluster, processes, stop, records=records)
        yield from playing


def _play_in_processes(
    tournament: Tournament,
    numbers: range,
    count: int,
    records: Path | None,
    stop: Callable[[], bool],
) -> Iterator[Chunk]:
    """Plays chunks in processes of this machine; see :func:`play_chunks`."""
    before = set(multiprocessing.active_children())
    # Forked children would share threads and locks that only half exist in them.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        count, context, initializer=_start_process, initargs=(pickle.dumps(tournament), records)
    )
    try:
        with _one_thread_each():
            running: dict[Future[Chunk], int] = {}
            yield from in_order(
                numbers,
                lambda number: running.update({pool.submit(_play_in_process, number): number}),
                lambda: _finished(running),
                lambda: count + 1,
                stop,
            )
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


def _finished(running: dict[Future[Chunk], int]) -> Iterator[tuple[int, Chunk]]:
    """Gives what has been played, with its numbers; waits a moment for the first."""
    finished, _ = wait(running, timeout=GLANCE, return_when=FIRST_COMPLETED)
    for future in finished:
        yield running.pop(future), future.result()


def play_side_by_side(
    tournaments: Sequence[Tournament], cluster: Cluster, stop: Callable[[], bool]
) -> list[list[Chunk]] | None:
    """Plays whole tournaments on a cluster, all at once; returns their chunks, None if stopped.

    Raises:
        GameError: As :func:`play_chunks`.
    """
    chunks: list[list[Chunk]] = [[] for _ in tournaments]
    jobs = [(which, n) for which, each in enumerate(tournaments) for n in range(each.chunks)]
    played = _play_on_cluster(tournaments, jobs, cluster, None, stop)
    for (which, _), chunk in zip(jobs, played, strict=False):
        chunks[which].append(chunk)
    return chunks if sum(map(len, chunks)) == len(jobs) else None


def _play_on_cluster(
    tournaments: Sequence[Tournament],
    jobs: Sequence[tuple[int, int]],
    cluster: Cluster,
    processes: int | None,
    stop: Callable[[], bool],
    *,
    records: Path | None = None,
) -> Iterator[Chunk]:
    """Plays chunks in processes of a cluster, each job the place of a tournament and a number.

    Their disks may not be ours: files of policies and games go there with the tournaments, and the
    records of a chunk come back with it.
    """
    sent = [tournament.with_files() for tournament in tournaments]
    make = partial(_ready_on_node, sent, records is not None)
    with closing(do_jobs(cluster, make, jobs, limit=processes, stop=stop)) as playing:
        for chunk, packed in playing:
            if records is not None:
                _write_packed(records / records_name(chunk.number), packed)
            yield chunk


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


def _ready_on_node(
    tournaments: Sequence[Tournament], keep_records: bool
) -> Callable[[int, int], tuple[Chunk, bytes]]:
    """Makes a process of a cluster ready; returns what plays a chunk, and packs its records."""
    for tournament in tournaments:
        compile_once(partial(compile_all, tournament))
    workers = [Worker(tournament) for tournament in tournaments]

    def play(which: int, number: int) -> tuple[Chunk, bytes]:
        if not keep_records:
            return _play(workers[which], None, number), b""
        with TemporaryDirectory() as folder:
            chunk = _play(workers[which], Path(folder), number)
            return chunk, (Path(folder) / records_name(number)).read_bytes()

    return play


def _write_packed(path: Path, packed: bytes) -> None:
    """Writes the file of the records of a chunk, as whoever has played it has packed it."""
    try:
        path.parent.mkdir(exist_ok=True)
        atomic_write(path, packed)
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror or error}") from error


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
