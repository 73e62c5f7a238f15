"""What a game pays each player, the same wherever it is played: at its end, and by shaping before.

A zero-sum game pays ``win``, ``rank`` or ``score``, and all payments sum to zero. A shared game
pays all seats the same, ``win`` or ``score``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array


class Reward(IntEnum):
    """What a game may pay at its end."""

    WIN = 0
    RANK = 1
    SCORE = 2


class Payoff(NamedTuple):
    """How a game is paid, as compiled code takes it.

    Attributes:
        shared: Whether all seats are paid the same; else payments sum to zero.
        reward: A Reward.
        scale: Points are divided by this in ``score`` and in shaping.
        shaping: The weight of the potential; 0 pays at the end only.
    """

    shared: bool
    reward: int
    scale: float
    shaping: float


@jit
def margin(payoff: Payoff, points: Array, player: int) -> float:
    """Returns the ``score`` of a player: points above the mean of all, or the team's, scaled."""
    if payoff.shared:
        return int(points[player]) / payoff.scale
    total = 0
    for p in range(len(points)):
        total += int(points[p])
    return (int(points[player]) - total / len(points)) / payoff.scale


@jit
def write_potentials(payoff: Payoff, points: Array, out: Array) -> None:
    """Writes what a position is worth on the way: the weight times the ``score`` so far.

    Args:
        payoff: How the game is paid.
        points: The points of each player so far, shape (players,).
        out: Where the potentials go, float64 (players,).
    """
    for p in range(len(points)):
        out[p] = payoff.shaping * margin(payoff, points, p)


@jit
def write_returns(payoff: Payoff, points: Array, won: Array, out: Array) -> None:
    """Writes what a finished game is worth to each player.

    Zero-sum. ``win``: the winners share +1, the others share -1; 0 for all if all have won.
    ``rank``: from +1 for the best place to -1 for the last, equal places sharing; a winner comes
    before others with as many points. ``score``: points above the mean of all, scaled.

    Shared. ``win``: 1 for all if the game is won, else 0. ``score``: the points, scaled.

    Args:
        payoff: How the game is paid.
        points: The points of each player, shape (players,).
        won: 1 for each winner, else 0, shape (players,).
        out: Where the returns go, float64 (players,).
    """
    for p in range(len(points)):
        if payoff.reward == Reward.SCORE:
            out[p] = margin(payoff, points, p)
        elif payoff.shared:
            out[p] = won[p]
        elif payoff.reward == Reward.RANK:
            out[p] = rank_return(points, won, p)
        else:
            out[p] = win_return(won, p)


@jit
def win_return(won: Array, player: int) -> float:
    """Returns a player's share of +1 for the winners, or of -1 for the others."""
    players = len(won)
    winners = 0
    for p in range(players):
        winners += int(won[p])
    if winners == players:
        return 0.0
    return 1 / winners if won[player] else -1 / (players - winners)


@jit
def rank_return(points: Array, won: Array, player: int) -> float:
    """Returns +1 for the best place down to -1 for the last; equal places share."""
    better = 0  # twice the players that are better, and those that are equal
    mine = rank_key(points, won, player)
    for p in range(len(points)):
        theirs = rank_key(points, won, p)
        better += 2 if theirs > mine else 1 if theirs == mine and p != player else 0
    return 1 - better / (len(points) - 1)


@jit
def rank_key(points: Array, won: Array, player: int) -> int:
    """Returns a number that orders players: by points, a winner before others with as many."""
    return int(points[player]) * 2 + int(won[player])


@jit
def write_illegal_returns(payoff: Payoff, offender: int, out: Array) -> None:
    """Writes what a game is worth that an illegal action has ended.

    Zero-sum: -1 for the offender, the others share +1. Shared: -1 for all, below every outcome.

    Args:
        payoff: How the game is paid.
        offender: Who played the action.
        out: Where the returns go, float64 (players,).
    """
    for p in range(len(out)):
        out[p] = -1 if payoff.shared or p == offender else 1 / (len(out) - 1)
