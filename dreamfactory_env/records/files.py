"""Files of game records: written so that nothing is lost, read so that damage is named."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any, NamedTuple, Self

from dreamfactory_env.records.byte_source import HELD_BYTES, ByteSource
from dreamfactory_env.records.format import parse_line
from dreamfactory_env.utils.errors import OptionError, RecordError
from dreamfactory_env.utils.locks import Lock

#: How much text of a compressed file goes into one frame, which is written as a whole.
FRAME_BYTES = 1 << 20
CUT_OFF = "cut off while it was written"
#: No line of ours is nearly as long; a longer one is not read. As data, JSON can take fifty times
#: the memory of its text.
MAX_LINE = 4 << 20
TOO_LONG = f"longer than {MAX_LINE >> 20} MiB"
#: So much of a frame is unpacked at a time: four bytes of it can stand for 128 KiB.
PACKED_BYTES = 64
#: What unpacks to more than this times its size is no file of records.
MAX_RATIO = 1000
#: The memory that a frame may ask for; the strongest usual compression asks for a quarter.
MAX_WINDOW = 32 << 20
#: A file that is damaged in more places is given up.
MAX_DAMAGED = 200


class Place(NamedTuple):
    """Where a line of a file is found without reading all before it.

    Attributes:
        begin: A place in the file, in bytes: of a plain line its beginning, of a compressed one
            that of a frame.
        skip: How many lines there are between that place and the line.
    """

    begin: int = 0
    skip: int = 0


class RecordLine(NamedTuple):
    """A line of a file: its number, counted from 1, and its bytes.

    ``problem`` says what is wrong with the line as such; it is empty for a whole line. ``place`` is
    where :func:`read_line_at` finds the line again.
    """

    number: int
    text: bytes
    problem: str = ""
    place: Place = Place()


def read_lines(path: str | Path, begin: int = 0) -> Iterator[RecordLine]:
    """Reads the lines of a record file, plain or compressed, one after another.

    What is torn or damaged comes as a line with a problem; it may stand for several lines.

    Args:
        path: The file.
        begin: Where to begin in the file, the ``begin`` of a :class:`Place`; numbers count from
            there.

    Raises:
        OptionError: The file cannot be read.
    """
    path = Path(path)
    number = 0
    try:
        with path.open("rb") as file:
            if begin:
                file.seek(begin)
            lines = _unpacked(file, begin) if _is_compressed(path) else _plain(file, begin)
            for line, problem, place in lines:
                number += 1
                if problem or line.strip():
                    yield RecordLine(number, line, problem, place)
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror or error}") from error


def read_line_at(path: str | Path, place: Place) -> RecordLine:
    """Reads one line of a record file that was read before; its number counts from its place.

    Raises:
        GameError: The file cannot be read, or has become shorter.
    """
    for line in read_lines(path, place.begin):
        if line.number > place.skip:
            return line
    raise RecordError(f"{path} has changed: a line that was there is gone")


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
        lock: That of the file, if the caller has it already; it is released with the writer.

    Raises:
        OptionError: The file is there already, is being written by another process, or cannot be
            written.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        resume: bool = False,
        replace: bool = False,
        lock: Lock | None = None,
    ) -> None:
        self.path = Path(path)
        self._lock = Lock(self.path) if lock is None else lock
        self._waiting = bytearray()
        mode = "ab" if resume else "wb" if replace else "xb"
        try:
            packed = _is_compressed(self.path)
            self._compressor = _zstandard().ZstdCompressor() if packed else None
            with self._telling():
                self._file = self.path.open(mode, buffering=0)
                self._whole = _whole_bytes(self.path)
                self._file.truncate(self._whole)
        except OptionError:
            self._lock.release()
            raise

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
        except FileExistsError as error:
            raise OptionError(f"{self.path} is there already") from error
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
                self._lock.release()

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


class _Piece(NamedTuple):
    """A piece of a compressed file: what it says, and what is wrong with it.

    ``end`` is where a frame ends with this piece in the file, None if the frame continues.
    """

    text: bytes
    end: int | None = None
    problem: str = ""


def _pieces(file: IO[bytes], begin: int = 0) -> Iterator[_Piece]:
    """Gives what a compressed file says, in pieces that are not large whatever it says.

    A frame is given as a whole if it is not too large. A piece with a problem stands for all that
    is damaged up to the next frame. The file has been read up to ``begin``.
    """
    zstandard = _zstandard()
    magic = zstandard.MAGIC_NUMBER.to_bytes(4, "little")
    unpacker = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
    source = ByteSource(file, begin)
    damaged, told = 0, False
    while source.read(1):
        source.unread(1)
        source.mark()
        begin, unpacked = source.offset, 0
        frame, text = unpacker.decompressobj(), bytearray()
        try:
            while not frame.eof:
                packed = source.read(PACKED_BYTES)
                if not packed:
                    yield _Piece(b"", problem=CUT_OFF)
                    return
                fresh = frame.decompress(packed)
                unpacked += len(fresh)
                if unpacked > max(MAX_RATIO * (source.offset - begin), HELD_BYTES):
                    raise RecordError(f"it unpacks to more than {MAX_RATIO:,} times its size")
                text += fresh
                if len(text) > HELD_BYTES:  # a larger one is given in pieces
                    yield _Piece(bytes(text))
                    text.clear()
        except (zstandard.ZstdError, RecordError) as error:
            damaged += 1
            if damaged > MAX_DAMAGED:
                yield _Piece(b"", problem=f"damaged in more than {MAX_DAMAGED} places: given up")
                return
            if not told:
                yield _Piece(b"", problem=f"damaged: {error}")
            told = True
            source.find(magic, begin + 1)
        else:
            source.unread(len(frame.unused_data))
            told = False
            yield _Piece(bytes(text), source.offset)


def _plain(file: IO[bytes], begin: int) -> Iterator[tuple[bytes, str, Place]]:
    """Gives the lines of a plain file, each with what is wrong with it, and where it is."""
    while line := file.readline(MAX_LINE + 1):
        place = Place(begin)
        begin += len(line)
        if line.endswith(b"\n"):
            yield line, "", place
        elif len(line) <= MAX_LINE:
            yield line, CUT_OFF, place
        else:
            while line and not line.endswith(b"\n"):
                line = file.readline(FRAME_BYTES)
                begin += len(line)
            yield b"", TOO_LONG, place


def _unpacked(file: IO[bytes], begin: int) -> Iterator[tuple[bytes, str, Place]]:
    """Gives the lines of a compressed file, each with what is wrong with it, and where it is.

    Ours never cross from one frame into the next, but others may have compressed the file: then
    lines are counted from the last frame that began with one.
    """
    rest, too_long, skip = b"", False, 0
    for piece in _pieces(file, begin):
        *lines, rest = (rest + piece.text).split(b"\n")
        for line in lines:
            wrong = too_long or len(line) > MAX_LINE
            place = Place(begin, skip)
            yield (b"", TOO_LONG, place) if wrong else (line + b"\n", "", place)
            too_long, skip = False, skip + 1
        if piece.problem:
            yield rest, piece.problem, Place(begin, skip)
            rest, skip = b"", skip + 1
        if len(rest) > MAX_LINE:
            rest, too_long = b"", True
        if piece.end is not None and not rest and not too_long:
            begin, skip = piece.end, 0
    if rest or too_long:
        yield rest, TOO_LONG if too_long else CUT_OFF, Place(begin, skip)


def _whole_bytes(path: Path) -> int:
    """Returns how many bytes of a file hold whole lines, in whole frames of a compressed one."""
    with path.open("rb") as file:
        if not _is_compressed(path):
            end = file.seek(0, os.SEEK_END)
            while end > 0:  # the last newline is near the end, however long the file is
                begin = file.seek(max(end - FRAME_BYTES, 0))
                if (found := file.read(end - begin).rfind(b"\n")) >= 0:
                    return begin + found + 1
                end = begin
            return 0
        end, last = 0, b""
        for piece in _pieces(file):
            if piece.problem:
                break
            last = piece.text[-1:] or last
            if piece.end is not None and last == b"\n":
                end = piece.end
    return end
