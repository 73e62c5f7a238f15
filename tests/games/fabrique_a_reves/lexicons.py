"""A tiny lexicon for tests, changed in some place."""

from __future__ import annotations

import pytest

from dreamfactory_env import ComponentsError
from dreamfactory_env.games.fabrique_a_reves.lexicon import Lexicon
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import check_lexicon
from dreamfactory_env.utils.yaml_lines import read_yaml

TINY = """\
format: fabrique-lexicon/1
name: tiny
small: true
words:
  apple: {fr: pomme}
  avocado: {fr: avocat, family: lawyer}
  bitcoin: {fr: bitcoin}
  bread: {fr: pain}
  car: {fr: voiture, also: {en: [automobile], fr: [auto]}}
  coin: {fr: pièce}
  electric car: {fr: voiture électrique, family: [car, electricity]}
  king: {fr: roi}
  lawyer: {fr: avocat}
  loud: {fr: bruyant, also: {en: [noisy], fr: []}}
  string: {fr: corde}
  toaster: {fr: grille-pain, family: bread}
cards: [[string, king], [coin, apple]]
themes:
  - id: electric
    level: 1
    en: Electric night
    fr: Nuit électrique
    about: {en: What needs a plug., fr: Ce qui se branche.}
    dreams: [toaster, electric car, bitcoin]
  - id: food
    level: 0
    en: Night of food
    fr: Nuit gourmande
    about: {en: What one eats., fr: Ce que l'on mange.}
    dreams: [bread, apple, avocado]
free: [car, lawyer, king]
quill: [loud]
scoring:
  2: {2: [1, 2, 3, 5]}
"""


def changed(*changes: tuple[str, str]) -> str:
    """Returns the tiny lexicon with some texts, where each stands first, replaced by others."""
    text = TINY
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def line_of(words: str, text: str = TINY) -> int:
    """Returns the number of the line on which some words stand first."""
    return text[: text.index(words)].count("\n") + 1


def lexicon_of(text: str) -> Lexicon:
    return check_lexicon(read_yaml(text), "mine.yaml")


def problems_of(text: str) -> list[str]:
    """Returns every mistake that is found in a lexicon."""
    with pytest.raises(ComponentsError) as caught:
        lexicon_of(text)
    return caught.value.problems


def assert_reported(old: str, new: str, *problems: str) -> None:
    """Asserts that a change of the tiny lexicon causes just these reports.

    In a problem ``{line}`` is the line that was changed, ``{apple}`` that of the word, and so on.
    """
    lines = {word: line_of(f"  {word}: ") for word in ("apple", "avocado", "lawyer", "toaster")}
    keys = {key: line_of(f"{key}: ") for key in ("format", "cards", "free", "quill")}
    found = problems_of(changed((old, new)))
    assert found == [p.format(line=line_of(old), **lines, **keys) for p in problems]
