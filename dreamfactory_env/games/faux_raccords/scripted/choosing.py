"""How ``careful`` and ``convention`` decide: by what the Film is worth after each choice."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.faux_raccords.actions import (
    CALL,
    CARD,
    END,
    ENOUGH,
    HINT_BAD,
    NO_EFFECT,
    NO_HINT,
    PLACE,
    PLAYER,
    SLOT,
    VIEW,
)
from dreamfactory_env.games.faux_raccords.bits import count_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.geometry import cards_that_may_leave, touching
from dreamfactory_env.games.faux_raccords.legal import (
    cut_cards,
    legal_slots,
    places_of_action,
    slots_to_look_at,
)
from dreamfactory_env.games.faux_raccords.scripted.conventions import is_own
from dreamfactory_env.games.faux_raccords.scripted.gains import (
    IMPOSSIBLE,
    best_exchange,
    best_look,
    best_place,
    best_put,
    best_removal,
    best_second,
    best_show,
    best_swap,
    best_take,
    effect_gain,
)
from dreamfactory_env.games.faux_raccords.scripted.mind import TOKEN_FILM, Mind
from dreamfactory_env.games.faux_raccords.scripted.weights import Weight
from dreamfactory_env.games.faux_raccords.state import (
    NO_CARD,
    Member,
    Mode,
    Params,
    Phase,
    State,
)

#: What is done for less than this is not worth it.
LITTLE = 1e-6


@jit
def choose(m: Mind, scratch: Records, film: Records, s: State, t: Params, w: Array) -> int:
    """Returns the action of a player whose mind is made up.

    Args:
        m: What the player imagines.
        scratch: The states of the mind.
        film: Room for one more, shape (1,).
        s: The game.
        t: The components.
        w: The constants of the policy.
    """
    phase = int(s.phase)
    if phase == Phase.ACTION:
        return choose_action(m, scratch, film, s, t, w)
    if phase == Phase.PLACE or phase == Phase.SHOW_AT:
        places = legal_slots(s, t, phase)
        return SLOT + best_place(m, scratch, s, t, w, int(s.pending), places)[1]
    if phase == Phase.LOOK:
        return SLOT + best_look(m, s, t, w, slots_to_look_at(s, t))[1]
    if phase == Phase.MOVE_CLAP or phase == Phase.TAKE_CLAP:
        return SLOT + clap_to_move(m, s, t)
    if phase == Phase.HINT or phase == Phase.HINT_ON:
        return choose_hint(m, scratch, s, t, w)
    if phase < Phase.HINT:
        return choose_effect(m, scratch, film, s, t, w)
    return choose_in_hazard(m, scratch, s, t, w)


# ---------------------------------------------------------------------------- the action


@jit
def choose_action(m: Mind, scratch: Records, film: Records, s: State, t: Params, w: Array) -> int:
    """Returns the best of placing, calling, viewing and ending."""
    if m.chance >= w[Weight.SURE]:
        return END
    hand = int(s.hands[s.to_move])
    places = places_of_action(s, t)
    best, most = END, IMPOSSIBLE
    spare, cost = NO_CARD, 1e9  # the card that is missed least
    left = hand
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        gain, _ = best_place(m, scratch, s, t, w, card, places)
        kept = worth_in_hand(t, w, card, gain)
        if places != 0 and gain > most:
            best, most = PLACE + card, gain
        if kept < cost:
            spare, cost = card, kept
        called = call_gain(m, scratch, film, s, t, w, card) - kept
        if called > most:
            best, most = CALL + card, called
    look, _ = best_look(m, s, t, w, slots_to_look_at(s, t))
    if look - cost > most:
        best = VIEW + spare
    return best


@jit
def worth_in_hand(t: Params, w: Array, card: int, gain: float) -> float:
    """Returns what a card is worth to its player for later: in the Film, or for its member."""
    member = w[Weight.SCRIPT]
    if t.member[card] == Member.EDITOR:
        member = w[Weight.EDITOR]
    elif t.member[card] == Member.PRODUCER:
        member = w[Weight.PRODUCER]
    elif t.member[card] == Member.STAR:
        member = w[Weight.STAR]
    elif t.member[card] == Member.MANAGER:
        member = w[Weight.MANAGER]
    return float(member + w[Weight.KEEP] * max(gain, 0.0))


@jit
def call_gain(
    m: Mind, scratch: Records, film: Records, s: State, t: Params, w: Array, card: int
) -> float:
    """Returns what calling a card gains; nothing if its effect is declined."""
    member = int(t.member[card])
    hand = int(s.hands[s.to_move]) & ~(1 << card)
    if member == Member.SCRIPT:
        return max(best_show(m, scratch, s, t, w, hand)[0], 0.0)
    if member == Member.STAR:
        cards = cut_cards(s, False) | 1 << card
        return max(best_swap(m, scratch, s, t, w, cards)[0], 0.0)
    if member == Member.MANAGER:
        return max(best_reuse(m, scratch, film, s, t, w)[0], 0.0)
    return max(effect_gain(m, scratch, s, t, w, member, film), 0.0)


@jit
def best_reuse(
    m: Mind, scratch: Records, film: Records, s: State, t: Params, w: Array
) -> tuple[float, int]:
    """Returns the card of the Cut whose effect gains most, and how much."""
    most, best = IMPOSSIBLE, NO_CARD
    seen = 0
    for k in range(s.cut_size):
        card = int(s.cut[k])
        member = int(t.member[card])
        if card == s.called or member == Member.MANAGER or seen >> member & 1:
            continue
        seen |= 1 << member
        gain = effect_gain(m, scratch, s, t, w, member, film)
        if gain > most:
            most, best = gain, card
    return most, best


# ---------------------------------------------------------------------------- effects


@jit
def choose_effect(m: Mind, scratch: Records, film: Records, s: State, t: Params, w: Array) -> int:
    """Returns the answer to a question of a member's effect."""
    phase = int(s.phase)
    if phase == Phase.REUSE:
        gain, answer = best_reuse(m, scratch, film, s, t, w)
        answer += CARD
    elif phase == Phase.SHOW:
        gain, answer, _ = best_show(m, scratch, s, t, w, int(s.hands[s.to_move]))
        answer += CARD
    elif phase == Phase.SWAP:
        gain, answer, _ = best_swap(m, scratch, s, t, w, cut_cards(s, False))
        answer += CARD
    elif phase == Phase.SWAP_FOR:
        card = 1 << int(s.cut[s.swapped])
        return SLOT + best_swap(m, scratch, s, t, w, card)[2]
    elif phase == Phase.GIVE:
        slots = cards_that_may_leave(int(t.mode), int(s.occupied))
        gain, answer = best_removal(m, scratch, t, w, slots)
        gain += w[Weight.GIVE]
        answer += SLOT
    elif phase == Phase.GIVE_TO:
        return PLAYER + receiver(m, s, t)
    elif phase == Phase.TAKE:
        gain, answer = best_take(m, scratch, t, w, film)
        answer += SLOT
    else:
        return choose_puts(m, scratch, film, s, t, w)
    return answer if gain > LITTLE else NO_EFFECT


@jit
def choose_puts(m: Mind, scratch: Records, film: Records, s: State, t: Params, w: Array) -> int:
    """Returns a second card for the editor, or that it is enough, or where a card goes."""
    k = 0 if s.taken[0] != NO_CARD else 1
    film[0] = scratch[TOKEN_FILM]
    gain, slot = best_put(m, scratch, t, w, k, film)
    if s.phase == Phase.PUT:
        return SLOT + slot
    more, second = best_second(m, scratch, t, w, slot, film)
    return SLOT + second if more > gain + LITTLE else ENOUGH


@jit
def receiver(m: Mind, s: State, t: Params) -> int:
    """Returns who gets a card, in steps from the player: its range's partner, or the next."""
    card = int(s.film[s.chosen])
    if m.reads and t.mode < Mode.SERIES and int(m.known) >> card & 1:
        for step in range(1, int(s.players)):
            seat = (int(s.to_move) + step) % int(s.players)
            if is_own(s, t, seat, card):
                return step
    return 1


# ---------------------------------------------------------------------------- Claps and hints


@jit
def clap_to_move(m: Mind, s: State, t: Params) -> int:
    """Returns the slot of the Clap that tells least: of a card that is open, or among others."""
    claps = int(s.claps[s.to_move])
    best, least = lowest_bit(claps), 1e9
    while claps != 0:
        slot = lowest_bit(claps)
        claps &= claps - 1
        near = touching(int(t.mode), 1 << slot) & int(s.occupied)
        tells = float(count_bits(near & int(m.unknown)))
        if int(s.face_up) >> slot & 1:
            tells = -1.0
        if tells < least:
            best, least = slot, tells
    return best


@jit
def choose_hint(m: Mind, scratch: Records, s: State, t: Params, w: Array) -> int:
    """Returns a hint that a card is bad which the player knows to be, or none."""
    slots = int(s.occupied) & ~int(m.unknown)
    gain, slot = best_removal(m, scratch, t, w, slots)
    if s.phase == Phase.HINT_ON:  # any card, if somebody else has chosen to hint
        return SLOT + (slot if slot >= 0 else lowest_bit(int(s.occupied)))
    return HINT_BAD if gain > w[Weight.HINT] else NO_HINT


# ---------------------------------------------------------------------------- hazards


@jit
def choose_in_hazard(m: Mind, scratch: Records, s: State, t: Params, w: Array) -> int:
    """Returns the answer to a question of a hazard."""
    phase = int(s.phase)
    if phase == Phase.PASS or phase == Phase.BIN:
        return CARD + card_to_miss(m, scratch, s, t, w)
    slots = legal_slots(s, t, phase)
    if phase == Phase.CLASH_WITH:
        return SLOT + best_exchange(m, scratch, t, w, int(s.chosen), slots)[1]
    if phase == Phase.COVER:
        return SLOT + lowest_bit(slots)
    if phase != Phase.CLASH:
        return SLOT + best_removal(m, scratch, t, w, slots)[1]
    best, most = lowest_bit(slots), IMPOSSIBLE
    left = slots
    while left != 0:
        slot = lowest_bit(left)
        left &= left - 1
        others = slots & touching(int(t.mode), 1 << slot)
        gain, _ = best_exchange(m, scratch, t, w, slot, others)
        if gain > most:
            best, most = slot, gain
    return SLOT + best


@jit
def card_to_miss(m: Mind, scratch: Records, s: State, t: Params, w: Array) -> int:
    """Returns the card of the hand that is worth least."""
    left = int(s.hands[s.to_move])
    best, least = lowest_bit(left), 1e9
    places = places_of_action(s, t)
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        gain, _ = best_place(m, scratch, s, t, w, card, places)
        kept = worth_in_hand(t, w, card, gain)
        if kept < least:
            best, least = card, kept
    return best
