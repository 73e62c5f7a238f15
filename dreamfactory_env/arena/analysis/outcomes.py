"""What the games of a result were worth: shares of wins, scores, places, and their sums by deal."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.returns import Payoff, write_illegal_returns, write_returns
from dreamfactory_env.engine.structs import Array


def win_shares(result: Result) -> Array:
    """Returns the share of the win that each seat has, float64 (games, players).

    In a shared game every seat has all of it, or none.
    """
    if result.tournament.template.spec.shared:
        return result.won.astype(np.float64)
    shares: Array = result.won / result.won.sum(axis=1, keepdims=True)
    return shares


def scores(result: Result) -> Array:
    """Returns what the reward ``score`` pays each seat, float64 (games, players).

    A game that a foul has ended pays what an illegal action does.
    """
    out = np.empty(result.scores.shape, np.float64)
    payoff = result.tournament.template.spec.payoff("score")
    _write_all(payoff, result.scores, result.won, result.offender, out)
    return out


@jit
def _write_all(payoff: Payoff, points: Array, won: Array, offender: Array, out: Array) -> None:
    for game in range(len(out)):
        if offender[game] >= 0:
            write_illegal_returns(payoff, offender[game], out[game])
        else:
            write_returns(payoff, points[game], won[game], out[game])


def places(rank_key: Array) -> Array:
    """Returns the place of each seat from 1, float64 (games, players); equal ones share."""
    above = (rank_key[:, None, :] > rank_key[:, :, None]).sum(axis=2)
    equal = (rank_key[:, None, :] == rank_key[:, :, None]).sum(axis=2)
    shared: Array = above + (equal + 1) / 2
    return shared


def wins_by_deal(result: Result, policy: int) -> tuple[Array, Array]:
    """Returns what a policy has won in each deal, and out of how much; float64 (deals,) each."""
    return _by_deal(result, policy, win_shares(result))


def scores_by_deal(result: Result, policy: int) -> tuple[Array, Array]:
    """Returns the sum of a policy's scores in each deal, and of how many; float64 (deals,) each."""
    return _by_deal(result, policy, scores(result))


def _by_deal(result: Result, policy: int, values: Array) -> tuple[Array, Array]:
    """Returns the sum of a policy's values in each deal, and how many they are.

    A policy has a value for each of its seats; in a shared game, where they are all the same, one
    for each game.
    """
    mine = result.entrants == policy
    if result.tournament.template.spec.shared:
        mine &= mine.cumsum(axis=1) == 1
    _, deal = np.unique(result.deal, return_inverse=True)
    totals = np.bincount(deal, (values * mine).sum(axis=1))
    return totals, np.bincount(deal, mine.sum(axis=1))
