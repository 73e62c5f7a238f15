"""What a player imagines: Films as they may lie, drawn from what the player knows.

A :class:`Mind` is made anew for each decision. It holds some *worlds*: each says which card may lie
in each place of the Film, and all agree with what the player sees, and is sure of by memory. A
choice is worth what the Film is worth after it, on average over the worlds.

What a choice does to the Film is played once, with *tokens* instead of cards: the token of a card
is the slot where it lay when the decision was asked. A world then says which card each token is.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, shuffle
from dreamfactory_env.engine.structs import I8, I64, Array, Records, record_dtype
from dreamfactory_env.games.faux_raccords.bits import count_bits, list_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.scoring import AIMS, CONDITIONS, conditions_met
from dreamfactory_env.games.faux_raccords.scripted.conventions import read_signals, trusted_slots
from dreamfactory_env.games.faux_raccords.scripted.weights import Weight
from dreamfactory_env.games.faux_raccords.scripted.worth import film_worth
from dreamfactory_env.games.faux_raccords.setup import CARDS_OF_MODE
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    MAX_TAKEN,
    NO_CARD,
    SLOTS,
    Params,
    State,
)

WORLDS = 12
#: Tokens: the slots, the cards in the editor's hand, and a card that comes into the Film.
NEW = SLOTS + MAX_TAKEN
TOKENS = NEW + 1
#: Places of the scratch states: the Film in tokens, a trial of a choice, the Film to be judged.
TOKEN_FILM, TRIAL, JUDGED = range(3)
SCRATCH = 3
SOME = 0.5

F8 = Annotated[float, "f8"]


class Mind:
    """What the player to move imagines."""

    now: F8  # what the Film is worth as it lies
    chance: F8  # in how many of the worlds it wins, as a part
    known: I64  # a set of cards
    unknown: I64  # the slots of the Film whose cards are not known
    trusted: I64  # those of them for which a partner vouches
    seat: I8
    reads: I8  # 1 if it reads and gives signals
    worlds_drawn: I8
    worlds: Annotated[Array, "i1", (WORLDS, TOKENS)]


MIND = record_dtype(Mind)


@jit
def imagine(
    s: State, t: Params, w: Array, known: int, reads: bool, seed: Seed, minds: Records
) -> None:
    """Draws the worlds of the player to move.

    Args:
        s: The game.
        t: The components.
        w: The constants of the policy.
        known: The cards of which the player knows where they are.
        reads: Whether the player keeps to the conventions.
        seed: Where the worlds come from.
        minds: Room for the mind, shape (1,).
    """
    m = minds[0]
    m.seat = s.to_move
    m.reads = 1 if reads else 0
    m.known = known
    m.unknown = 0
    left = int(s.occupied)
    while left != 0:
        slot = lowest_bit(left)
        left &= left - 1
        if not int(m.known) >> int(s.film[slot]) & 1:
            m.unknown = int(m.unknown) | 1 << slot
    m.trusted = 0
    if reads:
        m.trusted = int(m.unknown) & trusted_slots(s, t, int(s.to_move))
    believes = reads and w[Weight.RANGE] >= SOME
    hidden = ((1 << CARDS_OF_MODE[int(t.mode)]) - 1) & ~known
    draw_worlds(s, t, m, hidden, believes, seed)


@jit
def judge(s: State, t: Params, w: Array, minds: Records, scratch: Records) -> None:
    """Judges the Film as it lies in the worlds; fills scratch, shape (SCRATCH,), for trials."""
    m = minds[0]
    lay_tokens(s, scratch)
    scratch[JUDGED] = s
    scratch[TRIAL] = scratch[TOKEN_FILM]
    m.now = expect(m, scratch, t, w)
    m.chance = 0.0
    if is_full(s, t):
        m.chance = chance_to_win(m, scratch, t)
        if m.reads:
            m.chance *= w[Weight.TRUST] ** count_bits(int(m.trusted))


@jit
def is_full(s: State, t: Params) -> bool:
    """Tells whether the Film has as many cards as are asked for, or more."""
    return count_bits(int(s.occupied)) >= AIMS[int(t.mode)]


@jit
def lay_tokens(s: State, scratch: Records) -> None:
    """Makes the Film in tokens."""
    scratch[TOKEN_FILM] = s
    film = scratch[TOKEN_FILM]
    left = int(s.occupied)
    while left != 0:
        slot = lowest_bit(left)
        left &= left - 1
        film.film[slot] = slot
    for k in range(MAX_TAKEN):
        if s.taken[k] != NO_CARD:
            film.taken[k] = SLOTS + k


@jit
def draw_worlds(s: State, t: Params, m: Mind, hidden: int, believes: bool, seed: Seed) -> None:
    """Fills the worlds with known cards, and unknown ones from those that the player misses."""
    pool = np.empty(CARDS, np.int8)
    count = list_bits(hidden, 0, pool, 0)
    taken_unseen = False
    for k in range(MAX_TAKEN):
        card = int(s.taken[k])
        taken_unseen = taken_unseen or (card != NO_CARD and not int(m.known) >> card & 1)
    m.worlds_drawn = WORLDS if m.unknown != 0 or taken_unseen else 1
    counter = 0
    for k in range(m.worlds_drawn):
        world = m.worlds[k]
        counter = shuffle(pool, count, seed, counter)
        used = 0
        if m.trusted != 0:
            used = read_signals(s, t, int(m.unknown), int(m.trusted), pool[:count], believes, world)
        at = 0
        left = int(s.occupied)
        while left != 0:
            slot = lowest_bit(left)
            left &= left - 1
            if int(m.trusted) >> slot & 1:
                continue
            if int(m.unknown) >> slot & 1:
                while used >> int(pool[at]) & 1:
                    at += 1
                world[slot] = pool[at]
                at += 1
            else:
                world[slot] = s.film[slot]
        for j in range(MAX_TAKEN):
            card = int(s.taken[j])
            if card != NO_CARD and not int(m.known) >> card & 1:
                while used >> int(pool[at]) & 1:
                    at += 1
                world[SLOTS + j] = pool[at]
                at += 1
            else:
                world[SLOTS + j] = card


@jit
def expect(m: Mind, scratch: Records, t: Params, w: Array) -> float:
    """Returns what the Film of the trial is worth, on average over the worlds."""
    total = 0.0
    for k in range(m.worlds_drawn):
        realise(m, scratch, k)
        total += film_worth(scratch[JUDGED], t, w)
    return total / int(m.worlds_drawn)


@jit
def realise(m: Mind, scratch: Records, k: int) -> None:
    """Lays the cards of a world as the tokens of the trial lie."""
    trial, judged = scratch[TRIAL], scratch[JUDGED]
    judged.film[:] = NO_CARD
    judged.occupied = trial.occupied
    left = int(trial.occupied)
    while left != 0:
        slot = lowest_bit(left)
        left &= left - 1
        judged.film[slot] = m.worlds[k, trial.film[slot]]


@jit
def chance_to_win(m: Mind, scratch: Records, t: Params) -> float:
    """Returns the part of the worlds in which the Film of the trial wins."""
    won = 0
    for k in range(m.worlds_drawn):
        realise(m, scratch, k)
        won += conditions_met(scratch[JUDGED], t) == CONDITIONS[int(t.mode)]
    return won / int(m.worlds_drawn)
