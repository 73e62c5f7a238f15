"""Every reader of files."""

from __future__ import annotations

from tests.fuzz.game_readers import Batches, PackedRecords, Records, States
from tests.fuzz.reader import Reader
from tests.fuzz.result_readers import Benchmarks, Checkpoints, Networks, Results, Runs
from tests.fuzz.settings_readers import Components, Lexicons, Tournaments, Trainings

#: Those that are quick first.
READERS: list[type[Reader]] = [
    *(States, Batches, Networks, Checkpoints, Records, PackedRecords, Tournaments, Trainings),
    *(Results, Benchmarks, Components, Runs, Lexicons),
]
