"""What a mind has thought of the words on the table, kept between two decisions.

To associate a word with all dreams costs more than all else in the game, and most words stay where
they are: a :class:`Thinking` keeps what each seat thinks of the tops of the reservoirs, and of the
vials, and thinks only of what has changed.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array, record_dtype
from dreamfactory_env.games.fabrique_a_reves.lexicon import MAX_PLAYERS, MOST_DREAMS, VIAL
from dreamfactory_env.games.fabrique_a_reves.minds import add_row, write_row
from dreamfactory_env.games.fabrique_a_reves.rules import top_word
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_RESERVOIRS,
    MAX_VIALS,
    NO_WORD,
    RESERVOIRS_OF_MODE,
    VIALS_OF_MODE,
    Params,
    State,
)

#: What stands for "forbidden" among sums: far below all of them, and so is twice as much.
FORBIDDEN = -10_000
LOWEST = FORBIDDEN // 2
#: Below and behind all that there is.
NO_SUM, NO_PLACE = np.int16(LOWEST), np.int16(MOST_DREAMS)


class Thinking:
    """What each seat thinks. All zero, it is that of a table without words.

    A word stands as its thought + 1, so that 0 is none.
    """

    minds: Annotated[Array, "u8", (MAX_PLAYERS,)]
    themes: Annotated[Array, "i1", (MAX_PLAYERS, 2)]
    noise: Annotated[Array, "i4", (MAX_PLAYERS,)]
    tops: Annotated[Array, "i2", (MAX_PLAYERS, MAX_RESERVOIRS)]
    words: Annotated[Array, "i2", (MAX_PLAYERS, MAX_VIALS, VIAL)]
    rows: Annotated[Array, "i2", (MAX_PLAYERS, MAX_RESERVOIRS, MOST_DREAMS)]
    sums: Annotated[Array, "i2", (MAX_PLAYERS, MAX_VIALS, MOST_DREAMS)]


THINKING = record_dtype(Thinking)


@jit
def think(s: State, t: Params, seat: int, c: Thinking, tops: bool) -> None:
    """Brings what a seat thinks of the vials up to date, and if asked for of the tops."""
    if (
        c.minds[seat] != s.minds[seat]
        or c.themes[seat, 0] != s.themes[0]
        or c.themes[seat, 1] != s.themes[1]
        or c.noise[seat] != s.noise
    ):
        forget(s, seat, c)
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        think_of_vial(s, t, seat, vial, c)
    if tops:
        for reservoir in range(RESERVOIRS_OF_MODE[int(s.mode)]):
            word = top_word(s, t, reservoir)
            if c.tops[seat, reservoir] != word + 1:
                c.tops[seat, reservoir] = word + 1
                if word != NO_WORD:
                    write_row(s, t, seat, word, c.rows[seat, reservoir])


@jit
def forget(s: State, seat: int, c: Thinking) -> None:
    """Empties what a seat thinks, and notes whose mind it is and of which dreams."""
    c.minds[seat] = s.minds[seat]
    c.themes[seat, 0] = s.themes[0]
    c.themes[seat, 1] = s.themes[1]
    c.noise[seat] = s.noise
    c.tops[seat] = 0
    c.words[seat] = 0
    c.sums[seat] = 0


@jit
def think_of_vial(s: State, t: Params, seat: int, vial: int, c: Thinking) -> None:
    """Brings the sums of a vial up to date."""
    known = 0
    while known < VIAL and c.words[seat, vial, known] != 0:
        if c.words[seat, vial, known] != s.words[vial, known] + 1:
            c.words[seat, vial] = 0
            c.sums[seat, vial] = 0
            known = 0
            break
        known += 1
    for k in range(known, int(s.filled[vial])):
        add_word(s, t, seat, vial, int(s.words[vial, k]), c)
        c.words[seat, vial, k] = s.words[vial, k] + 1


@jit
def add_word(s: State, t: Params, seat: int, vial: int, word: int, c: Thinking) -> None:
    """Adds a word to the sums of a vial: most were on top of a reservoir before."""
    for reservoir in range(MAX_RESERVOIRS):
        if c.tops[seat, reservoir] == word + 1:
            sums, row = c.sums[seat, vial], c.rows[seat, reservoir]
            for dream in range(int(s.dreams)):
                sums[dream] += row[dream]
            return
    add_row(s, t, seat, word, c.sums[seat, vial])


@jit
def best_two(sums: Array, added: Array, count: int, out: Array) -> None:
    """Finds the best and the second of the sums of two rows.

    Two short loops over numbers of 16 bits: each looks at many dreams at a time.

    Args:
        sums: One row, in which forbidden dreams are FORBIDDEN; int16 (128,).
        added: The other, likewise.
        count: How many dreams there are.
        out: Where the best and the second sum go: int64 (2,). One that there is not is LOWEST.
    """
    best = NO_SUM
    for dream in range(count):
        best = max(best, np.int16(sums[dream] + added[dream]))
    second, equal = NO_SUM, np.int16(0)
    for dream in range(count):
        total = np.int16(sums[dream] + added[dream])
        second = max(second, total if total < best else NO_SUM)
        equal += np.int16(total == best)
    out[0] = best
    out[1] = best if equal > 1 else second


@jit
def place_of(sums: Array, added: Array, count: int, total: int) -> int:
    """Returns the first dream that has a total in the sums of two rows, see :func:`best_two`."""
    place = NO_PLACE
    wanted = np.int16(total)
    for dream in range(count):
        found = np.int16(sums[dream] + added[dream]) == wanted
        place = min(place, np.int16(dream) if found else NO_PLACE)
    return int(place)
