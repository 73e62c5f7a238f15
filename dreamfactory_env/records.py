"""Game records: one JSON object a line, each a whole game that anybody can follow and check.

The format is described in docs/records.md. Nothing here knows a game by name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any, NamedTuple, Self

import numpy as np

from dreamfactory_env.errors import OptionError, RecordError
from dreamfactory_env.games import game_named
from dreamfactory_env.games.game import Game
from dreamfactory_env.loops import room_for_moves

FORMAT = "dreamfactory-record/1"
KEYS = ["format", "game", "version", "config", "seed", "agents", "setup", "moves", "result"]
#: How much text of a compressed file goes into one frame, which is written as a whole.
FRAME_BYTES = 1 << 20
CUT_OFF = "cut off while it was written"


def make_record(
    start: Game, end: Game, seed: int | None, agents: list[str], moves: list[list[Any]]
) -> dict[str, Any]:
    """Returns the record of a game.

    Args:
        start: The game before its first move.
        end: The same after its last one; it need not be over.
        seed: Where the set-up was dealt from, None if it was given.
        agents: Who played, one name for each seat.
        moves: ``[seat, action, words]`` each.
    """
    return {
        "format": FORMAT,
        "game": start.name,
        "version": start.version,
        "config": start.config(),
        "seed": seed,
        "agents": agents,
        "setup": start.setup(),
        "moves": moves,
        "result": end.result(),
    }


# ---------------------------------------------------------------------------- checking


def parse_line(line: bytes) -> dict[str, Any]:
    """Returns the record that a line of a file holds.

    Raises:
        RecordError: It holds none.
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not a JSON object: {error}") from error
    if not isinstance(record, dict):
        raise RecordError(f"not a JSON object but {type(record).__name__}")
    return record


def start_of(record: dict[str, Any]) -> Game:
    """Returns the game of a record before its first move.

    Raises:
        GameError: The record does not describe a game that this version plays.
    """
    if sorted(record) != sorted(KEYS):
        missing = [key for key in KEYS if key not in record]
        unknown = [key for key in record if key not in KEYS]
        raise RecordError(f"wrong keys: missing {missing or 'none'}, unknown {unknown or 'none'}")
    if record["format"] != FORMAT:
        raise RecordError(f"format {record['format']!r}; this version reads {FORMAT!r}")
    kind = game_named(record["game"])
    if record["version"] != kind.version:
        raise RecordError(f"{kind.name} {record['version']!r}; this version plays {kind.version!r}")
    start = kind.from_setup(record["config"], record["setup"])
    if record["seed"] is not None:
        dealt = kind.from_config(record["config"], seed=record["seed"])
        if dealt.setup() != record["setup"]:
            raise RecordError(f"the set-up is not the one that seed {record['seed']} deals")
        start = dealt
    agents, players = record["agents"], record["config"]["players"]
    if not isinstance(agents, list) or [type(agent) for agent in agents] != [str] * players:
        raise RecordError(f"agents must be {players} names, not {agents!r}")
    return start


def replay_moves(record: dict[str, Any]) -> Game:
    """Plays the moves of a record again and verifies every seat, action and word.

    Returns:
        The game after the last move; it need not be over.

    Raises:
        GameError: Something is not as the rules have it. A :class:`RecordError` names the move,
            counted from 0, if one is to blame.
    """
    game = start_of(record)
    _play_moves(game, record["moves"])
    return game


def replay(record: dict[str, Any]) -> Game:
    """Plays a whole game again: verifies the moves like :func:`replay_moves`, and the result.

    Returns:
        The game after the last move.

    Raises:
        GameError: Something is not as the rules have it, or the game is not over.
    """
    game = replay_moves(record)
    result = game.result()
    if result is None:
        told = "and there is no result" if record["result"] is None else "but there is a result"
        raise RecordError(f"the game is not over after {len(record['moves'])} moves, {told}")
    _compare_results(record["result"], result)
    return game


def _play_moves(game: Game, moves: Any) -> None:
    """Plays the moves of a record in a game.

    Raises:
        RecordError: One of them is wrong; it has not been played, and nothing after it.
    """
    if not isinstance(moves, list):
        raise RecordError(f"moves must be a list, not {moves!r}")
    for number, move in enumerate(moves):
        if not isinstance(move, list) or [type(part) for part in move] != [int, int, str]:
            raise RecordError(f"{move!r} is not [seat, action, words]", number)
    seats, actions, meanings = room_for_moves(len(moves))
    # A number too large for an action is as illegal as any other that is none.
    actions[:] = [move[1] if 0 <= move[1] < game.actions else -1 for move in moves]
    buffer = np.empty(game.actions, np.int32)
    start = game.copy()
    played = game.loops.replay(game.states, 0, game.tables, buffer, actions, seats, meanings)
    for number in range(played):
        seat, _, words = moves[number]
        problem = ""
        if seat != seats[number]:
            problem = f"player {seat} moves, but it is player {seats[number]}'s turn"
        elif words != (right := game.words(int(meanings[number]))):
            problem = f"action {moves[number][1]} is {right!r} here, not {words!r}"
        if problem:
            raise RecordError(problem, number)
    if played < len(moves):
        seat, action, words = moves[played]
        for earlier in actions[:played].tolist():
            start.play(earlier)
        if start.over:
            raise RecordError(f"{words!r} after the game is over", played)
        offered = start.summary_of(start.legal())
        raise RecordError(
            f"action {action} ({words!r}) is not legal for player {start.to_move} in the "
            f"{start.phase} phase; legal: {offered}",
            played,
        )


def _compare_results(told: Any, right: dict[str, Any]) -> None:
    """Raises RecordError where a told result differs; compared as text, for 1, 1.0 and true do."""
    if not isinstance(told, dict):
        raise RecordError(f"result must be an object, not {told!r}")
    for key in [*right, *(key for key in told if key not in right)]:
        ours, theirs = (
            json.dumps(one[key], sort_keys=True) if key in one else "missing"
            for one in (right, told)
        )
        if ours != theirs:
            raise RecordError(f"result: {key} is {theirs}, but must be {ours}")


# ---------------------------------------------------------------------------- files


class RecordLine(NamedTuple):
    """A line of a file: its number, counted from 1, and its bytes.

    ``problem`` says what is wrong with the line as such; it is empty for a whole line.
    """

    number: int
    text: bytes
    problem: str = ""


def read_lines(path: str | Path) -> Iterator[RecordLine]:
    """Reads the lines of a record file, plain or compressed, one after another.

    What is torn or damaged comes as a last line with a problem.

    Raises:
        OptionError: The file cannot be read.
    """
    path = Path(path)
    number = 0
    try:
        with path.open("rb") as file:
            for line, problem in _unpacked(file) if _is_compressed(path) else _plain(file):
                number += 1
                if problem or line.strip():
                    yield RecordLine(number, line, problem)
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror or error}") from error


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """Reads the records of a file, without checking the games in them.

    Raises:
        GameError: The file cannot be read, or a line of it holds no record.
    """
    for line in read_lines(path):
        yield record_of(line)


def record_of(line: RecordLine) -> dict[str, Any]:
    """Returns the record that a line of a file holds.

    Raises:
        RecordError: It holds none; the message names the line.
    """
    try:
        if line.problem:
            raise RecordError(line.problem)
        return parse_line(line.text)
    except RecordError as error:
        raise RecordError(f"line {line.number}: {error}") from error


class RecordWriter:
    """Writes records to a file so that whatever happens, what was written before is whole.

    A plain line goes to the file in one piece; a compressed file grows by whole frames. Who is
    killed in the middle of that leaves a torn end, which readers notice and ``resume`` cuts.

    Args:
        path: The file; ``.zst`` at its end makes it a compressed one.
        resume: Go on behind the whole records of a file that may be there.
        replace: Replace a file that may be there. Without either it must not be there yet.

    Raises:
        OptionError: The file is there already, or cannot be written.
    """

    def __init__(self, path: str | Path, *, resume: bool = False, replace: bool = False) -> None:
        self.path = Path(path)
        self._compressor = _zstandard().ZstdCompressor() if _is_compressed(self.path) else None
        self._waiting = bytearray()
        with self._telling():
            if not (resume or replace) and self.path.exists():
                raise OptionError(f"{path} is there already")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("wb" if replace else "ab", buffering=0)
            self._whole = _whole_bytes(self.path)
            self._file.truncate(self._whole)

    def write(self, record: dict[str, Any]) -> None:
        """Writes one record.

        Raises:
            OptionError: The file cannot be written any more; it ends with a whole record.
        """
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        if self._compressor is None:
            self._write_out(line)
        else:
            self._waiting += line
            if len(self._waiting) >= FRAME_BYTES:
                self.flush()

    def flush(self) -> None:
        """Writes out what waits to be compressed."""
        if self._compressor is not None and self._waiting:
            text, self._waiting = bytes(self._waiting), bytearray()
            self._write_out(self._compressor.compress(text))

    def _write_out(self, data: bytes) -> None:
        with self._telling():
            try:
                left = data
                while left:
                    left = left[self._file.write(left) :]
            except OSError:
                self._file.truncate(self._whole)
                raise
            self._whole += len(data)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Tells of a file that cannot be written in our own words."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            raise OptionError(f"{self.path} cannot be written: {reason}") from error

    def close(self) -> None:
        """Writes out what waits, and closes the file."""
        if not self._file.closed:
            try:
                self.flush()
                with self._telling():
                    os.fsync(self._file.fileno())
            finally:
                self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _is_compressed(path: Path) -> bool:
    return path.suffix == ".zst"


def _zstandard() -> ModuleType:
    try:
        import zstandard
    except ImportError as error:
        raise OptionError(
            "compressed records need the package zstandard: pip install 'dreamfactory-env[zstd]'"
        ) from error
    return zstandard


class _Frame(NamedTuple):
    """A frame of a compressed file: what it says, where it ends, and what is wrong with it."""

    text: bytes
    end: int
    problem: str = ""


def _frames(file: IO[bytes]) -> Iterator[_Frame]:
    """Gives the whole frames of a compressed file, and one with a problem where they end."""
    zstandard = _zstandard()
    left, end = b"", 0
    while left or (left := file.read(FRAME_BYTES)):
        frame = zstandard.ZstdDecompressor().decompressobj()
        text = bytearray()
        try:
            while not frame.eof:
                if not left and not (left := file.read(FRAME_BYTES)):
                    yield _Frame(b"", end, CUT_OFF)
                    return
                text += frame.decompress(left)
                end += len(left)
                left = b""
        except zstandard.ZstdError as error:
            yield _Frame(b"", end, f"the compressed file is damaged from here on: {error}")
            return
        left = frame.unused_data
        end -= len(left)
        yield _Frame(bytes(text), end)


def _plain(file: IO[bytes]) -> Iterator[tuple[bytes, str]]:
    """Gives the lines of a plain file, each with what is wrong with it."""
    for line in file:
        yield line, "" if line.endswith(b"\n") else CUT_OFF


def _unpacked(file: IO[bytes]) -> Iterator[tuple[bytes, str]]:
    """Gives the lines of a compressed file, each with what is wrong with it.

    Ours never cross from one frame into the next, but others may have compressed the file.
    """
    rest = b""
    for frame in _frames(file):
        *lines, rest = (rest + frame.text).split(b"\n")
        for line in lines:
            yield line + b"\n", ""
        if frame.problem:
            yield rest, frame.problem
            return
    if rest:
        yield rest, CUT_OFF


def _whole_bytes(path: Path) -> int:
    """Returns how many bytes of a file hold whole lines, in whole frames of a compressed one."""
    if not _is_compressed(path):
        return path.read_bytes().rfind(b"\n") + 1
    with path.open("rb") as file:
        ends = [frame.end for frame in _frames(file) if frame.text.endswith(b"\n")]
    return ends[-1] if ends else 0
