"""What a component file must say: every section read, every mistake reported."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dreamfactory_env.games.faux_raccords.components import (
    HAZARD_KINDS,
    MEMBERS,
    OTHER_SYMBOLS,
    Components,
    HazardCard,
    RushCard,
)
from dreamfactory_env.games.faux_raccords.state import CARD_WORDS, HAZARDS, MOODS, SYMBOLS
from dreamfactory_env.utils.validation import did_you_mean
from dreamfactory_env.utils.yaml_lines import Document
from dreamfactory_env.utils.yaml_lines import Path as Key

SECTIONS = ["source", "symbols", "moods", "members", "cards", "hazards", "genres"]
#: So many cards show each symbol (F1).
CARDS_OF_A_SYMBOL = len(CARD_WORDS) // SYMBOLS

#: Stands for what a file does not say; that has been reported, or it may be absent.
MISSING: Any = object()
#: Stands for a text that is wrong and has been reported, so that nothing is built on it.
WRONG_WORD = ""


class ComponentChecker:
    """Reads a document section by section and reports every mistake to it."""

    def __init__(self, document: Document) -> None:
        self.report = document.report
        self.data = document.data
        self.symbols: list[str] = []  # empty if they are wrong, so that cards are not blamed
        self.moods: list[str] = []

    def components(self) -> Components:
        """Returns the components, whole only if nothing was reported."""
        data = self.mapping(self.data, (), SECTIONS, optional=("source", "genres"))
        source = data["source"]
        self.read_symbols(data["symbols"])
        self.read_moods(data["moods"])
        self.read_members(data["members"])
        return Components(
            source="" if source == "" else self.text(source, ("source",)),
            moods=tuple(self.moods),
            cards=self.cards(data["cards"]),
            hazards=self.hazards(data["hazards"]),
            genres=self.genres(data["genres"]),
        )

    # ------------------------------------------------------------------ sections

    def read_symbols(self, data: Any) -> None:
        """Reads the eight symbols (F1)."""
        found = self.names(data, "symbols")
        for symbol in OTHER_SYMBOLS:
            if found and symbol not in found and WRONG_WORD not in found:
                self.report(("symbols",), f"{symbol!r} is missing (F1)")
        if self.has_count(found, SYMBOLS, "symbols", "symbols (F1)"):
            self.symbols = found

    def read_moods(self, data: Any) -> None:
        """Reads the six moods, which are the symbols but neutral and joker (F1)."""
        found = self.names(data, "moods")
        for index, mood in enumerate(found):
            if mood in OTHER_SYMBOLS:
                self.report(("moods", index), f"{mood!r} is no mood (F1)")
            elif self.symbols and mood != WRONG_WORD and mood not in self.symbols:
                hint = did_you_mean(mood, self.symbols)
                self.report(("moods", index), f"{mood!r} is none of the symbols{hint}")
        if self.has_count(found, MOODS, "moods", "moods (F1)"):
            self.moods = found

    def read_members(self, data: Any) -> None:
        """Reads the members, which the rules know by these names (F16)."""
        found = self.names(data, "members")
        for index, member in enumerate(found):
            if member != WRONG_WORD and member not in MEMBERS:
                self.one_of(member, MEMBERS, ("members", index))
        for member in MEMBERS:
            if found and member not in found and WRONG_WORD not in found:
                self.report(("members",), f"{member!r} is missing (F16)")

    def cards(self, data: Any) -> tuple[RushCard, ...]:
        """Returns the cards, in the order of their numbers (F1)."""
        found: dict[str, RushCard] = {}
        lines: dict[str, int] = {}
        whole = True
        for index, item in enumerate(self.sequence(data, ("cards",))):
            key = ("cards", index)
            if not isinstance(item, list) or len(item) != 3:
                self.report(key, f"must be [value, symbol, member], not {_shown(item)}")
                whole = False
                continue
            name = self.card_name(item[0], (*key, 0))
            symbol = self.one_of(item[1], self.symbols, (*key, 1))
            member = self.one_of(item[2], MEMBERS, (*key, 2))
            whole = whole and WRONG_WORD not in (name, symbol, member)
            if name in found:
                self.report(key, f"the card {name} stands twice, first as cards[{lines[name]}]")
            elif name != WRONG_WORD:
                found[name], lines[name] = RushCard(name, symbol, member), index
        missing = [name for name in CARD_WORDS if name not in found]
        if missing and whole and data is not MISSING:
            self.report(("cards",), f"missing: {', '.join(missing)} (F1)")
        elif whole and self.symbols:
            self.check_symbols_of(list(found.values()))
        return tuple(found[name] for name in CARD_WORDS if name in found)

    def check_symbols_of(self, cards: list[RushCard]) -> None:
        """Reports symbols that are not on four cards (F1)."""
        counts = Counter(card.symbol for card in cards)
        for symbol in self.symbols:
            if cards and counts[symbol] != CARDS_OF_A_SYMBOL:
                problem = f"{counts[symbol]} cards show {symbol}; must be {CARDS_OF_A_SYMBOL} (F1)"
                self.report(("cards",), problem)

    def card_name(self, data: Any, key: Key) -> str:
        """Returns the name of a card: a value, the second of a value marked ``b``."""
        name = str(data) if isinstance(data, int) and not isinstance(data, bool) else data
        if isinstance(name, str) and name in CARD_WORDS:
            return name
        doubled = [word for word in CARD_WORDS if word.endswith("b")]
        problem = f"must be a value from 1 to 28, or one of {', '.join(doubled)}"
        self.report(key, f"{problem}, not {_shown(data)} (F1)")
        return WRONG_WORD

    def hazards(self, data: Any) -> tuple[HazardCard, ...]:
        """Returns the ten hazards (F1, F19)."""
        found = []
        for index, item in enumerate(self.sequence(data, ("hazards",))):
            key = ("hazards", index)
            entry = self.mapping(item, key, ["name", "kind", "effect"], optional=("kind", "effect"))
            name = self.text(entry["name"], (*key, "name"))
            kind = name
            if entry["kind"] is not MISSING:
                kind = self.one_of(entry["kind"], HAZARD_KINDS, (*key, "kind"))
            elif name != WRONG_WORD and name not in HAZARD_KINDS:
                hint = did_you_mean(name, HAZARD_KINDS)
                problem = f"{name!r} is none of the hazards that the rules know{hint}"
                known = ", ".join(HAZARD_KINDS)
                self.report((*key, "name"), f"{problem}; give it a `kind`, one of {known} (F19)")
            effect = entry["effect"]
            text = "" if effect in ("", MISSING) else self.text(effect, (*key, "effect"))
            found.append(HazardCard(name, kind, text))
        self.has_count(found, HAZARDS, "hazards", "hazards (F1)")
        for name, count in Counter(hazard.name for hazard in found).items():
            if count > 1 and name != WRONG_WORD:
                last = max(index for index, hazard in enumerate(found) if hazard.name == name)
                self.report(("hazards", last, "name"), f"{name!r} stands {count} times")
        return tuple(found)

    def genres(self, data: Any) -> tuple[tuple[str, str, str], ...]:
        """Returns what pairs of moods are called; all may be left out."""
        found: dict[frozenset[str], tuple[str, str, str]] = {}
        if data is MISSING or data == {}:
            return ()
        for pair, name in self.any_mapping(data, ("genres",)).items():
            key = ("genres", str(pair))
            text = self.text(name, key)
            moods = str(pair).split("+")
            if len(set(moods)) != 2 or len(moods) != 2:
                self.report(key, "must be two moods such as love+drama")
            elif self.moods and not set(moods) <= set(self.moods):
                wrong = next(mood for mood in moods if mood not in self.moods)
                hint = did_you_mean(wrong, self.moods)
                self.report(key, f"{wrong!r} is none of the moods{hint}")
            elif frozenset(moods) in found:
                self.report(key, "the same two moods stand there before")
            else:
                found[frozenset(moods)] = (moods[0], moods[1], text)
        return tuple(found.values())

    # ------------------------------------------------------------------ values

    # Each returns a stand-in for what is MISSING without a word, for what is wrong with a report.

    def names(self, data: Any, section: str) -> list[str]:
        """Returns a list of different names."""
        found = []
        for index, item in enumerate(self.sequence(data, (section,))):
            name = self.text(item, (section, index))
            if "+" in name:
                self.report((section, index), f"{name!r} has a '+', which joins two moods")
                name = WRONG_WORD
            if name in found and name != WRONG_WORD:
                self.report((section, index), f"{name!r} stands twice")
            found.append(name)
        return found

    def has_count(self, found: list[Any], count: int, section: str, what: str) -> bool:
        """Reports a list that has too few or too many; tells whether it has the right number."""
        if found and len(found) != count:
            self.report((section,), f"{len(found)} {what}; there must be {count}")
        return len(set(found)) == len(found) == count

    def any_mapping(self, data: Any, key: Key) -> dict[Any, Any]:
        """Returns a mapping with any keys."""
        if isinstance(data, dict) and data:
            return data
        if data is not MISSING:
            self.report(key, f"must be a mapping with something in it, not {_shown(data)}")
        return {}

    def mapping(
        self, data: Any, key: Key, known: list[str], optional: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Returns the value of every known key, MISSING where there is none."""
        entries = self.any_mapping(data, key)
        for name in entries:
            if name not in known:
                hint = did_you_mean(str(name), known)
                problem = f"unknown key {_shown(name)}; known are {', '.join(known)}{hint}"
                self.report((*key, str(name)), problem)
        for name in known:
            if entries and name not in entries and name not in optional:
                self.report(key, f"{name!r} is missing")
        return {name: entries.get(name, MISSING) for name in known}

    def sequence(self, data: Any, key: Key) -> list[Any]:
        """Returns a list."""
        if isinstance(data, list) and data:
            return data
        if data is not MISSING:
            self.report(key, f"must be a list with something in it, not {_shown(data)}")
        return []

    def text(self, data: Any, key: Key) -> str:
        """Returns a text that is not empty."""
        plain = isinstance(data, str) and data == " ".join(data.split()) and data.isprintable()
        if plain and data:
            return str(data)
        if data is not MISSING:
            problem = f"must be one line of text without blanks around it, not {_shown(data)}"
            self.report(key, problem)
        return WRONG_WORD

    def one_of(self, data: Any, known: list[str], key: Key) -> str:
        """Returns one of the words that are known; any, if none is."""
        if isinstance(data, str) and (data in known or not known):
            return data
        hint = did_you_mean(data, known) if isinstance(data, str) else ""
        self.report(key, f"must be one of {', '.join(known)}, not {_shown(data)}{hint}")
        return WRONG_WORD


def _shown(value: object) -> str:
    """Returns a wrong value as an error shows it, cut if it is long."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, endless nesting
        return f"such a {type(value).__name__}"
    return shown if len(shown) <= 100 else f"{shown[:97]}..."
