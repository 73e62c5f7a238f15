"""Confidence intervals by deal: figures computed again with the deals weighted at random.

The games of a deal have the same shuffles, so they are not independent; the deals are. Each
replicate weights every deal by an exponential random number (the Bayesian bootstrap): like drawing
deals with replacement, but no replicate can miss all that a figure rests on.
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
#: The least and the most that a term of a mean can be.
Ends = tuple[float, float]


def weightings(deals: int, seed: int) -> Iterator[Array]:
    """Gives the weights of the deals in each replicate, float64 (deals,); they are 1 on average."""
    rng = np.random.default_rng(seed)
    for _ in range(REPLICATES):
        yield rng.standard_exponential(deals)


def interval(samples: Array) -> tuple[Array, Array]:
    """Returns the ends of the interval of each figure; ``samples`` is (replicates, …)."""
    low, high = np.quantile(samples, QUANTILES, axis=0)
    return low, high


def mean_by_deal(totals: Array, counts: Array, ends: Ends = (0.0, 1.0)) -> tuple[float, float]:
    """Returns a mean of bounded terms that come by deals, and half the width of its interval.

    The interval is that of Agresti and Coull, by deal: computed as if in about two more deals all
    terms had been the most that they can be, and in two more the least. So a policy that has won
    every deal is not taken for certain to win every deal to come. The half width is that of the
    wider side.

    Args:
        totals: The sum of the terms of each deal, float64 (deals,).
        counts: How many terms each deal has, (deals,).
        ends: The least and the most that a term can be.
    """
    least, most = ends
    span = most - least
    totals = (totals - least * counts) / span
    deals = len(totals)
    mean = totals.sum() / counts.sum()
    if deals < 2:
        return float(least + span * mean), float("inf")
    more = NORMAL**2 / 2  # deals at the one end, and as many at the other
    size = counts.mean()
    whole = counts.sum() + 2 * more * size
    centre = (totals.sum() + more * size) / whole
    squares = ((totals - centre * counts) ** 2).sum()
    squares += more * size**2 * ((1 - centre) ** 2 + centre**2)
    seen = deals + 2 * more
    error = np.sqrt(seen / (seen - 1) * squares) / whole
    return float(least + span * mean), float(span * (NORMAL * error + abs(centre - mean)))
