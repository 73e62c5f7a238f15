"""A lexicon with its vectors, and the same as numbers for the compiled rules."""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.fabrique_a_reves.associations import association_tables
from dreamfactory_env.games.fabrique_a_reves.lexicon import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    VIAL,
    Lexicon,
)
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import (
    STANDARD,
    load_lexicon,
    standard_lexicon,
)
from dreamfactory_env.games.fabrique_a_reves.state import FREE, NO_WORD, PARAMS
from dreamfactory_env.games.fabrique_a_reves.vectors import (
    load_vectors,
    standard_vectors,
    vectors_file,
)
from dreamfactory_env.utils.configs import ConfigKind, find_config

#: A larger file that a record names is no lexicon, nor its vectors.
MAX_BYTES = 256 << 20


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A checked lexicon, its vectors, and the file that it was read from.

    Two are equal if lexicon and vectors were read from the same bytes.

    Attributes:
        lexicon: The words.
        vectors: Their vectors, int8 (words, 128).
        file: Where the lexicon was read; the vectors lie beside it.
        sha256: A hash of both files.
    """

    lexicon: Lexicon
    vectors: Array
    file: Path
    sha256: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)

    @property
    def standard(self) -> bool:
        """Whether it is the one that comes with the package."""
        return self == standard_vocabulary()

    @cached_property
    def params(self) -> Records:
        """The lexicon as numbers; PARAMS, shape (1,), not to be changed."""
        return _make_params(self.lexicon, self.vectors)

    @cached_property
    def most_points(self) -> int:
        """The most that a vial can score, without fairy dust."""
        return int(_points(self.lexicon).max())


@cache
def standard_vocabulary() -> Vocabulary:
    """Returns the vocabulary that comes with the package."""
    return Vocabulary(standard_lexicon(), standard_vectors(), STANDARD, _hash_of(STANDARD))


def load_vocabulary(path: str | Path) -> Vocabulary:
    """Reads a lexicon, and the vectors that lie beside it.

    Raises:
        ComponentsError: One of the files cannot be read, or has mistakes; all of them are named.
        OptionError: There is no such file.
    """
    file = find_config(path, ConfigKind.COMPONENTS).resolve()
    try:
        sha256 = _hash_of(file)
    except OSError:
        sha256 = ""  # whoever reads the file says why it cannot
    standard = standard_vocabulary()
    return standard if sha256 == standard.sha256 else _load(file, sha256)


def recorded_vocabulary(path: str, sha256: str) -> Vocabulary | None:
    """Reads the lexicon that a record names, None if that is not what lies there.

    A record may be anybody's, and name any file. So nothing is opened but plain files that are not
    too large, and nothing is made of what is in them before it has the hash of the record.
    """
    file = Path(path)
    if not (_is_plain(file) and _is_plain(vectors_file(file))) or _hash_of(file) != sha256:
        return None
    return load_vocabulary(file)


def _is_plain(path: Path) -> bool:
    try:
        found = path.stat()
    except (OSError, ValueError):  # ValueError: what no path can be
        return False
    return stat.S_ISREG(found.st_mode) and 0 < found.st_size <= MAX_BYTES


@lru_cache(maxsize=8)
def _load(file: Path, sha256: str) -> Vocabulary:
    """Reads and checks a lexicon, which takes seconds: once for what is in the files now."""
    lexicon = load_lexicon(file)
    return Vocabulary(lexicon, load_vectors(file, lexicon), file, sha256)


def _hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes() + vectors_file(path).read_bytes()).hexdigest()


# ---------------------------------------------------------------------------- as numbers


def _make_params(lexicon: Lexicon, vectors: Array) -> Records:
    params = np.zeros(1, PARAMS)
    t: Any = params[0]
    tables = association_tables(lexicon, vectors)
    lists = [*(theme.dreams for theme in lexicon.themes), lexicon.free]
    rows = [*range(len(lexicon.themes)), FREE]
    thoughts_of = _thoughts_by_family(lexicon)
    t.dream_words[:] = NO_WORD
    for row, table, dreams in zip(rows, tables, lists, strict=True):
        t.associations[row, : len(lexicon.thoughts)] = table
        t.dream_words[row, : len(dreams)] = [lexicon.rows[dream] for dream in dreams]
        t.sizes[row] = len(dreams)
        for place, dream in enumerate(dreams):
            for family in lexicon.word(dream).families:
                t.forbids[row, thoughts_of.get(family, []), place] = 1
    t.forbids_some[:] = t.forbids.any(axis=2)
    for number, theme in enumerate(lexicon.themes):
        t.levels[theme.level, t.level_sizes[theme.level]] = number
        t.level_sizes[theme.level] += 1
    t.points[:] = _points(lexicon)
    t.cards, t.quill = len(lexicon.cards), len(lexicon.quill)
    params.flags.writeable = False
    return params


def _thoughts_by_family(lexicon: Lexicon) -> dict[str, list[int]]:
    """Returns the numbers of the thoughts of each family."""
    found: dict[str, list[int]] = {}
    for number, thought in enumerate(lexicon.thoughts):
        for family in lexicon.word(thought).families:
            found.setdefault(family, []).append(number)
    return found


def _points(lexicon: Lexicon) -> Array:
    """Returns what a vial scores by players, largest group, and words in it (R18)."""
    points = np.zeros((MAX_PLAYERS + 1, MAX_PLAYERS + 1, VIAL + 1), np.int8)
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        for group in range(2, players + 1):
            for cards in range(VIAL + 1):
                part = max(min(group - 1, cards), 1)
                points[players, group, cards] = 1 + cards if group == players else part
    for score in lexicon.scoring:
        points[score.players, score.group] = score.points
    return points
