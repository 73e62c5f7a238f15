"""Words in words: which words must be of one family since one has the other in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

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
        spelled = [(word, text) for word in words for text in word.spellings(language) if text]
        by_parts: dict[tuple[str, ...], list[tuple[int, Word]]] = defaultdict(list)
        for place, (word, text) in enumerate(spelled):
            by_parts[parts_of(text)].append((place, word))
        for place, (word, text) in enumerate(spelled):
            parts = parts_of(text)
            for run in _runs(parts):
                for other_place, other in by_parts.get(run, ()):
                    blamed = run != parts or place > other_place
                    if blamed and word.families.isdisjoint(other.families):
                        within = f"{text!r} has {' '.join(run)!r} in it ({IN_WORDS[language]})"
                        problem = f"{within}, so it needs a family of {other.name!r} (R16)"
                        yield Forgotten(word.name, problem)


def _runs(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yields all parts in a row, the whole among them."""
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield parts[start:end]
