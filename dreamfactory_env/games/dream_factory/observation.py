"""What a player sees, as numbers: the observation of Dream Factory and its named blocks.

Everything is told from the player's own seat: seat 0 of a block is the player, then the others
clockwise; seats that nobody has are zero. The layout is the same for 2 to 5 players and for every
component file. What the player cannot know is not in it; what is hidden, ``hidden`` says.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.fitting import (
    A_SPACE,
    FILLING,
    FITTING,
    filled_by,
    offered_tiles,
    open_of,
    tiles_that_fit,
)
from dreamfactory_env.games.dream_factory.hidden import is_face_up, sees_money
from dreamfactory_env.games.dream_factory.rules import first_tile_of
from dreamfactory_env.games.dream_factory.scoring import (
    GRAND_AWARD,
    award_points,
    director_stars,
    film_stars,
    film_value,
)
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
    NO_BID,
    NO_TILE,
    NOTHING,
    PILE,
    SCREENPLAYS,
    STUDIO_FILMS,
    Edition,
    Genre,
    Kind,
    Phase,
    State,
    Tables,
    kind_of,
    stars_of,
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


@jit
def observe(s: State, t: Tables, player: int, out: Array) -> None:
    """Writes what ``player`` sees.

    Args:
        s: The game.
        t: The components.
        player: The seat that looks.
        out: Where the numbers go, float32, shape (OBSERVATION_SPEC.size,).
    """
    out[:] = 0
    observe_course(s, t, player, out)
    observe_money(s, player, out)
    observe_tiles(s, t, out)
    observe_films(s, t, player, out)
    observe_finished(s, t, player, out)
    observe_unseen(s, t, out)


@jit
def seat_from(s: State, player: int, other: int) -> int:
    """Returns another player's seat as ``player`` counts: 0 is the player, then clockwise."""
    return (other - player + int(s.players)) % int(s.players)


@jit
def observe_course(s: State, t: Tables, player: int, out: Array) -> None:
    """Writes where the game stands and whose turn it is."""
    out[AT_PHASE + int(s.phase)] = 1
    out[AT_PLAYERS + int(s.players) - 2] = 1
    out[AT_EDITION] = 1 if s.edition == Edition.TRAUMFABRIK else 0
    out[AT_FIRST + seat_from(s, player, int(s.first_player))] = 1
    if s.phase == Phase.OVER:
        return
    out[AT_ROUND + int(s.round_number)] = 1
    out[AT_LOCATION + int(s.location)] = 1
    out[AT_TO_MOVE + seat_from(s, player, int(s.to_move))] = 1
    if s.phase == Phase.STUDIO:
        out[AT_STUDIOS : AT_STUDIOS + int(t.studios)] = 1
        for p in range(s.players):
            if s.studio[p] > 0:
                out[AT_STUDIOS + int(s.studio[p]) - 1] = 0


@jit
def observe_money(s: State, player: int, out: Array) -> None:
    """Writes money, the auction so far, and who picks next at a party."""
    out[AT_POT] = s.pot / MONEY
    if s.high_bid != NO_BID:
        out[AT_HIGH_BID] = 1
        out[AT_HIGH_BID + 1] = s.high_bid / MONEY
    for p in range(s.players):
        seat = seat_from(s, player, p)
        out[AT_RED + seat] = s.red[p] / RED
        if sees_money(s, player, p):
            out[AT_MONEY + seat] = s.money[p] / MONEY
            out[AT_MONEY_SEEN + seat] = 1
        at = AT_BIDS + NUMBERS_OF_A_BID * seat
        if s.bids[p] != NO_BID:
            out[at] = 1
            out[at + 1] = s.bids[p] / MONEY
        out[at + 2] = s.passed[p]


@jit
def write_tile(tile: int, out: Array, at: int) -> None:
    """Writes a tile, or nothing if there is none."""
    if tile != NO_TILE:
        out[at + kind_of(tile) - 1] = 1
        out[at + TILE_KINDS] = stars_of(tile) / STARS


@jit
def observe_tiles(s: State, t: Tables, out: Array) -> None:
    """Writes the tiles on the location, in hand, and in the cities still to come."""
    for place in range(MAX_LOT):
        write_tile(int(s.lot[place]), out, AT_LOT + place * TILE)
    for place in range(MAX_HAND):
        write_tile(int(s.hand[place]), out, AT_HAND + place * TILE)
    if s.phase == Phase.STUDIO or s.phase == Phase.OVER:
        return
    city = 0
    for location in range(int(s.location) + 1, int(t.locations)):
        if t.is_party[location]:
            continue
        start = first_tile_of(s, t, int(s.round_number), location)
        for place in range(t.lot_size[s.players, location]):
            at = AT_TO_COME + (city * MAX_HAND + place) * TILE
            write_tile(int(s.deck[start + place]), out, at)
        city += 1


@jit
def observe_films(s: State, t: Tables, player: int, out: Array) -> None:
    """Writes the films in production, the pile, and who picks next at a party."""
    offer = offered_tiles(s)
    for p in range(s.players):
        seat = seat_from(s, player, p)
        fitting, finishing = 0, 0  # films by kind of tile, four bits each
        for slot in range(STUDIO_FILMS):
            film = int(s.in_production[p, slot])
            if film == NOTHING:
                continue
            at = AT_FILMS + (seat * STUDIO_FILMS + slot) * FILM
            open_spaces = write_film(s, t, film, out, at)
            if offer != 0 and (s.phase == Phase.AUCTION or p == s.to_move):
                write_offer(s, t, film, open_spaces, offer, out, at)
            fitting += tiles_that_fit(open_spaces)
            if open_of(open_spaces, 0) == 1:
                finishing += tiles_that_fit(open_spaces)
        if s.phase == Phase.PARTY:
            write_fits(s, fitting, finishing, out, AT_FITS + seat * MAX_LOT * NUMBERS_OF_A_FIT)
    left = int(t.pile_size) - int(s.pile_taken)
    out[AT_PILE_LEFT] = left / PILE
    if left > 0:
        write_film(s, t, int(s.pile[s.pile_taken]), out, AT_PILE_TOP)
    if t.is_party[s.location] and s.phase != Phase.STUDIO and s.phase != Phase.OVER:
        for turn in range(int(s.party_turn), int(s.players)):
            seat = seat_from(s, player, int(s.party_order[turn]))
            out[AT_PICKS + seat] = 1 - (turn - int(s.party_turn)) / MAX_PLAYERS


@jit
def write_film(s: State, t: Tables, film: int, out: Array, at: int) -> int:
    """Writes a film that is not finished; returns its open spaces, see ``fitting``."""
    out[at + IS_THERE] = 1
    out[at + GENRE + int(t.genre[film])] = 1
    stars = int(t.printed_stars[film])
    open_spaces = 0
    fitting = 0
    for space in range(GUEST_SPACE):
        kind = int(t.space_kind[film, space])
        if kind == 0:
            continue
        here = at + EACH_SPACE + space * NUMBERS_OF_A_SPACE
        out[here] = kind / 8.0
        tile = int(s.tiles[film, space])
        if tile == NO_TILE:
            open_spaces += A_SPACE[kind]
            fitting |= FILLING[kind]
            out[at + OPEN_BY_KIND + (SPACE_KINDS if kind == Kind.BLANK else kind) - 1] += 0.5
        else:
            stars += stars_of(tile)
            out[here + 1] = kind_of(tile) / 8.0
            out[here + 2] = stars_of(tile) / STARS
    out[at + OPEN_SPACES] = open_of(open_spaces, 0) / 5.0
    guest = int(s.tiles[film, GUEST_SPACE])
    if guest != NO_TILE:
        stars += stars_of(guest)
        out[at + GUEST] = 1
        out[at + GUEST + 1] = stars_of(guest) / STARS
    out[at + SCORE] = stars / FILM_STARS
    return int(open_spaces | fitting << FITTING)


@jit
def write_offer(
    s: State, t: Tables, film: int, open_spaces: int, offer: int, out: Array, at: int
) -> None:
    """Writes what the tiles on offer do for a film where they fill spaces; they may cover, too."""
    filled = 0
    stars = 0
    guest_free = s.tiles[film, GUEST_SPACE] == NO_TILE
    while offer != 0:
        tile = offer & 255
        offer >>= 8
        taken = filled_by(kind_of(tile), open_spaces)
        fills = open_of(taken, 0)
        open_spaces -= taken
        filled += fills
        stars += fills * stars_of(tile)
        if kind_of(tile) == Kind.GUEST and guest_free:
            guest_free = False
            stars += stars_of(tile)
    out[at + OFFER] = filled / 3.0
    out[at + OFFER + 1] = stars / 8.0
    if filled > 0 and open_of(open_spaces, 0) == 0:
        out[at + OFFER + 2] = 1
        out[at + OFFER + 3] = (film_stars(s, t, film) + stars) / FILM_STARS


@jit
def write_fits(s: State, fitting: int, finishing: int, out: Array, at: int) -> None:
    """Writes for each tile of a party how many films of a player it fits, and finishes."""
    for place in range(s.players):
        kind = kind_of(int(s.lot[place]))
        out[at + place * NUMBERS_OF_A_FIT] = open_of(fitting, kind) / 3.0
        out[at + place * NUMBERS_OF_A_FIT + 1] = open_of(finishing, kind) / 3.0


@jit
def observe_finished(s: State, t: Tables, player: int, out: Array) -> None:
    """Writes the finished films with their ranks, the awards and the free tokens.

    Sums are of whole numbers and divided at the end, so that compiled and uncompiled code, which
    round sums of fractions differently, agree to the last bit.
    """
    for k in range(s.finished_count):
        film = int(s.finished[k])
        seat = seat_from(s, player, int(s.owner[film]))
        out[AT_FINISHED + seat * NUMBERS_OF_FINISHED] += 1
        out[AT_FINISHED + seat * NUMBERS_OF_FINISHED + 1] += film_value(s, t, film)
        place = (int(s.rank[film]) + SCREENPLAYS + 1) / RANKS
        best = AT_BEST + seat * GENRES + int(t.genre[film])
        out[best] = max(out[best], place)
        worst = AT_WORST + seat
        out[worst] = place if out[worst] == 0 else min(out[worst], place)
    for award in range(FILM_AWARDS):
        if s.awards[award] == NOTHING:
            out[AT_AWARDS + award] = 1
        else:
            seat = seat_from(s, player, int(s.owner[s.awards[award]]))
            out[AT_FINISHED + seat * NUMBERS_OF_FINISHED + 3] += award_points(award)
    for p in range(s.players):
        at = AT_FINISHED + seat_from(s, player, p) * NUMBERS_OF_FINISHED
        prizes = int(out[at + 3]) + (GRAND_AWARD if s.best_director == p else 0)
        out[at] = int(out[at]) / 5.0
        out[at + 1] = int(out[at + 1]) / POINTS
        out[at + 2] = director_stars(s, p) / FILM_STARS
        out[at + 3] = prizes / POINTS
    for token in range(t.tokens):
        out[AT_TOKENS + token] = int(s.free_tokens) >> token & 1


@jit
def observe_unseen(s: State, t: Tables, out: Array) -> None:
    """Counts the tiles that nobody has seen yet: face down on a party, or not drawn."""
    place = int(s.round_number) * int(t.round_size[s.players])  # all before it were seen
    if s.phase != Phase.OVER:
        for location in range(t.locations):
            size = int(t.lot_size[s.players, location])
            if not is_face_up(s, t, int(s.round_number), location):
                for k in range(place, place + size):
                    count_unseen(int(s.deck[k]), out)
            place += size
    for k in range(place, t.deck_size):  # of later rounds, or never drawn
        count_unseen(int(s.deck[k]), out)


@jit
def count_unseen(tile: int, out: Array) -> None:
    """Counts one tile that nobody has seen."""
    out[AT_UNSEEN - STAR_LEVELS + tile] += 1 / UNSEEN  # tiles are numbered by kind and stars
