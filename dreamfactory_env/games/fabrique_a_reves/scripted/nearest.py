"""The policy ``nearest``: places and dreams by its own associations."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.actions import BROOM, NONE, PASS, TAKE, WORD
from dreamfactory_env.games.fabrique_a_reves.legal import write_free
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.minds import add_row, forbid, write_sums
from dreamfactory_env.games.fabrique_a_reves.rules import SIDES
from dreamfactory_env.games.fabrique_a_reves.state import MAX_VIALS, Params, Phase, State
from dreamfactory_env.games.fabrique_a_reves.thinking import (
    FORBIDDEN,
    THINKING,
    Thinking,
    best_two,
    think,
)


@jit
def nearest(s: State, t: Params, buffer: Array, count: int) -> int:
    """Returns what ``nearest`` plays, see ``decide``."""
    if s.phase == Phase.DREAMS:
        return closest_dream(s, t, buffer, count)
    thoughts = np.zeros(1, THINKING)
    think(s, t, int(s.to_move), thoughts[0], True)
    penalty = np.empty(MOST_DREAMS, np.int16)
    write_penalty(s, penalty)
    if s.phase == Phase.QUILL:
        return closest_word(s, t, thoughts[0], penalty)
    return best_take(s, t, thoughts[0], penalty, buffer, count)


@jit
def write_penalty(s: State, out: Array) -> None:
    """Writes FORBIDDEN for each dream that the player to move may not write, else 0 (R16)."""
    free = np.empty(MOST_DREAMS, np.int8)
    write_free(s, int(s.to_move), free)
    for dream in range(int(s.dreams)):
        out[dream] = 0 if free[dream] else FORBIDDEN


@jit
def closest_dream(s: State, t: Params, buffer: Array, count: int) -> int:
    """Returns the legal dream that is closest to the words of the vial, none only if it must."""
    sums = np.empty(MOST_DREAMS, np.int16)
    write_sums(s, t, int(s.to_move), int(s.asked), sums)
    best = int(buffer[0])
    for k in range(1, count):
        action = int(buffer[k])
        if action != NONE and sums[s.order[action - WORD]] > sums[s.order[best - WORD]]:
            best = action
    return best


@jit
def write_top(s: State, t: Params, c: Thinking, reservoir: int, penalty: Array, out: Array) -> None:
    """Writes what the word on top of a reservoir adds to sums, with all that is forbidden then."""
    seat = int(s.to_move)
    row = c.rows[seat, reservoir]
    for dream in range(int(s.dreams)):
        out[dream] = row[dream] + penalty[dream]
    forbid(s, t, int(c.tops[seat, reservoir]) - 1, out, FORBIDDEN)


@jit
def best_take(s: State, t: Params, c: Thinking, penalty: Array, buffer: Array, count: int) -> int:
    """Returns the take with which the best dream of a vial gains most; passes if none gains."""
    seat = int(s.to_move)
    row = np.empty(MOST_DREAMS, np.int16)
    two = np.empty(2, np.int64)
    before = np.zeros(MAX_VIALS, np.int64)
    for vial in range(MAX_VIALS):
        if s.filled[vial] > 0:
            best_two(c.sums[seat, vial], penalty, int(s.dreams), two)
            before[vial] = two[0]
    chosen, most, shown = int(buffer[0]), FORBIDDEN, -1
    for k in range(count):
        action = int(buffer[k])
        if action >= BROOM:
            break
        reservoir, vial = (action - TAKE) // MAX_VIALS, (action - TAKE) % MAX_VIALS
        if reservoir != shown:
            write_top(s, t, c, reservoir, penalty, row)
            shown = reservoir
        best_two(c.sums[seat, vial], row, int(s.dreams), two)
        gain = two[0] - before[vial]
        if gain > most:
            chosen, most = action, gain
    last = int(buffer[count - 1])
    return last if most <= 0 and last == PASS else chosen


@jit
def closest_word(s: State, t: Params, c: Thinking, penalty: Array) -> int:
    """Returns the word of the quill with which the best dream of the vial is closest."""
    row = np.empty(MOST_DREAMS, np.int16)
    two = np.empty(2, np.int64)
    chosen, most = 0, FORBIDDEN
    for place in range(int(t.quill)):
        word = SIDES * int(t.cards) + place
        row[:] = penalty
        add_row(s, t, int(s.to_move), word, row)
        forbid(s, t, word, row, FORBIDDEN)
        best_two(c.sums[int(s.to_move), s.asked], row, int(s.dreams), two)
        if two[0] > most:
            chosen, most = place, two[0]
    return WORD + chosen
