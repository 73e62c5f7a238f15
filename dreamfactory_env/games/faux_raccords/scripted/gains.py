"""What each choice gains: the Film after it, as the worlds of a mind have it, less the Film now.

The functions named ``best_…`` return the gain and the answers that a choice needs.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.faux_raccords.bits import lowest_bit
from dreamfactory_env.games.faux_raccords.film import (
    exchange,
    free_places,
    lay,
    put_down,
    remove,
    take_up,
)
from dreamfactory_env.games.faux_raccords.geometry import cards_that_may_leave
from dreamfactory_env.games.faux_raccords.legal import cut_cards, places_to_put
from dreamfactory_env.games.faux_raccords.scripted.conventions import nearness, signal
from dreamfactory_env.games.faux_raccords.scripted.mind import (
    NEW,
    TOKEN_FILM,
    TRIAL,
    Mind,
    expect,
)
from dreamfactory_env.games.faux_raccords.scripted.weights import Weight
from dreamfactory_env.games.faux_raccords.state import (
    NO_CARD,
    NOWHERE,
    VALUE,
    Member,
    Mode,
    Params,
    State,
)

IMPOSSIBLE = -1e9
#: The most pairs that a card is in.
NEIGHBOURS = 4
#: The mean difference of a card's value from the middle, if nothing is known of it.
WIDE = 7.0


@jit
def best_place(
    m: Mind, scratch: Records, s: State, t: Params, w: Array, card: int, places: int
) -> tuple[float, int]:
    """Returns the best of some places for a card, and what it gains there."""
    for k in range(m.worlds_drawn):
        m.worlds[k, NEW] = card
    loose = int(m.unknown) & ~int(m.trusted)
    most, best = IMPOSSIBLE, NOWHERE
    while places != 0:
        slot = lowest_bit(places)
        places &= places - 1
        scratch[TRIAL] = scratch[TOKEN_FILM]
        lay(scratch[TRIAL], t, NEW, slot)
        gain = expect(m, scratch, t, w) - m.now
        if m.reads:
            gain += signal(s, t, w, loose, card, slot)
        if gain > most:
            most, best = gain, slot
    return most, best


@jit
def best_show(
    m: Mind, scratch: Records, s: State, t: Params, w: Array, hand: int
) -> tuple[float, int, int]:
    """Returns the best card of a hand to show, where, and what it gains."""
    most, best, at = IMPOSSIBLE, NO_CARD, NOWHERE
    places = free_places(s, t)
    while hand != 0:
        card = lowest_bit(hand)
        hand &= hand - 1
        gain, slot = best_place(m, scratch, s, t, w, card, places)
        if gain > most:
            most, best, at = gain, card, slot
    return most + w[Weight.OPEN], best, at


@jit
def best_put(
    m: Mind, scratch: Records, t: Params, w: Array, k: int, film: Records
) -> tuple[float, int]:
    """Returns the best place for a card of the editor's hand, and what it gains there.

    Args:
        m: The mind.
        scratch: Its states.
        t: The components.
        w: The constants of the policy.
        k: Which of the cards taken.
        film: The Film in tokens with that card taken, shape (1,).
    """
    most, best = IMPOSSIBLE, NOWHERE
    places = places_to_put(film[0], t)
    while places != 0:
        slot = lowest_bit(places)
        places &= places - 1
        scratch[TRIAL] = film[0]
        put_down(scratch[TRIAL], t, slot, k)
        gain = expect(m, scratch, t, w) - m.now
        if gain > most:
            most, best = gain, slot
    return most, best


@jit
def best_take(m: Mind, scratch: Records, t: Params, w: Array, film: Records) -> tuple[float, int]:
    """Returns the best card for an editor to move, and what it gains where it goes."""
    most, best = IMPOSSIBLE, NOWHERE
    left = int(scratch[TOKEN_FILM].occupied)
    while left != 0:
        slot = lowest_bit(left)
        left &= left - 1
        if may_gain(m, scratch, t, w, slot) <= max(most, 0.0):
            continue
        film[0] = scratch[TOKEN_FILM]
        take_up(film[0], t, slot, 0)
        gain, _ = best_put(m, scratch, t, w, 0, film)
        if gain > most:
            most, best = gain, slot
    return most, best


@jit
def may_gain(m: Mind, scratch: Records, t: Params, w: Array, slot: int) -> float:
    """Returns what moving a card can gain at most, if it does not win: all that it can bring."""
    scratch[TRIAL] = scratch[TOKEN_FILM]
    take_up(scratch[TRIAL], t, slot, 1)
    pairs = NEIGHBOURS if t.mode >= Mode.SERIES else 1
    brings = w[Weight.SIZE] + pairs * w[Weight.ORDER] + w[Weight.GENRE]
    return expect(m, scratch, t, w) - m.now + float(brings)


@jit
def best_second(
    m: Mind, scratch: Records, t: Params, w: Array, first: int, film: Records
) -> tuple[float, int]:
    """Returns the best second card for an editor to move, if the first goes to a place.

    That place is one in the Film without the first card alone, and so is the second card's: the
    gain is of both, one after the other.
    """
    most, best = IMPOSSIBLE, NOWHERE
    left = int(scratch[TOKEN_FILM].occupied)
    while left != 0:
        slot = lowest_bit(left)
        left &= left - 1
        film[0] = scratch[TOKEN_FILM]
        put_down(film[0], t, first, 0)
        # The second card lies elsewhere if the first one has shifted it.
        moved = slot
        token = int(scratch[TOKEN_FILM].film[slot])
        for at in range(len(film[0].film)):
            if film[0].film[at] == token:
                moved = at
        take_up(film[0], t, moved, 1)
        gain, _ = best_put(m, scratch, t, w, 1, film)
        if gain > most:
            most, best = gain, slot
    return most, best


@jit
def best_swap(
    m: Mind, scratch: Records, s: State, t: Params, w: Array, cards: int
) -> tuple[float, int, int]:
    """Returns the best card of the Cut to swap, for which of the Film, and what it gains."""
    most, best, at = IMPOSSIBLE, NO_CARD, NOWHERE
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        for k in range(m.worlds_drawn):
            m.worlds[k, NEW] = card
        left = int(s.occupied)
        while left != 0:
            slot = lowest_bit(left)
            left &= left - 1
            scratch[TRIAL] = scratch[TOKEN_FILM]
            scratch[TRIAL].film[slot] = NEW
            gain = expect(m, scratch, t, w) - m.now
            if int(s.face_up) >> slot & 1 == 0:
                gain += w[Weight.OPEN]
            if gain > most:
                most, best, at = gain, card, slot
    return most, best, at


@jit
def best_removal(m: Mind, scratch: Records, t: Params, w: Array, slots: int) -> tuple[float, int]:
    """Returns the best of some cards to take out of the Film, and what it gains."""
    most, best = IMPOSSIBLE, NOWHERE
    while slots != 0:
        slot = lowest_bit(slots)
        slots &= slots - 1
        scratch[TRIAL] = scratch[TOKEN_FILM]
        remove(scratch[TRIAL], t, slot)
        gain = expect(m, scratch, t, w) - m.now
        if gain > most:
            most, best = gain, slot
    return most, best


@jit
def best_exchange(
    m: Mind, scratch: Records, t: Params, w: Array, one: int, others: int
) -> tuple[float, int]:
    """Returns the best of some cards to change places with a card, and what it gains."""
    most, best = IMPOSSIBLE, NOWHERE
    while others != 0:
        slot = lowest_bit(others)
        others &= others - 1
        scratch[TRIAL] = scratch[TOKEN_FILM]
        exchange(scratch[TRIAL], one, slot)
        gain = expect(m, scratch, t, w) - m.now
        if gain > most:
            most, best = gain, slot
    return most, best


@jit
def best_look(m: Mind, s: State, t: Params, w: Array, slots: int) -> tuple[float, int]:
    """Returns the best of some cards to look at, and what it is worth: the less is known of it."""
    most, best = IMPOSSIBLE, NOWHERE
    loose = int(m.unknown) & ~int(m.trusted)
    while slots != 0:
        slot = lowest_bit(slots)
        slots &= slots - 1
        gain = 0.0
        if int(m.unknown) >> slot & 1:
            gain = w[Weight.VIEW] * doubt(m, t, slot)
            if m.reads and loose >> slot & 1:
                gain += nearness(s, t, w, loose, slot)
        if gain > most:
            most, best = gain, slot
    return most, best


@jit
def doubt(m: Mind, t: Params, slot: int) -> float:
    """Returns how different the cards of a slot are in the worlds, 1 if nothing is known of it."""
    count = int(m.worlds_drawn)
    if t.mode == Mode.STUDIO:
        same = 0
        for k in range(count):
            same += t.symbol[m.worlds[k, slot]] == t.symbol[m.worlds[0, slot]]
        return 1.0 - same / count
    mean, off = 0.0, 0.0
    for k in range(count):
        mean += VALUE[m.worlds[k, slot]] / count
    for k in range(count):
        off += abs(VALUE[m.worlds[k, slot]] - mean) / count
    return off / WIDE


@jit
def effect_gain(
    m: Mind, scratch: Records, s: State, t: Params, w: Array, member: int, film: Records
) -> float:
    """Returns what the effect of a member gains, with the hand and the Cut as they are."""
    if member == Member.EDITOR:
        return best_take(m, scratch, t, w, film)[0]
    if member == Member.STAR:
        return best_swap(m, scratch, s, t, w, cut_cards(s, False))[0]
    if member == Member.PRODUCER:
        slots = cards_that_may_leave(int(t.mode), int(s.occupied))
        return best_removal(m, scratch, t, w, slots)[0] + float(w[Weight.GIVE])
    if member == Member.SCRIPT:
        return best_show(m, scratch, s, t, w, int(s.hands[s.to_move]))[0]
    return 0.0
