"""Ratings fitted over whole tables: the Plackett-Luce model by maximum likelihood.

In this model a table is a series of choices: the winner is chosen among all with a probability
proportional to strength, then the second among the rest, and so on. The fit has one maximum, found
by Newton's method, whatever the order of the games; so it is the same for everybody, and its
uncertainty can be had by fitting again with the deals weighted anew. Incremental ratings
(Weng-Lin, TrueSkill) depend on the order of the games and on how fast they forget.

The likelihood needs of all games only how often each policy was chosen and how often each set of
players was left to choose from. A tie counts as all the orders that it leaves open, equally.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, permutations, product
from math import factorial, lcm, prod

import numpy as np

from dreamfactory_env.engine.structs import Array

#: Ratings are shown as people know them: 400 points for odds of ten to one, this on average.
AVERAGE, SCALE = 1500.0, 400.0 / np.log(10.0)
#: Each policy has drawn that many games against an average player of its own: so the strength of
#: who has won or lost all games is finite.
PRIOR_DRAWS = 1.0
NEWTON_STEPS = 100
CLOSE_ENOUGH = 1e-9
#: A game that leaves more orders open, because more than five tie, counts as some of them.
MOST_ORDERS = 120


class Choices:
    """The choices that the tables of some games consist of.

    Args:
        entrants: Who sat where, as numbers of policies; int64 (games, players).
        rank_key: The higher the better the place, (games, players).
        policies: How many policies there are.

    Attributes:
        sets: The different sets of players to choose from, by how many of each policy are in it;
            float64 (sets, policies).
    """

    def __init__(self, entrants: Array, rank_key: Array, policies: int) -> None:
        game, order, share = strict_orders(rank_key)
        ranked = entrants[game[:, None], order]  # (orders, players), the best first
        players = ranked.shape[1]
        present = np.zeros((len(ranked), players, policies), np.int8)
        present[np.arange(len(ranked))[:, None], np.arange(players), ranked] = 1
        left = present[:, ::-1].cumsum(axis=1, dtype=np.int8)[:, ::-1]  # who is left to choose from
        stages = players - 1  # the last one is no choice
        # Rows as single items are sorted faster than rows of numbers.
        rows = np.ascontiguousarray(left[:, :stages].reshape(-1, policies))
        _, first, set_of = np.unique(
            rows.view(np.dtype((np.void, policies))).ravel(), return_index=True, return_inverse=True
        )
        self.policies = policies
        self.sets = rows[first].astype(np.float64)
        self._set_of = set_of.ravel()
        self._chosen = ranked[:, :stages].ravel()
        self._game = np.repeat(game, stages)
        self._share = np.repeat(share, stages)

    def fit(
        self,
        weights: Array,
        start: Array | None = None,
        prior: float | Array = PRIOR_DRAWS,
        held: Array | None = None,
    ) -> Array:
        """Returns the strengths that make the choices most likely.

        Args:
            weights: How much each game counts, float64 (games,).
            start: Strengths to begin with.
            prior: The draws against an average player, of all or of each policy.
            held: Whose strength stays as it is in ``start``, bool (policies,); nobody's if None.

        Returns:
            The logarithms of the strengths, float64 (policies,); an average player has 0.
        """
        weight = weights[self._game] * self._share
        chosen = np.bincount(self._chosen, weight, self.policies)
        asked = np.bincount(self._set_of, weight, len(self.sets))
        theta = np.zeros(self.policies) if start is None else start.copy()
        free = np.arange(self.policies) if held is None else np.flatnonzero(~held)
        for _ in range(NEWTON_STEPS):
            strength = np.exp(theta)
            share = self.sets * strength
            share /= share.sum(axis=1, keepdims=True)
            expected = asked @ share
            # A draw against an average player: half a game won, half a game lost.
            drawn = strength / (1 + strength)
            gradient = chosen - expected + prior * (0.5 - drawn)
            curvature = np.diag(expected + prior * drawn * (1 - drawn))
            curvature -= (share * asked[:, None]).T @ share
            step = np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
            theta[free] += np.clip(step, -2, 2)  # far from the maximum a whole step may go too far
            if np.abs(step).max() < CLOSE_ENOUGH:
                break
        return theta


def strict_orders(rank_key: Array) -> tuple[Array, Array, Array]:
    """Returns games as orders without ties: one with ties as the orders that it leaves open.

    Args:
        rank_key: The higher the better the place, (games, players).

    Returns:
        The game of each order, int64 (orders,); the seats, the best first, int64 (orders,
        players); and the share of its game that each order has, float64 (orders,).
    """
    order = np.argsort(-rank_key, axis=1, kind="stable")
    placed = np.take_along_axis(rank_key, order, axis=1)
    equal = placed[:, 1:] == placed[:, :-1]
    tied = equal.any(axis=1)
    plain, rows = np.flatnonzero(~tied), np.flatnonzero(tied)
    found = [_open_orders(tuple(order[row]), tuple(equal[row])) for row in rows]
    counts = np.array([len(orders) for orders in found], np.int64)
    return (
        np.concatenate([plain, np.repeat(rows, counts)]),
        np.concatenate([order[plain], *found]),
        np.concatenate([np.ones(len(plain)), np.repeat(1 / counts, counts)]),
    )


@lru_cache(maxsize=4096)
def _open_orders(order: tuple[int, ...], equal: tuple[bool, ...]) -> Array:
    """Returns the orders that ties leave open, int64 (orders, players).

    All of them, up to MOST_ORDERS. If there are more, those that turn the seats of every tie
    around, all at once: each seat then has each of its places equally often.

    Args:
        order: The seats, the best first, equal ones by number.
        equal: Whether a seat has the same place as the next one.
    """
    ends = np.flatnonzero(~np.array(equal)) + 1
    ties = [tie.tolist() for tie in np.split(np.array(order), ends)]
    if prod(factorial(len(tie)) for tie in ties) <= MOST_ORDERS:
        orders = [list(chain(*parts)) for parts in product(*map(permutations, ties))]
    else:
        turns = lcm(*map(len, ties))
        orders = [
            list(chain(*(tie[k % len(tie) :] + tie[: k % len(tie)] for tie in ties)))
            for k in range(turns)
        ]
    return np.array(orders, np.int64)


def as_rating(theta: Array) -> Array:
    """Returns logarithms of strengths as ratings, 1500 on average."""
    rating: Array = AVERAGE + SCALE * (theta - theta.mean(axis=-1, keepdims=True))
    return rating
