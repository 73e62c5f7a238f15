"""Words for moves: what an action means in a position, in the language of the game record.

An action number says which place in hand, which film in production, which space; what lies there
depends on the position. :func:`move_key` looks it up in compiled code and packs it into one number
that no longer depends on the position; :class:`Words` turns that number into words.
"""

from __future__ import annotations

from collections import Counter
from enum import IntEnum
from functools import cache

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.dream_factory.components import Components
from dreamfactory_env.games.dream_factory.legal import BID, DECLINE, DISCARD, PASS, PICK, PLACE
from dreamfactory_env.games.dream_factory.legal import STUDIO as STUDIO_ACTION
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    NO_TILE,
    SPACES,
    STUDIO_FILMS,
    Kind,
    Params,
    State,
    kind_of,
    stars_of,
)


class Verb(IntEnum):
    """What a move does."""

    PASS = 0
    BID = 1
    STUDIO = 2
    PICK = 3
    DECLINE = 4
    PLACE = 5
    DISCARD = 6


@jit
def move_key(s: State, t: Params, action: int) -> int:
    """Returns what a legal action means now: verb, tile, film and space, one byte each.

    A bid's amount and a studio's number stand in the lowest byte.
    """
    if action == PASS:
        return pack(Verb.PASS, 0, 0, 0)
    if action < STUDIO_ACTION:
        return pack(Verb.BID, 0, 0, action - BID)
    if action < PICK:
        return pack(Verb.STUDIO, 0, 0, action - STUDIO_ACTION + 1)
    if action < DECLINE:
        return pack(Verb.PICK, int(s.lot[action - PICK]), 0, 0)
    if action == DECLINE:
        return pack(Verb.DECLINE, 0, 0, 0)
    if action < DISCARD:
        target = action - PLACE
        slot = target // SPACES % STUDIO_FILMS
        tile = int(s.hand[target // (STUDIO_FILMS * SPACES)])
        return pack(Verb.PLACE, tile, int(s.in_production[s.to_move, slot]), target % SPACES)
    return pack(Verb.DISCARD, int(s.hand[action - DISCARD]), 0, 0)


@jit
def pack(verb: int, tile: int, film: int, number: int) -> int:
    """Packs a move key into one number."""
    return ((verb * 256 + tile) * 256 + film) * 256 + number


def unpack(code: int) -> tuple[Verb, int, int, int]:
    """Returns the verb, tile, film and number of a move key."""
    return Verb(code >> 24), code >> 16 & 255, code >> 8 & 255, code & 255


@cache
def tile_words(tile: int) -> str:
    """Returns a tile in words, such as ``actor 2``; ``-`` for no tile."""
    if tile == NO_TILE:
        return "-"
    return f"{Kind(kind_of(tile)).name.lower()} {stars_of(tile)}"


class Words(dict[int, str]):
    """The words of move keys, made when they are first asked for: ``words[code]``."""

    def __init__(self, components: Components) -> None:
        super().__init__()
        self._titles = [screenplay.title for screenplay in components.screenplays]
        self.spaces = [space_words(s.spaces) for s in components.screenplays]

    def __missing__(self, code: int) -> str:
        verb, tile, film, number = unpack(int(code))
        word = verb.name.lower()
        if verb in (Verb.BID, Verb.STUDIO):
            word += f" {number}"
        elif verb in (Verb.PICK, Verb.DISCARD):
            word += f" {tile_words(tile)}"
        elif verb == Verb.PLACE:
            word += f" {tile_words(tile)} on {self._titles[film]}/{self.spaces[film][number]}"
        self[code] = word
        return word


def space_words(spaces: tuple[str, ...]) -> list[str]:
    """Returns the words of a film's spaces by column; of two alike the first is ``#1``."""
    total = Counter(spaces)
    seen: Counter[str] = Counter()
    words = [""] * SPACES
    for column, space in enumerate(spaces):
        seen[space] += 1
        words[column] = f"{space}#{seen[space]}" if total[space] > 1 else space
    words[GUEST_SPACE] = "guest"
    return words
