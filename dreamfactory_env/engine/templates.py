"""Loops that are the same for every game: written once, compiled for each.

A template is a plain function that calls the functions of ``contract``, or other templates, by
their names. :func:`bind` compiles it for a game with the game's own functions under these names.
Numba could take functions as arguments or from a closure instead, but then never finds the result
in its cache; through globals it does.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

import numba

from dreamfactory_env.engine.compiling import bind as compile_bound
from dreamfactory_env.engine.compiling import config
from dreamfactory_env.engine.contract import CONTRACT, GameKernels, observe

Function = TypeVar("Function", bound=Callable[..., Any])

_TEMPLATES: set[Callable[..., Any]] = set()


def template(function: Function) -> Function:
    """Marks a function at module level as a template."""
    _TEMPLATES.add(function)
    return function


@template
def observe_without_cache(s: Any, params: Any, player: int, cache: Any, out: Any) -> None:
    """Stands for ``observe_cached`` of a game that brings none."""
    observe(s, params, player, out)


def bind(function: Function, kernels: GameKernels) -> Function:
    """Returns a template compiled for a game; a second call returns the same object.

    Args:
        function: The template.
        kernels: The game's compiled functions.
    """
    if function not in kernels.bound:
        names = function.__code__.co_names
        found = {name: function.__globals__.get(name) for name in names}
        replaced = {
            name: _bound_value(value, kernels)
            for name, value in found.items()
            if isinstance(value, FunctionType) and (value in CONTRACT or value in _TEMPLATES)
        }
        owner = f"{kernels.owner}.{function.__module__.rpartition('.')[2]}"
        kernels.bound[function] = compile_bound(function, owner, **replaced)
    return cast(Function, kernels.bound[function])


def _bound_value(value: Any, kernels: GameKernels) -> Any:
    """Returns what a name in a template stands for in a game."""
    if value in _TEMPLATES:
        return bind(value, kernels)
    brought = getattr(kernels, value.__name__)
    return bind(observe_without_cache, kernels) if brought is None else brought


def entry_point(function: Function, kernels: GameKernels, *arguments: Any) -> Function:
    """Returns a template compiled for a game and for the types of some arguments.

    Numba looks at the types of all arguments in every call, which for named tuples of arrays takes
    longer than many a call itself. What is returned here skips that. It is compiled once for each
    game: whoever calls it hands in the same types every time.

    Args:
        function: The template.
        kernels: The game's compiled functions.
        *arguments: What it will be called with.
    """
    key = (function, "entry point")
    if key not in kernels.bound:
        compiled: Any = bind(function, kernels)
        if not config.DISABLE_JIT:
            types = tuple(
                numba.typeof(argument)  # type: ignore[no-untyped-call]
                for argument in arguments
            )
            compiled.compile(types)
            compiled = compiled.overloads[types].entry_point
        kernels.bound[key] = compiled
    return cast(Function, kernels.bound[key])
