"""Files of game records: written so that nothing is lost, read so that damage is named."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any, NamedTuple, Self

from dreamfactory_env.records.format import parse_line
from dreamfactory_env.utils.errors import OptionError, RecordError

#: How much text of a compressed file goes into one frame, which is written as a whole.
FRAME_BYTES = 1 << 20
CUT_OFF = "cut off while it was written"


class RecordLine(NamedTuple):
    """A line of a file: its number, counted from 1, and its bytes.

    ``problem`` says what is wrong with the line as such; it is empty for a whole line.
    """

    number: int
    text: bytes
    problem: str = ""


def read_lines(path: str | Path) -> Iterator[RecordLine]:
    """Reads the lines of a record file, plain or compressed, one after another.

    What is torn or damaged comes as a line with a problem; it may stand for several lines.

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
        mode = "ab" if resume else "wb" if replace else "xb"
        with self._telling():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._file = self.path.open(mode, buffering=0)
            except FileExistsError as error:
                raise OptionError(f"{path} is there already") from error
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
    """Gives the frames of a compressed file; one with a problem stands for what is damaged."""
    zstandard = _zstandard()
    end = 0
    data = file.read(FRAME_BYTES)
    while data:
        frame = zstandard.ZstdDecompressor().decompressobj()
        text = bytearray()
        fed = 0
        try:
            while not frame.eof:
                if fed == len(data):
                    more = file.read(FRAME_BYTES)
                    if not more:
                        yield _Frame(b"", end, CUT_OFF)
                        return
                    data += more
                text += frame.decompress(data[fed:])
                fed = len(data)
        except zstandard.ZstdError as error:
            yield _Frame(b"", end, f"damaged: {error}")
            data += file.read()
            behind = data.find(zstandard.MAGIC_NUMBER.to_bytes(4, "little"), 1)
            skipped = behind if behind > 0 else len(data)
        else:
            skipped = fed - len(frame.unused_data)
            yield _Frame(bytes(text), end + skipped)
        end += skipped
        data = data[skipped:] or file.read(FRAME_BYTES)


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
            rest = b""
    if rest:
        yield rest, CUT_OFF


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
        whole = takewhile(lambda frame: not frame.problem, _frames(file))
        ends = [frame.end for frame in whole if frame.text.endswith(b"\n")]
    return ends[-1] if ends else 0
