"""The games of some record files: what each line holds, and where, without keeping the games.

A line that our own commands wrote is read at its two ends only, up to its set-up and from its
result on; any other line is read whole. A game is read, and verified, when it is looked at.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from dreamfactory_env.games import GAMES
from dreamfactory_env.records.files import Place, RecordLine, read_line_at, read_lines, record_of
from dreamfactory_env.utils.errors import GameError, OptionError, RecordError
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.viewer.timeline import Timeline, seat_names

#: So many games are listed; of a file with more the first ones.
MAX_GAMES = 500_000
#: No table of ours has more seats; of a record that says otherwise no more are listed.
MAX_SEATS = 8
#: Where a line of ours can be cut: such text stands in no string of JSON, for its quotes would be
#: escaped there. In a nested object it may; then the pieces are no JSON, and all of it is read.
SETUP, MOVES, RESULT = b',"setup":', b',"moves":[', b',"result":'


class Entry(NamedTuple):
    """A game of the library, as a list shows it.

    Attributes:
        number: Which one it is, from 1.
        file: The index of its file.
        line: Its line there, from 1.
        place: Where it is found there.
        game: The name of the game.
        agents: Who played, by seat; names as they are shown.
        winners: The seats that have won.
        points: The points of each seat, empty if the game is not over.
        moves: How many moves were played.
        problem: What is wrong with the line; then all else is empty.
    """

    number: int
    file: int
    line: int
    place: Place
    game: str = ""
    agents: tuple[str, ...] = ()
    winners: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    moves: int = 0
    problem: str = ""

    def row(self) -> dict[str, Any]:
        """Returns the entry as a page gets it."""
        known = GAMES.get(self.game)
        return {
            "number": self.number,
            "game": known.spec.title if known else self.game,
            "shared": known is not None and known.spec.shared,
            "agents": self.agents,
            "winners": self.winners,
            "points": self.points,
            "moves": self.moves,
            "problem": self.problem,
        }


@dataclass(frozen=True)
class Question:
    """Which games are listed, and in which order.

    Attributes:
        game: The name of the game; all if empty.
        players: How many played; all if None.
        agent: A text that the name of somebody at the table has in it; of several, with commas
            between, each.
        winner: A text that the name of a winner has in it.
        points: The least and the most points of the best seat; None is no bound.
        moves: The fewest and the most moves, likewise.
        sort: A column of ``COLUMNS``.
        down: Whether the largest comes first.
    """

    game: str = ""
    players: int | None = None
    agent: str = ""
    winner: str = ""
    points: tuple[int | None, int | None] = (None, None)
    moves: tuple[int | None, int | None] = (None, None)
    sort: str = "number"
    down: bool = False

    def takes(self, entry: Entry) -> bool:
        """Tells whether a game is listed."""
        return (
            (not self.game or entry.game == self.game)
            and (self.players is None or len(entry.agents) == self.players)
            and (not self.agent or _all_sit(entry.agents, self.agent.split(",")))
            and (not self.winner or _any_has(winners_of(entry), self.winner))
            and (self.points == (None, None) or _within(_best(entry), self.points))
            and (self.moves == (None, None) or _within(entry.moves, self.moves))
        )


def winners_of(entry: Entry) -> tuple[str, ...]:
    """Returns the names of those who have won a game."""
    return tuple(entry.agents[seat] for seat in entry.winners)


def _best(entry: Entry) -> int | None:
    return max(entry.points, default=None)


def _all_sit(names: tuple[str, ...], parts: list[str]) -> bool:
    """Tells whether each part is in the name of somebody; two that are the same ask for two."""
    wanted = Counter(part.strip().lower() for part in parts)
    return all(sum(part in name.lower() for name in names) >= n for part, n in wanted.items())


def _any_has(names: Iterable[str], part: str) -> bool:
    return any(part.lower() in name.lower() for name in names)


def _within(number: int | None, bounds: tuple[int | None, int | None]) -> bool:
    low, high = bounds
    if number is None:
        return False
    return (low is None or number >= low) and (high is None or number <= high)


#: By what games can be sorted; what there is not comes last.
COLUMNS: dict[str, Callable[[Entry], Any]] = {
    "number": lambda entry: entry.number,
    "game": lambda entry: entry.game,
    "players": lambda entry: len(entry.agents),
    "agents": lambda entry: entry.agents,
    "winner": winners_of,
    "points": _best,
    "moves": lambda entry: entry.moves,
}


class Library:
    """The games of some files, indexed in a thread of its own.

    Args:
        paths: The files, ``.jsonl`` or ``.jsonl.zst``.

    Raises:
        OptionError: One cannot be read.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = list(paths)
        self.entries: list[Entry] = []
        self.problem = ""
        for path in self.paths:
            if path.is_fifo() or path.is_dir():
                raise OptionError(f"{path} is no file of records")
            next(iter(read_lines(path)), None)
        self._thread = threading.Thread(target=self._index, daemon=True)
        self._thread.start()

    @property
    def indexing(self) -> bool:
        """Whether more games may still be found."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Waits until all games are found."""
        self._thread.join()

    def _index(self) -> None:
        try:
            for number, path in enumerate(self.paths):
                for line in read_lines(path):
                    if len(self.entries) >= MAX_GAMES:
                        self.problem = f"only the first {MAX_GAMES:,} games are listed"
                        return
                    self.entries.append(entry_of(line, len(self.entries) + 1, number))
        except GameError as error:  # a file that vanishes
            self.problem = str(error)

    def ask(self, question: Question) -> list[Entry]:
        """Returns the games that a question asks for.

        Raises:
            OptionError: There is no such column.
        """
        key = COLUMNS.get(question.sort)
        if key is None:
            raise OptionError(f"sort must be one of {', '.join(COLUMNS)}, not {question.sort!r}")
        found = [entry for entry in self.entries[:] if question.takes(entry)]
        there = [entry for entry in found if key(entry) is not None]
        missing = [entry for entry in found if key(entry) is None]
        return [*sorted(there, key=key, reverse=question.down), *missing]

    def record(self, number: int) -> dict[str, Any]:
        """Returns the record of a game, not verified.

        Args:
            number: Which one, from 1.

        Raises:
            GameError: There is none, or its line holds none.
        """
        if self.indexing and number > len(self.entries):
            self.wait()
        if not 1 <= number <= len(self.entries):
            raise OptionError(f"there are games 1 to {len(self.entries)}, not {number}")
        entry = self.entries[number - 1]
        line = read_line_at(self.paths[entry.file], entry.place)
        return record_of(line._replace(number=entry.line))

    def where(self, number: int) -> tuple[Path, int]:
        """Returns the file of a game that is there, and which game of that file it is, from 1."""
        file = self.entries[number - 1].file
        return self.paths[file], sum(entry.file == file for entry in self.entries[:number])

    def timeline(self, number: int) -> Timeline:
        """Returns a game, verified.

        Raises:
            GameError: There is none, or something in its record is not as the rules have it.
        """
        try:
            return Timeline.of(self.record(number))
        except RecordError as error:
            raise RecordError(f"game {number}: {error}") from error


def entry_of(line: RecordLine, number: int, file: int) -> Entry:
    """Returns what a list shows of a line of a file."""
    where = (number, file, line.number, line.place)
    try:
        facts, moves = _ends_of(line) or _all_of(line)
        agents = seat_names([str(name)[:200] for name in facts["agents"][:MAX_SEATS]])
        result = facts["result"] or {"winners": [], "scores": []}
        seats = range(len(agents))
        winners = [seat for seat in result["winners"][:MAX_SEATS] if seat in seats]
        points = [int(points) for points in result["scores"][:MAX_SEATS]]
        game = str(facts["game"])[:60]
        return Entry(*where, game, tuple(agents), tuple(winners), tuple(points), moves)
    except RecordError as error:
        return Entry(*where, problem=str(error)[:300])
    except (KeyError, TypeError, ValueError, OverflowError):
        return Entry(*where, problem=f"line {line.number}: no record of a game")


def _ends_of(line: RecordLine) -> tuple[dict[str, Any], int] | None:
    """Returns the facts at both ends of a line and the number of moves, None if it is not ours."""
    text = line.text
    setup, result = text.find(SETUP), text.rfind(RESULT)
    moves = text.rfind(MOVES, setup, result)
    if line.problem or min(setup, moves, result) < 0:
        return None
    try:
        facts = {**read_json(text[:setup] + b"}"), **read_json(b"{" + text[result + 1 :])}
    except (ValueError, TypeError):
        return None
    begin = moves + len(MOVES)
    return facts, text.count(b"],[", begin, result) + (text[begin : begin + 1] == b"[")


def _all_of(line: RecordLine) -> tuple[dict[str, Any], int]:
    """Returns the facts of a line, and the number of moves.

    Raises:
        RecordError: It holds no record.
    """
    record = record_of(line)
    return record, len(record["moves"])
