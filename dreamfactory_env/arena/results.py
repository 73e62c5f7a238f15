"""The result of a tournament: a file that grows by whole lines, and the same as arrays.

The first line says which tournament it is, each other line is a chunk of deals, in order. What was
written is whole whatever happens, so the same command resumes where another has stopped. The bytes
depend on the tournament alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.fouls import KINDS, Foul
from dreamfactory_env.arena.worker import Chunk, FouledGame
from dreamfactory_env.engine.stepper import NOBODY
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.records.files import RecordWriter, read_lines, record_of
from dreamfactory_env.utils.errors import GameError, RecordError
from dreamfactory_env.utils.locks import Lock

#: The arrays of a line, with their types.
_ARRAYS = {
    "scores": np.int32,
    "won": np.int8,
    "roles": np.int32,
    "decisions": np.int64,
    "table": np.int64,
    "seats": np.int64,
}


class ResultFile:
    """The file of a tournament, open for more chunks.

    Args:
        path: The file.
        tournament: Which one.
        replace: Begin anew if the file is there; else add to it.

    Attributes:
        chunks: What is in the file already.

    Raises:
        GameError: The file is that of another tournament, is damaged, or cannot be written.
    """

    def __init__(self, path: Path, tournament: Tournament, *, replace: bool = False) -> None:
        lock = Lock(path)
        try:
            there = os.path.exists(path)  # noqa: PTH110  (a name that cannot be is not there)
            self.chunks = [] if replace or not there else read_chunks(path, tournament)
        except GameError:
            lock.release()
            raise
        begun = bool(self.chunks)
        self._writer = RecordWriter(path, resume=begun, replace=not begun, lock=lock)
        if not begun:
            self._writer.write(tournament.header())

    def write(self, chunk: Chunk) -> None:
        """Writes the next chunk."""
        self._writer.write(as_line(chunk))

    def close(self) -> None:
        """Closes the file."""
        self._writer.close()


def as_line(chunk: Chunk) -> dict[str, Any]:
    """Returns a chunk as a line of the file."""
    line: dict[str, Any] = {"chunk": chunk.number}
    line |= {name: getattr(chunk, name).tolist() for name in _ARRAYS}
    line["fouls"] = [[f.game, f.seat, f.foul.kind, f.foul.message] for f in chunk.fouls]
    return line


def read_chunks(path: Path, tournament: Tournament) -> list[Chunk]:
    """Reads the chunks of a file; a torn end is left out.

    Raises:
        GameError: It is the file of another tournament, is damaged or cannot be read.
    """
    lines = list(read_lines(path))
    if lines and lines[-1].problem:
        lines.pop()
    chunks: list[Chunk] = []
    for line in lines:
        try:
            record = record_of(line)
        except RecordError as error:
            raise RecordError(f"{path} is no result: {error}; --force replaces it") from error
        if line.number == 1:
            _check_header(path, record, tournament.header())
        else:
            try:
                chunks.append(_chunk_of(record, tournament, len(chunks)))
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                where = f"{path}, line {line.number}"
                message = f"{where} is not a chunk of this tournament: {error}"
                raise RecordError(message) from error
    return chunks


def _check_header(path: Path, found: dict[str, Any], expected: dict[str, Any]) -> None:
    for key in expected:
        if found.get(key) != expected[key]:
            raise RecordError(
                f"{path} is the result of another tournament: its {key} is {found.get(key)!r}, "
                f"not {expected[key]!r}; --force replaces it"
            )


def _chunk_of(line: dict[str, Any], tournament: Tournament, number: int) -> Chunk:
    """Returns the chunk of a line; anything but a RecordError means that it is damaged."""
    if line["chunk"] != number:
        raise ValueError(f"chunk {line['chunk']!r} instead of {number}")
    arrays = {name: np.array(line[name], dtype) for name, dtype in _ARRAYS.items()}
    games = sum(len(tournament.games_of(deal)) for deal in tournament.deals_of(number))
    players, policies = tournament.template.players, len(tournament.policies)
    stats = tournament.template.stats()
    shapes = {
        "scores": (games, players),
        "won": (games, players),
        "roles": (games, players, len(stats.roles)),
        "decisions": (policies,),
        "table": (stats.table_size,),
        "seats": (policies, stats.seat_size),
    }
    for name, shape in shapes.items():
        found = arrays[name]
        if found.shape != shape and (found.size or 0 not in shape):
            raise ValueError(f"{name} of shape {found.shape} instead of {shape}")
        arrays[name] = found.reshape(shape)
    if not np.isin(arrays["won"], (0, 1)).all() or (arrays["decisions"] < 0).any():
        raise ValueError("won must be 0 or 1, and decisions not below 0")
    for place, role in enumerate(stats.roles):
        had = arrays["roles"][:, :, place]
        if had.size and not 0 <= had.min() <= had.max() < len(role.words):
            raise ValueError(f"{role.title} must be 0 to {len(role.words) - 1}")
    fouls = [_foul_of(foul, games, players) for foul in line["fouls"]]
    return Chunk(number=number, fouls=fouls, **arrays)


def _foul_of(line: Any, games: int, players: int) -> FouledGame:
    game, seat, kind, message = line
    if game not in range(games) or seat not in range(players):
        raise ValueError(f"no game {game!r}, or no seat {seat!r}")
    if kind not in KINDS or not isinstance(message, str):
        raise ValueError(f"no foul {kind!r}")
    return FouledGame(int(game), int(seat), Foul(kind, message))


@dataclass(frozen=True)
class Result:
    """The games of a tournament, or as many as were played; one row a game.

    Attributes:
        tournament: Which one.
        deal: The number of the deal of each game, int64 (games,).
        entrants: Who sat where, as numbers of policies; int64 (games, players).
        scores: Points, int32 (games, players).
        won: 1 for each winner, int8 (games, players).
        roles: What each seat had, int32 (games, players, roles).
        offender: The seat whose foul has ended the game, NOBODY if none; int64 (games,).
        decisions: How many each policy has made, int64 (policies,).
        table: Counts of the tables, summed over the games without a foul; int64 (T,).
        seats: Counts of the seats, summed for each policy; int64 (policies, S).
        fouls: Who has fouled and how, in the order of the games.
    """

    tournament: Tournament
    deal: Array
    entrants: Array
    scores: Array
    won: Array
    roles: Array
    offender: Array
    decisions: Array
    table: Array
    seats: Array
    fouls: list[tuple[str, Foul]]

    @classmethod
    def of(cls, tournament: Tournament, chunks: Iterable[Chunk]) -> Result:
        """Returns the result of some chunks; they are at least one."""
        chunks = list(chunks)
        deals = [deal for chunk in chunks for deal in tournament.deals_of(chunk.number)]
        games = [tournament.games_of(deal) for deal in deals]
        entrants = np.concatenate(games)
        scores, won, roles = (
            np.concatenate([getattr(chunk, name) for chunk in chunks])
            for name in ("scores", "won", "roles")
        )
        offender = np.full(len(scores), NOBODY, np.int64)
        fouls = []
        first = 0
        for chunk in chunks:
            for game, seat, foul in chunk.fouls:
                offender[first + game] = seat
                fouls.append((tournament.policies[entrants[first + game, seat]], foul))
            first += len(chunk.scores)
        return cls(
            tournament=tournament,
            deal=np.repeat(np.array(deals, np.int64), [len(g) for g in games]),
            entrants=entrants,
            scores=scores,
            won=won,
            roles=roles,
            offender=offender,
            decisions=np.sum([chunk.decisions for chunk in chunks], axis=0),
            table=np.sum([chunk.table for chunk in chunks], axis=0),
            seats=np.sum([chunk.seats for chunk in chunks], axis=0),
            fouls=fouls,
        )

    @property
    def fouled(self) -> Array:
        """Whether a foul has ended the game, bool (games,)."""
        ended: Array = self.offender != NOBODY
        return ended

    @cached_property
    def rank_key(self) -> Array:
        """The higher the better the place, int64 (games, players).

        By points, winners before others with as many; after a foul all others before the offender.
        """
        points = np.where(self.fouled[:, None], 0, 2 * self.scores.astype(np.int64))
        key: Array = points + self.won
        return key
