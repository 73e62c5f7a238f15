"""Numba, set up in one place: the decorators that all compiled code uses."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from dreamfactory_env.engine.cache import FunctionCache

Function = TypeVar("Function", bound=Callable[..., Any])

#: Numba's settings, which its types do not know.
config: Any = numba.config


def jit(function: Function) -> Function:
    """Compiles ``function`` when it is first called, and keeps it in the cache.

    With ``NUMBA_DISABLE_JIT=1`` the function stays ordinary Python, for the debugger.
    """
    return compile_function(function)


def parallel_jit(function: Function) -> Function:
    """Compiles ``function`` like :func:`jit`, with its ``prange`` loops spread over threads."""
    return compile_function(function, parallel=True)


def compile_function(function: Function, *, parallel: bool = False) -> Function:
    """Compiles ``function`` like :func:`jit`, or like :func:`parallel_jit`."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy", parallel=parallel)(function)
    if not config.DISABLE_JIT:
        compiled._cache = FunctionCache(compiled)
        compiled.get_call_template = _widening(compiled.get_call_template)
    return cast(Function, compiled)


def _widening(get_call_template: Callable[..., Any]) -> Callable[..., Any]:
    """Lets compiled callers pass one type of integer, so that a function is compiled once.

    Numba compiles a function anew for each literal and each width of an integer that a compiled
    caller passes, together with all that it calls: a quarter of what a large game took to compile.
    """

    def widened(args: Any, kws: dict[str, Any]) -> Any:
        return get_call_template([_widen(a) for a in args], {k: _widen(kws[k]) for k in kws})

    return widened


def _widen(argument: Any) -> Any:
    """Returns the type that stands for a type of argument: 64 bits for any signed integer."""
    types: Any = numba.types
    if isinstance(argument, types.IntegerLiteral | types.BooleanLiteral):
        argument = types.unliteral(argument)
    is_signed = isinstance(argument, types.Integer) and argument.signed
    return types.int64 if is_signed else argument


def jit_wrapping(function: Function) -> Function:
    """Compiles like :func:`jit` a function whose unsigned arithmetic wraps around on purpose.

    Compiled code wraps silently; NumPy, which runs the uncompiled code, would warn each time.
    """
    if config.DISABLE_JIT:
        return np.errstate(over="ignore")(function)
    return jit(function)


def bind(
    template: Function, owner: str, *, parallel: bool = False, **functions: Callable[..., Any]
) -> Function:
    """Compiles ``template`` with some of its global names standing for other functions.

    A loop that is the same for every game calls the game's own compiled functions. Numba can
    take those as arguments or from a closure, but then never finds the result in its cache;
    through globals it does.

    Args:
        template: A function at module level that calls the names in ``functions``.
        owner: Whose functions they are; names the entry in the cache.
        parallel: Whether its ``prange`` loops are spread over threads.
        **functions: The compiled functions, by the global names that ``template`` uses.
    """
    bound = types.FunctionType(
        template.__code__,
        {**template.__globals__, **functions},
        template.__name__,
        template.__defaults__,
    )
    bound.__qualname__ = f"{owner}.{template.__name__}"
    bound.__module__ = template.__module__
    bound.__doc__ = template.__doc__
    return cast(Function, compile_function(bound, parallel=parallel))


#: What this process has warmed up.
_WARM: set[str] = set()


def warm_up(name: str, run: Callable[[], object]) -> None:
    """Runs ``run``, once a process, so that all that it calls is compiled now and not later.

    Args:
        name: What is warmed up.
        run: Calls every compiled function that a user meets at first.
    """
    if config.DISABLE_JIT or name in _WARM:
        return
    _WARM.add(name)
    run()
