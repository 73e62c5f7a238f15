"""The state of a game of Dream Factory: one record of fixed size, and what its numbers mean.

Everything that changes during a game is in :class:`State`; everything that a component file
says is in :class:`Params`. Both are records of plain numbers, so copying a state is copying
bytes and the compiled rules serve any component file without compiling again.

A *tile* is one number: its kind times eight, plus its stars plus one; 0 is no tile. A *film* is
the number of its screenplay in the component file. A *space* of a film is a column: the printed
spaces in the file's order from 0, the guest star's always last.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import (
    I8,
    I32,
    I64,
    U64,
    Array,
    Between,
    record_dtype,
    record_ranges,
)

# The engine's limits. The shapes below are made of them.
MAX_PLAYERS = 5
MAX_MONEY = 50  # all the money there is (D2), so also the highest bid
STUDIO_FILMS = 3  # screenplays of a studio; one more comes only when one is finished (D1, D24)
SPACES = 6  # printed spaces of a film at most 5, and the guest star's
GUEST_SPACE = SPACES - 1
MAX_LOT = 5  # tiles on one location: as many as players at a party (D7)
MAX_HAND = 3  # tiles that one player receives at once (D7)
SCREENPLAYS = 22
PILE = SCREENPLAYS - STUDIO_FILMS * MAX_PLAYERS  # fewer in a variant
MAX_DECK = 96
MAX_LOCATIONS = 8
MAX_ROUNDS = 4
MAX_TOKENS = 31
MIN_STARS, MAX_STARS = -1, 6  # what a tile can carry

# Marks, where a number stands for "none".
NOBODY = NOTHING = -1
NO_TILE = 0
NO_BID = -1
NO_SEED = 2**64 - 1  # the set-up was given, not dealt from a seed
UNFINISHED = -128  # the rank of a film that is not finished


class Phase(IntEnum):
    """What the player to move decides."""

    STUDIO = 0
    AUCTION = 1
    PARTY = 2
    PLACING = 3
    OVER = 4


class Kind(IntEnum):
    """Kinds of tiles; a space shows one of them, or is blank."""

    DIRECTOR = 1
    ACTOR = 2
    CAMERA = 3
    MUSIC = 4
    EFFECTS = 5
    AGENCY = 6
    GUEST = 7
    BLANK = 8  # of spaces only


class Genre(IntEnum):
    """Genres of films."""

    DRAMA = 0
    ADVENTURE = 1
    ENTERTAINMENT = 2


class Edition(IntEnum):
    """The editions of the game."""

    DREAM_FACTORY = 0
    TRAUMFABRIK = 1


class HiddenMoney(IntEnum):
    """Whose money a player sees (D3)."""

    RULE = 0
    NEVER = 1
    ALWAYS = 2


# The awards on films (D25 to D27), in the order of State.awards; best director is apart (D28).
FIRST_FILM, BEST_OF_ROUND, BEST_OF_GENRE, WORST_FILM = 0, 3, 6, 9
FILM_AWARDS = 10

MAX_TILE = Kind.GUEST * 8 + MAX_STARS + 1  # the highest number of a tile

# Fields by what their numbers are: a saved state keeps to these ranges.
Flag = Annotated[I8, Between(0, 1)]
Seat = Annotated[I8, Between(0, MAX_PLAYERS - 1)]
Tiles = Between(NO_TILE, MAX_TILE)
Films = Between(NOTHING, SCREENPLAYS - 1)
Bids = Between(NO_BID, MAX_MONEY)
PerPlayer = Annotated[Array, "i1", (MAX_PLAYERS,)]
PerFilm = Annotated[Array, "i1", (SCREENPLAYS,)]


class State:
    """One game. Seats are numbered from 0, clockwise; rounds and locations from 0."""

    # where the set-up came from
    seed: U64  # the seed it was dealt from, or NO_SEED
    # tokens (D4): bit k is set while the k-th lowest token is free
    free_tokens: Annotated[I32, Between(0, 2**MAX_TOKENS - 1)]
    # options
    players: Annotated[I8, Between(2, MAX_PLAYERS)]
    edition: Annotated[I8, Between(min(Edition), max(Edition))]
    hidden_money: Annotated[I8, Between(min(HiddenMoney), max(HiddenMoney))]
    choose_studio: Flag
    # whose turn it is, and for what
    phase: Annotated[I8, Between(min(Phase), max(Phase))]
    round_number: Annotated[I8, Between(0, MAX_ROUNDS)]  # MAX_ROUNDS only when the game is over
    location: Annotated[I8, Between(0, MAX_LOCATIONS - 1)]
    first_player: Seat
    to_move: Seat
    # the auction (D9, D10)
    high_bid: Annotated[I8, Bids]  # NO_BID until somebody bids
    bids: Annotated[
        PerPlayer, Bids
    ]  # the last bid of each, or NO_BID; stays when its player passes
    passed: Annotated[PerPlayer, Between(0, 1)]  # 1 for those who are out of this auction
    # the party (D14)
    party_order: Annotated[PerPlayer, Between(0, MAX_PLAYERS - 1)]
    party_turn: Seat
    # tiles in motion
    lot: Annotated[Array, "i1", (MAX_LOT,), Tiles]  # still on the location
    hand: Annotated[Array, "i1", (MAX_HAND,), Tiles]  # to be placed by the player to move
    # money (D2, D12)
    money: Annotated[PerPlayer, Between(0, MAX_MONEY)]
    pot: Annotated[I8, Between(0, MAX_PLAYERS - 2)]
    # what was drawn (D5, D6): the whole draw order; what lies on the board is a part of it
    starting_player: Seat
    deck: Annotated[Array, "i1", (MAX_DECK,), Tiles]
    pile: Annotated[Array, "i1", (PILE,), Between(0, SCREENPLAYS - 1)]
    # how many of the pile are gone; pile[pile_taken] is face up
    pile_taken: Annotated[I8, Between(0, PILE)]
    # studios and films
    studio: Annotated[PerPlayer, Between(0, MAX_PLAYERS)]  # number from 1, 0 while not chosen
    in_production: Annotated[Array, "i1", (MAX_PLAYERS, STUDIO_FILMS), Films]  # film or NOTHING
    owner: Annotated[PerFilm, Between(NOBODY, MAX_PLAYERS - 1)]  # or NOBODY
    tiles: Annotated[Array, "i1", (SCREENPLAYS, SPACES), Tiles]  # the top tile of each space
    # films in the order of finishing
    finished: Annotated[Array, "i1", (SCREENPLAYS,), Between(0, SCREENPLAYS - 1)]
    finished_count: Annotated[I8, Between(0, SCREENPLAYS)]
    # its token (D4), -1, -2, … for films without one (D22), or UNFINISHED
    rank: Annotated[PerFilm, Between(UNFINISHED, MAX_TOKENS - 1)]
    tokenless: Annotated[I8, Between(0, SCREENPLAYS)]  # how many films found no token
    # visible actors and guest stars of each player (D14)
    red: Annotated[PerPlayer, Between(0, MAX_DECK)]
    # tiles that are out of sight: under another one, or back in the box
    covered: Annotated[I8, Between(0, 127)]
    discarded: Annotated[I8, Between(0, 127)]
    # awards: the film that won each, NOTHING while open
    awards: Annotated[Array, "i1", (FILM_AWARDS,), Films]
    best_director: Annotated[I8, Between(NOBODY, MAX_PLAYERS - 1)]


STATE, RANGES = record_dtype(State), record_ranges(State)

PerCount = Annotated[Array, "i1", (MAX_PLAYERS + 1,)]
PerLocation = Annotated[Array, "i1", (MAX_PLAYERS + 1, MAX_LOCATIONS)]


class Params:
    """What the component file says, as numbers. Params by player count have unused rows 0, 1."""

    fingerprint: I64  # a hash of all that follows: what was computed from it holds for no other
    # the course of the game
    rounds: I8
    money: PerCount  # what each player starts with
    locations: I8
    is_party: Annotated[Array, "i1", (MAX_LOCATIONS,)]
    is_hollywood: Annotated[Array, "i1", (MAX_LOCATIONS,)]  # gets a legendary director
    # where the tiles of a location stand in the draw order (D7), from the start of a round
    lot_start: PerLocation
    lot_size: PerLocation
    round_size: PerCount
    # tiles
    legendary: I8
    deck_size: I8
    deck: Annotated[Array, "i1", (MAX_DECK,)]  # sorted, to be shuffled
    # tokens in rising order (D4)
    tokens: I8
    token_value: Annotated[Array, "i1", (MAX_TOKENS,)]
    # screenplays
    studios: I8
    space_kind: Annotated[Array, "i1", (SCREENPLAYS, SPACES)]  # 0 where there is no space
    printed_stars: Annotated[Array, "i1", (SCREENPLAYS,)]
    genre: Annotated[Array, "i1", (SCREENPLAYS,)]
    studio_films: Annotated[Array, "i1", (MAX_PLAYERS + 1, STUDIO_FILMS)]  # by studio number
    pile_size: I8
    pile: Annotated[Array, "i1", (PILE,)]  # the screenplays without a studio


PARAMS = record_dtype(Params)


@jit
def make_tile(kind: int, stars: int) -> int:
    """Returns the number of a tile."""
    return kind * 8 + stars + 1


@jit
def kind_of(tile: int) -> int:
    """Returns the kind of a tile, 0 for no tile."""
    return tile >> 3


@jit
def stars_of(tile: int) -> int:
    """Returns the stars of a tile; not defined for no tile."""
    return (tile & 7) - 1
