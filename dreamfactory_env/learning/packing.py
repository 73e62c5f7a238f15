"""Arrays that are mostly zeros, made small for the way between machines; nothing is lost.

Three quarters of what a learner observes are zeros, and observations are nearly all that a rollout
has. What is left are the other numbers, and a bit for each number that says which of the two it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array


class Packed(NamedTuple):
    """An array of three dimensions, packed.

    Attributes:
        shape: That of the array.
        bits: Which of its numbers are not 0, in order, uint8 (⌈numbers / 8⌉,).
        numbers: Those numbers, bit by bit, uint32 (n,).
    """

    shape: tuple[int, ...]
    bits: Array
    numbers: Array


def pack(array: Array) -> Packed:
    """Returns an array, float32 of three dimensions, in less room."""
    plain = np.ascontiguousarray(array).view(np.uint32)
    bits = np.zeros(-(-plain.size // 8), np.uint8)
    numbers = np.empty(np.count_nonzero(plain), np.uint32)
    _pack(plain.reshape(-1), bits, numbers)
    return Packed(array.shape, bits, numbers)


def unpack(packed: Packed, array: Array) -> None:
    """Writes what was packed into an array of its shape, float32, which may be part of another."""
    assert array.shape == packed.shape, (array.shape, packed.shape)
    _unpack(packed.bits, packed.numbers, array.view(np.uint32))


@jit
def _pack(plain: Array, bits: Array, numbers: Array) -> None:
    found = 0
    for place in range(len(plain)):
        if plain[place] != 0:
            bits[place >> 3] |= np.uint8(1 << (place & 7))
            numbers[found] = plain[place]
            found += 1


@jit
def _unpack(bits: Array, numbers: Array, array: Array) -> None:
    place, found = 0, 0
    for step in range(array.shape[0]):
        for row in range(array.shape[1]):
            for column in range(array.shape[2]):
                if (int(bits[place >> 3]) >> (place & 7)) & 1:
                    array[step, row, column] = numbers[found]
                    found += 1
                else:
                    array[step, row, column] = 0
                place += 1
