"""The conventions of ``convention``: what partners who share them tell by what all can see.

Nobody may speak, and the game keeps no history, so a signal is something that lies there:

- **A Clap vouches.** Who has a Clap on a card has placed or seen it, and lets it lie there: it
  fits. So does a hint `good`; a hint `bad` takes it back.
- **Everybody has a range.** In lines the values are divided among the seats in their order: of two
  players the first places the low half, from the left end, and the second the high half, from the
  right end. Who places a range knows all of it, and nobody has to know what the others have done.
  The cards that were dealt stay in between until somebody vouches for them, and each looks at the
  next one from the own end. In `shorts` each line belongs to every other seat.
- **Every place has its card.** In `series` and `arcs` a card goes where its value stands between
  the first and the last corner, as many cards as the place has before it: an unseen card under a
  partner's Clap is about what its place says. In `studio` it is one that fits the symbols which
  the player knows on its level and on the others. (That every symbol has a level of its own was
  tried: it loses more than it tells, since the cards that were dealt do not keep to it.)
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.bits import count_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.geometry import LEVELS, SIDE
from dreamfactory_env.games.faux_raccords.scripted.weights import Weight
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    LINE_B,
    SLOTS,
    VALUE,
    VALUES,
    WIDTH,
    Mode,
    Params,
    State,
)

#: The cards of a whole Film of `series` and `arcs` before those of each diagonal, and among them.
_DIAGONALS = SIDE - np.abs(np.arange(2 * SIDE - 1) - (SIDE - 1))
_RANKS = np.cumsum(_DIAGONALS) - (_DIAGONALS + 1) / 2
#: The value that each diagonal wants: as far from the first as its cards are in their order.
WANTED = 1.0 + (VALUES - 1) * _RANKS / (SIDE * SIDE - 1)
#: A level of `studio` has so many symbols at most.
SYMBOLS_OF_LEVEL = 2
#: So many cards are drawn for a place of `series` and `arcs`, of which the nearest counts.
TRIES = 4
FIRST_LINE = (1 << LINE_B) - 1
LEFT, NEITHER, RIGHT = -1, 0, 1

# ---------------------------------------------------------------------------- who has which range


@jit
def partners_of(s: State, t: Params, seat: int) -> tuple[int, int]:
    """Returns how many seats share the line of a seat, and which of them it is, from the left."""
    players = int(s.players)
    if t.mode == Mode.SHORTS:
        return (players - seat % 2 + 1) // 2, seat // 2
    return players, seat


@jit
def is_own(s: State, t: Params, seat: int, card: int) -> bool:
    """Tells whether a card is in the range of a seat."""
    share, part = partners_of(s, t, seat)
    value = int(VALUE[card]) - 1
    return value * share // VALUES == part


@jit
def own_line(t: Params, seat: int) -> int:
    """Returns the slots of the line in which a seat places cards."""
    if t.mode != Mode.SHORTS:
        return -1
    return FIRST_LINE if seat % 2 == 0 else ~FIRST_LINE


@jit
def own_end(s: State, t: Params, seat: int) -> int:
    """Returns from which end of a line a seat begins: LEFT, RIGHT or NEITHER."""
    share, part = partners_of(s, t, seat)
    place = 2 * part + 1 - share
    return LEFT if place < 0 else RIGHT if place > 0 else NEITHER


@jit
def up_to(slots: int, slot: int, end: int) -> int:
    """Returns the members of a set between a slot, without it, and an end of its line."""
    line = FIRST_LINE if slot < LINE_B else ~FIRST_LINE
    below = (1 << slot) - 1
    return slots & line & (below if end == LEFT else ~below & ~(1 << slot))


# ---------------------------------------------------------------------------- reading


@jit
def trusted_slots(s: State, t: Params, seat: int) -> int:
    """Returns the slots of the Film for which partners vouch."""
    good, bad = 0, 0
    for p in range(s.players):
        if p == seat:
            continue
        good |= int(s.claps[p])
        if t.mode < Mode.SHORTS:
            good |= outside(s, t, p)
        if 0 <= s.hint_slot[p] < SLOTS:
            if s.hint_good[p]:
                good |= 1 << int(s.hint_slot[p])
            else:
                bad |= 1 << int(s.hint_slot[p])
    return good & ~bad


@jit
def outside(s: State, t: Params, seat: int) -> int:
    """Returns the cards between a seat's end of the line and its farthest Clap from there."""
    end = own_end(s, t, seat)
    claps = int(s.claps[seat])
    if claps == 0 or end == NEITHER:
        return 0
    slot = lowest_bit(claps)
    while end == LEFT and claps != 0:
        slot = lowest_bit(claps)
        claps &= claps - 1
    return up_to(int(s.occupied), slot, end)


@jit
def read_signals(
    s: State, t: Params, unknown: int, trusted: int, pool: Array, believes: bool, world: Array
) -> int:
    """Writes cards into a world where partners vouch for them; returns the set of these cards.

    Args:
        s: The game.
        t: The components.
        unknown: The slots whose cards the player does not know.
        trusted: Those of them for which partners vouch.
        pool: The cards that they may be, in random order.
        believes: Whether partners are believed to keep to their ranges.
        world: Where they are written, by slot.
    """
    if t.mode < Mode.SERIES:
        unlikely = own_cards(s, t, int(s.to_move)) if believes else 0
        known = int(s.occupied) & ~unknown
        used = 0
        for line in (FIRST_LINE, ~FIRST_LINE):
            used = read_line(s, known & line, trusted & line, pool, world, unlikely, used)
        return used
    if t.mode == Mode.STUDIO:
        return read_levels(s, t, int(s.occupied) & ~unknown, trusted, pool, world)
    used = 0
    while trusted != 0:
        slot = lowest_bit(trusted)
        trusted &= trusted - 1
        best, least = -1, 1e9
        tries = 0
        for k in range(len(pool)):
            card = int(pool[k])
            if used >> card & 1:
                continue
            off = distance(t, card, slot)
            if off < least:
                best, least = card, off
            tries += 1
            if tries >= TRIES:
                break
        world[slot] = best
        used |= 1 << best
    return used


@jit
def read_line(
    s: State, known: int, trusted: int, pool: Array, world: Array, unlikely: int, used: int
) -> int:
    """Lets the cards for which partners vouch rise between those that are known."""
    group = np.empty(CARDS, np.int8)
    members, low = 0, 0
    line = known | trusted
    while line != 0:
        slot = lowest_bit(line)
        line &= line - 1
        if trusted >> slot & 1:
            group[members] = slot
            members += 1
        else:
            high = int(VALUE[s.film[slot]])
            used = fill_group(group[:members], low, high, pool, world, unlikely, used)
            members, low = 0, high
    return fill_group(group[:members], low, VALUES + 1, pool, world, unlikely, used)


@jit
def fill_group(
    group: Array, low: int, high: int, pool: Array, world: Array, unlikely: int, used: int
) -> int:
    """Writes rising cards between two values into some slots.

    If there are too few, some are among the unlikely ones, or any.
    """
    missing = len(group)
    cards = 0
    for pick in range(3):
        for k in range(len(pool)):
            if missing == 0:
                break
            card = int(pool[k])
            fits = low < VALUE[card] < high or pick == 2
            if fits and (pick > 0 or not unlikely >> card & 1) and not used >> card & 1:
                used |= 1 << card
                cards |= 1 << card
                missing -= 1
    for k in range(len(group)):
        least = lowest_value(cards)
        cards &= ~(1 << least)
        world[group[k]] = least
    return used


@jit
def read_levels(s: State, t: Params, known: int, trusted: int, pool: Array, world: Array) -> int:
    """Lets the cards for which partners vouch fit the symbols of the levels, known ones first."""
    symbols = np.zeros(LEVELS, np.int64)
    while known != 0:
        slot = lowest_bit(known)
        known &= known - 1
        symbols[slot // WIDTH] |= 1 << int(t.symbol[s.film[slot]])
    used = 0
    while trusted != 0:
        slot = lowest_bit(trusted)
        trusted &= trusted - 1
        best = -1
        for k in range(len(pool)):
            card = int(pool[k])
            if used >> card & 1:
                continue
            if best < 0:
                best = card  # if none fits
            if fits_level(symbols, slot // WIDTH, int(t.symbol[card])):
                best = card
                break
        world[slot] = best
        used |= 1 << best
        symbols[slot // WIDTH] |= 1 << int(t.symbol[best])
    return used


@jit
def fits_level(symbols: Array, level: int, symbol: int) -> bool:
    """Tells whether a symbol may lie on a level: there already, or new to it and to all others."""
    if symbols[level] >> symbol & 1:
        return True
    for other in range(LEVELS):
        if symbols[other] >> symbol & 1:
            return False
    return count_bits(int(symbols[level])) < SYMBOLS_OF_LEVEL


@jit
def own_cards(s: State, t: Params, seat: int) -> int:
    """Returns the cards in the range of a seat; none in a line of one's own."""
    cards = 0
    if partners_of(s, t, seat)[0] > 1:
        for card in range(CARDS):
            cards |= int(is_own(s, t, seat, card)) << card
    return cards


@jit
def lowest_value(cards: int) -> int:
    """Returns the card with the least value of a set."""
    best = lowest_bit(cards)
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        if VALUE[card] < VALUE[best]:
            best = card
    return best


@jit
def distance(t: Params, card: int, slot: int) -> float:
    """Returns how far a card is from what `series` and `arcs` want in a slot, 0 to 1.

    A card that is put before the first row or column of `arcs` begins a new one.
    """
    diagonal = slot // WIDTH + slot % WIDTH
    if t.mode == Mode.ARCS:
        diagonal = max(diagonal - 2, 0)
    return float(abs(int(VALUE[card]) - WANTED[diagonal]) / VALUES)


# ---------------------------------------------------------------------------- giving


@jit
def signal(s: State, t: Params, w: Array, loose: int, card: int, slot: int) -> float:
    """Returns what a card says where a player puts it: how well it keeps to the conventions.

    Args:
        s: The game.
        t: The components.
        w: The constants of the policy.
        loose: The slots of cards that the player does not know and for which nobody vouches.
        card: The card.
        slot: Where it is put, by the name of the place before.
    """
    seat = int(s.to_move)
    if t.mode == Mode.STUDIO:
        return 0.0
    if t.mode >= Mode.SERIES:
        return float(w[Weight.MAP] * (0.5 - distance(t, card, slot)))
    if not own_line(t, seat) >> slot & 1:
        return 0.0
    own = w[Weight.OWN] if is_own(s, t, seat, card) else 0.0
    end = own_end(s, t, seat)
    if end == NEITHER:
        return float(own)
    line = FIRST_LINE if slot < LINE_B else ~FIRST_LINE
    below = (1 << slot) - 1
    stray = count_bits(loose & line & (below if end == LEFT else ~below))
    return float(own - w[Weight.STRAY] * stray)


@jit
def nearness(s: State, t: Params, w: Array, loose: int, slot: int) -> float:
    """Returns what it is worth that a card is the next one from the player's own end."""
    seat = int(s.to_move)
    if t.mode >= Mode.SERIES or not own_line(t, seat) >> slot & 1:
        return 0.0
    end = own_end(s, t, seat)
    if end == NEITHER:
        return float(w[Weight.NEAR])
    return float(w[Weight.NEAR] / (1 + count_bits(up_to(loose, slot, end))))
