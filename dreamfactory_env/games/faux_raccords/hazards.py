"""The hazards: when each is due (F18), what it does (F19), and what if that cannot be (F20)."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.faux_raccords.actions import CARD, SLOT
from dreamfactory_env.games.faux_raccords.bits import count_bits
from dreamfactory_env.games.faux_raccords.film import (
    clear_marks,
    exchange,
    hazard_slots,
    remove,
)
from dreamfactory_env.games.faux_raccords.geometry import HAZARD_SLOTS, LEVELS, ROW, touching
from dreamfactory_env.games.faux_raccords.knowledge import lose_track, see
from dreamfactory_env.games.faux_raccords.legal import slots_to_lose
from dreamfactory_env.games.faux_raccords.state import (
    LINE_B,
    NO_CARD,
    NOBODY,
    NOTHING,
    NOWHERE,
    Hazard,
    Mode,
    Params,
    Phase,
    State,
)

#: How many hazards each mode uses (F3).
HAZARD_COUNTS = (0, 3, 4, 4, 3, 4)
#: The cards in a line, or in the Cut, with which the first hazard is due.
FIRST_OF_FEATURE, FIRST_OF_SHORTS, FIRST_OF_ARCS = 10, 5, 4


@jit
def due_hazard(s: State, t: Params) -> int:
    """Returns the first hazard in order that has not happened and is due, or NOTHING (F18)."""
    count = HAZARD_COUNTS[int(t.mode)]
    if int(s.happened) == (1 << count) - 1:
        return NOTHING
    for k in range(count):
        if not int(s.happened) >> k & 1 and is_due(s, t, k):
            return k
    return NOTHING


@jit
def is_due(s: State, t: Params, k: int) -> bool:
    """Tells whether what a hazard waits for is there (F3)."""
    lying = int(s.occupied)
    if t.mode == Mode.FEATURE:
        return count_bits(lying) >= FIRST_OF_FEATURE + 2 * k
    if t.mode == Mode.SHORTS:
        line = lying >> LINE_B if k >= 2 else lying & ((1 << LINE_B) - 1)
        return count_bits(line) >= FIRST_OF_SHORTS + 2 * (k % 2)
    if t.mode == Mode.SERIES:
        around = touching(Mode.SERIES, 1 << HAZARD_SLOTS[k])
        return around & ~(lying | hazard_slots(s)) == 0
    if t.mode == Mode.ARCS:
        return s.cut_size >= FIRST_OF_ARCS + k
    return count_bits(lying >> (8 * k) & ROW) == LEVELS - k


@jit
def begin_hazard(s: State, t: Params, k: int) -> bool:
    """Turns up a hazard and does it; returns whether somebody is asked."""
    s.happened = int(s.happened) | 1 << k
    s.hazard = k
    s.to_move = s.turn
    kind = int(t.hazard[s.hazards[k]])
    if kind == Hazard.POWER_CUT:
        return ask_next(s, Phase.TAKE_CLAP, 0) or ask_to_bin(s)
    if kind == Hazard.WRONG_HANDS:
        return ask_next(s, Phase.PASS, 0) or ask_to_bin(s)
    if kind == Hazard.EARLY_DEADLINE:
        return ask_left_to_bin(s) or ask_to_bin(s)
    if kind == Hazard.BUDGET_CUT or kind == Hazard.WALK_OUT or kind == Hazard.SPILLED_COFFEE:
        return not happens_by_itself(s, kind) and ask_to_bin(s)
    return ask_turn(s, t, kind) or ask_to_bin(s)


@jit
def ask_turn(s: State, t: Params, kind: int) -> bool:
    """Asks the player whose turn it is for a card of the Film, if there is one to choose."""
    lying = int(s.occupied)
    if kind == Hazard.LOST_REEL:
        s.phase = Phase.LOSE
        return slots_to_lose(s, t) != 0
    if kind == Hazard.EGO_CLASH:
        s.phase = Phase.CLASH
        return lying & touching(int(t.mode), lying) != 0
    if kind == Hazard.RESHOOT:
        s.phase = Phase.RESHOOT
        return lying & ~int(s.face_up) != 0 and s.drawn < s.pile_end
    s.phase = Phase.COVER
    return s.face_up != 0


@jit
def happens_by_itself(s: State, kind: int) -> bool:
    """Does a hazard that asks nobody; returns whether it can be done."""
    if kind == Hazard.BUDGET_CUT:
        return cut_budget(s)
    if kind == Hazard.WALK_OUT:
        can = s.cut_size > 0
        while s.cut_size > 0:
            s.cut_size = int(s.cut_size) - 1
            s.binned = int(s.binned) | 1 << int(s.cut[s.cut_size])
            s.cut[s.cut_size] = NO_CARD
        return can
    found = False
    for p in range(s.players):
        found = found or s.hint_slot[p] != NOWHERE
        s.hint_slot[p] = NOWHERE
    return found


@jit
def cut_budget(s: State) -> bool:
    """Puts the top two cards of the draw pile into the bin, or the last one."""
    can = s.drawn < s.pile_end
    for _ in range(2):
        if s.drawn < s.pile_end:
            s.binned = int(s.binned) | 1 << int(s.dealt[s.drawn])
            s.drawn = int(s.drawn) + 1
    return can


@jit
def ask_next(s: State, phase: int, step: int) -> bool:
    """Asks the next player from the turn's on who has a Clap in the Film, or a card.

    Args:
        s: The game.
        phase: TAKE_CLAP or PASS.
        step: How far from the turn's player to begin.

    Returns:
        Whether there is one.
    """
    for k in range(step, int(s.players)):
        seat = (int(s.turn) + k) % int(s.players)
        has = s.claps[seat] != 0 if phase == Phase.TAKE_CLAP else s.hands[seat] != 0
        if has:
            s.to_move = seat
            s.phase = phase
            return True
    return False


@jit
def steps_from_turn(s: State) -> int:
    """Returns how far the player to move sits from the one whose turn it is."""
    return (int(s.to_move) - int(s.turn)) % int(s.players)


@jit
def ask_to_bin(s: State) -> bool:
    """Asks the turn's player, or the first after them with a card, for one (F20)."""
    asked = ask_next(s, Phase.PASS, 0)
    s.phase = Phase.BIN
    return asked


@jit
def ask_left_to_bin(s: State) -> bool:
    """Asks the player to the left for a card, if there is one in that hand."""
    seat = (int(s.turn) + 1) % int(s.players)
    if s.hands[seat] == 0:
        return False
    s.to_move = seat
    s.phase = Phase.BIN
    return True


@jit
def answer_hazard(s: State, t: Params, action: int) -> bool:
    """Plays a decision of a hazard; returns whether it is done."""
    phase = int(s.phase)
    slot = action - SLOT
    if phase == Phase.TAKE_CLAP:
        s.claps[s.to_move] = int(s.claps[s.to_move]) & ~(1 << slot)
        return not ask_next(s, Phase.TAKE_CLAP, steps_from_turn(s) + 1)
    if phase == Phase.PASS:
        s.passing[s.to_move] = action - CARD
        if ask_next(s, Phase.PASS, steps_from_turn(s) + 1):
            return False
        pass_all(s, t)
    elif phase == Phase.BIN:
        bin_from_hand(s, t, int(s.to_move), action - CARD)
    elif phase == Phase.LOSE:
        s.binned = int(s.binned) | 1 << remove(s, t, slot)
    elif phase == Phase.RESHOOT:
        reshoot(s, slot)
    elif phase == Phase.COVER:
        s.face_up = int(s.face_up) & ~(1 << slot)
    elif phase == Phase.CLASH:
        s.chosen = slot
        s.phase = Phase.CLASH_WITH
        return False
    else:
        exchange(s, int(s.chosen), slot)
        s.chosen = NOWHERE
    return True


@jit
def bin_from_hand(s: State, t: Params, seat: int, card: int) -> None:
    """Puts a card of a hand into the bin, face down."""
    lose_track(s, t, seat, NOBODY)
    s.hands[seat] = int(s.hands[seat]) & ~(1 << card)
    s.binned = int(s.binned) | 1 << card


@jit
def reshoot(s: State, slot: int) -> None:
    """Puts a card of the Film into the bin, and the top of the draw pile into its place."""
    clear_marks(s, slot)
    s.binned = int(s.binned) | 1 << int(s.film[slot])
    s.film[slot] = s.dealt[s.drawn]
    s.drawn = int(s.drawn) + 1


@jit
def pass_all(s: State, t: Params) -> None:
    """Lets all cards that were chosen go to the left at once."""
    players = int(s.players)
    for p in range(players):
        if s.passing[p] != NO_CARD:
            lose_track(s, t, p, (p + 1) % players)
    for p in range(players):
        if s.passing[p] != NO_CARD:
            s.hands[p] = int(s.hands[p]) & ~(1 << int(s.passing[p]))
    for p in range(players):
        if s.passing[p] != NO_CARD:
            left = (p + 1) % players
            s.hands[left] = int(s.hands[left]) | 1 << int(s.passing[p])
            see(s, t, left, int(s.passing[p]))
            s.passing[p] = NO_CARD
