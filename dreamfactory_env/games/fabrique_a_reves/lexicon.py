"""The words of the game: what lies on cards, what may be dreamt, and which words are one family.

A lexicon is a YAML file:

    format: fabrique-lexicon/1
    name: mine
    words:                      # each once, by its English name
      bread: {fr: pain}
      toaster: {fr: grille-pain, family: bread}
      electric car: {fr: voiture électrique, family: [car, electricity], also: {en: [EV]}}
    cards: [[string, king], …]  # 200, each with two sides: 400 different words
    themes:                     # 5 of level 0, 20 of level 1, 15 of level 2, 10 of level 3
      - {id: electric, level: 1, en: Electric night, fr: Nuit électrique,
         about: {en: …, fr: …}, dreams: [guitar, …]}
    free: [train, …]            # 128 dreams for the night without a theme
    quill: [loud, …]            # 128 single words for the magic quill, none of them on a card
    small: true                 # if there may be fewer of everything
    scoring: {2: {2: [1, 2, 3, 4]}}  # players, equal answers: points with 0, 1, 2, 3 words (R18)

A word is of its own family and of those that it names. Words of one family forbid each other (R16),
so a word whose name in either language has another word in it, such as *grille-pain* with *pain*,
must share a family with that word. A theme has 64 to 128 dreams, the best-known first: those are
the ones of a night with two themes (R2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

FORMAT = "fabrique-lexicon/1"

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = ("en", "fr")
#: What the languages are called in messages.
IN_WORDS: dict[Language, str] = {"en": "English", "fr": "French"}

CARDS = 200
#: How many themes there are of each level.
THEMES = {0: 5, 1: 20, 2: 15, 3: 10}
#: The fewest and the most dreams of a theme.
FEWEST_DREAMS, MOST_DREAMS = 64, 128
QUILL = 128
MIN_PLAYERS, MAX_PLAYERS = 2, 5
#: The most cards in a vial.
VIAL = 3


@dataclass(frozen=True)
class Bilingual:
    """A text in both languages."""

    en: str
    fr: str


@dataclass(frozen=True)
class Word:
    """A word: all its spellings, in both languages, are one answer (R1).

    Attributes:
        name: What it is called everywhere: its English name.
        french: Its French name.
        families: The families that it is of, its own among them.
        also_english: Other spellings and true synonyms in English.
        also_french: The same in French.
    """

    name: str
    french: str
    families: frozenset[str]
    also_english: tuple[str, ...] = ()
    also_french: tuple[str, ...] = ()

    def called(self, language: Language) -> str:
        """Returns the word's name in a language."""
        return self.name if language == "en" else self.french

    def spellings(self, language: Language) -> tuple[str, ...]:
        """Returns all its spellings in a language, its name first."""
        if language == "en":
            return (self.name, *self.also_english)
        return (self.french, *self.also_french)


@dataclass(frozen=True)
class Theme:
    """A theme of a night, with its dreams by their names, the best-known first."""

    id: str
    level: int
    title: Bilingual
    about: Bilingual
    dreams: tuple[str, ...]


@dataclass(frozen=True)
class Score:
    """Points that a lexicon sets itself (R18).

    Attributes:
        players: How many play.
        group: How many of them dreamt the same.
        points: What that scores with 0, 1, 2 and 3 words in the vial.
    """

    players: int
    group: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class Lexicon:
    """A checked lexicon.

    Attributes:
        name: What it is called in records.
        words: All its words, in the file's order; a word's row is its place here.
        cards: The names on the two sides of each card.
        themes: All themes, in the file's order.
        free: The dreams of a night without a theme.
        quill: What the magic quill can write (R12).
        scoring: Points for player counts that do not score as R18 says; a player count that is here
            has all its groups here.
        small: Whether there may be fewer of everything than the game has.
    """

    name: str
    words: tuple[Word, ...]
    cards: tuple[tuple[str, str], ...]
    themes: tuple[Theme, ...]
    free: tuple[str, ...]
    quill: tuple[str, ...]
    scoring: tuple[Score, ...] = ()
    small: bool = False

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each word, by its name."""
        return {word.name: row for row, word in enumerate(self.words)}

    @cached_property
    def thoughts(self) -> tuple[str, ...]:
        """The thoughts by their numbers (M1): both sides of each card, then the quill's words."""
        return (*(side for card in self.cards for side in card), *self.quill)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the names of all words in their order: vectors for one list fit no other."""
        return hashlib.sha256("\n".join(word.name for word in self.words).encode()).hexdigest()

    def word(self, name: str) -> Word:
        """Returns the word of a name."""
        return self.words[self.rows[name]]

    def one_family(self, first: str, second: str) -> bool:
        """Tells whether two words forbid each other (R16); every word forbids itself."""
        return not self.word(first).families.isdisjoint(self.word(second).families)

    def spelled(self, text: str, language: Language, among: Iterable[str]) -> str | None:
        """Returns the name of the word that somebody wrote.

        Args:
            text: What was written, in capitals or not.
            language: The language in which it was written.
            among: The names that it can be, such as the dreams of a theme; in one list no two
                words have a spelling in common.
        """
        wanted = spelling_key(text)
        for name in among:
            if wanted in map(spelling_key, self.word(name).spellings(language)):
                return name
        return None


def spelling_key(text: str) -> str:
    """Returns what spellings have in common that are the same but for capitals and blanks."""
    return " ".join(text.casefold().split())
