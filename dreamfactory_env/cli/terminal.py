"""What all commands share: where they print, how they show progress, how Ctrl-C is heard."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, Self

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment

#: What a file or another program reads is not wrapped or cut: it is as wide as it is.
UNLIMITED = 100_000


def printable(text: str) -> str:
    """Returns text with a question mark for each character that a terminal might obey.

    Of such are escape sequences, which set titles, move the cursor or answer questions, and marks
    that turn the direction of writing.
    """
    return "".join(c if c.isprintable() or c == "\n" else " " if c.isspace() else "?" for c in text)


class CleanConsole(Console):
    """A console that shows text from anywhere: nothing in it is a command to the terminal.

    What is printed may come from a file of somebody else, or from an error about one. All of it
    passes here as pieces of text, apart from the colours and moves that are the console's own.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Gives the pieces of what is printed, each of them printable."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style)


def make_console(*, stderr: bool = False) -> Console:
    """Returns a console for a stream; only on a terminal, or with COLUMNS, it has a width."""
    stream = sys.stderr if stderr else sys.stdout
    limited = "COLUMNS" in os.environ or (stream is not None and stream.isatty())
    # File names are shown as they are: brackets and colons in them mean nothing.
    plain: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    return CleanConsole(stderr=stderr, width=None if limited else UNLIMITED, **plain)


console = make_console()
errors = make_console(stderr=True)

EXIT_WRONG, EXIT_USAGE, EXIT_STOPPED = 1, 2, 130


class Stop:
    """Takes note of Ctrl-C, so that what is being written can be finished; a second one kills."""

    wanted = False

    def _note(self, number: int, frame: object) -> None:
        self.wanted = True
        signal.signal(signal.SIGINT, self._before)

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *raised: object) -> None:
        signal.signal(signal.SIGINT, self._before)


class HeardStop(Stop):
    """Says that it has heard Ctrl-C, as soon as somebody asks.

    Args:
        words: What it says.
        say: How.
    """

    def __init__(self, words: str, say: Callable[[str], None]) -> None:
        self._words, self._say = words, say
        self._said = False

    def asked(self) -> bool:
        """Tells whether to stop."""
        if self.wanted and not self._said:
            self._said = True
            self._say(self._words)
        return self.wanted


def progress_bar(what: str, unit: str) -> Progress:
    """Returns a progress bar with the time left, on the error stream."""
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=errors,
    )
