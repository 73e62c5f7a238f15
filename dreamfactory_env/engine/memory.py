"""Memory that is compared and copied as a whole.

Numba does not know that two arrays lie apart, and looks at a record field by field only: compiled
code would need several times as long. So the functions here are intrinsics; the plain Python of the
same name says what they do, and runs with ``NUMBA_DISABLE_JIT=1``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba.np.arrayobj
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dreamfactory_env.engine.compiling import config
from dreamfactory_env.engine.structs import Array

Function = TypeVar("Function", bound=Callable[..., Any])

#: The size of a word in bytes; records made by ``structs.record_dtype`` are whole words.
WORD = 8
#: Numba's own tools, which have no types.
arrays: Any = numba.np.arrayobj
tools: Any = cgutils


def built_by(build: Callable[..., Any]) -> Callable[[Function], Function]:
    """Returns a decorator that puts machine code in the place of a Python function.

    Args:
        build: What Numba asks for its types and its code, see ``numba.extending.intrinsic``.
    """

    def decorate(function: Function) -> Function:
        return function if config.DISABLE_JIT else cast(Function, intrinsic(build))

    return decorate


def _build_words_of(_: Any, record: Any) -> Any:
    words = types.Array(types.int64, 1, "C")

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = arrays.make_array(words)(context, builder)
        count, word = (context.get_constant(types.intp, n) for n in (record.size // WORD, WORD))
        data = builder.bitcast(arguments[0], array.data.type)
        shape, strides = (count,), (word,)
        arrays.populate_array(array, data, shape, strides, itemsize=word, meminfo=None)
        return array._getvalue()

    return words(record), build


@built_by(_build_words_of)
def words_of(record: Any) -> Array:
    """Returns the memory of a record as int64 (size // WORD,), to read only."""
    return np.frombuffer(record, np.int64)


def _build_copy_numbers(_: Any, out: Any, at: Any, source: Any, start: Any, count: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def address(array_type: Any, array: Any, place: Any) -> Any:
            data = arrays.make_array(array_type)(context, builder, array).data
            return builder.gep(data, [place])

        to, origin = address(out, *arguments[:2]), address(source, *arguments[2:4])
        size = context.get_abi_sizeof(context.get_data_type(out.dtype))
        tools.raw_memcpy(builder, to, origin, arguments[4], size)
        return context.get_dummy_value()

    return types.void(out, types.intp, source, types.intp, types.intp), build


@built_by(_build_copy_numbers)
def copy_numbers(out: Array, at: int, source: Array, start: int, count: int) -> None:
    """Copies numbers between contiguous arrays of one dtype that do not overlap.

    Nothing is checked: both arrays must be long enough.

    Args:
        out: Where they go.
        at: From which place on.
        source: Where they come from.
        start: From which place on.
        count: How many.
    """
    out[at : at + count] = source[start : start + count]
