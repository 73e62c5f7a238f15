"""Fixed-size records declared as classes: one line a field, with its type and its shape."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Between:
    """The least and the greatest number that a field can hold."""

    low: int
    high: int


# A field of a record class is one of these, or `Annotated[Array, kind, shape]` for arrays. Both may
# end with the range of the numbers, `Annotated[I8, Between(0, 4)]`.
# All are signed: in compiled code an unsigned and a signed number add up to a float.
I8 = Annotated[int, "i1"]
I32 = Annotated[int, "i4"]
I64 = Annotated[int, "i8"]
U64 = Annotated[Any, "u8"]
Array = NDArray[Any]

#: A batch of records: a one-dimensional structured array.
Records = NDArray[Any]

#: The field that rounds up the size of a record.
SPARE = "spare"


def record_dtype(fields: type) -> np.dtype[Any]:
    """Returns the packed structured dtype of a class that declares its fields by annotations.

    Args:
        fields: A class whose annotations are ``Annotated[int, kind]`` for a number and
            ``Annotated[Array, kind, shape]`` for an array; ``kind`` is a NumPy type such as
            ``"i1"``, and a :class:`Between` may follow. A field ``spare`` rounds the size up to a
            multiple of 8 bytes, so that every record of a batch begins where the processor likes
            it.
    """
    described: list[Any] = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        if hasattr(np.record, name):
            raise TypeError(f"{fields.__name__}.{name} would be hidden by a method of np.record")
        _, kind, *rest = get_args(hint)
        described.append((name, kind, *(item for item in rest if isinstance(item, tuple))))
    size = np.dtype(described).itemsize
    if size % 8:
        described.append((SPARE, "u1", (8 - size % 8,)))
    # Uncompiled code reads fields as attributes, which needs np.record as the scalar type.
    return np.dtype((np.record, described))


def record_ranges(fields: type) -> dict[str, Between]:
    """Returns the range of each field of such a class; those that declare none are left out."""
    hints = get_type_hints(fields, include_extras=True).items()
    return {
        name: item for name, hint in hints for item in get_args(hint) if isinstance(item, Between)
    }


#: Arrays that lie in one piece of memory begin at multiples of so many bytes.
ALIGNMENT = 64


def arrays_in_one(*described: tuple[Any, tuple[int, ...]]) -> tuple[Array, list[Array]]:
    """Returns memory, uint8 (bytes,), and arrays side by side in it, all zero.

    To copy the memory copies all arrays at once.

    Args:
        *described: The dtype and the shape of each array.
    """
    kinds = [(np.dtype(dtype), shape) for dtype, shape in described]
    sizes = [dtype.itemsize * math.prod(shape) for dtype, shape in kinds]
    starts = list(
        itertools.accumulate((-(-size // ALIGNMENT) * ALIGNMENT for size in sizes), initial=0)
    )
    memory = np.zeros(starts[-1], np.uint8)
    arrays = [
        memory[start : start + size].view(dtype).reshape(shape)
        for start, size, (dtype, shape) in zip(starts[:-1], sizes, kinds, strict=True)
    ]
    return memory, arrays


def copy_records(records: Records) -> Records:
    """Returns a copy of a batch, made byte by byte: NumPy itself copies field by field."""
    return records.view(np.uint8).copy().view(records.dtype)
