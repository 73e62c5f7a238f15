"""What a mind thinks of words: associations, sums over a vial, and dreams in their order (M1-M4).

``row`` below is the associations of one thought with all dreams of the game's list.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.associations import mind_adds
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.state import FREE, NO_THEME, Labels, Params, State


@jit
def list_of(s: State, dream: int) -> int:
    """Returns the theme that a dream of the game's list comes from, FREE without one."""
    if s.themes[0] == NO_THEME:
        return FREE
    return int(s.themes[0]) if dream < s.split else int(s.themes[1])


@jit
def place_in_list(s: State, dream: int) -> int:
    """Returns the place of a dream of the game's list among those of its theme."""
    return dream if dream < s.split else int(s.second[dream - int(s.split)])


@jit
def add_row(s: State, t: Params, seat: int, thought: int, out: Array) -> None:
    """Adds how close a seat's mind finds a thought to each dream; int16 (128,)."""
    first, split, noise = list_of(s, 0), int(s.split), int(s.noise)
    for dream in range(split):
        out[dream] += t.associations[first, thought, dream]
    for dream in range(split, int(s.dreams)):
        place = int(s.second[dream - split])
        out[dream] += t.associations[int(s.themes[1]), thought, place]
    if noise > 0:
        mind = s.minds[seat]
        for dream in range(int(s.dreams)):
            out[dream] += mind_adds(mind, thought, dream, noise)


@jit
def write_row(s: State, t: Params, seat: int, thought: int, out: Array) -> None:
    """Writes how close a seat's mind finds a thought to each dream; int16 (128,)."""
    out[:] = 0
    add_row(s, t, seat, thought, out)


@jit
def write_sums(s: State, t: Params, seat: int, vial: int, out: Array) -> None:
    """Writes a seat's associations of each dream summed over the words of a vial; int16 (128,)."""
    out[:] = 0
    for k in range(int(s.filled[vial])):
        add_row(s, t, seat, int(s.words[vial, k]), out)


@jit
def write_order(s: State, t: Params, seat: int, vial: int) -> None:
    """Writes which dream each action number means for whoever dreams at a vial (M4)."""
    count = int(s.dreams)
    if s.labels == Labels.LIST:
        for dream in range(count):
            s.order[dream] = dream
        return
    sums = np.empty(MOST_DREAMS, np.int16)
    write_sums(s, t, seat, vial, sums)
    write_ranking(sums, count, s.order)


@jit
def write_ranking(sums: Array, count: int, out: Array) -> None:
    """Writes dreams in the order of their sums, the highest first, ties by place.

    Each is put where it belongs by counting those before it: for so few that is faster than
    sorting, since many are compared at a time.
    """
    keys = np.empty(MOST_DREAMS, np.int32)
    before = np.zeros(MOST_DREAMS, np.int32)
    for dream in range(count):
        keys[dream] = int(sums[dream]) * MOST_DREAMS - dream
    for other in range(count):
        key = keys[other]
        for dream in range(count):
            before[dream] += key > keys[dream]
    for dream in range(count):
        out[before[dream]] = dream


@jit
def allow_all(s: State) -> None:
    """Marks all dreams of the list as not forbidden (R16)."""
    for dream in range(int(s.dreams)):
        s.allowed[dream] = 1


@jit
def forbid_family(s: State, t: Params, thought: int) -> None:
    """Marks the dreams of one family with a word that lies in a vial as forbidden (R16)."""
    forbid(s, t, thought, s.allowed, 0)


@jit
def forbid(s: State, t: Params, thought: int, out: Array, mark: int) -> None:
    """Writes a mark for each dream that is of one family with a thought (R16)."""
    first = list_of(s, 0)
    if t.forbids_some[first, thought]:
        for dream in range(int(s.split)):
            if t.forbids[first, thought, dream]:
                out[dream] = mark
    if s.themes[1] != NO_THEME and t.forbids_some[s.themes[1], thought]:
        for dream in range(int(s.split), int(s.dreams)):
            if t.forbids[s.themes[1], thought, place_in_list(s, dream)]:
                out[dream] = mark
