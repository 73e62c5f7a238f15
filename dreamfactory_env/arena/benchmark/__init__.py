"""The benchmark: how any two policies do at one table, kept in a file that others can extend."""

from dreamfactory_env.arena.benchmark.benchmark import Benchmark, BenchmarkData
from dreamfactory_env.arena.benchmark.cells import CLOCK, MATRIX, RESPONSE, SEED, Cell, CellResult
from dreamfactory_env.arena.benchmark.page import page

__all__ = [
    "CLOCK",
    "MATRIX",
    "RESPONSE",
    "SEED",
    "Benchmark",
    "BenchmarkData",
    "Cell",
    "CellResult",
    "page",
]
