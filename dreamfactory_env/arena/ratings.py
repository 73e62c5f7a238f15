"""Ratings fitted over whole tables: the Plackett-Luce model by maximum likelihood.

In this model a table is a series of choices: the winner is chosen among all with a probability
proportional to strength, then the second among the rest, and so on. The fit has one maximum, found
by Newton's method, whatever the order of the games; so it is the same for everybody, and its
uncertainty can be had by fitting again with the deals weighted anew. Incremental ratings
(Weng-Lin, TrueSkill) depend on the order of the games and on how fast they forget.

The likelihood needs of all games only how often each policy was chosen and how often each set of
players was left to choose from. Whoever shares a place is counted in every order equally.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from dreamfactory_env.engine.structs import Array

#: Ratings are shown as people know them: 400 points for odds of ten to one, this on average.
AVERAGE, SCALE = 1500.0, 400.0 / np.log(10.0)
#: Each policy has drawn that many games against an average player of its own: so the strength of
#: who has won or lost all games is finite.
PRIOR_DRAWS = 1.0
NEWTON_STEPS = 100
CLOSE_ENOUGH = 1e-9


class Choices:
    """The choices that the tables of some games consist of.

    Args:
        entrants: Who sat where, as numbers of policies; int64 (games, players).
        standing: The higher the better the place, (games, players).
        policies: How many policies there are.

    Attributes:
        sets: The different sets of players to choose from, by how many of each policy are in it;
            float64 (sets, policies).
    """

    def __init__(self, entrants: Array, standing: Array, policies: int) -> None:
        game, order, share = strict_orders(standing)
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


def strict_orders(standing: Array) -> tuple[Array, Array, Array]:
    """Returns games as orders without ties: one with ties is every order that it leaves open.

    Args:
        standing: The higher the better the place, (games, players).

    Returns:
        The game of each order, int64 (orders,); the seats, the best first, int64 (orders,
        players); and the share of its game that each order has, float64 (orders,).
    """
    order = np.argsort(-standing, axis=1, kind="stable")
    placed = np.take_along_axis(standing, order, axis=1)
    tied = (placed[:, 1:] == placed[:, :-1]).any(axis=1)
    plain = np.flatnonzero(~tied)
    games, orders, shares = [plain], [order[plain]], [np.ones(len(plain))]
    every = np.array(list(permutations(range(standing.shape[1]))), np.int64)
    rows = np.flatnonzero(tied)
    if len(rows):
        descending = (np.diff(standing[rows][:, every], axis=2) <= 0).all(axis=2)  # (rows, orders)
        which, permutation = np.nonzero(descending)
        games.append(rows[which])
        orders.append(every[permutation])
        shares.append(1 / descending.sum(axis=1)[which])
    return np.concatenate(games), np.concatenate(orders), np.concatenate(shares)


def as_rating(theta: Array) -> Array:
    """Returns logarithms of strengths as ratings, 1500 on average."""
    rating: Array = AVERAGE + SCALE * (theta - theta.mean(axis=-1, keepdims=True))
    return rating
