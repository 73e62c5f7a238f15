"""Games in play: a table is a record on disk, with seats for people and policies.

A table lives in the event loop of the server. People send moves; policies are asked in worker
processes, so that a slow one delays nobody but its own table. After every move the record is
written as a whole, before anybody hears of the move, so that a server that is killed has lost
nothing that was seen.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from dreamfactory_env.games.game import Game
from dreamfactory_env.records.format import make_record, replay_actions
from dreamfactory_env.utils.errors import GameError, IllegalMove, OptionError
from dreamfactory_env.utils.locks import Lock
from dreamfactory_env.viewer.people import PERSON, read_played, resumed_names
from dreamfactory_env.viewer.seats_file import Seats, read_seats, write_file, write_seats
from dreamfactory_env.viewer.security import new_token
from dreamfactory_env.viewer.timeline import Timeline
from dreamfactory_env.viewer.workers import Busy, Workers

#: A policy may think so long for a move, in seconds.
PATIENCE = 300.0
#: A table that found no free worker asks again after so many seconds.
AGAIN = 0.5


@dataclass(frozen=True)
class Manners:
    """How a game is played, besides its rules.

    Attributes:
        take_back: Whether people may take moves back.
        hints: Whether people may ask a judge.
        pace: How long at least a move of a policy is waited for, in seconds, so that people can
            follow.
    """

    take_back: bool = False
    hints: bool = False
    pace: float = 1.0


@dataclass
class Table:
    """A game in play.

    Attributes:
        start: The game before its first move.
        agents: Who plays: ``person``, or the name of a policy.
        path: The file of the record, held by ``lock`` while the table is there.
        tokens: What lets a person sit at a seat; empty for the seat of a policy.
        actions: What was played.
        revision: Counts how often moves were taken back; frames of another one may be wrong.
        problem: Why a policy does not move; empty if all is well.
        news: An event that is set when something happens; then there is another one.
    """

    start: Game
    agents: list[str]
    path: Path
    manners: Manners
    lock: Lock
    tokens: list[str]
    actions: list[int] = field(default_factory=list)
    revision: int = 0
    problem: str = ""

    def __post_init__(self) -> None:
        self.game = self.timeline().at(len(self.actions))
        self.present = [0] * len(self.agents)
        self.news = asyncio.Event()
        self._changing = asyncio.Lock()

    # ------------------------------------------------------------------ beginning

    @classmethod
    def begin(cls, start: Game, agents: Sequence[str], path: Path, manners: Manners) -> Self:
        """Begins a game; its record is there from the deal on.

        Raises:
            OptionError: The file is there already, or cannot be written.
        """
        lock = Lock(path)
        try:
            if path.exists():
                raise OptionError(f"{path} is there already; --resume {path} continues it")
            tokens = [new_token() if agent == PERSON else "" for agent in agents]
            table = cls(start, list(agents), path, manners, lock, tokens)
            table.save([])
            write_seats(path, Seats(tokens, manners.take_back, manners.hints))
        except GameError:
            lock.release()
            raise
        return table

    @classmethod
    def resume(
        cls, path: Path, pace: float, agents: Callable[[Game], list[str]] | None = None
    ) -> Self:
        """Continues the game of a file; everybody has the same link as before.

        Args:
            path: The file; its only record is the game.
            pace: As in :class:`Manners`; the rest of the manners stands beside the record.
            agents: Says who plays from now on, as the user of the command has it; else as in the
                record, where a name that would run code is refused.

        Raises:
            GameError: There is no such game, or another process plays it.
        """
        lock = Lock(path)
        try:
            start, names = resumed_names(path, agents)
            seats = read_seats(path, len(names))
            manners = Manners(seats.take_back, seats.hints, pace)
            tokens = [
                (token or new_token()) if name == PERSON else ""
                for name, token in zip(names, seats.tokens, strict=True)
            ]
            actions = [action for _, action, _ in read_played(path)["moves"]]
            # Pages may still have frames of another server: theirs is another revision.
            revision = secrets.randbelow(1 << 30)
            table = cls(start, names, path, manners, lock, tokens, actions, revision)
            write_seats(path, Seats(tokens, manners.take_back, manners.hints))
        except GameError:
            lock.release()
            raise
        return table

    def close(self) -> None:
        """Lets others have the file."""
        self.lock.release()

    # ------------------------------------------------------------------ reading

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    def record(self) -> dict[str, Any]:
        """Returns the game so far as a record."""
        return make_record(self.start, self.actions, self.agents)

    def timeline(self) -> Timeline:
        """Returns the game so far in frames."""
        result = self.game.result() if hasattr(self, "game") else None
        return Timeline(self.start, self.actions, self.agents, result)

    def state(self, seat: int) -> dict[str, Any]:
        """Returns what a seat's page must know besides the frames."""
        to_move = self.game.to_move
        return {
            "revision": self.revision,
            "frames": len(self.actions) + 1,
            "seat": seat,
            "to_move": to_move,
            "people": [agent == PERSON for agent in self.agents],
            "present": [count > 0 for count in self.present],
            "problem": self.problem,
            "take_back": self._last_of(seat) is not None,
            "hints": self.manners.hints,
            "over": to_move is None,
            "result": self.game.result(),
        }

    def _last_of(self, seat: int) -> int | None:
        """Returns the last move of a seat, if it may be taken back now; its number from 0."""
        if not self.manners.take_back or self.over:
            return None
        _, seats, _ = replay_actions(self.start.copy(), self.actions)
        own = np.flatnonzero(seats == seat)
        return int(own[-1]) if len(own) else None

    # ------------------------------------------------------------------ playing

    async def play(self, seat: int, action: int, at: int, revision: int) -> None:
        """Plays a move of a seat.

        Args:
            seat: Whose it is.
            action: The action.
            at: How many moves there were when it was chosen, so that no click counts twice.
            revision: The revision that was looked at.

        Raises:
            GameError: It is not legal now, or not that seat's turn; nothing has changed.
        """
        async with self._changing:
            if (at, revision) != (len(self.actions), self.revision):
                raise Outdated("the game has gone on since; look again")
            if self.game.to_move != seat:
                raise IllegalMove("it is not your turn", action, self.game.phase, [])
            await self._become([*self.actions, action], self.game.copy().play(action))
        self.tell()

    async def take_back(self, seat: int) -> None:
        """Goes back to before the last move of a seat.

        Raises:
            OptionError: Moves cannot be taken back, or there is none of that seat.
        """
        async with self._changing:
            last = self._last_of(seat)
            if last is None:
                raise OptionError("there is no move of yours that can be taken back")
            await self._become(self.actions[:last], self.timeline().at(last))
            self.revision += 1
        self.tell()

    async def _become(self, actions: list[int], game: Game) -> None:
        """Goes to another position, at once and only when it is written: until then all see this.

        Raises:
            OptionError: It cannot be written; nothing has changed.
        """
        await asyncio.to_thread(self.save, actions)
        self.actions, self.game, self.problem = actions, game, ""

    def save(self, actions: Sequence[int]) -> None:
        """Writes the record of the game after some actions.

        Raises:
            OptionError: It cannot be written; the old one is whole.
        """
        record = make_record(self.start, actions, self.agents)
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        write_file(self.path, text.encode() + b"\n")

    # ------------------------------------------------------------------ telling

    def tell(self) -> None:
        """Lets everybody look who waits for news."""
        self.news.set()
        self.news = asyncio.Event()

    async def run(self, workers: Workers) -> None:
        """Lets the policies move whenever it is their turn, until the game is over."""
        while not self.over:
            seat = self.game.to_move
            assert seat is not None
            if self.agents[seat] == PERSON or self.problem:
                await self.news.wait()
                continue
            begin, at = time.monotonic(), (len(self.actions), self.revision)
            question = {"ask": "move", "record": self.record(), "policy": self.agents[seat]}
            try:
                answer = await asyncio.wrap_future(workers.submit(question, PATIENCE))
                await asyncio.sleep(begin + self.manners.pace - time.monotonic())
                await self.play(seat, int(answer["action"]), *at)
            except Outdated:
                continue
            except Busy:
                await asyncio.sleep(AGAIN)
            except GameError as error:
                self.problem = f"{self.agents[seat]}: {error}"
                self.tell()


class Outdated(GameError):
    """A move that was chosen in a position that is no longer there."""


class Tables:
    """The games in play of a server, by the tokens of their seats.

    Args:
        workers: Who thinks for policies; it must be there when the server starts.
    """

    #: So many games may be in play at once.
    MOST = 200

    def __init__(self, workers: Workers | None = None) -> None:
        self.workers = workers
        self._seats: dict[str, tuple[Table, int]] = {}
        self._tables: list[Table] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, table: Table) -> None:
        """Adds a table.

        Raises:
            OptionError: There are too many.
        """
        if len(self._tables) >= self.MOST:
            raise OptionError(f"{self.MOST} games are in play already")
        self._tables.append(table)
        for seat, token in enumerate(table.tokens):
            if token:
                self._seats[token] = (table, seat)

    def start(self) -> None:
        """Lets the policies of all tables play; called in the event loop of the server."""
        for table in self._tables:
            assert self.workers is not None
            self._tasks.add(asyncio.create_task(table.run(self.workers)))

    def tell(self) -> None:
        """Lets everybody look who waits for news of a table."""
        for table in self._tables:
            table.tell()

    def close(self) -> None:
        """Ends all tables; their records stay."""
        for task in self._tasks:
            task.cancel()
        for table in self._tables:
            table.close()

    def knows(self, token: str) -> bool:
        """Tells whether a token is that of a seat."""
        return token in self._seats

    def seat(self, token: str) -> tuple[Table, int]:
        """Returns the table and the seat of a token.

        Raises:
            OptionError: There is none; the token has been mistyped, or is of another server.
        """
        if token not in self._seats:
            raise OptionError("this link is of no seat at this server")
        return self._seats[token]
