"""Reviews that were written before, for the page: found by their game, and checked.

A file may be anybody's, like a record. What can be made from the game is made from it, the Python
above all that a page lets people copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from dreamfactory_env.games.game import Game
from dreamfactory_env.records.format import start_of
from dreamfactory_env.utils.errors import ConfigError, OptionError
from dreamfactory_env.utils.typed import check_typed
from dreamfactory_env.utils.yaml_lines import Document
from dreamfactory_env.viewer.position_code import start_code
from dreamfactory_env.viewer.review import (
    FORMAT,
    digest_of_record,
    is_decision,
    read_review,
    totals_of,
)


class _Settings(TypedDict):
    kind: str
    fingerprint: Any
    seed: Any
    deals: int
    rollout: str
    standard_errors: float
    floor: float
    shared: bool
    foresees: NotRequired[str]


class _Move(TypedDict):
    words: str
    action: int
    p: NotRequired[float]
    visits: NotRequired[int]
    mean: NotRequired[float | None]
    se: NotRequired[float | None]


class _Decision(TypedDict):
    seat: int
    played: str
    preferred: str
    difference: float
    se: float
    verdict: str
    points: list[float] | None
    chances: list[list[float]] | None
    deals: int
    moves: list[_Move]
    scripted: dict[str, str]
    values: list[float] | None
    expected: NotRequired[float | None]
    observation: Any


class _Analysis(TypedDict):
    judge: str
    settings: _Settings
    decisions: dict[str, _Decision]


class Reviews:
    """Reviews of games, by their games.

    Args:
        paths: Their files; of two of one game the last counts.

    Raises:
        OptionError: One cannot be read, or is no review.
    """

    def __init__(self, paths: Sequence[Path] = ()) -> None:
        self._paths: dict[str, Path] = {}
        for path in paths:
            found = read_review(path)
            if found.get("format") != FORMAT or not isinstance(found.get("record"), str):
                raise OptionError(f"{path} is no review of this version ({FORMAT})")
            self._paths[found["record"]] = path

    def of(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the review of a game as a page takes it, None if there is none.

        Raises:
            GameError: The file is damaged; what is wrong is told.
        """
        digest = digest_of_record(record) if self._paths else ""
        if digest not in self._paths:
            return None
        path, start = self._paths[digest], start_of(record)
        found = read_review(path)
        wanted = {key: found[key] for key in _Analysis.__annotations__ if key in found}
        document = Document(wanted)
        check_typed(document, _Analysis, wanted)
        for key, decision in found["decisions"].items():
            if not document.problems and not _fits(key, decision, record, start):
                document.report(("decisions", key), "is not that of the game")
        if document.problems:
            raise ConfigError(f"{path.name} is no review of this game", document.problems[:20])
        made = {"start": start_code(record), "totals": totals_of(found["decisions"], start.players)}
        return wanted | made


def is_review(path: Path) -> bool:
    """Tells whether a file says that it is a review."""
    try:
        return bool(read_review(path).get("format") == FORMAT)
    except OptionError:
        return False


def _fits(key: str, decision: dict[str, Any], record: dict[str, Any], start: Game) -> bool:
    """Tells whether a decision is one of a game, and has figures for its seats."""
    points, chances, values = (decision[name] for name in ("points", "chances", "values"))
    seats, rows = start.players, 1 if start.spec.shared else start.players
    return (
        is_decision(key, decision, record["moves"])
        and (points is None) == (chances is None)
        and all(each is None or len(each) == seats for each in (points, values))
        and (chances is None or [len(row) > 0 for row in chances] == [True] * rows)
    )
