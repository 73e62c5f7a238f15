"""Ratings fitted to the cells of the benchmark of a zero-sum game."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from dreamfactory_env.arena.analysis.bootstrap import REPLICATES, interval
from dreamfactory_env.arena.analysis.ratings import AVERAGE, PRIOR_DRAWS, SCALE, Choices
from dreamfactory_env.arena.benchmark.cells import CellResult, names_of
from dreamfactory_env.engine.structs import Array

#: Where the shares of places come from that are drawn for the intervals.
REPLICATE_SEED = 1


class RatingRow(TypedDict):
    """The rating of a policy, and the ends of its 95 % interval."""

    name: str
    rating: float
    low: float
    high: float


def fit_ratings(cells: list[CellResult], policies: list[str], anchor: str) -> list[RatingRow]:
    """Returns the ratings of all that play in some cells, the best first.

    The likelihood of the Plackett-Luce model needs of a cell only how often the row had which
    place. So the fit is made from the shares, and repeated with shares that are drawn as their
    covariance says, for the intervals; both can be done by anybody who has the file.

    Args:
        cells: The cells of one player count.
        policies: All policies, in their order.
        anchor: The policy whose rating is fixed.
    """
    names = [name for name in policies if any(name in names_of(cell) for cell in cells)]
    if anchor not in names:
        return []  # nothing to measure by
    choices = _choices(cells, names)
    games = np.array([cell["games"] for cell in cells])[:, None]
    shares = np.array([cell["places"] for cell in cells])
    theta = choices.fit((games * shares).ravel())
    rng = np.random.default_rng([REPLICATE_SEED, cells[0]["players"]])
    replicates = []
    for share in _drawn(cells, rng):
        prior = PRIOR_DRAWS * rng.standard_exponential(len(names))
        replicates.append(choices.fit((games * share).ravel(), theta, prior))
    fixed = names.index(anchor)
    rating = AVERAGE + SCALE * (theta - theta[fixed])
    around = np.array(replicates)
    low, high = interval(AVERAGE + SCALE * (around - around[:, [fixed]]))
    return [
        {
            "name": names[k],
            "rating": round(float(rating[k]), 1),
            "low": round(float(low[k]), 1),
            "high": round(float(high[k]), 1),
        }
        for k in np.argsort(-rating, kind="stable")
    ]


def _choices(cells: list[CellResult], names: list[str]) -> Choices:
    """Returns the choices of one game for each place that the row of each cell can have."""
    players = cells[0]["players"]
    entrants, rank_key = [], []
    for cell in cells:
        row, column = (names.index(name) for name in names_of(cell))
        for place in range(players):
            order = [column] * players
            order[place] = row
            entrants.append(order)
            rank_key.append(range(players, 0, -1))
    return Choices(np.array(entrants, np.int64), np.array(rank_key, np.int64), len(names))


def _drawn(cells: list[CellResult], rng: np.random.Generator) -> Array:
    """Returns shares of places drawn for each replicate, (replicates, cells, players)."""
    drawn = np.stack(
        [
            rng.multivariate_normal(
                np.array(cell["places"]),
                np.array(cell["covariance"]),
                REPLICATES,
                "ignore",
                method="eigh",
            )
            for cell in cells
        ],
        axis=1,
    ).clip(0)
    shares: Array = drawn / drawn.sum(axis=2, keepdims=True)
    return shares
