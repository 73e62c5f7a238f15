"""What a reader of files is for the trial."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

Rng = random.Random


class Reader(ABC):
    """A reader of files.

    Args:
        folder: Where its inputs are written.
    """

    name: ClassVar[str]
    #: What part of the inputs it gets.
    share: ClassVar[float] = 10

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def input(self, rng: Rng) -> bytes:
        """Returns a damaged input."""

    @abstractmethod
    def read(self, data: bytes) -> None:
        """Reads an input, and uses what is read; raises GameError if it refuses it."""

    def write(self, data: bytes, name: str) -> Path:
        """Writes an input as a file."""
        path = self.folder / name
        path.write_bytes(data)
        return path


def half(rng: Rng) -> bool:
    return rng.random() < 0.5
