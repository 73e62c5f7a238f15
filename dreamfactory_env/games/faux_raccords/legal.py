"""What is legal in Faux Raccords: the answers to each question, F12 to F20 of the rules."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.actions import (
    CALL,
    CARD,
    END,
    ENOUGH,
    NO_EFFECT,
    NO_HINT,
    PLACE,
    PLAYER,
    SLOT,
    VIEW,
)
from dreamfactory_env.games.faux_raccords.bits import list_bits
from dreamfactory_env.games.faux_raccords.film import free_places
from dreamfactory_env.games.faux_raccords.geometry import (
    cards_that_may_leave,
    mending_places,
    touching,
)
from dreamfactory_env.games.faux_raccords.state import NO_CARD, Mode, Params, Phase, State


@jit
def legal(s: State, t: Params, out: Array) -> int:
    """Lists the legal actions of the player to move.

    Args:
        s: The game.
        t: The components.
        out: Where the actions are written, in rising order; int32, shape (ACTIONS,).

    Returns:
        How many there are; 0 when the game is over.
    """
    phase = int(s.phase)
    if phase == Phase.ACTION:
        return legal_actions(s, t, out)
    if phase == Phase.HINT:
        return list_bits(0b111, NO_HINT, out, 0)
    if phase == Phase.OVER:
        return 0
    if phase == Phase.GIVE_TO:
        return list_bits((1 << int(s.players)) - 2, PLAYER, out, 0)
    count = 0
    if phase == Phase.REUSE or phase == Phase.SWAP:
        count = list_bits(cut_cards(s, phase == Phase.REUSE), CARD, out, 0)
    elif phase == Phase.SHOW or phase == Phase.PASS or phase == Phase.BIN:
        count = list_bits(int(s.hands[s.to_move]), CARD, out, 0)
    else:
        count = list_bits(legal_slots(s, t, phase), SLOT, out, 0)
    if phase == Phase.TAKE_MORE:
        out[count] = ENOUGH
        count += 1
    elif is_effect(phase):
        out[count] = NO_EFFECT
        count += 1
    return count


@jit
def is_effect(phase: int) -> bool:
    """Tells whether a phase begins a member's effect, which may be declined (F16)."""
    if phase == Phase.REUSE or phase == Phase.TAKE or phase == Phase.SWAP:
        return True
    return phase == Phase.GIVE or phase == Phase.SHOW


@jit
def legal_actions(s: State, t: Params, out: Array) -> int:
    """Lists the actions of a turn (F12)."""
    hand = int(s.hands[s.to_move])
    count = 0
    if places_of_action(s, t) != 0:
        count = list_bits(hand, PLACE, out, count)
    count = list_bits(hand, CALL, out, count)
    if slots_to_look_at(s, t) != 0:
        count = list_bits(hand, VIEW, out, count)
    out[count] = END
    return count + 1


@jit
def legal_slots(s: State, t: Params, phase: int) -> int:
    """Returns the slots that answer the question of a phase."""
    lying = int(s.occupied)
    if phase == Phase.PLACE:
        return places_of_action(s, t)
    if phase == Phase.LOOK:
        return slots_to_look_at(s, t)
    if phase == Phase.MOVE_CLAP or phase == Phase.TAKE_CLAP:
        return int(s.claps[s.to_move])
    if phase == Phase.PUT:
        return places_to_put(s, t)
    if phase == Phase.SHOW_AT:
        return free_places(s, t)
    if phase == Phase.GIVE:
        return cards_that_may_leave(int(t.mode), lying)
    if phase == Phase.LOSE:
        return slots_to_lose(s, t)
    if phase == Phase.CLASH:
        return lying & touching(int(t.mode), lying)
    if phase == Phase.CLASH_WITH:
        return lying & touching(int(t.mode), 1 << int(s.chosen))
    if phase == Phase.RESHOOT:
        return lying & ~int(s.face_up)
    if phase == Phase.COVER:
        return int(s.face_up)
    return lying  # TAKE, TAKE_MORE, SWAP_FOR, HINT_ON


@jit
def keeps_apart(s: State, t: Params) -> bool:
    """Tells whether own Claps may not touch what is placed and viewed (F15)."""
    return s.players == 2 and (t.mode == Mode.FEATURE or t.mode == Mode.SHORTS)


@jit
def places_of_action(s: State, t: Params) -> int:
    """Returns where a card can be placed (F13, F15)."""
    places = free_places(s, t)
    if keeps_apart(s, t):
        claps = int(s.claps[s.to_move])
        places &= ~(claps | claps << 1)  # right before such a card, and right behind it
    return places


@jit
def slots_to_look_at(s: State, t: Params) -> int:
    """Returns the cards that can be viewed (F14, F15)."""
    claps = int(s.claps[s.to_move])
    slots = int(s.occupied) & ~(int(s.face_up) | claps)
    if keeps_apart(s, t):
        slots &= ~touching(int(t.mode), claps)
    return slots


@jit
def slots_to_lose(s: State, t: Params) -> int:
    """Returns the face-down cards that may leave the Film (F10, F19)."""
    return cards_that_may_leave(int(t.mode), int(s.occupied)) & ~int(s.face_up)


@jit
def places_to_put(s: State, t: Params) -> int:
    """Returns where the editor's next card can be put (F16)."""
    if t.mode < Mode.ARCS:
        return free_places(s, t)
    cards = 2 if s.taken[0] != NO_CARD and s.taken[1] != NO_CARD else 1
    return mending_places(int(t.mode), int(s.occupied), cards)


@jit
def cut_cards(s: State, without_called: bool) -> int:
    """Returns the cards of the Cut, or those without the one called in this turn (F16)."""
    cards = 0
    for k in range(s.cut_size):
        cards |= 1 << int(s.cut[k])
    return cards & ~(1 << int(s.called)) if without_called else cards
