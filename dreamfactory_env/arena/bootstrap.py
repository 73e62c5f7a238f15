"""Confidence intervals by deal: figures computed again with the deals weighted at random.

The games of a deal have the same shuffles, so they stand and fall together. Each replicate weights
every deal by an exponential random number (the Bayesian bootstrap): like drawing deals with
replacement, but no replicate can miss all that a figure rests on.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dreamfactory_env.engine.structs import Array

REPLICATES = 400
#: Two-sided, 95 %.
QUANTILES = (0.025, 0.975)
#: The half width of a 95 % interval in standard errors.
NORMAL = 1.96


def weightings(deals: int, seed: int) -> Iterator[Array]:
    """Gives the weights of the deals in each replicate, float64 (deals,); they are 1 on average."""
    rng = np.random.default_rng(seed)
    for _ in range(REPLICATES):
        yield rng.standard_exponential(deals)


def interval(samples: Array) -> tuple[Array, Array]:
    """Returns the ends of the interval of each figure; ``samples`` is (replicates, …)."""
    low, high = np.quantile(samples, QUANTILES, axis=0)
    return low, high


def mean_by_deal(totals: Array, counts: Array) -> tuple[float, float]:
    """Returns a mean of terms from 0 to 1 that come by deals, and half the width of its interval.

    The interval is that of Agresti and Coull, by deal: reckoned as if about two more deals had been
    won and two lost, so that whoever has won them all is not taken for certain to win for ever. The
    half width is that of the wider side.

    Args:
        totals: The sum of the terms of each deal, float64 (deals,).
        counts: How many terms each deal has, (deals,).
    """
    deals = len(totals)
    mean = totals.sum() / counts.sum()
    if deals < 2:
        return float(mean), float("inf")
    more = NORMAL**2 / 2  # deals won, and as many lost
    size = counts.mean()
    whole = counts.sum() + 2 * more * size
    centre = (totals.sum() + more * size) / whole
    squares = ((totals - centre * counts) ** 2).sum()
    squares += more * size**2 * ((1 - centre) ** 2 + centre**2)
    seen = deals + 2 * more
    error = np.sqrt(seen / (seen - 1) * squares) / whole
    return float(mean), float(NORMAL * error + abs(centre - mean))
