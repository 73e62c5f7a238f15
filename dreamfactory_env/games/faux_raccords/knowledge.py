"""What each seat sees now (F24), and what it is sure of by memory (F26).

A seat is sure of a card that it has seen and could follow since. Moves call :func:`see` and
:func:`see_all` when a card is shown, and :func:`lose_track` when one of several cards leaves a hand
unseen; without the option ``memory`` these do nothing.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.faux_raccords.bits import lowest_bit
from dreamfactory_env.games.faux_raccords.state import (
    MAX_PLAYERS,
    MAX_TAKEN,
    NO_CARD,
    Memory,
    Params,
    Phase,
    State,
)

#: How many numbers :func:`seen_at` writes.
SEEN = 1 + MAX_TAKEN + MAX_PLAYERS


@jit
def see(s: State, t: Params, seat: int, card: int) -> None:
    """Makes a seat sure of a card."""
    if t.memory == Memory.PERFECT:
        s.sure[seat] = int(s.sure[seat]) | 1 << card


@jit
def see_all(s: State, t: Params, card: int) -> None:
    """Makes all seats sure of a card."""
    for p in range(s.players):
        see(s, t, p, card)


@jit
def lose_track(s: State, t: Params, holder: int, receiver: int) -> None:
    """Makes all others unsure of a hand of two or more cards, before one of them leaves it unseen.

    Args:
        s: The game, with the card still in the hand.
        t: The components.
        holder: Whose hand it is.
        receiver: Who gets the card, and so sees which it was; NOBODY if nobody does.
    """
    hand = int(s.hands[holder])
    if t.memory != Memory.PERFECT or hand & (hand - 1) == 0:
        return
    for p in range(s.players):
        if p != holder and p != receiver:
            s.sure[p] = int(s.sure[p]) & ~hand


@jit
def slots_seen(s: State, seat: int) -> int:
    """Returns the slots of the Film whose cards a seat sees; at the end all do.

    Who has just put or looked at a card sees it while choosing which Clap moves there.
    """
    if s.phase == Phase.OVER:
        return int(s.occupied)
    slots = int(s.face_up) | int(s.claps[seat])
    if s.phase == Phase.MOVE_CLAP and s.to_move == seat:
        slots |= 1 << int(s.chosen)
    return slots


@jit
def sees_taken(s: State, seat: int, k: int) -> bool:
    """Tells whether a seat sees a card in the editor's hand: face up, or with its own Clap."""
    return bool(s.taken_face_up[k]) or bool(int(s.taken_claps[k]) >> seat & 1)


@jit
def chosen_card(s: State, seat: int, holder: int) -> int:
    """Returns the card of a hand that is chosen and not put or passed yet, as a seat sees it.

    That of `show` is open, the others are their player's secret (F25).

    Returns:
        The card, or NO_CARD.
    """
    if s.pending != NO_CARD and s.to_move == holder:
        return int(s.pending) if seat == holder or s.phase == Phase.SHOW_AT else NO_CARD
    return int(s.passing[holder]) if seat == holder else NO_CARD


@jit
def cards_seen(s: State, seat: int) -> int:
    """Returns all cards that a seat sees now (F24)."""
    cards = int(s.hands[seat])
    if s.phase == Phase.SHOW_AT:
        cards |= 1 << int(s.pending)
    for k in range(s.cut_size):
        cards |= 1 << int(s.cut[k])
    slots = slots_seen(s, seat)
    while slots != 0:
        cards |= 1 << int(s.film[lowest_bit(slots)])
        slots &= slots - 1
    for k in range(MAX_TAKEN):
        if s.taken[k] != NO_CARD and sees_taken(s, seat, k):
            cards |= 1 << int(s.taken[k])
    return cards


@jit
def seen_at(states: Records, index: int, seat: int, out: Array) -> None:
    """Tells what a seat sees in game ``index`` besides its hand and what is open.

    Args:
        states: A batch, STATE.
        index: Which game of it.
        seat: The seat that looks.
        out: int64 (SEEN,). Set to the slots of the Film that it sees; whether it sees each card in
            the editor's hand; and for each player the card of that hand which is chosen, or
            NO_CARD.
    """
    s = states[index]
    out[0] = slots_seen(s, seat)
    for k in range(MAX_TAKEN):
        out[1 + k] = sees_taken(s, seat, k)
    for p in range(s.players):
        out[1 + MAX_TAKEN + p] = chosen_card(s, seat, p)


@jit
def cards_known(s: State, seat: int) -> int:
    """Returns all cards of which a seat knows where they are, with its memory if it has one."""
    return cards_seen(s, seat) | int(s.sure[seat])
