"""Numba, set up in one place: one decorator, and a cache that never holds stale rules.

Numba keys a cached function on its own file only: editing a helper in another file, or a
constant, would leave cached callers with the old behaviour. So the cache folder itself is
named after a hash of every source and data file of the package (and of whatever else changes
the machine code): a changed rule is a new folder.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

#: Numba's settings, which its types do not know.
config: Any = numba.config
PACKAGE = Path(__file__).parent.parent
#: Folders of older sources are swept away when a new one is made and they are this old.
KEEP_SECONDS = 30 * 24 * 3600


def source_hash(package: Path = PACKAGE) -> str:
    """Returns a hash of all that the compiled code depends on, as 16 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=8)
    # Numba does not tell cached code with bounds checks from code without.
    settings = (sys.version, numba.__version__, np.__version__, config.BOUNDSCHECK)
    digest.update(repr(settings).encode())
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.yaml")]):
        if path.name == "weights.yaml":
            continue  # constants of policies are arguments, and a tuner changes them all the time
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def _cache_home() -> Path:
    """Returns the folder that holds our cache folders."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dreamfactory_env"


def _make_cache_folder(home: Path) -> Path:
    """Makes the folder for the sources as they are now, and sweeps old ones away."""
    folder = home / f"rules-{source_hash()}"
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            for other in home.glob("rules-*"):
                if time.time() - other.stat().st_mtime > KEEP_SECONDS:
                    shutil.rmtree(other, ignore_errors=True)
        if os.access(folder, os.W_OK):
            os.utime(folder)
            return folder
    except OSError:
        pass
    # A home that cannot be written to still plays; it compiles anew in every process.
    folder = Path(tempfile.mkdtemp(prefix="dreamfactory_env-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


CACHE_FOLDER = _make_cache_folder(_cache_home())


def jit(function: Function) -> Function:
    """Compiles ``function`` when it is first called, and keeps it in the cache folder.

    With ``NUMBA_DISABLE_JIT=1`` the function stays ordinary Python, for the debugger.
    """
    return _compile(function, parallel=False)


def parallel_jit(function: Function) -> Function:
    """Compiles ``function`` like :func:`jit`, with its ``prange`` loops spread over threads."""
    return _compile(function, parallel=True)


def _compile(function: Function, *, parallel: bool) -> Function:
    """Compiles with our cache folder, leaving the user's own setting for other code alone."""
    users_own = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy", parallel=parallel)(
            function
        )
    finally:
        config.CACHE_DIR = users_own
    return cast(Function, compiled)


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
    return cast(Function, _compile(bound, parallel=parallel))


#: Markers that this process has seen, so that it asks the disk once.
_READY: set[Path] = set()


def warm_up(name: str, run: Callable[[], object]) -> None:
    """Runs ``run`` if its functions were never compiled from these sources, and says so.

    Args:
        name: What is compiled, for the message and for the marker beside the cache.
        run: Calls every compiled function that a user meets at first.
    """
    marker = CACHE_FOLDER / f"{name}.ready"
    if config.DISABLE_JIT or marker in _READY:
        return
    _READY.add(marker)
    if marker.exists():
        return
    print(f"dreamfactory-env: compiling the rules of {name}, once …", file=sys.stderr, flush=True)
    start = time.perf_counter()
    run()
    marker.touch()
    took = time.perf_counter() - start
    print(f"dreamfactory-env: compiled in {took:.0f} s, kept for next time.", file=sys.stderr)
