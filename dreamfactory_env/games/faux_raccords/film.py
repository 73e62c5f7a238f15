"""The Film: how cards come to lie in it and leave it, with all that lies on them (F5 to F17)."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.faux_raccords.bits import lowest_bit
from dreamfactory_env.games.faux_raccords.geometry import (
    HAZARD_SLOTS,
    gap_shift,
    open_places,
    with_gap,
    without_gap,
)
from dreamfactory_env.games.faux_raccords.state import (
    LINE_B,
    MAX_HAZARDS,
    NO_CARD,
    NOWHERE,
    SLOTS,
    TAKEN,
    WIDTH,
    Mode,
    Params,
    State,
)


@jit
def hazard_slots(s: State) -> int:
    """Returns where hazards still lie in `series`."""
    slots = 0
    for k in range(MAX_HAZARDS):
        if not int(s.happened) >> k & 1:
            slots |= 1 << HAZARD_SLOTS[k]
    return slots


@jit
def free_places(s: State, t: Params) -> int:
    """Returns where a card can be put (F6 to F9)."""
    places = open_places(int(t.mode), int(s.occupied))
    if t.mode == Mode.SERIES:
        places &= ~hazard_slots(s)
    return places


@jit
def lay(s: State, t: Params, card: int, slot: int) -> int:
    """Puts a card into the Film, face down and with nothing on it.

    Args:
        s: The game.
        t: The components.
        card: The card.
        slot: The place by its name before the card lies there.

    Returns:
        Where it lies now.
    """
    if t.mode < Mode.SERIES:
        open_gap(s, slot)
    elif t.mode >= Mode.ARCS:
        if t.mode == Mode.ARCS and slot < WIDTH:
            shift_film(s, WIDTH)
            slot += WIDTH
        if slot % WIDTH == 0:
            shift_film(s, 1)
            slot += 1
    s.film[slot] = card
    s.occupied = int(s.occupied) | 1 << slot
    return slot


@jit
def lift(s: State, t: Params, slot: int) -> int:
    """Takes a card with nothing on it out of the Film, and returns it."""
    card = int(s.film[slot])
    if t.mode < Mode.SERIES:
        close_gap(s, slot)
    else:
        s.film[slot] = NO_CARD
        s.occupied = int(s.occupied) & ~(1 << slot)
        shift = gap_shift(int(t.mode), int(s.occupied))
        if shift > 0:
            shift_film(s, -shift)
    return card


@jit
def remove(s: State, t: Params, slot: int) -> int:
    """Takes a card out of the Film for good, and returns it (F17)."""
    clear_marks(s, slot)
    return lift(s, t, slot)


@jit
def clear_marks(s: State, slot: int) -> None:
    """Gives the Claps on a card back, and takes its hints out of the game (F17)."""
    kept = ~(1 << slot)
    s.face_up = int(s.face_up) & kept
    for p in range(s.players):
        s.claps[p] = int(s.claps[p]) & kept
        if s.hint_slot[p] == slot:
            s.hint_slot[p] = NOWHERE


# ---------------------------------------------------------------------------- moving cards


@jit
def open_gap(s: State, slot: int) -> None:
    """Moves the cards of a line up by one, from a slot on."""
    s.occupied = with_gap(int(s.occupied), slot)
    s.face_up = with_gap(int(s.face_up), slot)
    for p in range(s.players):
        s.claps[p] = with_gap(int(s.claps[p]), slot)
        if slot <= s.hint_slot[p] < line_end(slot):
            s.hint_slot[p] = int(s.hint_slot[p]) + 1
    last = slot
    while s.film[last] != NO_CARD:
        last += 1
    for k in range(last, slot, -1):
        s.film[k] = s.film[k - 1]


@jit
def close_gap(s: State, slot: int) -> None:
    """Takes the card in a slot out of its line; those behind it move down by one."""
    s.occupied = without_gap(int(s.occupied), slot)
    s.face_up = without_gap(int(s.face_up), slot)
    for p in range(s.players):
        s.claps[p] = without_gap(int(s.claps[p]), slot)
        if slot < s.hint_slot[p] < line_end(slot):
            s.hint_slot[p] = int(s.hint_slot[p]) - 1
    end = line_end(slot)
    while slot + 1 < end and s.film[slot + 1] != NO_CARD:
        s.film[slot] = s.film[slot + 1]
        slot += 1
    s.film[slot] = NO_CARD


@jit
def line_end(slot: int) -> int:
    """Returns the first slot behind the line of a slot."""
    return LINE_B if slot < LINE_B else SLOTS


@jit
def shift_film(s: State, by: int) -> None:
    """Moves all cards, and all that lies on them, by a number of slots."""
    left = int(s.occupied)
    if by > 0:
        for slot in range(SLOTS - 1 - by, -1, -1):
            s.film[slot + by] = s.film[slot]
        s.film[:by] = NO_CARD
    else:
        while left != 0:
            slot = lowest_bit(left)
            left &= left - 1
            s.film[slot + by] = s.film[slot]
            s.film[slot] = NO_CARD
    s.occupied = shifted(int(s.occupied), by)
    s.face_up = shifted(int(s.face_up), by)
    for p in range(s.players):
        s.claps[p] = shifted(int(s.claps[p]), by)
        if 0 <= s.hint_slot[p] < TAKEN:
            s.hint_slot[p] = int(s.hint_slot[p]) + by


@jit
def shifted(slots: int, by: int) -> int:
    """Returns a set whose members have moved by a number of slots."""
    return slots << by if by > 0 else slots >> -by


# ---------------------------------------------------------------------------- the editor's hand


@jit
def take_up(s: State, t: Params, slot: int, k: int) -> None:
    """Takes a card into the editor's hand, with all that lies on it (F16).

    Args:
        s: The game.
        t: The components.
        slot: Where it lies.
        k: Its place among the cards taken.
    """
    bit = 1 << slot
    s.taken_face_up[k] = 1 if int(s.face_up) & bit else 0
    claps = 0
    for p in range(s.players):
        if int(s.claps[p]) & bit:
            claps |= 1 << p
            s.claps[p] = int(s.claps[p]) ^ bit
        if s.hint_slot[p] == slot:
            s.hint_slot[p] = TAKEN + k
    s.taken_claps[k] = claps
    s.face_up = int(s.face_up) & ~bit
    s.taken[k] = lift(s, t, slot)


@jit
def put_down(s: State, t: Params, slot: int, k: int) -> None:
    """Puts a card of the editor's hand back into the Film, with all that lies on it (F16)."""
    slot = lay(s, t, int(s.taken[k]), slot)
    bit = 1 << slot
    if s.taken_face_up[k]:
        s.face_up = int(s.face_up) | bit
    for p in range(s.players):
        if int(s.taken_claps[k]) >> p & 1:
            s.claps[p] = int(s.claps[p]) | bit
        if s.hint_slot[p] == TAKEN + k:
            s.hint_slot[p] = slot
    s.taken[k] = NO_CARD
    s.taken_face_up[k] = 0
    s.taken_claps[k] = 0


@jit
def exchange(s: State, one: int, other: int) -> None:
    """Lets two cards change places, with all that lies on them."""
    card = int(s.film[one])
    s.film[one] = s.film[other]
    s.film[other] = card
    s.face_up = with_exchanged(int(s.face_up), one, other)
    for p in range(s.players):
        s.claps[p] = with_exchanged(int(s.claps[p]), one, other)
        if s.hint_slot[p] == one:
            s.hint_slot[p] = other
        elif s.hint_slot[p] == other:
            s.hint_slot[p] = one


@jit
def with_exchanged(slots: int, one: int, other: int) -> int:
    """Returns a set in which two members have changed places."""
    if (slots >> one ^ slots >> other) & 1:
        slots ^= 1 << one | 1 << other
    return slots
