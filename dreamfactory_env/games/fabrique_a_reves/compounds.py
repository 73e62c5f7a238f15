"""Words in words: which words must be of one family since one has the other in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from dreamfactory_env.games.fabrique_a_reves.lexicon import IN_WORDS, LANGUAGES, Word

#: Between the parts of a compound: blanks, hyphens and apostrophes, straight or not.
BETWEEN = re.compile(r"[\s\-‐'’]+")


@dataclass(frozen=True)
class Forgotten:
    """A word that should be of another's family and is not."""

    word: str
    problem: str


def parts_of(spelling: str) -> tuple[str, ...]:
    """Returns the parts of a spelling: *arc-en-ciel* has *arc*, *en* and *ciel*."""
    return tuple(filter(None, BETWEEN.split(spelling.casefold())))


def forgotten_families(words: list[Word]) -> Iterator[Forgotten]:
    """Yields the words in which another stands as a whole word, with no family in common.

    It holds in each language and for all spellings. Spellings that are the same count, too:
    *avocat* is an avocado and a lawyer; the later of the two is blamed.
    """
    for language in LANGUAGES:
        by_parts: dict[tuple[str, ...], list[Word]] = defaultdict(list)
        for word in words:
            for spelling in filter(None, word.spellings(language)):
                by_parts[parts_of(spelling)].append(word)
        for parts, holders in by_parts.items():
            for run in _runs(parts):
                for word, other in product(holders, by_parts.get(run, ())):
                    later = run != parts or holders.index(word) > holders.index(other)
                    if later and word.families.isdisjoint(other.families):
                        within = f"{' '.join(parts)!r} has {' '.join(run)!r} in it"
                        needs = f"so it needs a family of {other.name!r}"
                        yield Forgotten(
                            word.name, f"{within} ({IN_WORDS[language]}), {needs} (R16)"
                        )


def _runs(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yields all parts in a row, the whole among them."""
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield parts[start:end]
