"""The tiles, tokens, screenplays and board, and the same as numbers for the compiled rules."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    MAX_PLAYERS,
    MAX_ROUNDS,
    NOTHING,
    PARAMS,
    Genre,
    Kind,
    make_tile,
)

ROUNDS = MAX_ROUNDS
#: What each player starts with, by the number of players (D2).
MONEY = {2: 12, 3: 12, 4: 12, 5: 10}

TILE_KINDS = [kind.name.lower() for kind in Kind if kind != Kind.BLANK]
SPACE_KINDS = [kind.name.lower() for kind in Kind if kind not in (Kind.AGENCY, Kind.GUEST)]
GENRES = [genre.name.lower() for genre in Genre]


@dataclass(frozen=True)
class Screenplay:
    """One screenplay: what is printed on it. ``studio`` is 0 for those of the pile."""

    title: str
    studio: int
    genre: str
    stars: int
    spaces: tuple[str, ...]


@dataclass(frozen=True)
class Location:
    """One location: its name, ``auction`` or ``party``, and its tiles as the file says them."""

    name: str
    kind: str
    tiles: int | str


@dataclass(frozen=True)
class Variant:
    """A smaller game: how many can play it at most, its rounds, and what each starts with."""

    players: int
    rounds: int
    money: int


@dataclass(frozen=True)
class Components:
    """A checked set of components. Two are equal if they make the same game.

    Attributes:
        source: Where the facts come from, in the file's words.
        locations: The board, clockwise.
        tiles: The kinds (``legendary`` among them), each with its stars and how many there are.
        tokens: The tokens' words, lowest first.
        screenplays: All of them, in the file's order; a film is an index into this.
        variant: How the game departs from the rules, None if it does not.
    """

    source: str = field(compare=False)
    locations: tuple[Location, ...]
    tiles: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
    tokens: tuple[str, ...]
    screenplays: tuple[Screenplay, ...]
    variant: Variant | None = None

    @property
    def players(self) -> int:
        """How many can play at most; there are as many studios."""
        return self.variant.players if self.variant else MAX_PLAYERS

    @property
    def rounds(self) -> int:
        """How many rounds a game has."""
        return self.variant.rounds if self.variant else ROUNDS

    @cached_property
    def params(self) -> Records:
        """The same as numbers, for the compiled rules; PARAMS, shape (1,), not to be changed."""
        return _make_params(self)

    def as_data(self) -> dict[str, Any]:
        """Returns what a component file with these components says."""
        screenplays = []
        for s in self.screenplays:
            studio = {"studio": s.studio} if s.studio else {}
            rest = {"genre": s.genre, "stars": s.stars, "spaces": list(s.spaces)}
            screenplays.append({"title": s.title, **studio, **rest})
        variant = {"variant": dict(vars(self.variant))} if self.variant else {}
        return {
            "source": self.source,
            **variant,
            "locations": [dict(vars(location)) for location in self.locations],
            "tiles": {kind: {str(s): n for s, n in stars} for kind, stars in self.tiles},
            "tokens": list(self.tokens),
            "screenplays": screenplays,
        }


def _make_params(components: Components) -> Records:
    """Makes the numbers of a set of components."""
    params = np.zeros(1, PARAMS)
    t: Any = params[0]
    t.rounds = components.rounds
    t.locations = len(components.locations)
    for players in range(2, components.players + 1):
        t.money[players] = components.variant.money if components.variant else MONEY[players]
        start = 0
        for index, location in enumerate(components.locations):
            size = players if location.tiles == "players" else location.tiles
            t.lot_start[players, index] = start
            t.lot_size[players, index] = size if isinstance(size, int) else 0
            start += int(t.lot_size[players, index])
        t.round_size[players] = start
    for index, location in enumerate(components.locations):
        t.is_party[index] = location.kind == "party"
        t.is_hollywood[index] = location.tiles == "legendary"
    deck = []
    for kind, stars in components.tiles:
        if kind == "legendary":
            t.legendary = make_tile(int(Kind.DIRECTOR), stars[0][0])
        else:
            for star, count in stars:
                deck += [make_tile(int(Kind[kind.upper()]), star)] * count
    t.deck_size = len(deck)
    t.deck[: len(deck)] = sorted(deck)
    t.tokens = len(components.tokens)
    t.token_value[: len(components.tokens)] = [int(w.removesuffix("+")) for w in components.tokens]
    pile = []
    t.studios = components.players
    t.studio_films[:] = NOTHING
    for film, screenplay in enumerate(components.screenplays):
        t.printed_stars[film] = screenplay.stars
        t.genre[film] = Genre[screenplay.genre.upper()]
        for space, kind in enumerate(screenplay.spaces):
            t.space_kind[film, space] = Kind[kind.upper()]
        t.space_kind[film, GUEST_SPACE] = Kind.GUEST
        if screenplay.studio:
            t.studio_films[screenplay.studio, t.genre[film]] = film
        else:
            pile.append(film)
    t.pile_size = len(pile)
    t.pile[: len(pile)] = pile
    digest = hashlib.blake2b(params.tobytes(), digest_size=8).digest()
    t.fingerprint = int.from_bytes(digest, "little", signed=True)
    params.flags.writeable = False
    return params
