"""What a checkpoint is made of: plain data and numbers, so that to read one executes nothing.

It is a safetensors file. Arrays, tensors and bytes are its tensors, by number; all else is JSON in
its header, which refers to them. Whatever JSON does not know by itself is an object with one key:

    {"tensor": 3}        a tensor of torch; {"array": 3} one of NumPy; {"bytes": 3} bytes
    {"tuple": [...]}     a tuple
    {"dict": [[k, v]]}   a mapping, with keys of any kind
    {"float": "nan"}     a number that is not finite
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import load, save

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.utils.json_text import read_json

#: The key of the header.
CONTENT = "content"
#: The header is no longer than this: as data it takes fifty times as much.
MAX_HEADER = 4 << 20


def encode(content: dict[str, Any]) -> bytes:
    """Returns content as the bytes of a checkpoint.

    Raises:
        TypeError: Something in it is no plain data.
    """
    tensors: dict[str, Array] = {}
    described = json.dumps(_plain(content, tensors))
    return save(tensors, {CONTENT: described})


def decode(data: bytes) -> Any:
    """Returns the content of a checkpoint.

    Raises:
        ValueError: These bytes are none.
    """
    length = int.from_bytes(data[:8], "little")
    if length > MAX_HEADER:
        raise ValueError(f"its header has {length} bytes, over {MAX_HEADER >> 20} MiB")
    try:
        tensors = load(data)
        # The library reads the header, too, but not what it says besides the tensors.
        described = read_json(data[8 : 8 + length])["__metadata__"][CONTENT]
        return _rebuilt(read_json(described), tensors)
    except (SafetensorError, KeyError, TypeError, OverflowError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def _kept(numbers: Any, tensors: dict[str, Array]) -> int:
    # A single number becomes an array of one: its shape is kept besides.
    tensors[str(len(tensors))] = np.ascontiguousarray(numbers)
    return len(tensors) - 1


def _plain(value: Any, tensors: dict[str, Array]) -> Any:
    """Returns a value as JSON says it; arrays go to the tensors."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return _plain(value.item(), tensors)
    if isinstance(value, torch.Tensor):
        return {"tensor": _kept(value.detach().cpu().numpy(), tensors), "shape": list(value.shape)}
    if isinstance(value, np.ndarray):
        return {"array": _kept(value, tensors), "shape": list(value.shape)}
    if isinstance(value, bytes):
        return {"bytes": _kept(np.frombuffer(value, np.uint8), tensors)}
    if isinstance(value, tuple):
        return {"tuple": [_plain(item, tensors) for item in value]}
    if isinstance(value, list):
        return [_plain(item, tensors) for item in value]
    if isinstance(value, dict):
        return {"dict": [[_plain(k, tensors), _plain(v, tensors)] for k, v in value.items()]}
    raise TypeError(f"a {type(value).__name__} cannot be kept in a checkpoint")


def _rebuilt(value: Any, tensors: dict[str, Array]) -> Any:
    """Returns what :func:`_plain` was given."""
    if isinstance(value, list):
        return [_rebuilt(item, tensors) for item in value]
    if not isinstance(value, dict):
        return value
    kind = next(iter(value), "nothing")
    if kind == "dict":
        return {_rebuilt(k, tensors): _rebuilt(v, tensors) for k, v in value[kind]}
    if kind == "tuple":
        return tuple(_rebuilt(item, tensors) for item in value[kind])
    if kind == "float":
        return float(value[kind])
    numbers = tensors[str(value[kind])]
    if kind == "bytes":
        return numbers.tobytes()
    shaped = numbers.reshape(value["shape"]).copy()  # which may be written to
    if kind == "array":
        return shaped
    if kind == "tensor":
        return torch.from_numpy(shaped)
    raise KeyError(kind)
