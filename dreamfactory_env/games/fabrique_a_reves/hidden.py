"""What a player cannot know, and how to redraw it.

A player sees the table and its own mind and slate. The cards under the tops change places among
themselves, and their sides are drawn; the others get new minds. What the others have written so far
is drawn as those new minds would: one's own dreams in the order of its associations, as often the
first that is legal as any further one, of two further ones as often the first, and so on. So all
that is possible can come, and what is likely is likely. At the end all is open.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, derive_seed, random_below, random_bits, shuffle
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.fabrique_a_reves.legal import write_free
from dreamfactory_env.games.fabrique_a_reves.lexicon import CARDS, MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.minds import (
    write_order,
    write_ranking,
    write_sums,
)
from dreamfactory_env.games.fabrique_a_reves.rules import proposals
from dreamfactory_env.games.fabrique_a_reves.setup import turn_cards
from dreamfactory_env.games.fabrique_a_reves.state import (
    NO_SEED,
    NOT_YET,
    NOTHING,
    PROPOSALS,
    RESERVOIRS_OF_MODE,
    VIALS_OF_MODE,
    Params,
    Phase,
    State,
)

UNKNOWN_SEED = np.uint64(NO_SEED)
# A stream of its own for each thing that is redrawn.
CARD_STREAM, SIDE_STREAM = 1, 2
MIND_STREAM, SLATE_STREAM = 10, 20  # + seat
#: How seldom somebody is thought to make one proposal only at the flask of doubt.
SINGLE = 16


@jit
def resample_hidden(states: Records, index: int, params: Records, player: int, seed: Seed) -> None:
    """Redraws in place everything in game ``index`` that ``player`` cannot know.

    The game looks the same from the player's seat, has the same legal moves if it is the player's
    turn, and continues by the same rules. What comes out depends on nothing but what the player
    knows and the seed.

    Args:
        states: A batch, STATE.
        index: Which game of it.
        params: The lexicon, PARAMS, shape (1,).
        player: The seat that looks.
        seed: Where the redraw comes from, uint64.
    """
    s, t = states[index], params[0]
    s.seed = UNKNOWN_SEED  # whoever knew it would know the shuffles
    if s.phase == Phase.OVER:
        return
    s.redrawn = 1
    redraw_cards(s, t, seed)
    for p in range(s.players):
        if p != player:
            if not s.same_minds:
                s.minds[p] = derive_seed(seed, MIND_STREAM + p)
            redraw_slate(s, t, p, derive_seed(seed, SLATE_STREAM + p))
    if s.phase == Phase.DREAMS and s.to_move != player:
        write_order(s, t, int(s.to_move), int(s.asked))


@jit
def redraw_cards(s: State, t: Params, seed: Seed) -> None:
    """Shuffles the cards under the tops of all reservoirs, and turns them.

    They are put in rising order first: what comes out does not depend on how they lay.
    """
    reservoirs = RESERVOIRS_OF_MODE[int(s.mode)]
    is_hidden = np.zeros(CARDS, np.int8)
    for at in range(int(t.cards)):
        if at // reservoirs > s.taken[at % reservoirs]:
            is_hidden[int(s.dealt[at]) // 2] = 1
    cards = np.empty(CARDS, np.int16)
    count = 0
    for card in range(int(t.cards)):
        if is_hidden[card] == 1:
            cards[count] = card
            count += 1
    shuffle(cards, count, derive_seed(seed, CARD_STREAM), 0)
    turn_cards(cards, count, derive_seed(seed, SIDE_STREAM))
    next_card = 0
    for at in range(int(t.cards)):
        if at // reservoirs > s.taken[at % reservoirs]:
            s.dealt[at] = cards[next_card]
            next_card += 1


@jit
def redraw_slate(s: State, t: Params, seat: int, seed: Seed) -> None:
    """Draws what a player has written so far, as its mind would."""
    if s.phase != Phase.DREAMS:
        return
    vials = VIALS_OF_MODE[int(s.mode)]
    written = np.zeros(PROPOSALS * len(s.slates[seat]), np.int8)
    for vial in range(vials):
        for k in range(PROPOSALS):
            written[PROPOSALS * vial + k] = s.slates[seat, vial, k] != NOT_YET
            s.slates[seat, vial, k] = NOT_YET
    sums = np.empty(MOST_DREAMS, np.int16)
    order = np.empty(MOST_DREAMS, np.int8)
    for vial in range(vials):
        if written[PROPOSALS * vial] == 0:
            return
        write_sums(s, t, seat, vial, sums)
        write_ranking(sums, int(s.dreams), order)
        for k in range(proposals(s, vial)):
            if written[PROPOSALS * vial + k] == 1:
                at = PROPOSALS * vial + k
                s.slates[seat, vial, k] = draw_dream(s, seat, order, seed, at)


@jit
def draw_dream(s: State, seat: int, order: Array, seed: Seed, number: int) -> int:
    """Draws a legal dream by its place in the order of a mind; now and then no second one."""
    free = np.empty(MOST_DREAMS, np.int8)
    write_free(s, seat, free)
    if number % PROPOSALS == 1 and random_below(seed, 2 * number, SINGLE) == 0:
        return NOTHING
    bits = random_bits(seed, 2 * number + 1)
    chosen = NOTHING
    for place in range(int(s.dreams)):
        dream = int(order[place])
        if free[dream] == 1:
            chosen = dream
            if bits & np.uint64(1) == 0:
                break
            bits >>= np.uint64(1)
    return chosen
