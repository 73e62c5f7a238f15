"""How close thoughts and dreams are, in whole numbers that are the same on every machine.

M1 makes the associations that all minds share from the vectors of the words; M2 what a mind adds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dreamfactory_env.engine.compiling import jit_wrapping
from dreamfactory_env.engine.rng import Seed, random_bits
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS, Lexicon

#: The mean size of an association.
MEAN_SIZE = 24
#: The sum of eight random bytes has this mean and this deviation.
MEAN_OF_BYTES, DEVIATION_OF_BYTES = 1020, 209
EVEN_BYTES, FOUR_ONES = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0001000100010001)
SHIFT_8, SHIFT_48 = np.uint64(8), np.uint64(48)
# To divide by the deviation takes longer than all else: a product and a shift do the same for
# numbers from 0 to 2**20, and a multiple of the deviation that is added first makes all positive.
RAISED = 1300
RECIPROCAL, RECIPROCAL_SHIFT = -(-(2**39) // DEVIATION_OF_BYTES), 39


def associations(thoughts: Array, dreams: Array) -> Array:
    """Returns the association of every thought with every dream of a theme (M1).

    Of the products of vectors the mean of each thought, and the mean of each dream, is taken away,
    so no dream is close to everything.

    Args:
        thoughts: The vectors of all thoughts, whole numbers (thoughts, axes).
        dreams: Those of the theme's dreams, (dreams, axes).

    Returns:
        int64 (thoughts, dreams); their mean size is 24.
    """
    # Products as floats are ten times as fast, and exact: all sums of 128 products of numbers of 8
    # bits are whole numbers below 2**53. With 528 thoughts and 128 dreams all else is below 2**56.
    products = (thoughts.astype(np.float64) @ dreams.astype(np.float64).T).astype(np.int64)
    n, m = products.shape
    centred = (
        n * m * products
        - n * products.sum(axis=1, keepdims=True)
        - m * products.sum(axis=0, keepdims=True)
        + products.sum()
    )
    size = np.abs(centred).sum() // (n * m)
    if size == 0:
        return np.zeros_like(centred)
    rounded: Array = (2 * MEAN_SIZE * centred + size) // (2 * size)
    return rounded


def association_tables(lexicon: Lexicon, vectors: Array) -> Array:
    """Returns the associations of all themes, and of the night without one (M1).

    Returns:
        int16 (themes + 1, thoughts, 128): by theme in the lexicon's order and last ``free``, by the
        number of the thought, by the place of the dream. Places without a dream have 0. It cannot
        be changed.
    """
    lists = [*(theme.dreams for theme in lexicon.themes), lexicon.free]
    thoughts = vectors[_rows(lexicon, lexicon.thoughts)]
    tables = np.zeros((len(lists), len(thoughts), MOST_DREAMS), np.int16)
    for table, dreams in zip(tables, lists, strict=True):
        table[:, : len(dreams)] = associations(thoughts, vectors[_rows(lexicon, dreams)])
    tables.setflags(write=False)
    return tables


def _rows(lexicon: Lexicon, names: Sequence[str]) -> list[int]:
    return [lexicon.rows[name] for name in names]


@jit_wrapping
def mind_adds(mind: Seed, thought: int, place: int, noise: int) -> int:
    """Returns what a mind adds to an association (M2).

    Args:
        mind: The number of the mind, below 2**53.
        thought: The number of the thought.
        place: The place of the dream in the game's list.
        noise: How much minds differ: the deviation of what they add.
    """
    bits = random_bits(mind, thought * MOST_DREAMS + place)
    # All eight bytes at once: neighbours become four numbers of 16 bits, and the product has the
    # sum of these in its highest ones.
    pairs = (bits & EVEN_BYTES) + ((bits >> SHIFT_8) & EVEN_BYTES)
    total = int(np.int64((pairs * FOUR_ONES) >> SHIFT_48))
    raised = (total - MEAN_OF_BYTES) * noise + RAISED * DEVIATION_OF_BYTES
    return (raised * RECIPROCAL >> RECIPROCAL_SHIFT) - RAISED
