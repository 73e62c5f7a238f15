"""One process of the trial: reads damaged inputs one after another, and says how each went.

A line on standard output for each: its number, what became of it, its seconds and megabytes.
"""

from __future__ import annotations

import contextlib
import io
import random
import resource
import sys
import time
import traceback
import warnings
from pathlib import Path

from dreamfactory_env.utils.errors import GameError
from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS

#: CPU seconds beyond which an input is slow, and megabytes beyond which it is fat.
SLOW, FAT = 3.0, 300
#: No process grows beyond this, whatever it reads.
LIMIT = 12 << 30


def _peak() -> int:
    """Returns the most memory that this process had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Reads the inputs ``first`` to ``last`` of readers, whose names have commas between."""
    names, seed, first, last, folder, kept = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    warnings.simplefilter("ignore")
    say = sys.stdout
    sys.stdout = io.StringIO()  # what is read may print
    for name in names.split(","):
        reader = next(kind for kind in READERS if kind.name == name)(Path(folder))
        # Everything is compiled, imported and made before anything is measured.
        for number in range(5):
            with contextlib.suppress(Exception):
                reader.read(reader.input(random.Random(-1 - number)))
        for number in range(int(first), int(last)):
            data = reader.input(random.Random(f"{seed} {name} {number}"))
            Path(kept).write_bytes(data)
            became, told = _try(reader, data)
            print(number, became, told, file=say, flush=True)
            if became == "fat":
                return  # a fresh process measures the next ones


def _try(reader: Reader, data: bytes) -> tuple[str, str]:
    """Returns what becomes of an input, and what is to be told of it."""
    before, begin = _peak(), time.process_time()
    problem = ""
    try:
        reader.read(data)
        became = "accepted"
    except GameError as error:
        became = "refused"
        str(error)
    except BaseException as error:
        became = "raw"
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(at.filename).name}:{at.lineno}"
        problem = f"{type(error).__name__} in {where}: {error}"
    seconds, grown = time.process_time() - begin, _peak() - before
    if became != "raw" and seconds > SLOW:
        became = "slow"
    elif became != "raw" and grown > FAT:
        became = "fat"
    shown = " ".join(repr(problem[:300]).split())
    return became, f"{seconds:.3f} s, {grown} MB, {shown}"


if __name__ == "__main__":
    main()
