"""What a compiled function depends on, as a hash: its code and all that the code refers to.

Numba compiles the value of a global name into the machine code: a constant, a table, another
compiled function. So two functions compile to the same if their code is the same and every global
name stands for the same, and so on for each function that they call. Comments, docstrings and
line numbers are left out.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

AnyFunction = Callable[..., Any]

#: What these modules hold changes with their version only, so a name stands for its content.
VERSIONED = frozenset({"llvmlite", "numba", "numpy", *sys.stdlib_module_names})
#: Types of constants that their text describes.
PLAIN = (bool, int, float, complex, str, bytes, types.NoneType, types.EllipsisType)
#: Settings of Numba that change the machine code, and that its own cache overlooks.
SETTINGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE")


class Part(NamedTuple):
    """One function of a program.

    Attributes:
        digest: A hash of its own code and of the constants that it refers to.
        calls: The functions that it refers to, in the order in which it refers to them.
    """

    digest: bytes
    calls: tuple[AnyFunction, ...]


def content_hash(function: AnyFunction) -> str:
    """Returns a hash of a compiled function and all that it depends on, 32 hexadecimal digits.

    Raises:
        TypeError: It refers to an object that cannot be compared between two processes.
    """
    settings = [str(getattr(numba.config, name, None)) for name in SETTINGS]
    versions = (sys.version, numba.__version__, np.__version__, llvmlite.__version__)
    digest = _new_digest(repr((versions, settings)))
    for step in _walk(function):
        digest.update(step)
    return digest.hexdigest()


def full_name(function: Any) -> str:
    """Returns module and name of a function, without the hash that the cache appends to it."""
    return f"{function.__module__}.{function.__qualname__.partition('-')[0]}"


def forget() -> None:
    """Makes the next hash look at every function again, after a global was given a new value."""
    _part_of.cache_clear()


def signature_hash(*parts: Any) -> str:
    """Returns a hash of types of arguments and of what else tells compiled versions apart.

    The text of a type nearly does; it leaves out the fields of named tuples and the values of
    enums.
    """
    return _new_digest(_Describer(frozenset()).describe(parts)).hexdigest()


def _new_digest(text: str) -> hashlib.blake2b:
    return hashlib.blake2b(text.encode(), digest_size=16)


def _walk(root: AnyFunction) -> Iterator[bytes]:
    """Yields each function that can be reached, and a number where it is reached again."""
    numbers: dict[AnyFunction, int] = {}
    waiting = [root]
    while waiting:
        function = waiting.pop()
        if function in numbers:
            yield b"%d;" % numbers[function]
            continue
        numbers[function] = len(numbers)
        part = _part_of(function)
        yield part.digest
        waiting.extend(reversed(part.calls))


@functools.cache
def _part_of(function: Any) -> Part:
    """Returns what one function is by itself; computed once a process."""
    compiled = isinstance(function, Dispatcher)
    python = function.py_func if compiled else function
    name = full_name(python)
    describer = _Describer(frozenset(_all_names(python.__code__)))
    try:
        texts = [
            name,
            repr(sorted(function.targetoptions.items())) if compiled else "not compiled",
            describer.describe(python.__code__),
            describer.describe(python.__defaults__),
            describer.describe(tuple((python.__kwdefaults__ or {}).items())),
            *(describer.describe(cell.cell_contents) for cell in python.__closure__ or ()),
            *describer.describe_globals(python),
        ]
    except TypeError as error:
        raise TypeError(f"{name} refers to {error}") from None
    return Part(_new_digest("\n".join(texts)).digest(), tuple(describer.calls))


def _inner_functions(code: types.CodeType) -> Iterator[types.CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _all_names(code: types.CodeType) -> Iterator[str]:
    """Yields the names of globals and attributes that code mentions."""
    yield from code.co_names
    for inner in _inner_functions(code):
        yield from _all_names(inner)


def _global_names(code: types.CodeType) -> Iterator[str]:
    """Yields the names of globals that code loads."""
    load_global, high = dis.opmap["LOAD_GLOBAL"], 0
    # The module dis can do this, too, and takes fifteen times as long.
    for opcode, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        if opcode == load_global:
            yield code.co_names[(high | low) >> 1]  # the lowest bit is a flag
        high = (high | low) << 8 if opcode == dis.EXTENDED_ARG else 0
    for inner in _inner_functions(code):
        yield from _global_names(inner)


def _is_versioned(value: Any) -> bool:
    return (getattr(value, "__module__", None) or "").partition(".")[0] in VERSIONED


class _Describer:
    """Describes as text what one function refers to, and notes the functions among it.

    Args:
        names: Which attributes of a module count: the names that the function mentions.
    """

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.calls: list[AnyFunction] = []
        self._modules: set[str] = set()

    def describe_globals(self, function: Any) -> Iterator[str]:
        """Yields what each global name of a function stands for."""
        for name in dict.fromkeys(_global_names(function.__code__)):
            known = name in function.__globals__
            yield f"{name} = {self.describe(function.__globals__[name]) if known else 'built in'}"

    def describe(self, value: Any) -> str:
        """Returns the text of a value: the same in every process, another for another value."""
        if type(value) in PLAIN:
            return f"{type(value).__name__} {value!r}"
        if isinstance(value, _Intrinsic):
            value = value._defn  # the function that builds its machine code
        if isinstance(value, Dispatcher | types.FunctionType) and not _is_versioned(value):
            self.calls.append(value)
            return "function"
        match value:
            case enum.Enum():
                return f"{self._class(type(value))}.{value.name}"
            case tuple():
                return self._tuple(value)
            case frozenset():
                return f"set({', '.join(sorted(map(self.describe, value)))})"
            case np.ndarray():
                return self._array(value)
            case np.generic():
                return f"{value.dtype} {value.tobytes().hex()}"
            case np.dtype():
                return f"dtype {value!r} {value.isalignedstruct}"
            case types.CodeType():
                return self._code(value)
            case types.ModuleType():
                return self._module(value)
            case type():
                return self._class(value)
            case numba.types.Type():
                return self._type(value)
        name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
        if name and _is_versioned(value):
            return f"{value.__module__}.{name}"
        raise TypeError(f"{value!r}, of which two processes cannot know whether it is the same")

    def _code(self, code: types.CodeType) -> str:
        """Describes bytecode, constants and names, but no docstring and no line numbers."""
        constants = code.co_consts
        loads_first = any(bytes((opcode, 0)) in code.co_code for opcode in dis.hasconst)
        if constants and isinstance(constants[0], str) and not loads_first:
            constants = (None, *constants[1:])  # that was the docstring
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        steps = code.co_code.hex() + code.co_exceptiontable.hex()
        return f"code {steps} {counts} {names} {self.describe(constants)}"

    def _tuple(self, values: tuple[Any, ...]) -> str:
        named = "" if type(values) is tuple else self._class(type(values))
        return f"{named}({', '.join(map(self.describe, values))})"

    def _array(self, array: Any) -> str:
        if array.dtype.hasobject:
            raise TypeError("an array of objects")
        content = hashlib.blake2b(array.tobytes(), digest_size=16).hexdigest()
        in_columns = array.flags.fnc
        return f"array {self.describe(array.dtype)} {array.shape} {in_columns} {content}"

    def _module(self, module: types.ModuleType) -> str:
        name = module.__name__
        if name.partition(".")[0] in VERSIONED or name in self._modules:
            return f"module {name}"
        self._modules.add(name)
        used = sorted(self.names & vars(module).keys())
        inside = [f"{key} = {self.describe(vars(module)[key])}" for key in used]
        return f"module {name}({', '.join(inside)})"

    def _class(self, cls: Any) -> str:
        name = f"{cls.__module__}.{cls.__qualname__}"
        if issubclass(cls, enum.Enum):
            members = tuple((key, member.value) for key, member in cls.__members__.items())
            return f"enum {name}{self.describe(members)}"
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            defaults = tuple(cls._field_defaults.items())
            return f"named tuple {name}{cls._fields}{self.describe(defaults)}"
        if issubclass(cls, Exception) or _is_versioned(cls):
            return f"class {name}"
        raise TypeError(f"the class {name}, which compiled code cannot use")

    def _type(self, numba_type: Any) -> str:
        inside = [
            self.describe(value)
            for value in vars(numba_type).values()
            if isinstance(value, numba.types.Type | tuple | type)
        ]
        return f"type {numba_type}({', '.join(inside)})"
