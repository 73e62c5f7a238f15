"""A whole tournament: play what is not played yet, keep the result, write the report."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.arena.analysis import Report, make_report, wins_by_deal
from dreamfactory_env.arena.bootstrap import mean_by_deal
from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.html import as_html
from dreamfactory_env.arena.lineups import rotations
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result, ResultFile
from dreamfactory_env.arena.worker import Chunk, decisions_per_second
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.policies import Policy
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int

RESULT, TIMES, REPORT, PAGE, RECORDS = (
    "result.jsonl",
    "times.json",
    "report.json",
    "report.html",
    "records",
)
#: No interval is believed before that many deals.
LEAST_DEALS = 30


def check_processes(processes: object) -> int:
    """Returns a number of processes; None stands for one on each core.

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


def run_tournament(
    tournament: Tournament,
    folder: str | Path,
    *,
    processes: int | None = None,
    replace: bool = False,
    stop: Callable[[], bool] = lambda: False,
    shown: Callable[[int], None] = lambda deals: None,
) -> Report | None:
    """Plays a tournament, or the rest of it, and writes result and report.

    Args:
        tournament: Which one.
        folder: Where everything goes: ``result.jsonl``, ``report.json``, ``report.html``, and
            ``records/`` if the tournament keeps them.
        processes: How many processes play; as many as there are cores if not given. With more
            than one, a script must guard its start by ``if __name__ == "__main__":``.
        replace: Begin anew if a result is there; else go on with it.
        stop: Asked now and then; once it says yes, what is being played is finished and no more.
        shown: Told the number of deals that are done, each time it grows.

    Returns:
        The report, None if not one chunk was played.

    Raises:
        GameError: The folder holds another tournament, cannot be written, or a process has died.
    """
    count = check_processes(processes)
    folder = Path(folder)
    times = {} if replace else _read_times(folder / TIMES)
    if replace:
        for old in (folder / RECORDS).glob("*.jsonl.zst"):
            old.unlink()
    chunks = play_into(
        folder / RESULT,
        tournament,
        processes=count,
        replace=replace,
        records=folder / RECORDS if tournament.records else None,
        stop=stop,
        shown=shown,
    )
    for chunk in chunks:
        _add_times(times, tournament, chunk)
    (folder / TIMES).write_text(json.dumps(times))
    if not chunks:
        return None
    report = make_report(Result.of(tournament, chunks), _speeds(tournament, times))
    (folder / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    (folder / PAGE).write_text(as_html(report), "utf-8")
    return report


def play_into(
    path: Path,
    tournament: Tournament,
    *,
    processes: int = 1,
    replace: bool = False,
    records: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
    shown: Callable[[int], None] = lambda deals: None,
) -> list[Chunk]:
    """Plays what the result file of a tournament does not have yet, and returns all that it has.

    Args:
        path: The file.
        tournament: Which one.
        processes: How many processes play.
        replace: Begin anew if the file is there; else go on with it.
        records: A folder for the records, None for no records.
        stop: As in :func:`run_tournament`.
        shown: Likewise.

    Raises:
        GameError: The file is that of another tournament, cannot be written, or a process has died.
    """
    with closing(ResultFile(path, tournament, replace=replace)) as file:
        chunks = file.chunks
        shown(_deals(tournament, chunks))
        playing = play_chunks(
            tournament, processes=processes, start=len(chunks), records=records, stop=stop
        )
        with closing(playing):
            for chunk in playing if len(chunks) < tournament.chunks else ():
                file.write(chunk)
                chunks.append(chunk)
                shown(_deals(tournament, chunks))
    return chunks


@dataclass(frozen=True)
class Evaluation:
    """How a policy does against others.

    Attributes:
        win_rate: How often it wins; a shared win counts as a part.
        half_width: Half the width of the 95 % interval of that.
        enough: Whether the interval is as narrow as was asked for; True if nothing was asked.
        report: All other figures.
    """

    win_rate: float
    half_width: float
    enough: bool
    report: Report


def duel(
    policy: str | Policy,
    against: Sequence[str | Policy],
    *,
    players: int = 4,
    games: int = 10_000,
    seed: int = 1,
    **more: Any,
) -> Tournament:
    """Returns the tournament of one policy against others.

    Args:
        policy: A name, or a policy.
        against: Who else plays, names or policies: one for all other seats, or one for each.
        players: How many sit at a table.
        games: How many games at least; whole deals are played.
        seed: Where everything comes from.
        **more: Other options of a :class:`Tournament`.

    Raises:
        GameError: One of them is wrong.
    """
    others = list(against) * (players - 1 if len(against) == 1 else 1)
    if len(others) != players - 1:
        wanted = f"give 1 or {players - 1}"
        raise OptionError(f"{len(others)} policies against one at a table of {players}; {wanted}")
    if (as_int(games) or 0) < 1:
        raise OptionError(f"games must be at least 1, not {games!r}")
    custom: dict[str, Policy] = {}
    names = [_name_of(one, custom) for one in [policy, *others]]
    lineup = tuple(names)
    a_deal = len(rotations(tuple(names.index(name) for name in names)))
    return Tournament(
        policies=tuple(dict.fromkeys(names)),
        players=players,
        deals=-(-games // a_deal),
        lineups=(lineup,),
        seed=seed,
        custom=custom,
        **more,
    )


def _name_of(policy: str | Policy, custom: dict[str, Policy]) -> str:
    """Returns the name of a policy; one that is no name is called by its class."""
    if isinstance(policy, str):
        return policy
    for name, known in custom.items():
        if known is policy:
            return name
    name = type(policy).__name__
    name = name if name not in custom else f"{name} {len(custom) + 1}"
    custom[name] = policy
    return name


def evaluate(
    tournament: Tournament,
    *,
    until: float | None = None,
    processes: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    shown: Callable[[int, float], None] = lambda deals, half_width: None,
) -> Evaluation | None:
    """Plays a :func:`duel` and tells how its first policy does.

    Args:
        tournament: The duel.
        until: Stop as soon as the 95 % interval of the win rate is this wide to either side, such
            as 0.01; None plays all games. It is looked at after every chunk of deals, so the
            answer does not depend on the number of processes.
        processes: How many processes play; as many as there are cores if not given.
        stop: Asked now and then; once it says yes, what is being played is finished and no more.
        shown: Told the number of deals that are done and the half width, each time.

    Returns:
        How the policy does, None if not one chunk was played.

    Raises:
        GameError: An option is wrong, or a process has died.
    """
    if until is not None and not 0 < until < 1:
        raise OptionError(f"until must be between 0 and 1, such as 0.01, not {until!r}")
    times: dict[str, list[float]] = {}
    chunks: list[Chunk] = []
    won: list[Array] = []
    sat: list[Array] = []
    rate, half_width, sure = 0.0, float("inf"), False
    with closing(
        play_chunks(tournament, processes=check_processes(processes), stop=stop)
    ) as playing:
        for chunk in playing:
            chunks.append(chunk)
            _add_times(times, tournament, chunk)
            totals, seats = wins_by_deal(Result.of(tournament, [chunk]), 0)
            won.append(totals)
            sat.append(seats)
            rate, half_width = mean_by_deal(np.concatenate(won), np.concatenate(sat))
            deals = _deals(tournament, chunks)
            shown(deals, half_width)
            sure = until is not None and deals >= LEAST_DEALS and half_width <= until
            if sure:
                break
    if not chunks:
        return None
    report = make_report(Result.of(tournament, chunks), _speeds(tournament, times))
    return Evaluation(rate, half_width, until is None or sure, report)


def _deals(tournament: Tournament, chunks: Sequence[Chunk]) -> int:
    return min(len(chunks) * tournament.chunk, tournament.deals)


def _read_times(path: Path) -> dict[str, list[float]]:
    """Returns the decisions and the seconds of each policy so far; they are no part of a result."""
    try:
        found = json.loads(path.read_text())
        return {str(name): [int(n), float(seconds)] for name, (n, seconds) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _add_times(times: dict[str, list[float]], tournament: Tournament, chunk: Chunk) -> None:
    if not len(chunk.seconds):
        return  # it was read, and whoever played it has noted the times
    for place, name in enumerate(tournament.policies):
        before = times.get(name, [0, 0.0])
        more = [int(chunk.decisions[place]), float(chunk.seconds[place])]
        times[name] = [before[0] + more[0], before[1] + more[1]]


def _speeds(tournament: Tournament, times: dict[str, list[float]]) -> dict[str, float]:
    """Returns the decisions a second of each policy: of scripted ones alone, of others as met."""
    speeds = {}
    for name in tournament.policies:
        decisions, seconds = times.get(name, [0, 0.0])
        if name in tournament.kind.scripted and name not in tournament.custom:
            speeds[name] = decisions_per_second(tournament, name)
        elif seconds > 0:
            speeds[name] = decisions / seconds
    return speeds
