"""Random numbers that are the same everywhere: splitmix64, as a pure function of two numbers.

The k-th number of the stream of a seed is a function of the seed and of k, so whoever draws
keeps a counter and nothing else: no generator object, no global state.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit, jit_wrapping
from dreamfactory_env.engine.structs import Array

#: Compiled code takes seeds as np.uint64; uncompiled code does not mind.
Seed = int | np.uint64

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_11, SHIFT_27, SHIFT_30 = np.uint64(11), np.uint64(27), np.uint64(30)
SHIFT_31, SHIFT_32 = np.uint64(31), np.uint64(32)
#: Seeds that we derive stay exact in a JSON reader that keeps numbers as doubles.
SEED_BITS = np.uint64(2**53 - 1)
#: Stands for the seed of a game whose set-up was given, or which was redrawn: nobody knows it.
NO_SEED = np.uint64(2**64 - 1)


@jit_wrapping
def random_bits(seed: Seed, counter: int) -> np.uint64:
    """Returns number ``counter`` of the stream of ``seed``: 64 random bits as a uint64."""
    z = np.uint64(seed) + (np.uint64(counter) + np.uint64(1)) * GOLDEN
    z = (z ^ (z >> SHIFT_30)) * MIX_1
    z = (z ^ (z >> SHIFT_27)) * MIX_2
    return z ^ (z >> SHIFT_31)


@jit_wrapping
def random_below(seed: Seed, counter: int, bound: int) -> int:
    """Returns a number from 0 to ``bound - 1``; for our bounds even to within one in 2**25."""
    high = random_bits(seed, counter) >> SHIFT_32
    return int(np.int64((high * np.uint64(bound)) >> SHIFT_32))


@jit_wrapping
def random_unit(seed: Seed, counter: int) -> float:
    """Returns a number from 0 to below 1, number ``counter`` of the stream of ``seed``."""
    return float(random_bits(seed, counter) >> SHIFT_11) / 2.0**53


@jit
def shuffle(items: Array, size: int, seed: Seed, counter: int) -> int:
    """Shuffles the first ``size`` of ``items`` in place and returns the counter after it."""
    for last in range(size - 1, 0, -1):
        other = random_below(seed, counter, last + 1)
        counter += 1
        kept = items[last]
        items[last] = items[other]
        items[other] = kept
    return counter


@jit
def next_seed(seed: Seed) -> np.uint64:
    """Returns the seed of the game that follows in a series without seeds of their own."""
    return derive_seed(seed, 0)


@jit
def derive_seed(seed: Seed, label: int) -> np.uint64:
    """Returns a seed for a purpose of its own: a pure function of both, below 2**53."""
    return random_bits(random_bits(seed, label), label) & SEED_BITS
