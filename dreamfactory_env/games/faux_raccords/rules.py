"""The rules of Faux Raccords, F11 to F21: what a move does, and what comes after it.

Plain functions over one :class:`State` and the :class:`Params`. They change the state in place;
:func:`apply` trusts that its action is among those that ``legal.legal`` lists. A turn is a sequence
of decisions: action, hint, hazards; the ``phase`` says which one is asked, and what cannot be done
is not asked. After the deal the game is determined.

Numbers that a sum could carry out of their narrow field are read through ``int()``: compiled code
widens by itself, NumPy, which runs the uncompiled code, does not.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.faux_raccords.actions import (
    CALL,
    END,
    HINT_GOOD,
    NO_HINT,
    PLACE,
    SLOT,
    VIEW,
)
from dreamfactory_env.games.faux_raccords.bits import count_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.effects import (
    answer_effect,
    begin_effect,
    take_from_cut,
)
from dreamfactory_env.games.faux_raccords.film import lay
from dreamfactory_env.games.faux_raccords.hazards import (
    answer_hazard,
    begin_hazard,
    bin_from_hand,
    due_hazard,
)
from dreamfactory_env.games.faux_raccords.knowledge import lose_track, see, see_all
from dreamfactory_env.games.faux_raccords.state import (
    CLAPS,
    CUT_LIMIT,
    NO_CARD,
    NOBODY,
    NOTHING,
    NOWHERE,
    Ending,
    Params,
    Phase,
    State,
)


@jit
def apply(s: State, t: Params, action: int) -> None:
    """Plays a legal action of the player to move, and all that follows up to the next question."""
    phase, answer = int(s.phase), int(action)
    if phase == Phase.ACTION:
        done = act(s, t, answer)
    elif phase == Phase.PLACE:
        done = place(s, t, answer - SLOT)
    elif phase == Phase.LOOK:
        done = look(s, t, answer - SLOT)
    elif phase == Phase.MOVE_CLAP:
        done = move_clap(s, answer - SLOT)
    elif phase < Phase.HINT:
        done = answer_effect(s, t, answer)
    elif phase <= Phase.HINT_ON:
        done = answer_hint(s, answer)
    else:
        done = answer_hazard(s, t, answer)
    if done and not (phase < Phase.HINT and asks_hint(s)):
        look_for_hazards(s, t)


# ---------------------------------------------------------------------------- the action

# Each function returns whether the action is done; if not, more is asked for it.


@jit
def act(s: State, t: Params, action: int) -> bool:
    """Begins an action: place, call, view with, or end (F12)."""
    if action == END:
        end(s, t, Ending.END)
        return False
    if action < CALL:
        s.pending = action - PLACE
        s.phase = Phase.PLACE
        return False
    if action < VIEW:
        return call(s, t, action - CALL)
    bin_from_hand(s, t, int(s.to_move), action - VIEW)
    s.phase = Phase.LOOK
    return False


@jit
def call(s: State, t: Params, card: int) -> bool:
    """Puts a card face up at the end of the Cut; its effect follows (F16)."""
    s.hands[s.to_move] = int(s.hands[s.to_move]) & ~(1 << card)
    s.cut[s.cut_size] = card
    s.cut_size = int(s.cut_size) + 1
    s.called = card
    see_all(s, t, card)
    return begin_effect(s, t, card)


@jit
def place(s: State, t: Params, slot: int) -> bool:
    """Puts the card of the action into the Film, face down, with a Clap (F13)."""
    lose_track(s, t, int(s.to_move), NOBODY)
    card = int(s.pending)
    s.pending = NO_CARD
    s.hands[s.to_move] = int(s.hands[s.to_move]) & ~(1 << card)
    return put_clap(s, lay(s, t, card, slot))


@jit
def look(s: State, t: Params, slot: int) -> bool:
    """Looks at a card of the Film, which gets a Clap (F14)."""
    see(s, t, int(s.to_move), int(s.film[slot]))
    return put_clap(s, slot)


@jit
def put_clap(s: State, slot: int) -> bool:
    """Puts a Clap of the reserve on a card; if there is none, asks which one moves (F13)."""
    claps = int(s.claps[s.to_move])
    if count_bits(claps) < CLAPS:
        s.claps[s.to_move] = claps | 1 << slot
        return True
    s.chosen = slot
    s.phase = Phase.MOVE_CLAP
    return False


@jit
def move_clap(s: State, slot: int) -> bool:
    """Moves a Clap from one card to the one that was placed or viewed."""
    s.claps[s.to_move] = int(s.claps[s.to_move]) & ~(1 << slot) | 1 << int(s.chosen)
    s.chosen = NOWHERE
    return True


# ---------------------------------------------------------------------------- the hint


@jit
def asks_hint(s: State) -> bool:
    """Asks for a hint, if the player has the token and a card lies in the Film (F17)."""
    if s.occupied == 0 or not int(s.hints_left) >> int(s.to_move) & 1:
        return False
    s.phase = Phase.HINT
    return True


@jit
def answer_hint(s: State, action: int) -> bool:
    """Gives no hint, chooses which one, or puts it on a card; returns whether that is all."""
    seat = int(s.to_move)
    if s.phase == Phase.HINT_ON:
        s.hints_left = int(s.hints_left) & ~(1 << seat)
        s.hint_slot[seat] = action - SLOT
    elif action != NO_HINT:
        s.hint_good[seat] = 1 if action == HINT_GOOD else 0
        s.phase = Phase.HINT_ON
        return False
    return True


# ---------------------------------------------------------------------------- the end of a turn


@jit
def look_for_hazards(s: State, t: Params) -> None:
    """Does hazards as long as one is due, up to the next question (F18); then ends the turn."""
    due = due_hazard(s, t)
    while due != NOTHING:
        if begin_hazard(s, t, due):
            return
        due = due_hazard(s, t)
    s.hazard = NOTHING
    end_turn(s, t)


@jit
def end_turn(s: State, t: Params) -> None:
    """Draws a card, trims the Cut, and lets the next player begin (F11)."""
    seat = int(s.turn)
    if s.drawn < s.pile_end:
        card = int(s.dealt[s.drawn])
        s.drawn = int(s.drawn) + 1
        s.hands[seat] = int(s.hands[seat]) | 1 << card
        see(s, t, seat, card)
    while s.cut_size > CUT_LIMIT:
        s.binned = int(s.binned) | 1 << int(s.cut[0])
        take_from_cut(s, 0)
    seat += 1
    begin_turn(s, t, seat if seat < s.players else 0)


@jit
def begin_turn(s: State, t: Params, seat: int) -> None:
    """Asks a player for an action; without a card in hand the game is over (F11)."""
    s.turn = seat
    s.to_move = seat
    s.called = NO_CARD
    s.phase = Phase.ACTION
    if s.hands[seat] == 0:
        end(s, t, Ending.EMPTY_HAND)


@jit
def end(s: State, t: Params, ending: int) -> None:
    """Ends the game, and reveals the Film (F21)."""
    s.ending = ending
    s.phase = Phase.OVER
    lying = int(s.occupied)
    while lying != 0:
        see_all(s, t, int(s.film[lowest_bit(lying)]))
        lying &= lying - 1
