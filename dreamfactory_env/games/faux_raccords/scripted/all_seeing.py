"""A player that sees every card: the ceiling beside which honest ones are shown.

It tries every way to play its turn and takes the one after which a winning Film is nearest
(``reach``). It is greedy, for it looks no turn ahead; but all that has still to come is in the
measure. No player may know what it knows: it is not on the ladder, and nobody can be seated beside
it.
"""

from __future__ import annotations

import math

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.faux_raccords.actions import ACTIONS, ENOUGH, NO_HINT
from dreamfactory_env.games.faux_raccords.legal import legal
from dreamfactory_env.games.faux_raccords.rules import apply
from dreamfactory_env.games.faux_raccords.scoring import CONDITIONS, conditions_met, graded_score
from dreamfactory_env.games.faux_raccords.scripted.reach import PRICES, reach
from dreamfactory_env.games.faux_raccords.state import STATE, Mode, Params, Phase, State

#: Its constants: what the prices weigh, the same in every mode.
SEEING = np.tile(np.exp(-PRICES), len(Mode))
#: No turn has more decisions before its hint: call, reuse, take, enough, put and what follows.
DEPTH = 10
#: Where no Film can win any more, the score decides; less than any that can.
LOST = -1e6


@jit
def decide_seeing_all(
    s: State,
    t: Params,
    code: int,
    weights: Array,
    buffer: Array,
    count: int,
    stream: Seed,
    moves: int,
) -> int:
    """Returns what the player plays, whatever the code; arguments as of any policy."""
    if count == 1:
        return int(buffer[0])
    states = np.empty(DEPTH, STATE)
    answers = np.empty((DEPTH, ACTIONS), np.int32)
    states[0] = s
    return best_answer(states, answers, t, weights[: len(PRICES)])


@jit
def best_answer(states: Records, answers: Array, t: Params, weights: Array) -> int:
    """Returns the first answer of the best way to play a turn on.

    Args:
        states: Room for the decisions on the way; the first is the one that is asked.
        answers: Room for their answers, int32 (DEPTH, ACTIONS).
        t: The components.
        weights: See ``reach``.
    """
    left = np.empty(DEPTH, np.int64)
    left[0] = worth_trying(states[0], t, answers[0])
    depth = 0
    best, most = int(answers[0, 0]), -math.inf
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        states[depth + 1] = states[depth]
        apply(states[depth + 1], t, int(answers[depth, left[depth]]))
        if is_settled(states[depth + 1]):
            worth = prospect(states[depth + 1], t, weights)
            if worth > most:
                best, most = int(answers[0, left[0]]), worth
        else:
            depth += 1
            left[depth] = worth_trying(states[depth], t, answers[depth])
    return best


@jit
def worth_trying(s: State, t: Params, answers: Array) -> int:
    """Lists the answers that may differ in what they lead to; returns how many."""
    count = legal(s, t, answers)
    phase = int(s.phase)
    if phase == Phase.MOVE_CLAP or phase == Phase.TAKE_CLAP:
        return 1
    if phase == Phase.HINT:
        answers[0] = NO_HINT
        return 1
    if phase == Phase.TAKE_MORE:
        answers[0] = ENOUGH
        return 1
    return count


@jit
def is_settled(s: State) -> bool:
    """Tells whether nothing is left to answer of an action, or of a hazard."""
    return s.phase == Phase.ACTION or (s.phase >= Phase.HINT and s.phase != Phase.CLASH_WITH)


@jit
def prospect(s: State, t: Params, weights: Array) -> float:
    """Returns how near a win is."""
    if s.phase == Phase.OVER:
        return math.inf if conditions_met(s, t) == CONDITIONS[int(t.mode)] else -math.inf
    near = reach(s, t, weights)
    return near if near > LOST else LOST + graded_score(s, t)
