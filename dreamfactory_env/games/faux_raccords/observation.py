"""What a player sees, as numbers: writes the observation that ``observation_spec`` describes."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.bits import count_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.hazards import HAZARD_COUNTS
from dreamfactory_env.games.faux_raccords.knowledge import chosen_card, sees_taken, slots_seen
from dreamfactory_env.games.faux_raccords.observation_spec import (
    AT_BIN,
    AT_CUT,
    AT_FILM,
    AT_HAND,
    AT_HAPPENED,
    AT_HAZARD,
    AT_HINT,
    AT_LENGTHS,
    AT_MOODS,
    AT_PENDING,
    AT_PHASE,
    AT_PILE,
    AT_PLAYERS,
    AT_SEATS,
    AT_TAKEN,
    AT_TO_MOVE,
    AT_TURN,
    AT_WAITING,
    BAD_HINTS,
    CLAPS_BY_SEAT,
    CUT_CALLED,
    CUT_CARD,
    CUT_CHOSEN,
    FACE,
    FACE_SEEN,
    FITS_GENRE,
    GOOD_HINTS,
    HAND_SIZE,
    IN_CUT,
    IS_CHOSEN,
    IS_FACE_UP,
    IS_SEEN,
    IS_THERE,
    LINE_LENGTH,
    PLACE,
    PLACE_OF_SLOT,
    PLACES,
    SEAT,
    SURE_PLACE,
)
from dreamfactory_env.games.faux_raccords.scoring import symbols_of_genre
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    CLAPS,
    HAZARDS,
    LINE_B,
    MAX_MOODS,
    MAX_PLAYERS,
    MAX_TAKEN,
    MOODS,
    NO_CARD,
    NOTHING,
    TAKEN,
    VALUE,
    VALUES,
    Memory,
    Mode,
    Params,
    Phase,
    State,
)

#: The number of each card's value.
VALUE_NUMBERS = (VALUE / VALUES).astype(np.float32)
ONE_HINT = 1 / MAX_PLAYERS


@jit
def observe(s: State, t: Params, player: int, out: Array) -> None:
    """Writes what ``player`` sees.

    Args:
        s: The game.
        t: The components.
        player: The seat that looks.
        out: Where the numbers go, float32, as long as the observation spec says.
    """
    out[:] = 0
    observe_course(s, player, out)
    observe_hands(s, t, player, out)
    observe_cut(s, t, out)
    observe_hazards(s, t, out)
    observe_film(s, t, player, out)
    observe_marks(s, t, player, out)
    observe_taken(s, t, player, out)
    if t.memory == Memory.PERFECT:
        observe_sure(s, t, player, out)


@jit
def seat_from(s: State, player: int, other: int) -> int:
    """Returns another player's seat as ``player`` counts: 0 is the player, then clockwise."""
    seat = other - player
    return seat if seat >= 0 else seat + int(s.players)


@jit
def observe_course(s: State, player: int, out: Array) -> None:
    """Writes where the game stands and whose turn it is."""
    out[AT_PHASE + int(s.phase)] = 1
    out[AT_PLAYERS + int(s.players) - 2] = 1
    out[AT_TURN + seat_from(s, player, int(s.turn))] = 1
    if s.phase != Phase.OVER:
        out[AT_TO_MOVE + seat_from(s, player, int(s.to_move))] = 1
    for k in range(MAX_MOODS):
        if s.moods[k] != NOTHING:
            out[AT_MOODS + k // 2 * MOODS + int(s.moods[k])] = 1
    if s.phase == Phase.HINT_ON:
        out[AT_HINT + (0 if s.hint_good[s.to_move] else 1)] = 1
    out[AT_PILE] = (int(s.pile_end) - int(s.drawn)) / CARDS
    out[AT_BIN] = count_bits(int(s.binned)) / CARDS


@jit
def observe_hands(s: State, t: Params, player: int, out: Array) -> None:
    """Writes the hand, the card that is chosen in it, and what each seat has."""
    hand = int(s.hands[player])
    while hand != 0:
        out[AT_HAND + lowest_bit(hand)] = 1
        hand &= hand - 1
    holder = int(s.to_move) if s.phase == Phase.SHOW_AT else player
    chosen = chosen_card(s, player, holder)
    if chosen != NO_CARD:
        out[AT_PENDING] = 1
        write_card(t, chosen, out, AT_PENDING + 1)
    for p in range(s.players):
        at = AT_SEATS + seat_from(s, player, p) * SEAT
        claps = count_bits(int(s.claps[p]))
        for k in range(MAX_TAKEN):
            claps += int(s.taken_claps[k]) >> p & 1
        out[at] = count_bits(int(s.hands[p])) / HAND_SIZE
        out[at + 1] = (CLAPS - claps) / CLAPS
        out[at + 2] = int(s.hints_left) >> p & 1
        out[at + 3] = 1 if s.passing[p] != NO_CARD else 0


@jit
def write_face(t: Params, card: int, out: Array, at: int) -> None:
    """Writes the value and the symbol of a card."""
    out[at] = VALUE_NUMBERS[card]
    out[at + 1 + int(t.symbol[card])] = 1


@jit
def write_card(t: Params, card: int, out: Array, at: int) -> None:
    """Writes the value, the symbol and the member of a card."""
    write_face(t, card, out, at)
    out[at + FACE + int(t.member[card])] = 1


@jit
def observe_cut(s: State, t: Params, out: Array) -> None:
    """Writes the Cut."""
    for k in range(s.cut_size):
        at = AT_CUT + k * IN_CUT
        out[at] = 1
        out[at + CUT_CHOSEN] = 1 if k == s.swapped else 0
        out[at + CUT_CALLED] = 1 if s.cut[k] == s.called else 0
        write_card(t, int(s.cut[k]), out, at + CUT_CARD)


@jit
def observe_hazards(s: State, t: Params, out: Array) -> None:
    """Writes the hazards that wait, that have happened, and the one that is being done."""
    for k in range(HAZARD_COUNTS[int(t.mode)]):
        if int(s.happened) >> k & 1:
            out[AT_HAPPENED + k * HAZARDS + int(t.hazard[s.hazards[k]])] = 1
        else:
            out[AT_WAITING + k] = 1
    if s.hazard != NOTHING:
        out[AT_HAZARD + int(t.hazard[s.hazards[s.hazard]])] = 1


@jit
def place_at(t: Params, slot: int) -> int:
    """Returns where the numbers of a slot begin, NOTHING if it is not described."""
    place = int(PLACE_OF_SLOT[t.mode, slot])
    return AT_FILM + place * PLACE if place >= 0 else NOTHING


@jit
def observe_film(s: State, t: Params, player: int, out: Array) -> None:
    """Writes the cards of the Film."""
    lying = int(s.occupied)
    seen, face_up = slots_seen(s, player), int(s.face_up)
    second = lying >> LINE_B if t.mode == Mode.SHORTS else 0
    out[AT_LENGTHS] = (count_bits(lying) - count_bits(second)) / LINE_LENGTH
    out[AT_LENGTHS + 1] = count_bits(second) / LINE_LENGTH
    genre, genre_of_b = symbols_of_genre(s, 0), symbols_of_genre(s, 1)
    while lying != 0:
        slot = lowest_bit(lying)
        lying &= lying - 1
        at = place_at(t, slot)
        if slot >= LINE_B and t.mode == Mode.SHORTS:
            genre = genre_of_b
        if at < 0:
            continue
        out[at + IS_THERE] = 1
        out[at + IS_FACE_UP] = face_up >> slot & 1
        if seen >> slot & 1:
            card = int(s.film[slot])
            out[at + IS_SEEN] = 1
            write_face(t, card, out, at + FACE_SEEN)
            out[at + FITS_GENRE] = genre >> int(t.symbol[card]) & 1
    if s.chosen >= 0:
        at = place_at(t, int(s.chosen))
        if at >= 0:
            out[at + IS_CHOSEN] = 1


@jit
def observe_marks(s: State, t: Params, player: int, out: Array) -> None:
    """Writes the Claps and the hints in the Film and in the editor's hand."""
    for p in range(s.players):
        seat = seat_from(s, player, p)
        claps = int(s.claps[p])
        while claps != 0:
            at = place_at(t, lowest_bit(claps))
            claps &= claps - 1
            if at >= 0:
                out[at + CLAPS_BY_SEAT + seat] = 1
        slot = int(s.hint_slot[p])
        if slot >= 0:
            at = AT_TAKEN + (slot - TAKEN) * PLACE if slot >= TAKEN else place_at(t, slot)
            if at >= 0:
                out[at + (GOOD_HINTS if s.hint_good[p] else BAD_HINTS)] += ONE_HINT


@jit
def observe_taken(s: State, t: Params, player: int, out: Array) -> None:
    """Writes the cards in the editor's hand."""
    for k in range(MAX_TAKEN):
        if s.taken[k] == NO_CARD:
            continue
        at = AT_TAKEN + k * PLACE
        out[at + IS_THERE] = 1
        out[at + IS_FACE_UP] = s.taken_face_up[k]
        for p in range(s.players):
            seat = seat_from(s, player, p)
            out[at + CLAPS_BY_SEAT + seat] = int(s.taken_claps[k]) >> p & 1
        if sees_taken(s, player, k):
            out[at + IS_SEEN] = 1
            write_face(t, int(s.taken[k]), out, at + FACE_SEEN)


@jit
def observe_sure(s: State, t: Params, player: int, out: Array) -> None:
    """Writes the cards that the player is sure of: in Film, hands and bin (F26)."""
    sure = int(s.sure[player])
    start = AT_FILM + PLACES[int(t.mode)] * PLACE
    lying = int(s.occupied)
    while lying != 0:
        slot = lowest_bit(lying)
        lying &= lying - 1
        place = int(PLACE_OF_SLOT[t.mode, slot])
        if place >= 0:
            write_sure(t, int(s.film[slot]), sure, out, start + place * SURE_PLACE)
    start += PLACES[int(t.mode)] * SURE_PLACE
    for k in range(MAX_TAKEN):
        if s.taken[k] != NO_CARD:
            write_sure(t, int(s.taken[k]), sure, out, start + k * SURE_PLACE)
    start += MAX_TAKEN * SURE_PLACE
    for p in range(s.players):
        if p != player:
            at = start + (seat_from(s, player, p) - 1) * CARDS
            write_set(int(s.hands[p]) & sure, out, at)
    write_set(int(s.binned) & sure, out, start + (MAX_PLAYERS - 1) * CARDS)


@jit
def write_sure(t: Params, card: int, sure: int, out: Array, at: int) -> None:
    """Writes a card if the player is sure of it."""
    if sure >> card & 1:
        out[at] = 1
        write_face(t, card, out, at + 1)


@jit
def write_set(cards: int, out: Array, at: int) -> None:
    """Writes a 1 for each card of a set."""
    while cards != 0:
        out[at + lowest_bit(cards)] = 1
        cards &= cards - 1
