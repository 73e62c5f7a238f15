"""Confidence intervals by deal: figures computed again with the deals weighted at random.

The games of a deal have the same shuffles, so they stand and fall together. Each replicate weights
every deal by an exponential random number (the Bayesian bootstrap): like drawing deals with
replacement, but no replicate can miss all that a figure rests on.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dreamfactory_env.layout import Array

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
    """Returns a mean whose terms come by deals, and half the width of its normal interval.

    Args:
        totals: The sum of the terms of each deal, float64 (deals,).
        counts: How many terms each deal has, (deals,).
    """
    deals = len(totals)
    mean = totals.sum() / counts.sum()
    if deals < 2:
        return float(mean), float("inf")
    residuals = totals - mean * counts
    variance = deals / (deals - 1) * (residuals**2).sum() / counts.sum() ** 2
    return float(mean), float(NORMAL * np.sqrt(variance))
