"""How much luck there is in a zero-sum game, and how much of it duplicate play removes."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from dreamfactory_env.arena.analysis.outcomes import win_shares
from dreamfactory_env.arena.report_types import Luck, LuckPair
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array

#: One-sided certainty of 95 % in standard errors.
CERTAIN = 1.645


def luck(result: Result, order: list[int]) -> Luck:
    """Returns how often the better of two is ahead, and what duplicate play is worth.

    Args:
        result: The games.
        order: Policies as numbers, the best first.
    """
    pairs = [_pair(result, better, worse) for better, worse in combinations(order, 2)]
    margin = result.scores - result.scores.mean(axis=1, keepdims=True)
    return {
        "pairs": [pair for pair in pairs if pair is not None],
        "duplicate": {
            "wins": _variance_factor(result, win_shares(result)),
            # Points of games that a foul has ended are those of the moment.
            "points": None if result.fouled.any() else _variance_factor(result, margin),
        },
    }


def _pair(result: Result, better: int, worse: int) -> LuckPair | None:
    """Returns how often the better of two is ahead, None if they have not met."""
    ahead = _ahead_by_deal(result, better, worse)
    if ahead is None:
        return None
    single, by_deal = ahead
    margin = by_deal - 0.5
    mean, spread = float(margin.mean()), float(margin.std(ddof=1)) if len(margin) > 1 else 0.0
    return {
        "better": result.tournament.policies[better],
        "worse": result.tournament.policies[worse],
        "one_game": float(single.mean()),
        "one_deal": float((np.sign(margin) + 1).mean() / 2),
        "deals_to_be_sure": max((CERTAIN * spread / mean) ** 2, 1.0) if mean > 0 else None,
    }


def _ahead_by_deal(result: Result, a: int, b: int) -> tuple[Array, Array] | None:
    """Returns how often ``a`` comes before ``b``, in each game in which both play and by deal."""
    mine, theirs = result.entrants == a, result.entrants == b
    both = mine.any(axis=1) & theirs.any(axis=1)
    if not both.any():
        return None
    key = result.rank_key[both]
    sign = np.sign(key[:, :, None] - key[:, None, :])
    pair = mine[both][:, :, None] & theirs[both][:, None, :]
    single = ((sign + 1) / 2 * pair).sum(axis=(1, 2)) / pair.sum(axis=(1, 2))
    _, deal = np.unique(result.deal[both], return_inverse=True)
    return single, np.bincount(deal, single) / np.bincount(deal)


def _variance_factor(result: Result, values: Array) -> float | None:
    """Returns by how much rotating the seats within a deal cuts the variance of a policy's mean.

    It compares the mean over the games of a deal with the mean over as many games of different
    deals, seats drawn at random, among deals with the same policies at the table.

    Args:
        result: The games.
        values: What each seat has gained, (games, players).
    """
    apart = together = 0.0
    _, first, deal = np.unique(result.deal, return_index=True, return_inverse=True)
    tables = np.sort(result.entrants[first], axis=1)
    _, group = np.unique(tables, axis=0, return_inverse=True)
    group = group.ravel()
    for number in range(int(group.max()) + 1):
        deals = np.flatnonzero(group == number)
        games = np.flatnonzero(group[deal] == number)
        if len(deals) < 2:
            continue
        for policy in np.unique(tables[deals[0]]):
            mine = result.entrants[games] == policy
            gained = (values[games] * mine).sum(axis=1) / mine.sum(axis=1)
            count = np.bincount(deal[games], minlength=len(first))[deals]
            means = np.bincount(deal[games], gained, len(first))[deals] / count
            apart += len(deals) * float(gained.var(ddof=1)) / float(count.mean())
            together += len(deals) * float(means.var(ddof=1))
    # A policy that plays against itself has the same mean in every deal, up to rounding.
    return apart / together if together > 1e-12 * apart else None
