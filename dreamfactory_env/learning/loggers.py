"""Where SB3's logger writes the metrics of a run: a CSV file, and TensorBoard's events.

SB3's own CSV file is emptied when a run is resumed, its events keep what was written after the
checkpoint, and neither survives a full disk. These do: what cannot be written waits.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import (
    KVWriter,
    Logger,
    TensorBoardOutputFormat,
    filter_excluded_keys,
)
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.summary.writer.record_writer import RecordWriter
from torch.utils.tensorboard.writer import FileWriter, SummaryWriter

from dreamfactory_env.learning.files import complete_lines
from dreamfactory_env.utils.files import atomic_write

METRICS = "progress.csv"
#: The metric by which lines of the CSV file are known; SB3's name for it.
STEPS = "time/total_timesteps"
#: Shows a warning.
Notify = Callable[[str], None]


def make_logger(folder: Path, steps: int, notify: Notify) -> Logger:
    """Returns a logger that appends to the files of a run.

    Args:
        folder: Where they are.
        steps: How far the run has come; metrics of later steps are dropped.
        notify: Gets warnings of what cannot be written.
    """
    metrics = Patient(CsvFile(folder / METRICS, steps), METRICS, notify)
    events = Patient(Events(folder, steps), "TensorBoard's file", notify)
    return Logger(str(folder), [metrics, events])


class Patient(KVWriter):
    """An output that a full disk does not stop: it warns once, until it can write again.

    Args:
        output: What writes; it keeps what it could not write for the next time.
        name: How it is called in a warning.
        notify: Gets the warning.
    """

    def __init__(self, output: KVWriter, name: str, notify: Notify) -> None:
        self._output, self._name, self._notify = output, name, notify
        self._fails = False

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0
    ) -> None:
        """Writes metrics, or warns."""
        try:
            self._output.write(key_values, key_excluded, step)
            self._fails = False
        except OSError as error:
            if not self._fails:
                reason = error.strerror or error
                self._notify(f"warning: {self._name} cannot be written: {reason}")
            self._fails = True

    def close(self) -> None:
        """Closes the output; of what it could not write there was a warning."""
        with contextlib.suppress(OSError):
            self._output.close()


class CsvFile(KVWriter):
    """A CSV file with a line for each time that metrics are written.

    Args:
        path: The file. Lines that it has are kept up to ``steps``.
        steps: How far the run has come.
    """

    def __init__(self, path: Path, steps: int) -> None:
        self._path = path
        self._keys: list[str] = []
        self._rows: list[dict[str, Any]] = []
        self._whole = False  # whether the file has these keys, and all rows
        with contextlib.suppress(csv.Error):  # what is damaged is left out, and all behind it
            for row in csv.DictReader(complete_lines(path)):
                reached = row.get(STEPS) or ""
                known = None not in row and None not in row.values()
                if known and reached.isdecimal() and int(reached[:20]) <= steps:
                    self._rows.append(row)
                    self._keys = list(row)

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0
    ) -> None:
        """Adds a line; the whole file is written anew where that is needed.

        Raises:
            OSError: It cannot be written; the next time writes this line, too.
        """
        row = filter_excluded_keys(key_values, key_excluded, "csv")
        new = [key for key in row if key not in self._keys]
        self._rows.append(row)
        self._keys += new
        more, self._whole = self._whole and not new, False
        if more:
            with self._path.open("ab") as file:
                file.write(self._lines([row]))
        else:
            head = dict(zip(self._keys, self._keys, strict=True))
            atomic_write(self._path, self._lines([head, *self._rows]))
        self._whole = True

    def _lines(self, rows: list[dict[str, Any]]) -> bytes:
        text = io.StringIO()
        csv.DictWriter(text, self._keys, lineterminator="\n").writerows(rows)
        return text.getvalue().encode()

    def close(self) -> None:
        """Does nothing: the file is open only while it is written."""


class Events(TensorBoardOutputFormat):
    """TensorBoard's events, in a new file each time that a run is started or resumed.

    Args:
        folder: Where the file is made.
        steps: How far the run has come; TensorBoard hides later events in older files.
    """

    def __init__(self, folder: Path, steps: int) -> None:
        self.writer = _SummaryWriter(EventFile(folder, steps))
        self._is_closed = False


class _SummaryWriter(SummaryWriter):
    """Writes all kinds of events into the one file that it is given."""

    file_writer: Any
    all_writers: Any

    def __init__(self, file: EventFile) -> None:
        self._file = file
        super().__init__(file.get_logdir())

    def _get_file_writer(self) -> EventFile:
        self.file_writer, self.all_writers = self._file, {self._file.get_logdir(): self._file}
        return self._file


class EventFile(FileWriter):
    """A file of events without the thread that usually writes it, where errors are lost.

    Args:
        folder: Where the file is made.
        steps: Events of later steps that stand in older files are hidden.
    """

    def __init__(self, folder: Path, steps: int) -> None:
        # TensorBoard reads the files of a folder in the order of their names.
        name = f"{time.time():017.6f}.{socket.gethostname()}.{os.getpid()}"
        self._path = folder / f"events.out.tfevents.{name}"
        self._size = 0
        self._waiting = io.BytesIO()
        self.add_event(Event(file_version="brain.Event:2"))
        self.add_event(Event(session_log=SessionLog(status=SessionLog.START)), steps + 1)

    def get_logdir(self) -> str:
        """Returns the folder."""
        return str(self._path.parent)

    def add_event(self, event: Any, step: int | None = None, walltime: float | None = None) -> None:
        """Keeps an event for :meth:`flush`."""
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = int(step)
        RecordWriter(self._waiting).write(event.SerializeToString())

    def flush(self) -> None:
        """Writes out what waits.

        Raises:
            OSError: It cannot be written, and still waits; the file ends with a whole event.
        """
        data = self._waiting.getvalue()
        try:
            with self._path.open("ab") as file:
                file.write(data)
        except OSError:
            with contextlib.suppress(OSError):
                os.truncate(self._path, self._size)
            raise
        self._size += len(data)
        self._waiting = io.BytesIO()

    def close(self) -> None:
        """Writes out what waits; the file is open only while it is written."""
        self.flush()
