"""The benchmark: how any two policies do at one table, kept in a file that others can extend."""

from dreamfactory_env.arena.benchmark.benchmark import Benchmark
from dreamfactory_env.arena.benchmark.cells import (
    CEILING,
    CLOCK,
    MATRIX,
    RESPONSE,
    SEED,
    Cell,
    CellResult,
)
from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.arena.benchmark.page import page, picture

__all__ = [
    "CEILING",
    "CLOCK",
    "MATRIX",
    "RESPONSE",
    "SEED",
    "Benchmark",
    "BenchmarkData",
    "Cell",
    "CellResult",
    "page",
    "picture",
]
