"""What a lexicon must say: every section read, every mistake reported."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from dreamfactory_env.games.fabrique_a_reves.compounds import forgotten_families
from dreamfactory_env.games.fabrique_a_reves.lexicon import (
    CARDS,
    FEWEST_DREAMS,
    FORMAT,
    IN_WORDS,
    LANGUAGES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOST_DREAMS,
    QUILL,
    THEMES,
    VIAL,
    Bilingual,
    Lexicon,
    Score,
    Theme,
    Word,
    spelling_key,
)
from dreamfactory_env.utils.checking import MISSING, WRONG, WRONG_WORD, Checker
from dreamfactory_env.utils.validation import did_you_mean, shown
from dreamfactory_env.utils.yaml_lines import Document
from dreamfactory_env.utils.yaml_lines import Path as Key

SECTIONS = ["format", "name", "small", "words", "cards", "themes", "free", "quill", "scoring"]
#: More points than any vial is worth.
MOST_POINTS = 20
#: For so many unknown words the nearest one is sought, which takes a moment each.
MOST_HINTS = 100

#: Names, each with the place where it stands.
Placed = list[tuple[Key, str]]


class LexiconChecker(Checker):
    """Reads a document section by section and reports every mistake to it."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.words: dict[str, Word] = {}
        self.used: set[str] = set()
        self.hints = 0
        self.small = False

    def lexicon(self) -> Lexicon:
        """Returns the lexicon, whole only if nothing was reported."""
        data = self.mapping(self.data, (), SECTIONS, optional=("small", "scoring"))
        self.one_of(data["format"], [FORMAT], ("format",))
        if isinstance(data["small"], bool):
            self.small = data["small"]
        elif data["small"] is not MISSING:
            self.report(("small",), f"must be true or false, not {shown(data['small'])}")
        name = self.text(data["name"], ("name",))
        self.read_words(data["words"])
        lexicon = Lexicon(
            name=name,
            words=tuple(self.words.values()),
            cards=self.cards(data["cards"]),
            themes=self.themes(data["themes"]),
            free=self.list_of(data["free"], ("free",), "dreams", (MOST_DREAMS, MOST_DREAMS)),
            quill=self.list_of(data["quill"], ("quill",), "words", (QUILL, QUILL)),
            scoring=self.scoring(data["scoring"]),
            small=self.small,
        )
        self.check_quill(lexicon)
        if all(isinstance(data[section], list) for section in ("cards", "themes", "free", "quill")):
            for word in self.words:
                if word not in self.used:
                    self.report(("words", word), "is on no card and in no list")
        return lexicon

    # ------------------------------------------------------------------ words

    def read_words(self, data: Any) -> None:
        """Reads all words; those whose names are wrong are left out."""
        folded: dict[str, str] = {}
        for name, item in self.any_mapping(data, ("words",)).items():
            key = ("words", str(name))
            if not isinstance(name, str):
                self.report(key, f"a word must be a text, not {shown(name)}; put it in quotes")
                continue
            entry = self.mapping(item, key, ["fr", "family", "also"], optional=("family", "also"))
            french = self.spelling(entry["fr"], (*key, "fr"))
            also = self.also(entry["also"], (*key, "also"), name, french)
            families = self.families(entry["family"], (*key, "family"))
            if self.spelling(name, key) == WRONG_WORD:
                continue
            first = folded.setdefault(spelling_key(name), name)
            if first != name:
                self.report(key, f"is the same word as {first!r}")
            word = Word(name, french, frozenset({name, *families}), also["en"], also["fr"])
            self.words[name] = word
        for forgotten in forgotten_families(list(self.words.values())):
            self.report(("words", forgotten.word), forgotten.problem)

    def spelling(self, data: Any, key: Key) -> str:
        """Returns a name or another spelling."""
        text = self.text(data, key)
        if "/" in text:
            self.report(key, f"{text!r} has a '/', which stands between the sides of a card")
        elif spelling_key(text) == "none":
            self.report(key, f"{text!r} stands for no dream at all (R15)")
        else:
            return text
        return WRONG_WORD

    def families(self, data: Any, key: Key) -> list[str]:
        """Returns the families that a word names: one, or a list."""
        if isinstance(data, str):
            return [self.text(data, key)]
        found = []
        for index, item in enumerate(self.sequence(data, key)):
            family = self.text(item, (*key, index))
            if family in found:
                self.report((*key, index), f"{family!r} stands twice")
            found.append(family)
        return found

    def also(self, data: Any, key: Key, name: str, french: str) -> dict[str, tuple[str, ...]]:
        """Returns the other spellings of a word in each language."""
        found: dict[str, tuple[str, ...]] = {}
        entry = self.mapping(data, key, [*LANGUAGES], optional=LANGUAGES)
        for language, called in zip(LANGUAGES, (name, french), strict=True):
            spellings: list[str] = []
            known = {spelling_key(called)}
            items = MISSING if entry[language] == [] else entry[language]
            for index, item in enumerate(self.sequence(items, (*key, language))):
                where = (*key, language, index)
                spelling = self.spelling(item, where)
                if spelling and spelling_key(spelling) in known:
                    self.report(where, f"{spelling!r} is a spelling of this word already")
                known.add(spelling_key(spelling))
                spellings.append(spelling)
            found[language] = tuple(spellings)
        return found

    # ------------------------------------------------------------------ lists

    def cards(self, data: Any) -> tuple[tuple[str, str], ...]:
        """Returns the two sides of each card."""
        found = []
        sides: Placed = []
        items = self.sequence(data, ("cards",))
        for index, item in enumerate(items):
            key = ("cards", index)
            if not isinstance(item, list) or len(item) != 2:
                self.report(key, f"a card has two sides, [word, word], not {shown(item)}")
                continue
            names = [self.known(side, (*key, number)) for number, side in enumerate(item)]
            sides += [((*key, number), name) for number, name in enumerate(names)]
            found.append((names[0], names[1]))
        self.check_count(len(items), (CARDS, CARDS), ("cards",), "cards")
        self.all_different(sides)
        return tuple(found)

    def themes(self, data: Any) -> tuple[Theme, ...]:
        """Returns the themes in the order of the file."""
        found = []
        for index, item in enumerate(self.sequence(data, ("themes",))):
            key = ("themes", index)
            entry = self.mapping(item, key, ["id", "level", *LANGUAGES, "about", "dreams"])
            name = self.text(entry["id"], (*key, "id"))
            if name and not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                problem = "must be of small letters, digits and '_', and begin with a letter"
                self.report((*key, "id"), f"{problem}, not {name!r}")
            level = self.number(entry["level"], 0, max(THEMES), (*key, "level"), "level")
            about = self.mapping(entry["about"], (*key, "about"), [*LANGUAGES])
            dreams = (*key, "dreams")
            theme = Theme(
                name,
                level,
                self.bilingual(entry, key),
                self.bilingual(about, (*key, "about")),
                self.list_of(entry["dreams"], dreams, "dreams", (FEWEST_DREAMS, MOST_DREAMS)),
            )
            found.append(theme)
        self.check_levels([theme.level for theme in found])
        self.no_twins([theme.id for theme in found], "id")
        self.no_twins([spelling_key(theme.title.en) for theme in found], "en")
        self.no_twins([spelling_key(theme.title.fr) for theme in found], "fr")
        return tuple(found)

    def bilingual(self, entry: dict[str, Any], key: Key) -> Bilingual:
        """Returns a text in both languages."""
        english, french = (self.text(entry[language], (*key, language)) for language in LANGUAGES)
        return Bilingual(english, french)

    def check_levels(self, levels: list[int]) -> None:
        """Reports levels with too few or too many themes, if it is known which themes they have."""
        if not levels or WRONG in levels:
            return
        counts = Counter(levels)
        for level, count in THEMES.items():
            if counts[level] > count or (counts[level] < count and not self.small):
                found = _counted(counts[level], "themes")
                problem = f"{found} of level {level}; there must be {count}"
                self.report(("themes",), problem + (" at most" if self.small else ""))

    def list_of(self, data: Any, key: Key, what: str, sizes: tuple[int, int]) -> tuple[str, ...]:
        """Returns a list of words that are all different."""
        items = self.sequence(data, key)
        found = [
            ((*key, index), self.known(item, (*key, index))) for index, item in enumerate(items)
        ]
        self.check_count(len(items), sizes, key, what)
        self.all_different(found)
        return tuple(name for _, name in found)

    def known(self, data: Any, key: Key) -> str:
        """Returns a word that is one of the lexicon's."""
        name = self.text(data, key)
        if name in self.words:
            self.used.add(name)
            return name
        if name and self.words:
            self.hints += 1
            hint = did_you_mean(name, self.words) if self.hints <= MOST_HINTS else ""
            self.report(key, f"{name!r} is none of the words{hint}")
        return WRONG_WORD

    def check_count(self, count: int, sizes: tuple[int, int], key: Key, what: str) -> None:
        """Reports a list that is too short or too long."""
        low, high = (1 if self.small else sizes[0]), sizes[1]
        if count and not low <= count <= high:
            must = f"{high}" if low == high else f"{low} to {high}"
            self.report(key, f"{_counted(count, what)}; there must be {must}")

    def all_different(self, names: Placed) -> None:
        """Reports words of one list that stand twice, or have a spelling in common (R1)."""
        places: dict[str, Key] = {}
        spellings: dict[tuple[str, str], str] = {}
        for key, name in names:
            if name == WRONG_WORD:
                continue
            if name in places:
                self.report(key, f"{name!r} stands twice in this list")
                continue
            places[name] = key
            shared = set()
            for language in LANGUAGES:
                for spelling in filter(None, self.words[name].spellings(language)):
                    other = spellings.setdefault((language, spelling_key(spelling)), name)
                    if other != name and (other, spelling) not in shared:
                        shared.add((other, spelling))
                        clash = f"{spelling!r} in {IN_WORDS[language]}, as {other!r} is"
                        self.report(key, f"{name!r} is {clash}, which is in this list, too")

    def no_twins(self, words: list[str], field: str) -> None:
        """Reports themes that have something in common that they must not."""
        for word, count in Counter(words).items():
            if count > 1 and word != WRONG_WORD:
                last = len(words) - 1 - words[::-1].index(word)
                self.report(("themes", last, field), f"{word!r} stands {count} times")

    def check_quill(self, lexicon: Lexicon) -> None:
        """Reports words of the quill that are not single, or that are on a card (R12)."""
        cards = {side: number for number, card in enumerate(lexicon.cards) for side in card}
        for index, name in enumerate(lexicon.quill):
            if name == WRONG_WORD:
                continue
            for language in LANGUAGES:
                called = self.words[name].called(language)
                if " " in called:
                    self.report(("quill", index), f"{called!r} is not a single word (R12)")
            if name in cards:
                self.report(("quill", index), f"{name!r} is on cards[{cards[name]}] (R12)")

    # ------------------------------------------------------------------ scoring

    def scoring(self, data: Any) -> tuple[Score, ...]:
        """Returns points that are not those of R18."""
        found = []
        for number, groups in self.any_mapping(data, ("scoring",)).items():
            key: Key = ("scoring", str(number))
            players = self.number(number, MIN_PLAYERS, MAX_PLAYERS, key, "players (R18)")
            seen = set()
            for size, items in self.any_mapping(groups, key).items():
                where: Key = (*key, str(size))
                most = MAX_PLAYERS if players == WRONG else players
                group = self.number(size, 2, most, where, "equal answers (R18)")
                seen.add(group)
                found.append(Score(players, group, self.points(items, where)))
            if isinstance(groups, dict) and groups and WRONG not in (players, *seen):
                for group in range(2, players + 1):
                    if group not in seen:
                        self.report(key, f"{group} equal answers are missing (R18)")
        return tuple(found)

    def points(self, data: Any, key: Key) -> tuple[int, ...]:
        """Returns the points by the number of words in the vial."""
        items = self.sequence(data, key)
        if items and len(items) != VIAL + 1:
            problem = f"must be the points with 0, 1, 2 and 3 words, not {shown(data)}"
            self.report(key, f"{problem} (R18)")
        return tuple(
            self.number(item, 0, MOST_POINTS, (*key, index), "points (R18)")
            for index, item in enumerate(items)
        )


def _counted(count: int, what: str) -> str:
    """Returns a number of things, of which there may be one."""
    return f"{count} {what.removesuffix('s') if count == 1 else what}"
