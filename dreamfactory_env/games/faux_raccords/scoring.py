"""The end of Faux Raccords (F21 to F23): conditions, the genre, and the graded score.

The **graded score** goes from 0 to 100, and is 100 if and only if the game is won. It counts what
there is of the Film that is asked for, so that each card which fits is worth something:

- *size*: 1 for each card up to the number that is asked for, and 1 less for each beyond it, line by
  line;
- *order*, in lines: 3 for each card of the longest strictly rising row of cards that one gets by
  leaving others out, up to the number that is asked for, line by line. In `series` 2 for each two
  cards next to each other in a row or a column (gaps do not matter), in `arcs` for each two that
  touch sideways, that are rising: 24 such pairs are in a whole Film;
- *doubles*: 1 for each different value in the Film, up to the number of cards that is asked for;
- *genre*: 20 times the share of the genre score that is asked for; in `shorts` 10 for each line;
- *levels*: 2 for each card of the two most frequent symbols of its level;
- *symbols*: 2 for each card that lies on the level where its symbol is most frequent.

The sum is divided by the most that it can be in the mode, times 100, rounded down. A condition that
few cards meet as well as many, such as the order of a single card, brings little by itself: an
empty Film has the score 0.

While a game is played its points are by how much the score is above that of the Film that was
dealt. They are 0 at the start, as shaping needs it (potentials), and no player may know them.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.bits import count_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.geometry import GRID, LEVELS, LOSANGE, PYRAMID, ROW
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    JOKER,
    LINE_B,
    NO_CARD,
    NOTHING,
    SLOTS,
    SYMBOLS,
    VALUE,
    WIDTH,
    Mode,
    Params,
    Phase,
    State,
)

#: The conditions of F21, as bits.
SIZE, ORDER, DOUBLES, GENRE, ON_LEVELS, BY_SYMBOL = 1, 2, 4, 8, 16, 32
CONDITION_WORDS = {
    SIZE: "size",
    ORDER: "order",
    DOUBLES: "doubles",
    GENRE: "genre",
    ON_LEVELS: "levels",
    BY_SYMBOL: "symbols",
}
_USUAL = SIZE | ORDER | DOUBLES | GENRE
#: What is asked for in each mode (F3): the conditions, the cards of a line, and the genre score.
CONDITIONS = (SIZE | ORDER, _USUAL, _USUAL, _USUAL, _USUAL, SIZE | ON_LEVELS | BY_SYMBOL)
AIMS = (12, 16, 8, LOSANGE, LOSANGE, PYRAMID)
GENRE_AIMS = (0, 7, 5, 7, 7, 0)
LINES = (1, 1, 2, 1, 1, 1)

# What the graded score counts.
BY_CARD, BY_PAIR, BY_SYMBOLS, FOR_GENRE = 3, 2, 2, 20
#: The most that it can count in each mode.
MOST = (12 * (1 + BY_CARD), 100, 100, 100, 100, PYRAMID * (1 + 2 * BY_SYMBOLS))
WON = 100


@jit
def lowest_card(s: State, slots: int) -> int:
    """Returns the card in the lowest slot of a set."""
    return int(s.film[lowest_bit(slots)])


@jit
def cards_of_line(s: State, t: Params, line: int) -> int:
    """Returns the slots of a line of `shorts`; in all other modes the whole Film is one."""
    lying = int(s.occupied)
    if t.mode != Mode.SHORTS:
        return lying
    first_line = lying & ((1 << LINE_B) - 1)
    return first_line if line == 0 else lying ^ first_line


# ---------------------------------------------------------------------------- conditions


@jit
def conditions_met(s: State, t: Params) -> int:
    """Returns the conditions of the mode that the Film meets, each judged by itself (F21)."""
    mode = int(t.mode)
    met = 0
    if has_size(s, t):
        met |= SIZE
    if mode == Mode.STUDIO:
        if levels_fit(s, t) == count_bits(int(s.occupied)):
            met |= ON_LEVELS
        if symbols_fit(s, t) == count_bits(int(s.occupied)):
            met |= BY_SYMBOL
        return met
    if is_rising(s, t):
        met |= ORDER
    if mode != Mode.TUTORIAL:
        if different_values(s) == count_bits(int(s.occupied)):
            met |= DOUBLES
        if has_genre(s, t):
            met |= GENRE
    return met


@jit
def has_size(s: State, t: Params) -> bool:
    """Tells whether each line has just the cards that are asked for."""
    for line in range(LINES[int(t.mode)]):
        if count_bits(cards_of_line(s, t, line)) != AIMS[int(t.mode)]:
            return False
    return True


@jit
def is_rising(s: State, t: Params) -> bool:
    """Tells whether all that should rise does, strictly (F21)."""
    if t.mode >= Mode.SERIES:
        rising, pairs = pairs_in_order(s, t)
        return rising == pairs
    for line in range(LINES[int(t.mode)]):
        slots = cards_of_line(s, t, line)
        last = 0
        while slots != 0:
            value = int(VALUE[lowest_card(s, slots)])
            if value <= last:
                return False
            last = value
            slots &= slots - 1
    return True


@jit
def has_genre(s: State, t: Params) -> bool:
    """Tells whether each line has the genre score that is asked for."""
    for line in range(LINES[int(t.mode)]):
        if genre_score(s, t, line) < GENRE_AIMS[int(t.mode)]:
            return False
    return True


@jit
def symbols_of_genre(s: State, line: int) -> int:
    """Returns the symbols that count for the genre of a line, 0 if it has none (F22)."""
    if s.moods[2 * line] == NOTHING:
        return 0
    return 1 << JOKER | 1 << int(s.moods[2 * line]) | 1 << int(s.moods[2 * line + 1])


@jit
def genre_score(s: State, t: Params, line: int) -> int:
    """Returns how many cards of a line show one of its moods or the joker (F22)."""
    symbols = symbols_of_genre(s, line)
    slots = cards_of_line(s, t, line)
    count = 0
    while slots != 0:
        count += symbols >> int(t.symbol[lowest_card(s, slots)]) & 1
        slots &= slots - 1
    return count


@jit
def different_values(s: State) -> int:
    """Returns how many different values lie in the Film."""
    slots = int(s.occupied)
    values = 0
    while slots != 0:
        values |= 1 << int(VALUE[lowest_card(s, slots)])
        slots &= slots - 1
    return count_bits(values)


# ---------------------------------------------------------------------------- parts of conditions


@jit
def longest_rising(s: State, slots: int) -> int:
    """Returns how many cards of a line one can keep so that they rise strictly."""
    ends = np.zeros(CARDS + 1, np.int8)  # the least last value of a rising row of each length
    longest = 0
    while slots != 0:
        value = VALUE[lowest_card(s, slots)]
        slots &= slots - 1
        length = longest
        while length > 0 and ends[length] >= value:
            length -= 1
        ends[length + 1] = value
        longest = max(longest, length + 1)
    return longest


@jit
def pairs_in_order(s: State, t: Params) -> tuple[int, int]:
    """Returns how many pairs of `series` or `arcs` rise, and how many there are (F21)."""
    rising, pairs = 0, 0
    slots = int(s.occupied)
    while slots != 0:
        slot = lowest_bit(slots)
        slots &= slots - 1
        for step in (1, WIDTH):
            other = neighbour(s, t, slot, step)
            if other < SLOTS:
                pairs += 1
                rising += VALUE[s.film[slot]] < VALUE[s.film[other]]
    return rising, pairs


@jit
def neighbour(s: State, t: Params, slot: int, step: int) -> int:
    """Returns the next card of a row or column, SLOTS if there is none; only `series` has gaps."""
    other = slot + step
    if t.mode == Mode.SERIES:
        while GRID >> other & 1 and s.film[other] == NO_CARD:
            other += step
    return SLOTS if s.film[other] == NO_CARD else other


@jit
def levels_fit(s: State, t: Params) -> int:
    """Returns how many cards of the pyramid show one of the two main symbols of their levels."""
    fitting = 0
    for level in range(LEVELS):
        best, second = 0, 0
        for symbol in range(SYMBOLS):
            count = symbols_on_level(s, t, level, symbol)
            if count > best:
                best, second = count, best
            elif count > second:
                second = count
        fitting += best + second
    return fitting


@jit
def symbols_fit(s: State, t: Params) -> int:
    """Returns how many cards of the pyramid lie on the main level of their symbol."""
    fitting = 0
    for symbol in range(SYMBOLS):
        best = 0
        for level in range(LEVELS):
            best = max(best, symbols_on_level(s, t, level, symbol))
        fitting += best
    return fitting


@jit
def symbols_on_level(s: State, t: Params, level: int, symbol: int) -> int:
    """Returns how many cards of a level show a symbol."""
    slots = int(s.occupied) & ROW << (WIDTH * level)
    count = 0
    while slots != 0:
        count += t.symbol[lowest_card(s, slots)] == symbol
        slots &= slots - 1
    return count


# ---------------------------------------------------------------------------- the graded score


@jit
def graded_score(s: State, t: Params) -> int:
    """Returns the graded score of the Film as it lies, 0 to 100; see the module."""
    mode = int(t.mode)
    aim = AIMS[mode]
    earned = 0
    for line in range(LINES[mode]):
        count = count_bits(cards_of_line(s, t, line))
        earned += max(aim - abs(count - aim), 0)
    if mode == Mode.STUDIO:
        earned += BY_SYMBOLS * (levels_fit(s, t) + symbols_fit(s, t))
    elif mode >= Mode.SERIES:
        earned += BY_PAIR * pairs_in_order(s, t)[0]
    else:
        for line in range(LINES[mode]):
            earned += BY_CARD * min(longest_rising(s, cards_of_line(s, t, line)), aim)
    if mode != Mode.STUDIO and mode != Mode.TUTORIAL:
        earned += min(different_values(s), aim * LINES[mode])
        most = FOR_GENRE // LINES[mode]
        for line in range(LINES[mode]):
            needed = GENRE_AIMS[mode]
            earned += most * min(genre_score(s, t, line), needed) // needed
    return WON * earned // MOST[mode]


@jit
def outcome(s: State, t: Params, points: Array, won: Array) -> None:
    """Writes the points of all, and 1 for each if the game is over and won (F23).

    Args:
        s: The game.
        t: The components.
        points: int32 (players,): at the end the graded score, before it how much the score has
            risen since the deal.
        won: int8 (players,): 1 for all or for nobody.
    """
    score = graded_score(s, t)
    over = s.phase == Phase.OVER
    points[:] = score if over else score - int(s.start_score)
    won[:] = 1 if over and score == WON else 0
