"""The policy ``schelling``: places what is clear for others, too, and keeps tools till they pay."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.actions import (
    BROOM,
    NONE,
    PASS,
    TAKE,
    TOKEN,
    WORD,
)
from dreamfactory_env.games.fabrique_a_reves.lexicon import MAX_PLAYERS, MOST_DREAMS, VIAL
from dreamfactory_env.games.fabrique_a_reves.minds import forbid
from dreamfactory_env.games.fabrique_a_reves.rules import SIDES, top_word
from dreamfactory_env.games.fabrique_a_reves.scripted.imagining import (
    TABLES,
    add_shared,
    imagine,
    imagined_points,
)
from dreamfactory_env.games.fabrique_a_reves.scripted.nearest import write_penalty
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_VIALS,
    TOOLS,
    VIALS_OF_MODE,
    Params,
    Phase,
    State,
    Tool,
)
from dreamfactory_env.games.fabrique_a_reves.thinking import FORBIDDEN


class Weight(IntEnum):
    """The places of the constants."""

    SPREAD = 0  # the deviation of the part of associations that all minds share
    EARLY = 1  # tools are used with so many more places left than there are turns of others
    BROOM = 2  # tops are swept away if the best of them gains less than this
    SPILL = 3  # a full vial is spilled if it is worth less than this
    LEAST = 4  # a word is taken if it gains more than this
    CLOSENESS = 5  # what a point of closeness is worth, where the imagined tables see no difference


WEIGHTS = np.array([28.0, 1.0, 1.0, 1.2, -1.0, 0.005])


class Mind(NamedTuple):
    """What a decision is made with.

    Attributes:
        spread: The deviation of the part of associations that all minds share.
        closeness: What a point of closeness is worth.
        sums: What others are expected to think of each vial, int16 (5, 128).
        penalty: FORBIDDEN for what may not be dreamt, int16 (128,).
        added: What imagined minds add, int16 (3, TABLES, MAX_PLAYERS - 1, 128).
        worth: What each vial is worth as it is, float64 (5,).
        row: Room for what a word adds, int16 (128,).
        total: Room for sums, int16 (128,).
    """

    spread: float
    closeness: float
    sums: Array
    penalty: Array
    added: Array
    worth: Array
    row: Array
    total: Array


@jit
def schelling(s: State, t: Params, weights: Array, buffer: Array, count: int, seed: Seed) -> int:
    """Returns what ``schelling`` plays, see ``decide``."""
    spread = weights[Weight.SPREAD]
    if s.phase == Phase.DREAMS:
        return shared_dream(s, t, spread, buffer, count)
    mind = Mind(
        spread=spread,
        closeness=weights[Weight.CLOSENESS],
        sums=np.zeros((MAX_VIALS, MOST_DREAMS), np.int16),
        penalty=np.empty(MOST_DREAMS, np.int16),
        added=np.empty((VIAL, TABLES, MAX_PLAYERS - 1, MOST_DREAMS), np.int16),
        worth=np.zeros(MAX_VIALS),
        row=np.empty(MOST_DREAMS, np.int16),
        total=np.empty(MOST_DREAMS, np.int16),
    )
    write_penalty(s, mind.penalty)
    imagine(s, spread, seed, mind.added)
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        for k in range(int(s.filled[vial])):
            add_shared(s, t, int(s.words[vial, k]), spread, mind.sums[vial])
        mind.worth[vial] = worth_with(s, t, mind, vial, mind.penalty, 0, 1, 0)
    if s.phase == Phase.QUILL:
        return WORD + best_word(s, t, mind, int(s.asked))
    take, gain = best_take(s, t, mind, buffer, count)
    return with_tools(s, t, weights, mind, buffer, count, take, gain)


@jit
def shared_dream(s: State, t: Params, spread: float, buffer: Array, count: int) -> int:
    """Returns the legal dream that others are expected to find closest, none only if it must."""
    sums = np.zeros(MOST_DREAMS, np.int16)
    for k in range(int(s.filled[s.asked])):
        add_shared(s, t, int(s.words[s.asked, k]), spread, sums)
    best = int(buffer[0])
    for k in range(1, count):
        action = int(buffer[k])
        if action != NONE and sums[s.order[action - WORD]] > sums[s.order[best - WORD]]:
            best = action
    return best


@jit
def write_word(s: State, t: Params, mind: Mind, thought: int) -> None:
    """Writes what a word, and what is forbidden with it, adds to sums into ``mind.row``."""
    mind.row[:] = mind.penalty
    add_shared(s, t, thought, mind.spread, mind.row)
    forbid(s, t, thought, mind.row, FORBIDDEN)


@jit
def worth_with(
    s: State, t: Params, mind: Mind, vial: int, added: Array, words: int, proposals: int, dust: int
) -> float:
    """Returns what a vial is worth with some words and tools more.

    Args:
        s: The game.
        t: The lexicon.
        mind: What is thought.
        vial: The vial.
        added: What these words, and what is forbidden, add to its sums; int16 (128,).
        words: How many they are.
        proposals: How many dreams everybody writes.
        dust: The fairy dust that is added.
    """
    filled = int(s.filled[vial]) + words
    if filled == 0:
        return 0.0
    highest = FORBIDDEN
    for dream in range(int(s.dreams)):
        mind.total[dream] = mind.sums[vial, dream] + added[dream]
        highest = max(highest, int(mind.total[dream]))
    there = 2 if s.tokens[vial] == Tool.DUST_2 else int(s.tokens[vial] == Tool.DUST)
    asked = 2 if s.tokens[vial] == Tool.DOUBT else proposals
    noise = mind.added[filled - 1]
    points = imagined_points(s, t, mind.total, noise, filled, asked, there + dust)
    return points + mind.closeness * highest


# ---------------------------------------------------------------------------- moves


@jit
def best_take(s: State, t: Params, mind: Mind, buffer: Array, count: int) -> tuple[int, float]:
    """Returns the take with which a vial gains most, and what it gains; -inf without one."""
    chosen, most, shown = int(buffer[0]), -np.inf, -1
    for k in range(count):
        action = int(buffer[k])
        if action >= BROOM:
            break
        reservoir, vial = (action - TAKE) // MAX_VIALS, (action - TAKE) % MAX_VIALS
        if reservoir != shown:
            write_word(s, t, mind, top_word(s, t, reservoir))
            shown = reservoir
        gain = worth_with(s, t, mind, vial, mind.row, 1, 1, 0) - mind.worth[vial]
        if gain > most:
            chosen, most = action, gain
    return chosen, most


@jit
def with_tools(
    s: State,
    t: Params,
    weights: Array,
    mind: Mind,
    buffer: Array,
    count: int,
    take: int,
    gain: float,
) -> int:
    """Returns the best take, or the use of a tool if it is time, or a pass if nothing gains."""
    left, waiting = 0, 0
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        left += VIAL - int(s.filled[vial])
    for tool in range(TOOLS):
        waiting += int(s.tools) >> tool & 1
    due = left <= int(s.players) + waiting + weights[Weight.EARLY]
    if due or gain <= weights[Weight.LEAST]:
        use, worth = best_tool(s, t, weights, mind, buffer, count)
        if worth > 0:
            return use
    if int(s.tools) >> Tool.BROOM & 1 and -np.inf < gain < weights[Weight.BROOM]:
        return BROOM
    last = int(buffer[count - 1])
    return last if gain <= weights[Weight.LEAST] and last == PASS else take


@jit
def best_tool(
    s: State, t: Params, weights: Array, mind: Mind, buffer: Array, count: int
) -> tuple[int, float]:
    """Returns the use of a tool on a vial that is worth most, and what it is worth."""
    chosen, most = PASS, 0.0
    for k in range(count):
        action = int(buffer[k])
        if TOKEN <= action < PASS:
            tool, vial = (action - TOKEN) // MAX_VIALS + 1, (action - TOKEN) % MAX_VIALS
            worth = tool_worth(s, t, weights, mind, tool, vial)
            if worth > most:
                chosen, most = action, worth
    return chosen, most


@jit
def tool_worth(s: State, t: Params, weights: Array, mind: Mind, tool: int, vial: int) -> float:
    """Returns what a tool is worth on a vial now."""
    if tool == Tool.SPILL:
        missing = float(weights[Weight.SPILL] - mind.worth[vial])
        return max(missing, 0.0) if s.filled[vial] == VIAL else 0.0
    if tool == Tool.QUILL:
        write_word(s, t, mind, SIDES * int(t.cards) + best_word(s, t, mind, vial))
        then = worth_with(s, t, mind, vial, mind.row, 1, 1, 0)
    elif tool == Tool.DOUBT:
        then = worth_with(s, t, mind, vial, mind.penalty, 0, 2, 0)
    else:
        dust = 2 if tool == Tool.DUST_2 else 1
        then = worth_with(s, t, mind, vial, mind.penalty, 0, 1, dust)
    return float(then - mind.worth[vial])


@jit
def best_word(s: State, t: Params, mind: Mind, vial: int) -> int:
    """Returns the place of the word of the quill with which a vial is worth most."""
    chosen, most = 0, -np.inf
    for place in range(int(t.quill)):
        write_word(s, t, mind, SIDES * int(t.cards) + place)
        worth = worth_with(s, t, mind, vial, mind.row, 1, 1, 0)
        if worth > most:
            chosen, most = place, worth
    return chosen
