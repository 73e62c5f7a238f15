"""Sets as the bits of one number: how many there are, which is the lowest, all of them listed."""

from __future__ import annotations

from typing import Any

from numba import types

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.memory import built_by
from dreamfactory_env.engine.structs import Array


def _build_count_bits(_: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@built_by(_build_count_bits)
def count_bits(bits: int) -> int:
    """Returns how many members a set has."""
    return bits.bit_count()


def _build_lowest_bit(_: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), build


@built_by(_build_lowest_bit)
def lowest_bit(bits: int) -> int:
    """Returns the lowest member of a set that has some."""
    return (bits & -bits).bit_length() - 1


@jit
def list_bits(bits: int, base: int, out: Array, count: int) -> int:
    """Writes ``base`` plus each member of a set in rising order, from ``out[count]`` on.

    Returns:
        The count after it.
    """
    while bits != 0:
        out[count] = base + lowest_bit(bits)
        bits &= bits - 1
        count += 1
    return count


@jit
def nth_bit(bits: int, number: int) -> int:
    """Returns the member of a set that has so many lower ones."""
    for _ in range(number):
        bits &= bits - 1
    return lowest_bit(bits)
