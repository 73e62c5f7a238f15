"""The same observation, faster: what changes seldom is kept from one decision to the next.

A cache keeps numbers as seat 0 would see them, together with the state that they were computed
from. Each part is used only as long as every field that it depends on is what it was, so a cache
of another position or of another game costs time and changes nothing.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.memory import WORD, copy_numbers, words_of
from dreamfactory_env.engine.structs import I64, Array, record_dtype
from dreamfactory_env.games.dream_factory.fitting import fits_of, offered_tiles
from dreamfactory_env.games.dream_factory.observation import (
    observe_course,
    observe_finished,
    observe_money,
    observe_picks,
    observe_tiles,
    observe_to_come,
    observe_unseen,
    seat_from,
    top_of_pile,
    write_film,
    write_fits,
    write_offer,
)
from dreamfactory_env.games.dream_factory.observation_spec import (
    AT_AWARDS,
    AT_BEST,
    AT_FILMS,
    AT_FINISHED,
    AT_FITS,
    AT_HAND,
    AT_LOT,
    AT_PILE_LEFT,
    AT_PILE_TOP,
    AT_TO_COME,
    AT_UNSEEN,
    AT_WORST,
    FILM,
    GENRES,
    NUMBERS_OF_A_FIT,
    NUMBERS_OF_FINISHED,
    OBSERVATION_SPEC,
    OFFER,
)
from dreamfactory_env.games.dream_factory.state import (
    MAX_LOT,
    MAX_PLAYERS,
    NOTHING,
    PILE,
    SCREENPLAYS,
    SPACES,
    STATE,
    STUDIO_FILMS,
    Params,
    Phase,
    State,
)

SIZE = OBSERVATION_SPEC.size
STUDIO = STUDIO_FILMS * FILM  # the numbers of a player's films
#: The rows of films: three of each player, and the top of the pile, whose numbers follow theirs.
PILE_ROW = MAX_PLAYERS * STUDIO_FILMS
ROWS = PILE_ROW + 1
#: Offers that no lot is: zeros in all rows, or not the same in all of them.
NO_OFFER, UNKNOWN_OFFER = 0, -1
WORDS = STATE.itemsize // WORD
_OFFSETS: dict[str, int] = {name: field[1] for name, field in (STATE.fields or {}).items()}
AT_LOCATION, AT_TILES = _OFFSETS["location"], _OFFSETS["tiles"]


class ObservationCache:
    """What was computed before, and what it was computed from. Zero where nothing was."""

    fingerprint: I64  # of the components
    state: Annotated[Array, "i8", (WORDS,)]  # the words of the state
    stage: I64  # see stage_of
    offer: I64  # the lot that ``numbers`` offers to all films
    films: Annotated[Array, "i8", (ROWS,)]  # of each row as one number, see ``fitting``
    rows: Annotated[Array, "i1", (ROWS,)]  # the film of each row, from 1; 0 without one
    numbers: Annotated[Array, "f4", (SIZE,)]  # as seat 0 sees them, from AT_TO_COME on


OBSERVATION_CACHE = record_dtype(ObservationCache)


def _mask_of(*names: str) -> Array:
    """Returns the words of a state with all bits set where the named fields are, int64 (WORDS,)."""
    mask = np.zeros(STATE.itemsize, np.uint8)
    for name in names:
        mask[_OFFSETS[name] : _OFFSETS[name] + STATE[name].itemsize] = 255
    return mask.view(np.int64)


def _films_of_words() -> Array:
    """Returns a bit for each film that has tiles in each word of a state, int64 (WORDS,)."""
    films = np.zeros(WORDS, np.int64)
    for film, space in np.ndindex(SCREENPLAYS, SPACES):
        films[(AT_TILES + film * SPACES + space) // WORD] |= 1 << film
    return films


# What each part depends on; besides, UNSEEN on the parties that have begun, FINISHED on the tiles
# of finished films, and all on the components.
UNSEEN = _mask_of("players", "round_number", "deck")
TO_COME = _mask_of("players", "round_number", "deck", "location")
FILMS = _mask_of("players", "in_production", "tiles", "pile", "pile_taken")
FINISHED = _mask_of(
    *("players", "free_tokens", "owner", "finished", "finished_count", "rank", "awards"),
    "best_director",
)
ANY_PART = TO_COME | FILMS | FINISHED
FILMS_OF_WORDS = _films_of_words()


@jit
def observe_cached(s: State, t: Params, player: int, cache: ObservationCache, out: Array) -> None:
    """Writes what ``player`` sees, bit for bit as ``observe`` does.

    Args:
        s: The game.
        t: The components.
        player: The seat that looks.
        cache: OBSERVATION_CACHE, all zero at first; best one for each game.
        out: Where the numbers go, float32, shape (OBSERVATION_SPEC.size,); whatever was there.
    """
    refresh(s, t, cache)
    out[:AT_LOT] = 0
    out[AT_FITS:AT_HAND] = 0
    observe_course(s, t, player, out)
    observe_money(s, player, out)
    observe_picks(s, t, player, out)
    observe_tiles(s, out)
    if s.phase == Phase.PARTY:
        copy_fits(s, player, cache, out)
    numbers = cache.numbers
    copy_numbers(out, AT_TO_COME, numbers, AT_TO_COME, AT_FILMS - AT_TO_COME)
    copy_numbers(out, AT_PILE_TOP, numbers, AT_PILE_TOP, AT_FINISHED - AT_PILE_TOP)
    copy_numbers(out, AT_AWARDS, numbers, AT_AWARDS, SIZE - AT_AWARDS)
    copy_seats(s, player, numbers, out)
    if s.phase == Phase.PLACING:
        offer_hand(s, player, cache, out)


# ---------------------------------------------------------------------------- from the cache


@jit
def copy_seats(s: State, player: int, numbers: Array, out: Array) -> None:
    """Writes what every seat has, the player's own first; seats that nobody has are zero."""
    for seat in range(MAX_PLAYERS):
        p = seat
        if seat < s.players:
            p = player + seat
            p -= int(s.players) if p >= s.players else 0
        copy_numbers(out, AT_FILMS + seat * STUDIO, numbers, AT_FILMS + p * STUDIO, STUDIO)
        at, start = AT_FINISHED + seat * NUMBERS_OF_FINISHED, AT_FINISHED + p * NUMBERS_OF_FINISHED
        copy_numbers(out, at, numbers, start, NUMBERS_OF_FINISHED)
        copy_numbers(out, AT_BEST + seat * GENRES, numbers, AT_BEST + p * GENRES, GENRES)
        out[AT_WORST + seat] = numbers[AT_WORST + p]


@jit
def offer_hand(s: State, player: int, cache: ObservationCache, out: Array) -> None:
    """Writes what the tiles in hand do for the films of the player to move."""
    hand, p = offered_tiles(s), int(s.to_move)
    at = AT_FILMS + seat_from(s, player, p) * STUDIO + OFFER
    for slot in range(STUDIO_FILMS):
        film = cache.films[p * STUDIO_FILMS + slot]
        if film != 0:
            write_offer(film, hand, out, at + slot * FILM)


@jit
def copy_fits(s: State, player: int, cache: ObservationCache, out: Array) -> None:
    """Writes what the tiles of a party do for the films of each seat."""
    for p in range(s.players):
        fits = 0
        for slot in range(STUDIO_FILMS):
            fits += fits_of(cache.films[p * STUDIO_FILMS + slot])
        seat = seat_from(s, player, p)
        write_fits(s, fits, out, AT_FITS + seat * MAX_LOT * NUMBERS_OF_A_FIT)


# ---------------------------------------------------------------------------- into the cache


@jit
def stage_of(s: State) -> int:
    """Returns 0 while studios are chosen, 1 during the game, 2 after it."""
    return (1 if s.phase != Phase.STUDIO else 0) + (1 if s.phase == Phase.OVER else 0)


@jit
def differ(words: Array, others: Array, mask: Array) -> bool:
    """Tells whether two states differ in the bits of a mask; all int64 (WORDS,)."""
    difference = 0
    for k in range(WORDS):
        difference |= (words[k] ^ others[k]) & mask[k]
    return difference != 0


@jit
def refresh(s: State, t: Params, cache: ObservationCache) -> None:
    """Brings a cache up to date."""
    if (
        cache.fingerprint != t.fingerprint
        or cache.stage != stage_of(s)
        or differ(words_of(s), cache.state, ANY_PART)
    ):
        refresh_parts(s, t, cache)
    lot = NO_OFFER
    if s.phase == Phase.AUCTION:
        lot = int(s.lot[0]) | int(s.lot[1]) << 8 | int(s.lot[2]) << 16
    if cache.offer != lot:
        cache.offer = lot
        offer_lot(offered_tiles(s) if lot != NO_OFFER else NO_OFFER, cache)


@jit
def offer_lot(lot: int, cache: ObservationCache) -> None:
    """Writes what the tiles of a lot do for all films; zeros where there is none."""
    for row in range(PILE_ROW):
        at = AT_FILMS + row * FILM + OFFER
        if lot == NO_OFFER:
            cache.numbers[at : at + FILM - OFFER] = 0
        elif cache.films[row] != 0:
            write_offer(cache.films[row], lot, cache.numbers, at)


@jit
def refresh_parts(s: State, t: Params, cache: ObservationCache) -> None:
    """Computes those parts anew that depend on something that has changed."""
    now, kept, numbers = words_of(s), cache.state, cache.numbers
    anew = cache.fingerprint != t.fingerprint
    begun = anew or cache.stage != stage_of(s)
    to_come, unseen, films, finished, near = differences(now, kept)
    if begun or to_come:
        numbers[AT_TO_COME:AT_FILMS] = 0
        observe_to_come(s, t, numbers)
    if begun or unseen or parties_differ(s, t, kept):
        numbers[AT_UNSEEN:] = 0
        observe_unseen(s, t, numbers)
    if anew or finished or finished_have_changed(s, kept, near):
        numbers[AT_FINISHED:AT_UNSEEN] = 0
        observe_finished(s, t, 0, numbers)
    if anew or films:
        refresh_films(s, t, cache, near, anew)
    cache.fingerprint = t.fingerprint
    cache.stage = stage_of(s)
    copy_numbers(kept, 0, now, 0, WORDS)


@jit
def parties_differ(s: State, t: Params, kept: Array) -> bool:
    """Tells whether other parties have begun than in a state of the same round that was kept."""
    before, now = int(kept.view(np.int8)[AT_LOCATION]), int(s.location)
    differs = False
    for location in range(min(before, now) + 1, max(before, now) + 1):
        differs |= t.is_party[location] != 0
    return differs


@jit
def differences(words: Array, others: Array) -> tuple[bool, bool, bool, bool, int]:
    """Tells in which parts two states differ, both int64 (WORDS,).

    Returns:
        Whether they differ in what TO_COME, UNSEEN, FILMS and FINISHED depend on; and a bit for
        each film with tiles in words that differ: those of the others have not changed.
    """
    to_come = unseen = films = finished = near = 0
    for k in range(WORDS):
        difference = words[k] ^ others[k]
        to_come |= difference & TO_COME[k]
        unseen |= difference & UNSEEN[k]
        films |= difference & FILMS[k]
        finished |= difference & FINISHED[k]
        near |= FILMS_OF_WORDS[k] if difference != 0 else 0
    return to_come != 0, unseen != 0, films != 0, finished != 0, near


@jit
def has_changed(s: State, kept: Array, film: int, near: int) -> bool:
    """Tells whether the tiles of a film differ from those of a state that was kept.

    Args:
        s: The game.
        kept: The state that was kept, int64 (WORDS,).
        film: The film.
        near: The films to look at, a bit each; all others have not changed.
    """
    differs = False
    if near >> film & 1:
        before = kept.view(np.int8)
        for space in range(SPACES):
            differs |= s.tiles[film, space] != before[AT_TILES + film * SPACES + space]
    return differs


@jit
def finished_have_changed(s: State, kept: Array, near: int) -> bool:
    """Tells whether a finished film has changed, see :func:`has_changed`."""
    for k in range(s.finished_count):
        if has_changed(s, kept, int(s.finished[k]), near):
            return True
    return False


@jit
def refresh_films(s: State, t: Params, cache: ObservationCache, near: int, anew: bool) -> None:
    """Writes the rows of films that have changed, or all of them ``anew``."""
    for row in range(ROWS):
        film = film_of_row(s, t, row)
        same = film + 1 == cache.rows[row] and not anew
        if same and (film == NOTHING or not has_changed(s, cache.state, film, near)):
            continue
        at = AT_FILMS + row * FILM
        cache.numbers[at : at + FILM] = 0
        cache.rows[row] = film + 1
        cache.films[row] = write_film(s, t, film, cache.numbers, at) if film != NOTHING else 0
    cache.numbers[AT_PILE_LEFT] = (int(t.pile_size) - int(s.pile_taken)) / PILE
    if cache.offer != NO_OFFER:
        cache.offer = UNKNOWN_OFFER  # the rows just written have none


@jit
def film_of_row(s: State, t: Params, row: int) -> int:
    """Returns the film whose numbers are in a row, or NOTHING."""
    if row == PILE_ROW:
        return top_of_pile(s, t)
    player = row // STUDIO_FILMS
    return int(s.in_production[player, row % STUDIO_FILMS]) if player < s.players else NOTHING
