"""The words of La Fabrique à rêves for the referee: the lexicon, and what minds make of it.

R1, R2, R12, R16 and M1 to M4. The two files of a lexicon are read here from scratch.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from functools import cache
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

import yaml

import dreamfactory_env

#: The lexicon that comes with the package.
STANDARD = Path(dreamfactory_env.__file__).parent / "games" / "fabrique_a_reves" / "lexicon.yaml"
FRIDAY_DREAMS = 64  # R2
FREE = "free"  # what counts as the theme of a night without one (M1)
MOST_DREAMS = 128  # M2
WORD_BITS = 2**64

#: The numbers of a word's vector; also the associations of a thought.
Vector = tuple[int, ...]


class Theme(NamedTuple):
    """A theme of a night."""

    level: int
    dreams: tuple[str, ...]  # the best-known first


class Box(NamedTuple):
    """Everything that is printed, and the vectors of its words."""

    name: str
    families: dict[str, frozenset[str]]  # of every word (R1)
    cards: tuple[tuple[str, str], ...]
    themes: dict[str, Theme]  # by their ids
    free: tuple[str, ...]
    quill: tuple[str, ...]
    scoring: dict[int, dict[int, list[int]]]  # where it is not that of R18
    vectors: dict[str, Vector]

    def one_family(self, word: str, other: str) -> bool:
        """Says whether two words are of one family (R1)."""
        return bool(self.families[word] & self.families[other])

    def thoughts(self) -> list[str]:
        """Returns all thoughts by their numbers (M1)."""
        return [*(side for card in self.cards for side in card), *self.quill]


class Dream(NamedTuple):
    """A dream of a game's list, and where its associations come from."""

    word: str
    theme: str  # an id, or FREE
    place: int  # among the dreams of that theme


def game_dreams(box: Box, themes: list[str]) -> list[Dream]:
    """Returns the list of dreams of a game, in its order (R2)."""
    if not themes:
        return [Dream(word, FREE, place) for place, word in enumerate(box.free)]
    most = FRIDAY_DREAMS if len(themes) == 2 else MOST_DREAMS
    found: list[Dream] = []
    for theme in themes:
        known = {dream.word for dream in found}
        words = box.themes[theme].dreams[:most]
        found += [Dream(w, theme, place) for place, w in enumerate(words) if w not in known]
    return found


# ---------------------------------------------------------------------------- files


def read_box(document: dict[str, Any], vectors: dict[str, Vector]) -> Box:
    """Returns what the document of a lexicon says, which other tests have checked."""
    families = {}
    for word, entry in document["words"].items():
        named = entry.get("family", [])
        families[word] = frozenset([word, *([named] if isinstance(named, str) else named)])
    return Box(
        name=document["name"],
        families=families,
        cards=tuple((one, other) for one, other in document["cards"]),
        themes={
            each["id"]: Theme(each["level"], tuple(each["dreams"])) for each in document["themes"]
        },
        free=tuple(document["free"]),
        quill=tuple(document["quill"]),
        scoring=document.get("scoring", {}),
        vectors=vectors,
    )


def read_vectors(path: Path, words: Iterable[str]) -> dict[str, Vector]:
    """Reads a safetensors file whose only tensor has a row of int8 for each word, in their order.

    Such a file is the length of its header in eight bytes, the header in JSON, and the numbers.
    """
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    (about,) = (v for k, v in json.loads(data[8:start]).items() if k != "__metadata__")
    rows, axes = about["shape"]
    assert about["dtype"] == "I8"
    numbers = array("b", data[start:])
    assert len(numbers) == rows * axes
    found = {w: tuple(numbers[axes * row : axes * (row + 1)]) for row, w in enumerate(words)}
    assert len(found) == rows
    return found


@cache
def standard_box() -> Box:
    """Returns the box with the lexicon that comes with the package."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is not always there
    document = yaml.load(STANDARD.read_text("utf-8"), loader)
    return read_box(document, read_vectors(STANDARD.with_suffix(".safetensors"), document["words"]))


# ---------------------------------------------------------------------------- minds


def dot(a: Vector, b: Vector) -> int:
    """Returns the product of two vectors."""
    return sum(map(mul, a, b))


def theme_associations(thoughts: list[Vector], dreams: list[Vector]) -> list[Vector]:
    """Returns the associations of a theme, a row for each thought (M1).

    The sums over all products of the formula are products of sums.
    """
    all_thoughts = tuple(map(sum, zip(*thoughts, strict=True)))
    all_dreams = tuple(map(sum, zip(*dreams, strict=True)))
    n, m = len(thoughts), len(dreams)
    from_dream = [m * dot(all_thoughts, i) for i in dreams]
    everything = dot(all_thoughts, all_dreams)
    c = []
    for t in thoughts:
        rest = everything - n * dot(t, all_dreams)
        c.append([n * m * dot(t, i) + rest - s for i, s in zip(dreams, from_dream, strict=True)])
    z = sum(abs(each) for row in c for each in row) // (n * m)
    return [tuple((48 * each + z) // (2 * z) if z else 0 for each in row) for row in c]


class Meanings:
    """What the words of a box mean: associations, made for a theme when it is first asked for."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.numbers = {word: number for number, word in enumerate(box.thoughts())}
        self._tables: dict[str, list[Vector]] = {}

    def table(self, theme: str) -> list[Vector]:
        """Returns the associations of a theme, by the number of the thought and the place (M1)."""
        if theme not in self._tables:
            dreams = self.box.free if theme == FREE else self.box.themes[theme].dreams
            self._tables[theme] = theme_associations(
                [self.box.vectors[word] for word in self.box.thoughts()],
                [self.box.vectors[word] for word in dreams],
            )
        return self._tables[theme]

    def sums(self, mind: int, noise: int, dreams: list[Dream], words: list[str]) -> list[int]:
        """Returns a mind's associations with each dream of a list, summed over words (M2, M4)."""
        found = [0] * len(dreams)
        for word in words:
            t = self.numbers[word]
            rows = {theme: self.table(theme)[t] for theme in {dream.theme for dream in dreams}}
            for i, dream in enumerate(dreams):
                found[i] += rows[dream.theme][dream.place] + mind_adds(mind, t, i, noise)
        return found

    def order(self, mind: int, noise: int, dreams: list[Dream], words: list[str]) -> list[str]:
        """Returns the dreams of a list from the closest to words on (M4)."""
        sums = self.sums(mind, noise, dreams, words)
        places = sorted(range(len(dreams)), key=lambda i: (-sums[i], i))
        return [dreams[i].word for i in places]


@cache
def standard_meanings() -> Meanings:
    """Returns what the words of the package's lexicon mean."""
    return Meanings(standard_box())


def splitmix64(seed: int, counter: int) -> int:
    """Returns number ``counter``, from 0, of the splitmix64 stream of a seed."""
    z = (seed + (counter + 1) * 0x9E3779B97F4A7C15) % WORD_BITS
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD_BITS
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD_BITS
    return z ^ z >> 31


def mind_adds(mind: int, thought: int, place: int, noise: int) -> int:
    """Returns what a mind adds to the association of a thought with a dream (M2)."""
    if not noise:
        return 0
    b = sum(splitmix64(mind, MOST_DREAMS * thought + place).to_bytes(8, "little"))
    return (b - 1020) * noise // 209
