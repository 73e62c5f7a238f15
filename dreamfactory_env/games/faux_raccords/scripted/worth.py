"""What a Film is worth on the way to a win: the parts of the graded score, and what spoils it.

The graded score says how much of the Film that is asked for is there. A player who has to get there
also minds what has to leave again: a card out of order is worse than none.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.bits import count_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.scoring import (
    AIMS,
    GENRE_AIMS,
    LINES,
    cards_of_line,
    different_values,
    genre_score,
    levels_fit,
    pairs_in_order,
    symbols_fit,
)
from dreamfactory_env.games.faux_raccords.scripted.weights import Weight
from dreamfactory_env.games.faux_raccords.state import VALUE, Mode, Params, State


@jit
def film_worth(s: State, t: Params, w: Array) -> float:
    """Returns what a Film is worth as it lies; only its cards and the moods are read."""
    mode = int(t.mode)
    cards = count_bits(int(s.occupied))
    worth = 0.0
    spoilt = 0.0
    whole = True
    for line in range(LINES[mode]):
        slots = cards_of_line(s, t, line)
        size = count_bits(slots)
        worth += w[Weight.SIZE] * min(size, AIMS[mode])
        worth -= w[Weight.EXTRA] * max(size - AIMS[mode], 0)
        whole = whole and size == AIMS[mode]
        if mode < Mode.SERIES:
            rising = rising_cards(s, slots)
            worth += w[Weight.ORDER] * min(rising, AIMS[mode])
            spoilt += size - rising
        if GENRE_AIMS[mode] > 0:
            genre = min(genre_score(s, t, line), GENRE_AIMS[mode])
            worth += w[Weight.GENRE] * genre
            whole = whole and genre == GENRE_AIMS[mode]
    if mode == Mode.STUDIO:
        fitting = levels_fit(s, t) + symbols_fit(s, t)
        worth += 0.5 * w[Weight.ORDER] * fitting
        spoilt += 2 * cards - fitting
    elif mode >= Mode.SERIES:
        rising, pairs = pairs_in_order(s, t)
        worth += w[Weight.ORDER] * rising
        spoilt += pairs - rising
    worth -= w[Weight.MISFIT] * spoilt
    whole = whole and spoilt == 0.0
    if mode != Mode.TUTORIAL and mode != Mode.STUDIO:
        doubles = cards - different_values(s)
        worth -= w[Weight.DOUBLE] * doubles
        whole = whole and doubles == 0
    return float(worth + w[Weight.WIN]) if whole else worth


@jit
def rising_cards(s: State, slots: int) -> int:
    """Returns what ``scoring.longest_rising`` returns, without memory of its own.

    The least last values of the rising rows of each length rise with the length: they are a set.
    """
    ends = 0
    while slots != 0:
        value = int(VALUE[s.film[lowest_bit(slots)]])
        slots &= slots - 1
        above = ends & -(1 << value)
        ends = ends & ~(above & -above) | 1 << value
    return count_bits(ends)
