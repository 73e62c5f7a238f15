"""Bytes of a file that are read one after another, and may be looked at again."""

from __future__ import annotations

from typing import IO

#: So much is read from the file at a time.
READ_BYTES = 1 << 20
#: Bytes since the mark are kept up to about this many.
HELD_BYTES = 4 << 20


class ByteSource:
    """Bytes of a file, read one after another; those since a mark can be looked at again."""

    def __init__(self, file: IO[bytes], begin: int = 0) -> None:
        self._file = file
        self._data = b""
        self._at = 0
        self._begin = begin  # where the data stands in the file

    @property
    def offset(self) -> int:
        """Where the next byte stands in the file."""
        return self._begin + self._at

    def read(self, size: int) -> bytes:
        """Returns the next bytes, as many or fewer; none at the end."""
        if self._at == len(self._data):
            if len(self._data) > HELD_BYTES:
                self.mark()
            self._data += self._file.read(READ_BYTES)
        piece = self._data[self._at : self._at + size]
        self._at += len(piece)
        return piece

    def unread(self, count: int) -> None:
        """Goes back by so many of the bytes that were read last."""
        self._at -= count

    def mark(self) -> None:
        """Forgets the bytes before the next one, if it is worth while."""
        if self._at > READ_BYTES or self._at == len(self._data):
            self._data = self._data[self._at :]
            self._begin += self._at
            self._at = 0

    def find(self, wanted: bytes, start: int) -> None:
        """Goes to where some bytes stand next, at a place of the file or behind; or to the end."""
        self._at = max(start - self._begin, 0)
        while True:
            found = self._data.find(wanted, self._at)
            if found >= 0:
                self._at = found
                return
            self._at = max(len(self._data) - len(wanted) + 1, self._at)
            self.mark()
            more = self._file.read(READ_BYTES)
            if not more:
                self._at = len(self._data)
                return
            self._data += more
