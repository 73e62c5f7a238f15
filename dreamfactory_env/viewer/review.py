"""A whole game judged decision by decision, kept in a file so that it can be resumed."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from dreamfactory_env.arena.importing import why_not_sent
from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.cluster.jobs import compile_once, do_jobs
from dreamfactory_env.records.format import replay_moves, start_of
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.utils.validation import shown
from dreamfactory_env.viewer.judging import (
    DEALS,
    FINE,
    FORCED,
    MISTAKE,
    UNCLEAR,
    VERDICTS,
    Decision,
    Judge,
    compile_judging,
)
from dreamfactory_env.viewer.position_code import start_code

FORMAT = "dreamfactory-review/1"
#: A larger file is no review; those of the longest games have some megabytes.
MAX_BYTES = 256 << 20


class Review:
    """The decisions of a game, judged one after another.

    Attributes:
        analysis: Everything that is known so far, as plain data: ``judge``, ``settings``,
            ``decisions`` by the number of moves before each, ``totals`` of the seats, and
            ``start``, the Python that deals the game.

    Args:
        record: The game; it need not be over.
        judge: Who judges: a policy that the user has named, see ``policy_named``.
        seed: Where the judge's chance comes from.
        deals: On how many deals moves are compared.

    Raises:
        GameError: The record is none of a game, or there is no such judge.
    """

    def __init__(
        self, record: dict[str, Any], judge: str, *, seed: int = 0, deals: int = DEALS
    ) -> None:
        replay_moves(record)
        self.record = record
        self._start = start_of(record)
        self._judge = Judge(self._start, judge, seed=seed, deals=deals)
        self.analysis: dict[str, Any] = {
            "format": FORMAT,
            "judge": judge,
            "settings": self._judge.settings,
            "record": digest_of_record(record),
            "start": start_code(record),
            "decisions": {},
            "totals": [],
        }
        self._count()

    @property
    def length(self) -> int:
        """How many decisions the game has."""
        return len(self.record["moves"])

    @property
    def done(self) -> int:
        """How many of them were judged."""
        return len(self.analysis["decisions"])

    def decisions(
        self, *, stop: Callable[[], bool] = lambda: False, cluster: Cluster | None = None
    ) -> Generator[int, None, None]:
        """Judges what is left, in order; gives the number of each decision that was judged.

        Args:
            stop: Asked now and then; once it says yes, what is being judged is finished and no
                more.
            cluster: Whose processes judge, many decisions at once; this one, one after another, if
                not given, and also, with a warning, where others cannot have the judge.

        Raises:
            GameError: A process of the cluster cannot judge.
        """
        left = [n for n in range(self.length) if str(n) not in self.analysis["decisions"]]
        judging = _judged(self._judge, self.record, left, stop, cluster)
        with closing(judging):
            for number, found in zip(left, judging, strict=False):  # fewer if it is stopped
                self.analysis["decisions"][str(number)] = found
                self._count()
                yield number

    def _count(self) -> None:
        self.analysis["totals"] = totals_of(self.analysis["decisions"], self._start.players)

    def resume(self, path: Path) -> None:
        """Takes over what another run of the same review has written.

        Raises:
            OptionError: The file is that of another review, or damaged.
        """
        found = read_review(path)
        for key in ("format", "record", "judge", "settings"):
            if found.get(key) != self.analysis[key]:
                told = f"its {key} is {shown(found.get(key))}, not {shown(self.analysis[key])}"
                raise OptionError(f"{path} is another review: {told}; --force replaces it")
        moves = self.record["moves"]
        for key, decision in found["decisions"].items():
            if not is_decision(key, decision, moves):
                raise OptionError(
                    f"{path} is damaged at decision {shown(key)}; --force replaces it"
                )
        self.analysis["decisions"] = found["decisions"]
        self._count()

    def write(self, path: Path) -> None:
        """Writes what is known so far.

        Raises:
            OptionError: The file cannot be written; what was there before is untouched.
        """
        try:
            atomic_write(path, json.dumps(self.analysis, ensure_ascii=False).encode() + b"\n")
        except OSError as error:
            raise OptionError(f"{path} cannot be written: {error.strerror or error}") from error


def _judged(
    judge: Judge,
    record: dict[str, Any],
    numbers: list[int],
    stop: Callable[[], bool],
    cluster: Cluster | None,
) -> Generator[Decision, None, None]:
    """Judges some decisions of a game, and gives what is said of each; see :class:`Review`."""
    if cluster is not None:
        reason = why_not_sent(judge)
        if not reason:
            jobs = [(number,) for number in numbers]
            yield from do_jobs(cluster, partial(_on_node, judge, record), jobs, stop=stop)
            return
        message = f"all decisions are judged in this process, and take longer: {reason}"
        warnings.warn(message, stacklevel=2)
    work = _ready(judge, record)
    for number in numbers:
        if stop():
            return
        yield work(number)


def _ready(judge: Judge, record: dict[str, Any]) -> Callable[[int], Decision]:
    """Returns what judges the decision of a number."""
    game, positions = start_of(record), []
    for _, action, _ in record["moves"]:
        positions.append(game.copy())
        game.play(action)
    return lambda number: judge.decision(positions[number], number, record["moves"][number][2])


def _on_node(judge: Judge, record: dict[str, Any]) -> Callable[[int], Decision]:
    """Makes a process of a cluster ready to judge."""
    compile_once(partial(compile_judging, start_of(record)))
    return _ready(judge, record)


def digest_of_record(record: dict[str, Any]) -> str:
    """Returns 32 hexadecimal digits that tell games apart."""
    text = json.dumps(record, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def read_review(path: Path) -> dict[str, Any]:
    """Returns what the file of a review says; its decisions are an object.

    Raises:
        OptionError: It cannot be read, or is none of a review.
    """
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        data = read_json(text) if len(text) <= MAX_BYTES else None
    except (OSError, ValueError) as error:
        raise OptionError(f"{path} cannot be read as a review: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("decisions"), dict):
        raise OptionError(f"{path} is no review; --force replaces it")
    return data


def is_decision(key: str, decision: Any, moves: list[Any]) -> bool:
    """Tells whether something is the judgement of a decision of the game."""
    number = int(key) if key.isdecimal() and len(key) < 9 else -1
    if not isinstance(decision, dict) or number not in range(len(moves)):
        return False
    seat, _, words = moves[number]
    return (
        (decision.get("seat"), decision.get("played")) == (seat, words)
        and decision.get("verdict") in VERDICTS
        and isinstance(decision.get("difference"), float)
        and isinstance(decision.get("se"), float)
    )


def totals_of(decisions: dict[str, dict[str, Any]], players: int) -> list[dict[str, Any]]:
    """Returns for each seat how often which verdict was given, and what its mistakes have cost.

    ``lost`` is the sum of the differences of the mistakes in points, ``same`` how often the
    preferred move was played where there was a choice.
    """
    totals = []
    for seat in range(players):
        own = [each for each in decisions.values() if each["seat"] == seat]
        count = {
            name: sum(each["verdict"] == name for each in own)
            for name in (FINE, UNCLEAR, MISTAKE, FORCED)
        }
        chosen = [each for each in own if each["verdict"] != FORCED]
        lost = sum(each["difference"] for each in own if each["verdict"] == MISTAKE)
        totals.append(
            {
                "decisions": len(own),
                **count,
                "same": sum(each["played"] == each["preferred"] for each in chosen),
                "lost": round(lost, 2),
            }
        )
    return totals
