"""Game records: one JSON object a line, each a whole game that anybody can follow and check.

The format is described in docs/records.md. Nothing here knows a game by name.
"""

from __future__ import annotations

import io
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

    Raises:
        OptionError: The file cannot be read.
    """
    number = 0
    with _open_to_read(Path(path)) as file:
        while True:
            number += 1
            try:
                text = file.readline()
            except _zstd_error() as error:
                yield RecordLine(number, b"", f"the compressed file is damaged from here: {error}")
                return
            if not text:
                return
            if not text.endswith(b"\n"):
                yield RecordLine(number, text, "cut off while it was written")
            elif text.strip():
                yield RecordLine(number, text)


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """Reads the records of a file, without checking the games in them.

    Raises:
        GameError: The file cannot be read, or a line of it holds no record.
    """
    for line in read_lines(path):
        if line.problem:
            raise RecordError(f"line {line.number}: {line.problem}")
        yield parse_line(line.text)


class RecordWriter:
    """Writes records to a file so that whatever happens, what was written before is whole.

    A plain line goes to the file in one piece; a compressed file grows by whole frames. Who stops
    in the middle of a line or a frame leaves a torn end, which readers notice and ``resume`` cuts.

    Args:
        path: The file; ``.zst`` at its end makes it a compressed one.
        resume: Go on behind the whole records of a file that may be there. Otherwise the file
            must not be there yet.

    Raises:
        OptionError: The file is there already, or cannot be written.
    """

    def __init__(self, path: str | Path, *, resume: bool = False) -> None:
        self.path = Path(path)
        self._compress = _zstandard().ZstdCompressor() if _is_compressed(self.path) else None
        self._waiting = bytearray()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab" if resume else "xb", buffering=0)
            if resume:
                self._file.truncate(_whole_bytes(self.path))
        except FileExistsError as error:
            raise OptionError(f"{path} is there already") from error
        except OSError as error:
            raise OptionError(f"{path} cannot be written: {error}") from error

    def write(self, record: dict[str, Any]) -> None:
        """Writes one record."""
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        if self._compress is None:
            self._write_out(line)
        else:
            self._waiting += line
            if len(self._waiting) >= FRAME_BYTES:
                self.flush()

    def flush(self) -> None:
        """Writes out what waits to be compressed."""
        if self._compress is not None and self._waiting:
            self._write_out(self._compress.compress(bytes(self._waiting)))
            self._waiting.clear()

    def _write_out(self, data: bytes) -> None:
        while data:
            data = data[self._file.write(data) :]

    def close(self) -> None:
        """Writes out what waits, and closes the file."""
        if not self._file.closed:
            self.flush()
            os.fsync(self._file.fileno())
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


def _zstd_error() -> type[Exception]:
    """Returns what a damaged compressed file raises; without zstandard there is none to read."""
    try:
        import zstandard
    except ImportError:
        return EOFError
    return zstandard.ZstdError


@contextmanager
def _open_to_read(path: Path) -> Iterator[IO[bytes]]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror or error}") from error
    with file:
        if _is_compressed(path):
            reader = _zstandard().ZstdDecompressor().stream_reader(file, read_across_frames=True)
            yield io.BufferedReader(reader, FRAME_BYTES)
        else:
            yield file


def _whole_bytes(path: Path) -> int:
    """Returns how many bytes of a file hold whole lines, or whole frames of a compressed one."""
    data = path.read_bytes()
    if not _is_compressed(path):
        return data.rfind(b"\n") + 1
    left = data
    while left:
        frame = _zstandard().ZstdDecompressor().decompressobj()
        try:
            frame.decompress(left)
        except _zstd_error():
            break
        if not frame.eof:
            break
        left = frame.unused_data
    return len(data) - len(left)
