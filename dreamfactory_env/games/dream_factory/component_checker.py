"""What a component file must say: every section read, every mistake reported."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from dreamfactory_env.games.dream_factory.components import (
    GENRES,
    ROUNDS,
    SPACE_KINDS,
    TILE_KINDS,
    Components,
    Location,
    Screenplay,
    Variant,
)
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    MAX_DECK,
    MAX_HAND,
    MAX_MONEY,
    MAX_PLAYERS,
    MAX_STARS,
    MAX_TOKENS,
    MIN_STARS,
    PILE,
    SCREENPLAYS,
)
from dreamfactory_env.utils.checking import MISSING, WRONG, WRONG_WORD, Checker
from dreamfactory_env.utils.validation import shown
from dreamfactory_env.utils.yaml_lines import Document
from dreamfactory_env.utils.yaml_lines import Path as Key

SECTIONS = ["source", "variant", "locations", "tiles", "tokens", "screenplays"]
BOARD = {"hollywood": 1, "city": 5, "party": 2}
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


class ComponentChecker(Checker):
    """Reads a document section by section and reports every mistake to it."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.need = 0  # tiles that most players draw in a game, as far as the board is right
        self.has_hollywood = True  # as far as the board is right
        self.variant: Variant | None = None
        self.players, self.rounds = MAX_PLAYERS, ROUNDS

    def components(self) -> Components:
        """Returns the components, whole only if nothing was reported."""
        data = self.mapping(self.data, (), SECTIONS, optional=("source", "variant"))
        source = data["source"]
        if data["variant"] is not MISSING:
            self.variant = self.read_variant(data["variant"])
            self.players, self.rounds = self.variant.players, self.variant.rounds
        return Components(
            source="" if source == "" else self.text(source, ("source",)),
            locations=self.locations(data["locations"]),
            tiles=self.tiles(data["tiles"]),
            tokens=self.tokens(data["tokens"]),
            screenplays=self.screenplays(data["screenplays"]),
            variant=self.variant,
        )

    # ------------------------------------------------------------------ sections

    def read_variant(self, data: Any) -> Variant:
        """Returns the variant; what is wrong in it is as in the rules, to go on with."""
        key = ("variant",)
        entry = self.mapping(data, key, ["players", "rounds", "money"])
        players = self.number(entry["players"], 2, MAX_PLAYERS, (*key, "players"), "players (D1)")
        rounds = self.number(entry["rounds"], 1, ROUNDS, (*key, "rounds"), "rounds (D7)")
        players = MAX_PLAYERS if players == WRONG else players
        rounds = ROUNDS if rounds == WRONG else rounds
        most = MAX_MONEY // players
        money = self.number(entry["money"], 0, most, (*key, "money"), "money of each (D2)")
        return Variant(players, rounds, money)

    def locations(self, data: Any) -> tuple[Location, ...]:
        """Returns the board, clockwise (D7)."""
        found = []
        for index, item in enumerate(self.sequence(data, ("locations",))):
            key = ("locations", index)
            entry = self.mapping(item, key, ["name", "kind", "tiles"])
            name = self.text(entry["name"], (*key, "name"))
            kind = self.one_of(entry["kind"], ["auction", "party"], (*key, "kind"))
            tiles = entry["tiles"]
            if kind == "party" and tiles not in ("players", MISSING):
                self.report((*key, "tiles"), "a party has `players` tiles, one for each (D7)")
            elif kind == "auction" and tiles not in ("legendary", MISSING):
                least = 1 if self.variant else 2
                where = (*key, "tiles")
                tiles = self.number(tiles, least, MAX_HAND, where, "tiles of a city (D7)")
            found.append(Location(name, kind, tiles))
        shape = [self.place(location) for location in found]
        if self.board_is_right(shape):
            sizes = [self.players if f.tiles == "players" else f.tiles for f in found]
            self.need = self.rounds * sum(n for n in sizes if isinstance(n, int) and n != WRONG)
            self.has_hollywood = "hollywood" in shape or WRONG_WORD in shape
        elif found:
            problem = (
                "must be Hollywood (`tiles: legendary`), then five cities and two parties (D7)"
            )
            if self.variant:
                problem += "; a variant may leave out some of these"
            self.report(("locations",), problem)
        self.all_different([f.name for f in found], "locations", "name")
        return tuple(found)

    def board_is_right(self, shape: list[str]) -> bool:
        """Tells whether the places are those of the board, or, in a variant, some of them."""
        whole = len(shape) == sum(BOARD.values()) and shape[0] in ("hollywood", WRONG_WORD)
        part = self.variant is not None and bool(shape) and "hollywood" not in shape[1:]
        return (whole or part) and all(shape.count(place) <= n for place, n in BOARD.items())

    @staticmethod
    def place(location: Location) -> str:
        """Returns what a location is on the board, WRONG_WORD if that cannot be said."""
        if location.kind == "auction" and location.tiles is not MISSING:
            return "hollywood" if location.tiles == "legendary" else "city"
        return location.kind if location.kind == "party" else WRONG_WORD

    def tiles(self, data: Any) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
        """Returns the kinds of tiles, each with its stars and how many there are."""
        found = []
        before = len(self.problems)
        kinds = ["legendary", *TILE_KINDS]
        optional = tuple(kinds) if self.variant else ()
        for kind, counts in self.mapping(data, ("tiles",), kinds, optional).items():
            if counts is MISSING and self.variant:
                continue
            stars = []
            for key, count in self.any_mapping(counts, ("tiles", kind)).items():
                where = ("tiles", kind, str(key))
                number = self.number(key, MIN_STARS, MAX_STARS, where, "stars of a tile")
                stars.append((number, self.number(count, 1, MAX_DECK, where, "number of tiles")))
            found.append((kind, tuple(sorted(stars))))
        whole = data is not MISSING and len(self.problems) == before
        self.check_legendary(dict(found), whole)
        total = sum(max(n, 0) for kind, stars in found if kind != "legendary" for _, n in stars)
        if total > MAX_DECK:
            self.report(("tiles",), f"{total} tiles to draw; the engine's limit is {MAX_DECK}")
        if whole and total < self.need:
            need = f"{NUMBERS[self.players]} players need {self.need} (D7)"
            self.report(("tiles",), f"{total} tiles to draw; {need}")
        return tuple(found)

    def check_legendary(self, tiles: dict[str, tuple[tuple[int, int], ...]], whole: bool) -> None:
        """Reports legendary directors that are not one a round, or that no Hollywood waits for."""
        legendary = tiles.get("legendary")
        if legendary and not self.has_hollywood:
            problem = "legendary directors come to Hollywood, which is not on the board (D7)"
            self.report(("tiles", "legendary"), problem)
        elif legendary and (len(legendary) != 1 or legendary[0][1] not in (self.rounds, WRONG)):
            problem = (
                f"there are {self.rounds} legendary directors, one a round, all with equal stars "
                "(D7)"
            )
            self.report(("tiles", "legendary"), problem)
        elif self.variant and whole and self.has_hollywood and not legendary:
            self.report(("tiles",), "'legendary' is missing; they come to Hollywood (D7)")

    def tokens(self, data: Any) -> tuple[str, ...]:
        """Returns the tokens in rising order (D4)."""
        found: list[str] = []
        last = (-1, False)
        for index, item in enumerate(self.sequence(data, ("tokens",))):
            key = ("tokens", index)
            word = item if isinstance(item, str) else shown(item)
            found.append(word)
            if not re.fullmatch(r"(0|[1-9][0-9]?)[+]?", word):
                problem = f"must be a whole number from 0 to 99, not {shown(item)}"
                self.report(key, f"a token: {problem}")
                continue
            rank = (int(word.removesuffix("+")), word.endswith("+"))
            if rank <= last:
                self.report(key, f"token {word} is not above the one before it (D4)")
            last = rank
        if len(found) > MAX_TOKENS:
            self.report(("tokens",), f"{len(found)} tokens; the engine's limit is {MAX_TOKENS}")
        return tuple(found)

    def screenplays(self, data: Any) -> tuple[Screenplay, ...]:
        """Returns the screenplays in the order of the file (D1, D5)."""
        found = []
        for index, item in enumerate(self.sequence(data, ("screenplays",))):
            key = ("screenplays", index)
            fields = ["title", "studio", "genre", "stars", "spaces"]
            entry = self.mapping(item, key, fields, optional=("studio",))
            title = self.text(entry["title"], (*key, "title"))
            if "/" in title:
                self.report((*key, "title"), f"{title!r} has a '/', which a move's words need")
            studio = 0 if isinstance(item, dict) and item else WRONG
            if entry["studio"] is not MISSING:
                where = (*key, "studio")
                studio = self.number(entry["studio"], 1, self.players, where, "a studio (D1)")
            genre = self.one_of(entry["genre"], GENRES, (*key, "genre"))
            stars = self.number(entry["stars"], 0, 20, (*key, "stars"), "printed stars")
            spaces = self.spaces(entry["spaces"], (*key, "spaces"))
            found.append(Screenplay(title, studio, genre, stars, spaces))
        if found and len(found) != SCREENPLAYS and not self.variant:
            self.report(("screenplays",), f"{len(found)} screenplays; there must be {SCREENPLAYS}")
        self.all_different([f.title for f in found], "screenplays", "title")
        if found:
            self.check_studios(found)
        return tuple(found)

    def check_studios(self, found: list[Screenplay]) -> None:
        """Reports studios without their films, and in a variant a pile that is too high."""
        pile = sum(f.studio == 0 for f in found)
        if self.variant and pile > PILE:
            problem = f"{pile} films without a studio; the engine's limit is {PILE}"
            self.report(("screenplays",), problem)
        for studio in range(1, self.players + 1):
            if self.variant and not any(f.studio in (studio, WRONG) for f in found):
                self.report(("screenplays",), f"studio {studio} has no film (D1)")
            for genre in GENRES:
                of_both = sum(f.studio == studio and f.genre == genre for f in found)
                perhaps = sum(
                    f.studio in (studio, WRONG) and f.genre in (genre, WRONG_WORD) for f in found
                )
                if of_both > 1 or (perhaps < 1 and not self.variant):
                    problem = (
                        f"studio {studio} has {of_both} films of genre {genre}; must be 1 (D1)"
                    )
                    self.report(("screenplays",), problem)

    def spaces(self, data: Any, key: Key) -> tuple[str, ...]:
        """Returns the spaces of a screenplay, the guest star's left out."""
        found = []
        for index, item in enumerate(self.sequence(data, key)):
            if item == "guest":
                self.report((*key, index), "every film has its guest star's space by itself (D19)")
            else:
                found.append(self.one_of(item, SPACE_KINDS, (*key, index)))
        if len(found) > GUEST_SPACE:
            self.report(key, f"{len(found)} spaces; the engine's limit is {GUEST_SPACE}")
        if found.count("director") > 1:
            self.report(key, "a film has one director at most (D17)")
        return tuple(found)

    def all_different(self, words: list[str], section: str, field: str) -> None:
        """Reports words that stand more than once."""
        last = {word: place for place, word in enumerate(words)}
        for word, count in Counter(words).items():
            if count > 1 and word != WRONG_WORD:
                self.report((section, last[word], field), f"{word!r} stands {count} times")
