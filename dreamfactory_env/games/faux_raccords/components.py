"""The cards, moods and hazards, and the same as numbers for the compiled rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.faux_raccords.state import (
    CARD_WORDS,
    PARAMS,
    Hazard,
    Member,
    Memory,
    Mode,
)

MEMBERS = [member.name.lower() for member in Member]
#: What a hazard can do, in the words of the rules (F19).
HAZARD_KINDS = [
    "power cut",
    "lost reel",
    "ego clash",
    "reshoot",
    "budget cut",
    "walk-out",
    "wrong hands",
    "censored",
    "spilled coffee",
    "early deadline",
]
#: The symbols that are no moods.
OTHER_SYMBOLS = ("neutral", "joker")


@dataclass(frozen=True)
class RushCard:
    """A Rush card: its name, the symbol and the member that it shows."""

    name: str
    symbol: str
    member: str


@dataclass(frozen=True)
class HazardCard:
    """A hazard: its name, what it does (one of HAZARD_KINDS), and that in words, for show."""

    name: str
    kind: str
    effect: str = field(compare=False)


@dataclass(frozen=True)
class Components:
    """A checked set of components. Two are equal if they make the same game.

    Attributes:
        source: Where the facts come from, in the file's words.
        moods: The six moods; with ``neutral`` and ``joker`` they are the symbols of the cards.
        cards: All cards, in the order of their numbers.
        hazards: All hazards, in the file's order.
        genres: What a pair of moods is called, in the order of the moods; for show only.
    """

    source: str = field(compare=False)
    moods: tuple[str, ...]
    cards: tuple[RushCard, ...]
    hazards: tuple[HazardCard, ...]
    genres: tuple[tuple[str, str, str], ...] = field(compare=False)

    @property
    def symbols(self) -> tuple[str, ...]:
        """All symbols, in the order of their numbers."""
        return (*self.moods, *OTHER_SYMBOLS)

    def genre_of(self, one: str, other: str) -> str | None:
        """Returns what a pair of moods is called, None if the file does not say."""
        for first, second, name in self.genres:
            if {first, second} == {one, other}:
                return name
        return None

    def as_data(self) -> dict[str, Any]:
        """Returns what a component file with these components says."""
        return {
            "source": self.source,
            "symbols": list(self.symbols),
            "moods": list(self.moods),
            "members": list(MEMBERS),
            "cards": [[card.name, card.symbol, card.member] for card in self.cards],
            "hazards": [dict(vars(hazard)) for hazard in self.hazards],
            "genres": {f"{one}+{other}": name for one, other, name in self.genres},
        }


@cache
def make_params(components: Components, mode: Mode, memory: Memory) -> Records:
    """Returns options and components as numbers; PARAMS, shape (1,), not to be changed."""
    params = np.zeros(1, PARAMS)
    t: Any = params[0]
    t.mode, t.memory = mode, memory
    assert [card.name for card in components.cards] == CARD_WORDS
    t.symbol[:] = [components.symbols.index(card.symbol) for card in components.cards]
    t.member[:] = [Member[card.member.upper()] for card in components.cards]
    t.hazard[:] = [Hazard(HAZARD_KINDS.index(hazard.kind)) for hazard in components.hazards]
    params.flags.writeable = False
    return params
