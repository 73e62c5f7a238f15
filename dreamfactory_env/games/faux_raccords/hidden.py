"""What a player cannot know, and how to redraw it (F24 to F26).

A player knows what is seen now, and with the option ``memory`` also the cards that it is sure of.
All other cards change places among themselves: those of the Film and of the editor's hand, of other
hands, of bin and draw pile, and those that have left the game. So do the hazards that have not
happened. What others remember is nothing that the player knows: in a redrawn game they are sure of
what they see.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below, shuffle
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.faux_raccords.bits import count_bits, list_bits, nth_bit
from dreamfactory_env.games.faux_raccords.hazards import HAZARD_COUNTS
from dreamfactory_env.games.faux_raccords.knowledge import cards_known, cards_seen
from dreamfactory_env.games.faux_raccords.setup import CARDS_OF_MODE
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    HAZARDS,
    MAX_TAKEN,
    NO_CARD,
    NO_SEED,
    Memory,
    Params,
    Phase,
    State,
)

UNKNOWN_SEED = np.uint64(NO_SEED)


@jit
def resample_hidden(states: Records, index: int, params: Records, player: int, seed: Seed) -> None:
    """Redraws in place everything in game ``index`` that ``player`` cannot know.

    The game looks the same from the player's seat, has the same legal moves if it is the player's
    turn, and continues by the same rules. What comes out depends on nothing but what the player
    knows and the seed. The set-up is erased with the seed: it would tell where cards came from.

    Args:
        states: A batch, STATE.
        index: Which game of it.
        params: The components, PARAMS, shape (1,).
        player: The seat that looks.
        seed: Where the redraw comes from, uint64.
    """
    s, t = states[index], params[0]
    s.seed = UNKNOWN_SEED  # whoever knew it would know the shuffles
    s.start_score = 0
    s.dealt[: s.drawn] = NO_CARD
    counter = redraw_cards(s, t, player, seed)
    counter = redraw_secret_choices(s, player, seed, counter)
    redraw_hazards(s, t, seed, counter)
    if t.memory == Memory.PERFECT:
        for p in range(s.players):
            if p != player:
                s.sure[p] = cards_seen(s, p)


@jit
def redraw_cards(s: State, t: Params, player: int, seed: Seed) -> int:
    """Shuffles the cards that a player does not know; returns the counter after it."""
    known = cards_known(s, player)
    unknown = np.empty(CARDS, np.int8)
    count = list_bits(((1 << CARDS_OF_MODE[int(t.mode)]) - 1) & ~known, 0, unknown, 0)
    counter = shuffle(unknown, count, seed, 0)
    at = redraw_row(s.film, known, unknown, 0)
    for k in range(MAX_TAKEN):
        at = redraw_row(s.taken[k : k + 1], known, unknown, at)
    at = redraw_row(s.dealt, known, unknown, at)
    for p in range(s.players):
        cards = int(s.hands[p])
        s.hands[p] = redraw_set(cards, known, unknown, at)
        at += count_bits(cards & ~known)
    s.binned = redraw_set(int(s.binned), known, unknown, at)
    return counter


@jit
def redraw_row(row: Array, known: int, unknown: Array, at: int) -> int:
    """Puts unknown cards, from a place on, where a row has some; returns the place after it."""
    for k in range(len(row)):
        if row[k] != NO_CARD and not known >> int(row[k]) & 1:
            row[k] = unknown[at]
            at += 1
    return at


@jit
def redraw_set(cards: int, known: int, unknown: Array, at: int) -> int:
    """Returns a set with unknown cards, from a place on, instead of those that it has."""
    drawn = cards & known
    for k in range(count_bits(cards & ~known)):
        drawn |= 1 << int(unknown[at + k])
    return drawn


@jit
def redraw_secret_choices(s: State, player: int, seed: Seed, counter: int) -> int:
    """Draws anew which cards others have chosen to place or to pass (F25)."""
    if s.phase == Phase.PLACE and s.to_move != player:
        s.pending = any_of(int(s.hands[s.to_move]), seed, counter)
    counter += 1
    for p in range(s.players):
        if s.passing[p] != NO_CARD and p != player:
            s.passing[p] = any_of(int(s.hands[p]), seed, counter)
        counter += 1
    return counter


@jit
def any_of(cards: int, seed: Seed, counter: int) -> int:
    """Returns one card of a set."""
    return nth_bit(cards, random_below(seed, counter, count_bits(cards)))


@jit
def redraw_hazards(s: State, t: Params, seed: Seed, counter: int) -> None:
    """Draws the hazards that have not happened from all that are left."""
    left = (1 << HAZARDS) - 1
    for k in range(HAZARD_COUNTS[int(t.mode)]):
        if int(s.happened) >> k & 1:
            left &= ~(1 << int(s.hazards[k]))
    for k in range(HAZARD_COUNTS[int(t.mode)]):
        if not int(s.happened) >> k & 1:
            s.hazards[k] = any_of(left, seed, counter)
            left &= ~(1 << int(s.hazards[k]))
            counter += 1
