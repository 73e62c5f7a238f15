"""The scripted policies: compiled, each stronger than the one before.

- ``random`` plays any legal move.
- ``careful`` goes by its own knowledge. It imagines some Films as they may lie: what it sees, and
  what it is sure of by memory, is the same in all of them, and all else is drawn from the cards
  that it misses (``mind``). Every choice is worth what the Film is worth after it, on average
  (``worth``): where a card of its hand fits best, which card an editor moves, a star replaces or a
  producer takes out, so that a partner who sees it places it better. Against that stand the cards
  of which it knows nothing: to look at one is worth the more, the more different it is in the Films
  that are imagined, and costs the card of the hand that is missed least (``gains``). A card that it
  knows to be wrong gets its hint. It ends the game when the Film wins in all that it imagines; else
  the game ends by itself when a hand is empty, and until then looking and calling do no harm.
- ``convention`` does the same, and reads and gives signals (``conventions``): a partner's Clap
  vouches for a card, everybody places a range of the values from an end of their own, and in the
  modes that are no lines every place has its card. So the Films that it imagines are those which
  partners with the same conventions have made, and what it places can be read in the same way.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, derive_seed, random_below
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.knowledge import cards_known
from dreamfactory_env.games.faux_raccords.scripted.choosing import choose
from dreamfactory_env.games.faux_raccords.scripted.mind import MIND, SCRATCH, imagine, judge
from dreamfactory_env.games.faux_raccords.scripted.weights import BY_MODE, WEIGHTS
from dreamfactory_env.games.faux_raccords.state import STATE, Params, State

#: Names in the order of their codes, each with its constants.
SCRIPTED = WEIGHTS
RANDOM, CAREFUL, CONVENTION = range(len(SCRIPTED))


@jit
def decide(
    s: State,
    t: Params,
    code: int,
    weights: Array,
    buffer: Array,
    count: int,
    stream: Seed,
    moves: int,
) -> int:
    """Returns what a scripted policy plays for the player to move.

    It reads of the state only what that player may know, and changes nothing.

    Args:
        s: The game.
        t: The components.
        code: Which policy, its place in ``SCRIPTED``.
        weights: Its constants, float64 (K,).
        buffer: The legal actions in rising order, int32.
        count: How many there are, at least 1.
        stream: Where chance comes from, for whoever needs it.
        moves: How many moves were played; the place in the stream.
    """
    if code == RANDOM:
        return int(buffer[random_below(stream, moves, count)])
    if count == 1:
        return int(buffer[0])
    known = cards_known(s, int(s.to_move))
    return think(s, t, weights, known, code == CONVENTION, derive_seed(stream, moves))


@jit
def think(s: State, t: Params, weights: Array, known: int, reads: bool, seed: Seed) -> int:
    """Returns what a player plays who knows some cards, and keeps to the conventions or not."""
    minds, scratch, film = np.zeros(1, MIND), np.empty(SCRATCH, STATE), np.empty(1, STATE)
    w = weights[BY_MODE * int(t.mode) : BY_MODE * (int(t.mode) + 1)]
    imagine(s, t, w, known, reads, seed, minds)
    judge(s, t, w, minds, scratch)
    return choose(minds[0], scratch, film, s, t, w)
