"""What other minds may find best: some of them imagined, and what a vial is worth with them.

A player knows what it associates, that others do so a little differently (M2), and how large
associations usually are; the part that all minds share it does not know. Small associations are
mostly noise, large ones mostly shared. If the shared part has the deviation T and noise N, a small
association is expected to be shared by T² / (T² + N²); one that is so large that noise can hardly
be the cause, but for about N² / T. Around that lie what all share, with N² times the first of
these, and what every other mind adds, with N². All variances grow with the words in a vial.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.associations import mind_adds
from dreamfactory_env.games.fabrique_a_reves.lexicon import MAX_PLAYERS, MOST_DREAMS, VIAL
from dreamfactory_env.games.fabrique_a_reves.minds import add_row
from dreamfactory_env.games.fabrique_a_reves.state import Params, State
from dreamfactory_env.games.fabrique_a_reves.thinking import LOWEST

#: How many tables of other players are imagined.
TABLES = 16
#: The noise with which they are drawn, before it is scaled.
DRAWN_NOISE = 200


@jit
def add_shared(s: State, t: Params, thought: int, spread: float, out: Array) -> None:
    """Adds what others are expected to associate with a thought, by the mind of whoever moves.

    Args:
        s: The game.
        t: The lexicon.
        thought: The thought.
        spread: The deviation of the part of associations that all share.
        out: int16 (128,).
    """
    row = np.zeros(MOST_DREAMS, np.int16)
    add_row(s, t, int(s.to_move), thought, row)
    share = shared_part(s, spread)
    lost = float(s.noise) ** 2 / spread
    for dream in range(int(s.dreams)):
        out[dream] += int(max(row[dream] * share, row[dream] - lost))


@jit
def shared_part(s: State, spread: float) -> float:
    """Returns which part of a small association others are expected to have."""
    return spread**2 / (spread**2 + float(s.noise) ** 2)


@jit
def imagine(s: State, spread: float, seed: Seed, out: Array) -> None:
    """Draws what the minds of some tables add to sums of one, two and three words.

    Args:
        s: The game.
        spread: The deviation of the part of associations that all share.
        seed: Where chance comes from.
        out: int16 (VIAL, TABLES, MAX_PLAYERS - 1, 128).
    """
    own = int(s.noise) / DRAWN_NOISE
    common = own * sqrt(shared_part(s, spread))
    for table in range(TABLES):
        for dream in range(int(s.dreams)):
            shared = mind_adds(seed, MAX_PLAYERS * table, dream, DRAWN_NOISE) * common
            for p in range(int(s.players) - 1):
                noise = mind_adds(seed, MAX_PLAYERS * table + p + 1, dream, DRAWN_NOISE) * own
                for words in range(VIAL):
                    out[words, table, p, dream] = int((shared + noise) * sqrt(words + 1.0))


@jit
def imagined_points(
    s: State, t: Params, sums: Array, added: Array, words: int, proposals: int, dust: int
) -> float:
    """Returns what a vial is worth at the imagined tables, on average (R17 to R19).

    Args:
        s: The game.
        t: The lexicon.
        sums: What others are expected to think, forbidden dreams far below; int16 (128,).
        added: What the minds of each table add, int16 (TABLES, MAX_PLAYERS - 1, 128).
        words: How many words are in the vial.
        proposals: How many dreams everybody writes.
        dust: What fairy dust adds.
    """
    best, place = LOWEST, -1
    for dream in range(int(s.dreams)):
        if sums[dream] > best:
            best, place = int(sums[dream]), dream
    if place < 0:
        return 0.0
    total = 0
    for table in range(TABLES):
        group = 1
        for p in range(int(s.players) - 1):
            row = added[table, p]
            group += count_above(sums, row, int(s.dreams), place) < proposals
        points = int(t.points[s.players, group, words])
        total += points + dust if points > 0 else 0
    return total / TABLES


@jit
def count_above(sums: Array, row: Array, count: int, place: int) -> int:
    """Returns how many dreams are above one in the sum of two rows; int16 (128,) each."""
    own = np.int16(sums[place] + row[place])
    above = np.int16(0)
    for dream in range(count):
        above += np.int16(np.int16(sums[dream] + row[dream]) > own)
    return int(above)
