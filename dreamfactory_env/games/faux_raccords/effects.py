"""The effects of the members of the production (F16).

Each function of a decision returns whether the effect is done; if not, the next decision of it is
asked.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.faux_raccords.actions import CARD, ENOUGH, NO_EFFECT, PLAYER, SLOT
from dreamfactory_env.games.faux_raccords.film import (
    clear_marks,
    free_places,
    lay,
    put_down,
    remove,
    take_up,
)
from dreamfactory_env.games.faux_raccords.knowledge import see, see_all
from dreamfactory_env.games.faux_raccords.state import (
    NO_CARD,
    NOWHERE,
    Member,
    Params,
    Phase,
    State,
)


@jit
def begin_effect(s: State, t: Params, card: int) -> bool:
    """Asks for the effect of a card; returns whether there is nothing to ask for."""
    member = int(t.member[card])
    if member == Member.MANAGER:
        s.phase = Phase.REUSE
        return s.cut_size < 2  # the card called in this turn is one of them
    if member == Member.SCRIPT:
        s.phase = Phase.SHOW
        return s.hands[s.to_move] == 0 or free_places(s, t) == 0
    if member == Member.EDITOR:
        s.phase = Phase.TAKE
    elif member == Member.STAR:
        s.phase = Phase.SWAP
    else:
        s.phase = Phase.GIVE
    return s.occupied == 0


@jit
def answer_effect(s: State, t: Params, action: int) -> bool:
    """Plays a decision of an effect; returns whether the effect is done."""
    phase = int(s.phase)
    if action == NO_EFFECT:
        return True
    if phase == Phase.REUSE:
        return reuse(s, t, action - CARD)
    if phase == Phase.TAKE or phase == Phase.TAKE_MORE:
        return take(s, t, action)
    if phase == Phase.PUT:
        return put(s, t, action - SLOT)
    if phase == Phase.SWAP:
        return choose_swap(s, action - CARD)
    if phase == Phase.SWAP_FOR:
        return swap(s, t, action - SLOT)
    if phase == Phase.GIVE:
        s.chosen = action - SLOT
        s.phase = Phase.GIVE_TO
        return False
    if phase == Phase.GIVE_TO:
        return give(s, t, (int(s.to_move) + action - PLAYER) % int(s.players))
    if phase == Phase.SHOW:
        s.pending = action - CARD
        s.phase = Phase.SHOW_AT
        see_all(s, t, action - CARD)
        return False
    return show(s, t, action - SLOT)


@jit
def reuse(s: State, t: Params, card: int) -> bool:
    """Manager: a card of the Cut goes to the bin, and its effect follows."""
    k = 0
    while s.cut[k] != card:
        k += 1
    take_from_cut(s, k)
    s.binned = int(s.binned) | 1 << card
    return begin_effect(s, t, card)


@jit
def take_from_cut(s: State, k: int) -> None:
    """Closes the row of the Cut over one of its cards."""
    s.cut_size = int(s.cut_size) - 1
    for place in range(k, int(s.cut_size)):
        s.cut[place] = s.cut[place + 1]
    s.cut[s.cut_size] = NO_CARD


@jit
def take(s: State, t: Params, action: int) -> bool:
    """Editor: takes a card, then a second one or has enough; they are put in this order.

    The second question is asked also when no other card is left: it has one answer then.
    """
    if action != ENOUGH:
        take_up(s, t, action - SLOT, 0 if s.phase == Phase.TAKE else 1)
    s.phase = Phase.TAKE_MORE if s.phase == Phase.TAKE else Phase.PUT
    return False


@jit
def put(s: State, t: Params, slot: int) -> bool:
    """Editor: puts the next card."""
    put_down(s, t, slot, 0 if s.taken[0] != NO_CARD else 1)
    return bool(s.taken[1] == NO_CARD)


@jit
def choose_swap(s: State, card: int) -> bool:
    """Star: chooses a card of the Cut."""
    k = 0
    while s.cut[k] != card:
        k += 1
    s.swapped = k
    s.phase = Phase.SWAP_FOR
    return False


@jit
def swap(s: State, t: Params, slot: int) -> bool:
    """Star: the cards change places, and both are face up."""
    clear_marks(s, slot)
    revealed = int(s.film[slot])
    s.film[slot] = s.cut[s.swapped]
    s.face_up = int(s.face_up) | 1 << slot
    s.cut[s.swapped] = revealed
    s.swapped = NOWHERE
    see_all(s, t, revealed)
    return True


@jit
def give(s: State, t: Params, seat: int) -> bool:
    """Producer: a card of the Film goes to another hand, whose player sees it."""
    card = remove(s, t, int(s.chosen))
    s.chosen = NOWHERE
    s.hands[seat] = int(s.hands[seat]) | 1 << card
    see(s, t, seat, card)
    return True


@jit
def show(s: State, t: Params, slot: int) -> bool:
    """Script supervisor: the card that was shown lies face up in the Film, without a Clap."""
    card = int(s.pending)
    s.pending = NO_CARD
    s.hands[s.to_move] = int(s.hands[s.to_move]) & ~(1 << card)
    slot = lay(s, t, card, slot)
    s.face_up = int(s.face_up) | 1 << slot
    return True
