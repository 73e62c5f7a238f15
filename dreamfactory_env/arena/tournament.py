"""A whole tournament: play what is not played yet, keep the result, write the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.pool import check_processes, play_chunks
from dreamfactory_env.arena.report_types import Report
from dreamfactory_env.arena.reports.html import as_html
from dreamfactory_env.arena.results import Result, ResultFile
from dreamfactory_env.arena.worker import Chunk, decisions_per_second
from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.locks import Lock

RESULT, TIMES, REPORT, PAGE, RECORDS = (
    "result.jsonl",
    "times.json",
    "report.json",
    "report.html",
    "records",
)
#: By policy: how many decisions it has made, and in how many seconds.
Times = dict[str, tuple[int, float]]


def run_tournament(
    tournament: Tournament,
    folder: str | Path,
    *,
    processes: int | None = None,
    replace: bool = False,
    wait: bool = False,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda deals: None,
    cluster: Cluster | None = None,
) -> Report | None:
    """Plays a tournament, or the rest of it, and writes result and report.

    Args:
        tournament: Which one.
        folder: Where everything goes: ``result.jsonl``, ``report.json``, ``report.html``, and
            ``records/`` if the tournament keeps them.
        processes: How many processes play; as many as there are cores, here or on the cluster, if
            not given. Where others cannot import the policies, as in a script without
            ``if __name__ == "__main__":``, this one plays alone, with a warning.
        replace: Begin anew if a result is there; else resume it.
        wait: Wait for another process that plays into the folder, instead of refusing.
        stop: Asked now and then; once it says yes, what is being played is finished and no more.
        progress: Called with the number of deals that are done, each time it grows.
        cluster: Whose processes play, see ``cluster.connection.connected``; those of this machine
            if not given.

    Returns:
        The report, None if not one chunk was played.

    Raises:
        GameError: The folder holds another tournament, is being written by another process, cannot
            be written, or a process has died.
    """
    check_processes(processes)
    folder = Path(folder)
    with _making(folder), Lock(folder, folder=True, wait=wait):
        return _run(tournament, folder, processes, replace, stop, progress, cluster)


@contextmanager
def _making(folder: Path) -> Iterator[None]:
    """Makes a folder; tells of one that cannot be written in our own words."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise OptionError(f"{folder} cannot be written: {error.strerror or error}") from error


def _run(
    tournament: Tournament,
    folder: Path,
    processes: int | None,
    replace: bool,
    stop: Callable[[], bool],
    progress: Callable[[int], None],
    cluster: Cluster | None,
) -> Report | None:
    """Plays a tournament into a folder that is ours, see :func:`run_tournament`."""
    times = {} if replace else _read_times(folder / TIMES)
    if replace:
        for old in (folder / RECORDS).glob("*.jsonl.zst"):
            old.unlink()
    chunks = play_into(
        folder / RESULT,
        tournament,
        processes=processes,
        replace=replace,
        records=folder / RECORDS if tournament.records else None,
        stop=stop,
        progress=progress,
        cluster=cluster,
    )
    times = add_times(times, tournament, chunks)
    atomic_write(folder / TIMES, json.dumps(times).encode())
    if not chunks:
        return None
    report = make_report(Result.of(tournament, chunks), measure_speeds(tournament, times))
    atomic_write(folder / REPORT, (json.dumps(report, indent=1) + "\n").encode())
    atomic_write(folder / PAGE, as_html(report).encode())
    return report


def play_into(
    path: Path,
    tournament: Tournament,
    *,
    processes: int | None = 1,
    replace: bool = False,
    records: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda deals: None,
    cluster: Cluster | None = None,
) -> list[Chunk]:
    """Plays what the result file of a tournament does not have yet, and returns all that it has.

    Args:
        path: The file.
        tournament: Which one.
        processes: As in :func:`run_tournament`.
        replace: Begin anew if the file is there; else resume it.
        records: A folder for the records, None for no records.
        stop: As in :func:`run_tournament`.
        progress: Likewise.
        cluster: Likewise.

    Raises:
        GameError: The file is that of another tournament, cannot be written, or a process has died.
    """
    with closing(ResultFile(path, tournament, replace=replace)) as file:
        chunks = file.chunks
        progress(deals_done(tournament, chunks))
        playing = play_chunks(
            tournament,
            processes=processes,
            start=len(chunks),
            records=records,
            stop=stop,
            cluster=cluster,
        )
        with closing(playing):
            for chunk in playing if len(chunks) < tournament.chunks else ():
                file.write(chunk)
                chunks.append(chunk)
                progress(deals_done(tournament, chunks))
    return chunks


def deals_done(tournament: Tournament, chunks: Sequence[Chunk]) -> int:
    """Returns how many deals the first chunks of a tournament have."""
    return min(len(chunks) * tournament.chunk, tournament.deals)


def _read_times(path: Path) -> Times:
    """Returns the decisions and the seconds of each policy so far; they are no part of a result."""
    try:
        found = json.loads(path.read_text())
        return {str(name): (int(n), float(seconds)) for name, (n, seconds) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def add_times(times: Times, tournament: Tournament, chunks: Iterable[Chunk]) -> Times:
    """Returns times with those of some chunks added; chunks that were read have none."""
    total = dict(times)
    for chunk in chunks:
        if len(chunk.seconds):
            for place, name in enumerate(tournament.policies):
                decisions, seconds = total.get(name, (0, 0.0))
                decisions += int(chunk.decisions[place])
                total[name] = (decisions, seconds + float(chunk.seconds[place]))
    return total


def measure_speeds(tournament: Tournament, times: Times) -> dict[str, float]:
    """Returns the decisions a second of each policy: of scripted ones alone, of others as met."""
    speeds = {}
    for name in tournament.policies:
        decisions, seconds = times.get(name, (0, 0.0))
        if tournament.is_scripted(name):
            speeds[name] = decisions_per_second(tournament, name)
        elif seconds > 0:
            speeds[name] = decisions / seconds
    return speeds
