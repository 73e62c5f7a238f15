"""How near a winning Film is: all Films that win, each weighed by what is missing of it.

A Film that wins, made of the cards that are still there, is the nearer, the more of its cards lie
in their places. Each card that has to come has a *price*, by where it is, and so has each card that
has to leave; what a Film weighs is the exponential of minus its prices. The weights of all winning
Films are added, without listing them: cards are decided on by rising value, and only what they
leave open is kept (lines: how many cards; grids: which places are filled), or, in `studio`, level
by level. Many Films in reach are better than one: whoever goes by the sum keeps a choice.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.bits import count_bits, lowest_bit
from dreamfactory_env.games.faux_raccords.geometry import LEVELS, LOSANGE, ROW, SIDE
from dreamfactory_env.games.faux_raccords.scoring import (
    AIMS,
    GENRE_AIMS,
    LINES,
    cards_of_line,
    symbols_of_genre,
)
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    NO_CARD,
    SYMBOLS,
    VALUE,
    VALUES,
    WIDTH,
    Mode,
    Params,
    State,
)

#: The prices, two a turn or so: of a card in a hand, in the draw pile, in the Cut (which takes
#: a star), lying elsewhere in the Film (an editor), and of one that has to leave it.
HAND, PILE, CUT, MOVE, LEAVE = range(5)
PRICES = np.array([2.0, 2.6, 5.0, 4.0, 3.0])

#: The second card of each value, NO_CARD if there is none.
SECOND = np.full(VALUES + 1, NO_CARD, np.int8)
SECOND[VALUE[VALUES:]] = np.arange(VALUES, CARDS)

#: The ways in which a grid can be filled from its first corner, so that rows and columns have no
#: gap: the cards of each row. Fuller ones come first.
FILLED = np.array(
    sorted(
        (
            rows
            for rows in product(range(SIDE + 1), repeat=SIDE)
            if list(rows) == sorted(rows)[::-1]
        ),
        key=lambda rows: -sum(rows),
    ),
    np.int8,
)
SIZES = FILLED.sum(axis=1)
_NUMBERS = {tuple(rows): number for number, rows in enumerate(FILLED.tolist())}
#: What each was before a card came to a row, -1 if none could: int8 (ways, rows).
BEFORE = np.array(
    [
        [_NUMBERS.get((*rows[:r], rows[r] - 1, *rows[r + 1 :]), -1) for r in range(SIDE)]
        for rows in FILLED.tolist()
    ],
    np.int8,
)
#: The sets of one or two symbols.
PAIRS = np.array([1 << a | 1 << b for a in range(SYMBOLS) for b in range(a + 1)], np.int64)


@jit
def reach(s: State, t: Params, weights: Array) -> float:
    """Returns the logarithm of what all winning Films weigh, -inf if no Film can win any more.

    Args:
        s: The game; all of it is read.
        t: The components.
        weights: Of each price, exp(-price), float64 (5,).
    """
    ready = sources(s, t, weights)
    mode = int(t.mode)
    if mode < Mode.SERIES:
        total = reach_of_lines(s, t, weights, ready)
    elif mode == Mode.STUDIO:
        total = reach_of_pyramid(s, t, weights, ready)
    elif mode == Mode.SERIES:
        total = reach_of_grid(s, t, weights, ready, 0, 0)
    else:
        total = reach_of_losange(s, t, weights, ready)
    if total <= 0.0:
        return -math.inf
    return math.log(total) + count_bits(int(s.occupied)) * math.log(weights[LEAVE])


@jit
def sources(s: State, t: Params, weights: Array) -> Array:
    """Returns what each card weighs if it comes to its place in a Film, float64 (CARDS,).

    A card that lies in the Film is taken as one that need not leave, for what it would have cost.
    """
    ready = np.zeros(CARDS)
    for seat in range(s.players):
        hand = int(s.hands[seat])
        while hand != 0:
            ready[lowest_bit(hand)] = weights[HAND]
            hand &= hand - 1
    for k in range(s.drawn, s.pile_end):
        ready[s.dealt[k]] = weights[PILE]
    for k in range(s.cut_size):
        ready[s.cut[k]] = weights[CUT]
    for k in range(len(s.taken)):
        if s.taken[k] != NO_CARD:
            ready[s.taken[k]] = weights[HAND]
    slots = int(s.occupied)
    while slots != 0:
        ready[s.film[lowest_bit(slots)]] = weights[MOVE] / weights[LEAVE]
        slots &= slots - 1
    return ready


@jit
def counts_for(s: State, t: Params, line: int, card: int) -> int:
    """Returns 1 if a card counts for the genre of a line, else 0."""
    return symbols_of_genre(s, line) >> int(t.symbol[card]) & 1


# ---------------------------------------------------------------------------- lines


@jit
def reach_of_lines(s: State, t: Params, weights: Array, ready: Array) -> float:
    """Returns what all Films of one or two rising lines weigh."""
    mode, lines = int(t.mode), LINES[int(t.mode)]
    kept = np.zeros((CARDS, 2), np.bool_)
    for line in range(lines):
        keep_rising(s, t, line, kept[:, line])
    aim, genre = AIMS[mode], GENRE_AIMS[mode]
    others = aim if lines == 2 else 0
    wanted = genre if lines == 2 else 0
    # by cards of both lines, and cards that count for their genres
    now = np.zeros((aim + 1, others + 1, genre + 1, wanted + 1))
    now[0, 0, 0, 0] = 1.0
    for value in range(1, VALUES + 1):
        least = max(aim + others - 1 - (VALUES - value), 0)  # else higher ones are too few
        for cards in range(min(value, aim + others) - 1, least - 1, -1):  # fuller Films come first
            for i in range(max(cards - others, 0), min(cards, aim) + 1):
                for copy in range(2):
                    card = value - 1 if copy == 0 else int(SECOND[value])
                    if card == NO_CARD or ready[card] == 0.0:
                        continue
                    for line in range(lines):
                        weight = 1.0 / weights[LEAVE] if kept[card, line] else ready[card]
                        add_card(now, i, cards - i, line, counts_for(s, t, line, card), weight)
    return float(now[aim, others, genre, wanted])


@jit
def keep_rising(s: State, t: Params, line: int, kept: Array) -> None:
    """Marks the cards of a line that stay: the most that rise, and of those the most of a genre."""
    cards, best, before = np.empty(CARDS, np.int64), np.zeros(CARDS), np.empty(CARDS, np.int64)
    count, last = 0, -1
    slots = cards_of_line(s, t, line)
    while slots != 0:
        card = int(s.film[lowest_bit(slots)])
        slots &= slots - 1
        cards[count], before[count] = card, -1
        for k in range(count):
            if VALUE[cards[k]] < VALUE[card] and best[k] > best[count]:
                best[count], before[count] = best[k], k
        best[count] += 1.0 + counts_for(s, t, line, card) / (CARDS + 1)
        if last < 0 or best[count] > best[last]:
            last = count
        count += 1
    while last >= 0:
        kept[cards[last]] = True
        last = before[last]


@jit
def add_card(films: Array, i: int, j: int, line: int, genre: int, weight: float) -> None:
    """Adds Films with one card more, if its line has room for it.

    Args:
        films: What Films weigh by cards of both lines and cards of their genres, float64 (4-D).
        i: The cards of the first line before it.
        j: Those of the second.
        line: Its line.
        genre: 1 if it counts for the genre of its line, else 0.
        weight: Its own.
    """
    a, b = 1 - line, line
    if i + a == films.shape[0] or j + b == films.shape[1]:
        return
    last_g, last_h = films.shape[2] - 1, films.shape[3] - 1
    for g in range(last_g + 1):
        here, there = films[i, j, g], films[i + a, j + b, min(g + genre * a, last_g)]
        if genre * b == 0:
            for h in range(last_h + 1):
                there[h] += weight * here[h]
        else:
            for h in range(last_h):
                there[h + 1] += weight * here[h]
            there[last_h] += weight * here[last_h]


# ---------------------------------------------------------------------------- grids


@jit
def reach_of_losange(s: State, t: Params, weights: Array, ready: Array) -> float:
    """Returns what all Films of `arcs` weigh, wherever those that lie there are in them (F8)."""
    most_x, most_y = 1, 1
    slots = int(s.occupied)
    while slots != 0:
        x, y = divmod(lowest_bit(slots), WIDTH)
        slots &= slots - 1
        most_x, most_y = max(most_x, x), max(most_y, y)
    total = 0.0
    for x in range(SIDE + 1 - most_x):
        for y in range(SIDE + 1 - most_y):
            total += reach_of_grid(s, t, weights, ready, x - 1, y - 1)
    return total


@jit
def reach_of_grid(
    s: State, t: Params, weights: Array, ready: Array, down: int, right: int
) -> float:
    """Returns what all Films of 4 x 4 cards weigh that rise along rows and columns.

    Args:
        s: The game.
        t: The components.
        weights: Of each price, float64 (5,).
        ready: Of each card that comes, float64 (CARDS,).
        down: The row of the grid in which slot 0 lies, and so on.
        right: Its column.
    """
    place = np.full(CARDS, -1, np.int64)  # where each card of the Film lies in the grid
    slots = int(s.occupied)
    while slots != 0:
        slot = lowest_bit(slots)
        slots &= slots - 1
        row, column = divmod(slot, WIDTH)
        place[s.film[slot]] = (row + down) * SIDE + column + right
    genre = GENRE_AIMS[int(t.mode)]
    now = np.zeros((len(FILLED), genre + 1))
    now[-1, 0] = 1.0
    for value in range(1, VALUES + 1):
        for number in range(len(FILLED)):  # a fuller one needs others as they were
            if not LOSANGE - (VALUES - value) <= SIZES[number] <= value:
                continue  # higher cards are too few for it, or lower ones
            for row in range(SIDE):
                before = int(BEFORE[number, row])
                if before < 0:
                    continue
                here = row * SIDE + int(FILLED[before, row])
                for copy in range(2):
                    card = value - 1 if copy == 0 else int(SECOND[value])
                    if card == NO_CARD or ready[card] == 0.0:
                        continue
                    weight = 1.0 / weights[LEAVE] if place[card] == here else ready[card]
                    more = counts_for(s, t, 0, card)
                    for g in range(genre + 1 - more):
                        now[number, g + more] += weight * now[before, g]
                    if more:
                        now[number, genre] += weight * now[before, genre]
    return float(now[0, genre])


# ---------------------------------------------------------------------------- the pyramid


@jit
def reach_of_pyramid(s: State, t: Params, weights: Array, ready: Array) -> float:
    """Returns what all Films of `studio` weigh: every level has symbols of its own, two at most."""
    now = np.zeros(1 << SYMBOLS)  # by the symbols of the levels so far
    now[0] = 1.0
    for level in range(LEVELS):
        ways = ways_by_symbol(s, t, weights, ready, level)
        size = LEVELS - level
        before, now = now, np.zeros(1 << SYMBOLS)
        for pair in PAIRS:
            one = lowest_bit(pair)
            rest = pair & (pair - 1)
            weight = ways[one, size] if rest == 0 else 0.0
            if rest != 0:
                for k in range(1, size):  # some of each
                    weight += ways[one, k] * ways[lowest_bit(rest), size - k]
            if weight == 0.0:
                continue
            for used in range(1 << SYMBOLS):
                if used & pair == 0:
                    now[used | pair] += weight * before[used]
    return float(now.sum())


@jit
def ways_by_symbol(s: State, t: Params, weights: Array, ready: Array, level: int) -> Array:
    """Returns what so many cards of a symbol weigh on a level, float64 (SYMBOLS, LEVELS + 1)."""
    lying = 0
    slots = int(s.occupied) >> (WIDTH * level) & ROW
    while slots != 0:
        lying |= 1 << int(s.film[WIDTH * level + lowest_bit(slots)])
        slots &= slots - 1
    ways = np.zeros((SYMBOLS, LEVELS + 1))
    ways[:, 0] = 1.0
    for card in range(CARDS):
        weight = 1.0 / weights[LEAVE] if lying >> card & 1 else ready[card]
        symbol = int(t.symbol[card])
        for k in range(LEVELS, 0, -1):
            ways[symbol, k] += weight * ways[symbol, k - 1]
    return ways
