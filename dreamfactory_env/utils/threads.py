"""How many threads NumPy's matrix products use in the process of a command."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import numpy as np

#: Whoever sets one of these has chosen a number of threads.
VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
#: How OpenBLAS calls its functions, in NumPy's own builds and in others.
_NAMES = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")


def openblas_function(name: str) -> Callable[..., Any] | None:
    """Returns a function of the OpenBLAS that NumPy uses; None if NumPy uses something else."""
    try:
        library = ctypes.CDLL(np._core._multiarray_umath.__file__)  # type: ignore[attr-defined]
    except (AttributeError, OSError):
        return None
    names = [pattern.format(name) for pattern in _NAMES]
    return next((getattr(library, each) for each in names if hasattr(library, each)), None)


def use_one_thread() -> None:
    """Lets NumPy multiply matrices with one thread, unless the user has chosen otherwise.

    The products of our networks are small. Several threads gain little, and wait for one another
    for most of the time as soon as something else runs on the machine. Where NumPy does not use
    OpenBLAS this does nothing.
    """
    set_threads = openblas_function("set_num_threads")
    if set_threads is not None and not any(name in os.environ for name in VARIABLES):
        set_threads(1)
