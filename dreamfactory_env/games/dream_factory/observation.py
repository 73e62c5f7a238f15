"""What a player sees, as numbers: writes the observation that ``observation_spec`` describes.

The functions below :func:`observe` write one part each into numbers that are zero before; the
cache of observations uses them, too.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.memory import copy_numbers
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.fitting import (
    A_SPACE,
    FILLING,
    FINISHING,
    FITTING,
    NO_GUEST,
    SCORED,
    fits_of,
    offered_tiles,
    open_of,
    what_fills,
)
from dreamfactory_env.games.dream_factory.hidden import is_face_up, sees_money
from dreamfactory_env.games.dream_factory.observation_spec import (
    AT_AWARDS,
    AT_BEST,
    AT_BIDS,
    AT_EDITION,
    AT_FILMS,
    AT_FINISHED,
    AT_FIRST,
    AT_FITS,
    AT_HAND,
    AT_HIGH_BID,
    AT_LOCATION,
    AT_LOT,
    AT_MONEY,
    AT_MONEY_SEEN,
    AT_PHASE,
    AT_PICKS,
    AT_PILE_LEFT,
    AT_PILE_TOP,
    AT_PLAYERS,
    AT_POT,
    AT_RED,
    AT_ROUND,
    AT_STUDIOS,
    AT_TO_COME,
    AT_TO_MOVE,
    AT_TOKENS,
    AT_UNSEEN,
    AT_WORST,
    EACH_SPACE,
    FILM,
    FILM_STARS,
    GENRE,
    GENRES,
    GUEST,
    IS_THERE,
    MONEY,
    NUMBERS_OF_A_BID,
    NUMBERS_OF_A_FIT,
    NUMBERS_OF_A_SPACE,
    NUMBERS_OF_FINISHED,
    OFFER,
    OPEN_BY_KIND,
    OPEN_SPACES,
    POINTS,
    RANKS,
    RED,
    SCORE,
    SPACE_KINDS,
    STAR_LEVELS,
    STARS,
    TILE,
    TILE_KINDS,
    UNSEEN,
)
from dreamfactory_env.games.dream_factory.rules import first_tile_of
from dreamfactory_env.games.dream_factory.scoring import (
    GRAND_AWARD,
    award_points,
    director_stars,
    film_value,
)
from dreamfactory_env.games.dream_factory.state import (
    FILM_AWARDS,
    GUEST_SPACE,
    MAX_HAND,
    MAX_LOT,
    MAX_PLAYERS,
    MAX_STARS,
    MAX_TILE,
    MIN_STARS,
    NO_BID,
    NO_TILE,
    NOTHING,
    PILE,
    SCREENPLAYS,
    STUDIO_FILMS,
    Edition,
    Kind,
    Params,
    Phase,
    State,
    kind_of,
    stars_of,
)


def _tile_numbers() -> Array:
    """Returns the numbers of each tile, those of no tile zero; float32 (MAX_TILE + 1, TILE)."""
    numbers = np.zeros((MAX_TILE + 1, TILE), np.float32)
    for kind in range(1, TILE_KINDS + 1):
        tiles = slice(kind * STAR_LEVELS, (kind + 1) * STAR_LEVELS)  # numbered by kind and stars
        numbers[tiles, kind - 1] = 1
        numbers[tiles, TILE_KINDS] = np.arange(MIN_STARS, MAX_STARS + 1) / STARS
    return numbers


#: One tile behind another.
TILE_NUMBERS = _tile_numbers().reshape(-1)
#: The numbers of amounts of money and of red tiles, by int8. NO_BID is -1: the last one, 0.
MONEY_NUMBERS = np.zeros(2**7 + 1, np.float32)
MONEY_NUMBERS[:NO_BID] = np.arange(2**7) / MONEY
RED_NUMBERS = (np.arange(2**7) / RED).astype(np.float32)


@jit
def observe(s: State, t: Params, player: int, out: Array) -> None:
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
    observe_picks(s, t, player, out)
    observe_tiles(s, out)
    observe_to_come(s, t, out)
    observe_films(s, t, player, out)
    observe_pile(s, t, out)
    observe_finished(s, t, player, out)
    observe_unseen(s, t, out)


@jit
def seat_from(s: State, player: int, other: int) -> int:
    """Returns another player's seat as ``player`` counts: 0 is the player, then clockwise."""
    seat = other - player
    return seat if seat >= 0 else seat + int(s.players)


@jit
def player_at(s: State, player: int, seat: int) -> int:
    """Returns who is at a seat as ``player`` counts, the inverse of :func:`seat_from`."""
    other = player + seat
    return other if other < s.players else other - int(s.players)


@jit
def observe_course(s: State, t: Params, player: int, out: Array) -> None:
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
    """Writes money and the auction so far."""
    out[AT_POT] = MONEY_NUMBERS[s.pot]
    out[AT_HIGH_BID] = 1 if s.high_bid != NO_BID else 0
    out[AT_HIGH_BID + 1] = MONEY_NUMBERS[s.high_bid]
    for seat in range(s.players):
        p = player_at(s, player, seat)
        out[AT_RED + seat] = RED_NUMBERS[s.red[p]]
        if sees_money(s, player, p):
            out[AT_MONEY + seat] = MONEY_NUMBERS[s.money[p]]
            out[AT_MONEY_SEEN + seat] = 1
        at = AT_BIDS + NUMBERS_OF_A_BID * seat
        out[at] = 1 if s.bids[p] != NO_BID else 0
        out[at + 1] = MONEY_NUMBERS[s.bids[p]]
        out[at + 2] = s.passed[p]


@jit
def observe_picks(s: State, t: Params, player: int, out: Array) -> None:
    """Writes who picks next at a party."""
    if t.is_party[s.location] and s.phase != Phase.STUDIO and s.phase != Phase.OVER:
        for turn in range(int(s.party_turn), int(s.players)):
            seat = seat_from(s, player, int(s.party_order[turn]))
            out[AT_PICKS + seat] = 1 - (turn - int(s.party_turn)) / MAX_PLAYERS


@jit
def write_tile(tile: int, out: Array, at: int) -> None:
    """Writes a tile, or zeros if there is none."""
    copy_numbers(out, at, TILE_NUMBERS, tile * TILE, TILE)


@jit
def observe_tiles(s: State, out: Array) -> None:
    """Writes the tiles on the location and in hand."""
    for place in range(MAX_LOT):
        write_tile(int(s.lot[place]), out, AT_LOT + place * TILE)
    for place in range(MAX_HAND):
        write_tile(int(s.hand[place]), out, AT_HAND + place * TILE)


@jit
def observe_to_come(s: State, t: Params, out: Array) -> None:
    """Writes the tiles in the cities still to come."""
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
def observe_films(s: State, t: Params, player: int, out: Array) -> None:
    """Writes the films in production, and at a party what its tiles do for them."""
    offer = offered_tiles(s)
    for p in range(s.players):
        seat = seat_from(s, player, p)
        fits = 0
        for slot in range(STUDIO_FILMS):
            film = int(s.in_production[p, slot])
            if film == NOTHING:
                continue
            at = AT_FILMS + (seat * STUDIO_FILMS + slot) * FILM
            described = write_film(s, t, film, out, at)
            if s.phase == Phase.AUCTION or p == s.to_move:
                write_offer(described, offer, out, at + OFFER)
            fits += fits_of(described)
        if s.phase == Phase.PARTY:
            write_fits(s, fits, out, AT_FITS + seat * MAX_LOT * NUMBERS_OF_A_FIT)


@jit
def observe_pile(s: State, t: Params, out: Array) -> None:
    """Writes how many screenplays are left in the pile, and the film on top of it."""
    out[AT_PILE_LEFT] = (int(t.pile_size) - int(s.pile_taken)) / PILE
    film = top_of_pile(s, t)
    if film != NOTHING:
        write_film(s, t, film, out, AT_PILE_TOP)


@jit
def top_of_pile(s: State, t: Params) -> int:
    """Returns the film on top of the pile, or NOTHING."""
    return int(s.pile[s.pile_taken]) if s.pile_taken < t.pile_size else NOTHING


@jit
def write_film(s: State, t: Params, film: int, out: Array, at: int) -> int:
    """Writes a film that is not finished; returns it as one number, see ``fitting``."""
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
    out[at + OPEN_SPACES] = open_of(open_spaces, 0) * (1 / 5)
    guest = int(s.tiles[film, GUEST_SPACE])
    if guest != NO_TILE:
        stars += stars_of(guest)
        out[at + GUEST] = 1
        out[at + GUEST + 1] = stars_of(guest) / STARS
    out[at + SCORE] = stars * (1 / FILM_STARS)
    free = 1 if guest == NO_TILE else 0
    return int(open_spaces | fitting << FITTING | free << NO_GUEST | stars << SCORED)


@jit
def write_offer(film: int, offer: int, out: Array, at: int) -> None:
    """Writes what the tiles on offer do for a film where they fill spaces; they may cover, too."""
    filled, stars, finished = what_fills(film, offer)
    out[at] = filled * (1 / 3)
    out[at + 1] = stars / 8.0
    out[at + 2] = 1 if finished else 0
    out[at + 3] = ((film >> SCORED) + stars) * (1 / FILM_STARS) if finished else 0


@jit
def write_fits(s: State, fits: int, out: Array, at: int) -> None:
    """Writes for each tile of a party how many films of a player it fits, and finishes."""
    for place in range(s.players):
        kind = kind_of(int(s.lot[place]))
        out[at + place * NUMBERS_OF_A_FIT] = open_of(fits, kind) * (1 / 3)
        out[at + place * NUMBERS_OF_A_FIT + 1] = open_of(fits >> FINISHING, kind) * (1 / 3)


@jit
def observe_finished(s: State, t: Params, player: int, out: Array) -> None:
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
def observe_unseen(s: State, t: Params, out: Array) -> None:
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
