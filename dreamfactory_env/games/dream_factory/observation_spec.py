"""The observation of Dream Factory as numbers in named blocks: what each of them means.

Everything is told from the player's own seat: seat 0 of a block is the player, then the others
clockwise; seats that nobody has are zero. The layout is the same for 2 to 5 players and for every
component file. What the player cannot know is not in it; what is hidden, ``hidden`` says.
"""

from __future__ import annotations

from dreamfactory_env.games.dream_factory.state import (
    FILM_AWARDS,
    GUEST_SPACE,
    MAX_DECK,
    MAX_HAND,
    MAX_LOCATIONS,
    MAX_LOT,
    MAX_MONEY,
    MAX_PLAYERS,
    MAX_STARS,
    MAX_TOKENS,
    MIN_STARS,
    SCREENPLAYS,
    STUDIO_FILMS,
    Genre,
    Phase,
)
from dreamfactory_env.games.observation_spec import Block, ObservationSpec

ROUNDS = 4
CITIES = 5
TILE_KINDS = 7
SPACE_KINDS = 6  # director, actor, camera, music, effects, blank
GENRES = len(Genre)
STAR_LEVELS = MAX_STARS - MIN_STARS + 1
RANKS = SCREENPLAYS + MAX_TOKENS  # places among films: without a token, then by token

# What numbers are divided by, so that usual ones are about 1 or less.
MONEY, STARS, FILM_STARS, RED, POINTS, UNSEEN = 20.0, 4.0, 20.0, 10.0, 50.0, 8.0
MOST_MONEY, LOW_STARS, HIGH_STARS = MAX_MONEY / MONEY, MIN_STARS / STARS, MAX_STARS / STARS

# The numbers of a tile: one for each kind, and its stars.
TILE = TILE_KINDS + 1
# The numbers of a film, by where they begin.
IS_THERE, GENRE, SCORE, OPEN_SPACES = 0, 1, 1 + GENRES, 2 + GENRES
OPEN_BY_KIND = OPEN_SPACES + 1
GUEST = OPEN_BY_KIND + SPACE_KINDS
EACH_SPACE = GUEST + 2
NUMBERS_OF_A_SPACE = 3
OFFER = EACH_SPACE + GUEST_SPACE * NUMBERS_OF_A_SPACE
FILM = OFFER + 4
NUMBERS_OF_A_FIT = 2
NUMBERS_OF_A_BID = 3
NUMBERS_OF_FINISHED = 4

_TILE = "1 for its kind (director, actor, camera, music, effects, agency, guest), and its stars / 4"
_FILM = (
    "is there; 1 for its genre (drama, adventure, entertainment); stars so far / 20; open spaces "
    "/ 5; open spaces / 2 by kind (director, actor, camera, music, effects, blank); has a guest "
    "star, its stars / 4; for each of 5 spaces: what it shows / 8, the kind on top / 8, the stars "
    "on top / 4; of the tiles on offer (the lot, to all films; the hand, to the films of whoever "
    "places it) those that fill spaces: how many / 3, their stars / 8 with a guest star's, 1 if "
    "they finish the film, its stars / 20 then"
)

OBSERVATION_SPEC = ObservationSpec(
    [
        Block("phase", (len(Phase),), 0, 1, "1 for studio, auction, party, placing or over"),
        Block("round", (ROUNDS,), 0, 1, "1 for the round"),
        Block("location", (MAX_LOCATIONS,), 0, 1, "1 for the location that is visited"),
        Block("players", (MAX_PLAYERS - 1,), 0, 1, "1 for the number of players, 2 to 5"),
        Block("edition", (1,), 0, 1, "1 for the edition of 2000"),
        Block("first_player", (MAX_PLAYERS,), 0, 1, "1 for the seat of the first player"),
        Block("to_move", (MAX_PLAYERS,), 0, 1, "1 for the seat of the player to move"),
        Block("free_studios", (MAX_PLAYERS,), 0, 1, "1 for studios that can still be chosen"),
        Block("money", (MAX_PLAYERS,), 0, MOST_MONEY, "money / 20 of each seat, 0 where hidden"),
        Block("money_seen", (MAX_PLAYERS,), 0, 1, "1 for the seats whose money is seen"),
        Block("pot", (1,), 0, MOST_MONEY, "money in the middle / 20"),
        Block("high_bid", (2,), 0, MOST_MONEY, "1 if there is a bid; the highest / 20"),
        Block(
            "bids",
            (MAX_PLAYERS, NUMBERS_OF_A_BID),
            0,
            MOST_MONEY,
            "each seat: has bid, its last bid / 20, has passed",
        ),
        Block("picks_next", (MAX_PLAYERS,), 0, 1, "1 for who picks now, 0.8 for the next one, …"),
        Block("red", (MAX_PLAYERS,), 0, MAX_DECK / RED, "red tiles / 10 of each seat"),
        Block("lot", (MAX_LOT, TILE), LOW_STARS, HIGH_STARS, f"each tile on the location: {_TILE}"),
        Block(
            "party_fits",
            (MAX_PLAYERS, MAX_LOT, NUMBERS_OF_A_FIT),
            0,
            1,
            "at a party, each seat and tile: films / 3 with an open space that it fills (guest "
            "stars fill none), films / 3 that it finishes",
        ),
        Block("hand", (MAX_HAND, TILE), LOW_STARS, HIGH_STARS, "each tile to be placed, likewise"),
        Block(
            "to_come",
            (CITIES, MAX_HAND, TILE),
            LOW_STARS,
            HIGH_STARS,
            "each tile of the cities still to come in this round, the next city first, likewise",
        ),
        Block(
            "films", (MAX_PLAYERS, STUDIO_FILMS, FILM), -1, 4, f"each film in production: {_FILM}"
        ),
        Block("pile_top", (FILM,), -1, 4, "the film on top of the pile, without an offer"),
        Block("pile_left", (1,), 0, 1, "screenplays left in the pile / 7"),
        Block(
            "finished",
            (MAX_PLAYERS, NUMBERS_OF_FINISHED),
            -1,
            10,
            "each seat: finished films / 5, their value / 50, stars of their directors / 20, "
            "points of awards / 50",
        ),
        Block(
            "best_film",
            (MAX_PLAYERS, GENRES),
            0,
            1,
            f"each seat and genre: place of the best finished film among {RANKS}, 0 without one",
        ),
        Block("worst_film", (MAX_PLAYERS,), 0, 1, "each seat: the same of its worst film"),
        Block("open_awards", (FILM_AWARDS,), 0, 1, "1 for awards on films not given yet"),
        Block("tokens", (MAX_TOKENS,), 0, 1, "1 for tokens that are free, lowest first"),
        Block(
            "unseen",
            (TILE_KINDS, STAR_LEVELS),
            0,
            MAX_DECK / UNSEEN,
            "tiles that nobody has seen yet / 8, by kind and by stars from -1 to 6",
        ),
    ]
)

_AT = OBSERVATION_SPEC.start
AT_PHASE, AT_ROUND, AT_LOCATION = _AT("phase"), _AT("round"), _AT("location")
AT_PLAYERS, AT_EDITION, AT_STUDIOS = _AT("players"), _AT("edition"), _AT("free_studios")
AT_FIRST, AT_TO_MOVE = _AT("first_player"), _AT("to_move")
AT_MONEY, AT_MONEY_SEEN, AT_POT = _AT("money"), _AT("money_seen"), _AT("pot")
AT_HIGH_BID, AT_BIDS, AT_PICKS, AT_RED = _AT("high_bid"), _AT("bids"), _AT("picks_next"), _AT("red")
AT_LOT, AT_FITS, AT_HAND = _AT("lot"), _AT("party_fits"), _AT("hand")
AT_TO_COME = _AT("to_come")
AT_FILMS, AT_PILE_TOP, AT_PILE_LEFT = _AT("films"), _AT("pile_top"), _AT("pile_left")
AT_FINISHED, AT_BEST, AT_WORST = _AT("finished"), _AT("best_film"), _AT("worst_film")
AT_AWARDS, AT_TOKENS, AT_UNSEEN = _AT("open_awards"), _AT("tokens"), _AT("unseen")
