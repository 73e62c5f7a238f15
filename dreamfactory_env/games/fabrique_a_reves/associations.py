"""How close thoughts and dreams are, in whole numbers that are the same on every machine.

M1 makes the associations that all minds share from the vectors of the words; M2 what a mind adds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_bits
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS, Lexicon

#: The mean size of an association.
MEAN_SIZE = 24
#: The sum of eight random bytes has this mean and this deviation.
MEAN_OF_BYTES, DEVIATION_OF_BYTES = 1020, 209
BYTE, SHIFT_8 = np.uint64(255), np.uint64(8)


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
    # With 528 thoughts and 128 dreams all sums stay below 2**56.
    products = thoughts.astype(np.int64) @ dreams.astype(np.int64).T
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


@jit
def mind_adds(mind: Seed, thought: int, place: int, noise: int) -> int:
    """Returns what a mind adds to an association (M2).

    Args:
        mind: The number of the mind, below 2**53.
        thought: The number of the thought.
        place: The place of the dream in the game's list.
        noise: How much minds differ: the deviation of what they add.
    """
    bits = random_bits(mind, thought * MOST_DREAMS + place)
    total = 0
    for _ in range(8):
        total += int(bits & BYTE)
        bits >>= SHIFT_8
    return (total - MEAN_OF_BYTES) * noise // DEVIATION_OF_BYTES
