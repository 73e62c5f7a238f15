"""Ratios of sums over deals, with intervals: what most figures of a report are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dreamfactory_env.arena.analysis.bootstrap import NORMAL, Ends, interval, weightings
from dreamfactory_env.arena.report_types import Estimate
from dreamfactory_env.engine.structs import Array


@dataclass(frozen=True)
class Ratios:
    """Figures and what they are in each replicate.

    Attributes:
        value: float64 (k,).
        samples: float64 (replicates, k).
        known: Whether there is anything that a figure rests on, bool (k,).
    """

    value: Array
    samples: Array
    known: Array

    def estimates(self) -> list[Estimate | None]:
        """Returns the figures with their intervals, None where nothing is known."""
        low, high = interval(np.where(self.known, self.samples, 0.0))
        low, high = np.minimum(low, self.value), np.maximum(high, self.value)
        return [
            estimate(self.value[k], low[k], high[k]) if self.known[k] else None
            for k in range(len(self.known))
        ]


def estimate(value: float, low: float, high: float) -> Estimate:
    """Returns a figure as a report has it."""
    return {"value": float(value), "low": float(low), "high": float(high)}


def estimate_of(value: float, samples: Array) -> Estimate:
    """Returns a figure with the interval of its replicates, float64 (replicates,)."""
    low, high = (float(end) for end in interval(samples))
    return estimate(value, min(low, value), max(high, value))


class DealSums:
    """Sums over the games of each deal, and the same for every replicate.

    All sums must be added before the first ratio is asked for.

    Attributes:
        deal: The place of each game's deal among all deals, int64 (games,).
        deals: How many deals there are.

    Args:
        deal: The number of the deal of each game, int64 (games,).
        seed: Where the weights of the replicates come from.
    """

    def __init__(self, deal: Array, seed: int) -> None:
        _, self.deal = np.unique(deal, return_inverse=True)
        self.deals = int(self.deal.max()) + 1
        self.seed = seed
        self._columns: dict[str, Array] = {}

    def add(self, name: str, category: Array, size: int, values: Array) -> None:
        """Sums values by deal and category, as a column of that name.

        Args:
            name: What the sums are.
            category: From 0 to ``size - 1``, (games, …).
            size: How many categories there are.
            values: What is summed, (games, …).
        """
        place = self.deal[:, None] * size + category
        sums = np.bincount(place.ravel(), values.ravel(), self.deals * size)
        self._columns[name] = sums.reshape(self.deals, size)

    def add_sets(self, name: str, sets: Array, values: Array) -> None:
        """Sums one value of each game by deal over sets of games, as a column of that name.

        Args:
            name: What the sums are.
            sets: Which games are in each, bool (sets, games); a game may be in several.
            values: What is summed, (games,).
        """
        sums = [np.bincount(self.deal[each], values[each], self.deals) for each in sets]
        self._columns[name] = np.array(sums).T

    @cached_property
    def _total(self) -> dict[str, Array]:
        return {name: column.sum(axis=0) for name, column in self._columns.items()}

    @cached_property
    def _samples(self) -> dict[str, Array]:
        samples: dict[str, list[Array]] = {name: [] for name in self._columns}
        for weights in weightings(self.deals, self.seed):
            for name, column in self._columns.items():
                samples[name].append(weights @ column)
        return {name: np.array(drawn) for name, drawn in samples.items()}

    def ratios(self, top: str, bottom: str, ends: Ends | None = None) -> Ratios:
        """Returns one column divided by another.

        Args:
            top: The column of the sums.
            bottom: The column of how many terms they have.
            ends: The least and the most that a term can be. As in ``mean_by_deal``, about two more
                deals at each end then stand in every replicate: a policy that has won all deals is
                not taken for certain to win every deal to come. None adds nothing.
        """
        tops, bottoms = self._samples[top], self._samples[bottom]
        if ends is not None:
            rng = np.random.default_rng([self.seed, len(top)])
            there = np.maximum((self._columns[bottom] > 0).sum(axis=0), 1)
            size = self._total[bottom] / there
            most, least = rng.standard_gamma(NORMAL**2 / 2, (2, *bottoms.shape)) * size
            tops = tops + (most * ends[1] + least * ends[0])
            bottoms = bottoms + most + least
        with np.errstate(invalid="ignore", divide="ignore"):
            value = self._total[top] / self._total[bottom]
            samples = tops / bottoms
        return Ratios(value, samples, self._total[bottom] > 0)
