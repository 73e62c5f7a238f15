"""What each player is paid, the same on every face: at the end, and by shaping on the way there.

Everything here is zero-sum.
"""

from __future__ import annotations

from enum import IntEnum
from math import isfinite

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game, check_word
from dreamfactory_env.utils.errors import OptionError

#: Points are divided by this in the kind ``score`` and in shaping.
SCORE_SCALE = 50.0


class Reward(IntEnum):
    """Kinds of rewards."""

    WIN = 0
    RANK = 1
    SCORE = 2


def reward_named(name: object) -> Reward:
    """Returns the kind of reward of a name.

    Raises:
        OptionError: There is none.
    """
    check_word("reward", name, [kind.name.lower() for kind in Reward])
    return Reward[str(name).upper()]


def check_shaping(weight: object) -> float:
    """Returns the weight of shaping as a float.

    Raises:
        OptionError: It is no number from 0 up.
    """
    if isinstance(weight, int | float | np.number) and not isinstance(weight, bool):
        number = float(weight)
        if isfinite(number) and number >= 0:
            return number
    raise OptionError(f"shaping must be a number from 0 (none) up, not {weight!r}")


def standing(weight: float, game: Game) -> Array:
    """Returns the potential of a position for each player, float64 (players,)."""
    out = np.empty(game.players, np.float64)
    potentials(weight, np.array(game.scores(), np.int64), out)
    return out


def payment(kind: Reward, game: Game, offender: int | None = None) -> Array:
    """Returns what a game that has ended is worth to each player, float64 (players,).

    Args:
        kind: The kind of reward.
        game: The game; over, unless somebody has ended it by an illegal action.
        offender: Who has, None if nobody.
    """
    worth = np.empty(game.players, np.float64)
    if offender is not None:
        utilities_of_foul(offender, worth)
    else:
        won = np.zeros(game.players, np.int64)
        won[game.winners()] = 1
        utilities(int(kind), np.array(game.scores(), np.int64), won, worth)
    return worth


@jit
def margin(scores: Array, player: int) -> float:
    """Returns a player's points above the mean of all, divided by 50."""
    total = 0
    for p in range(len(scores)):
        total += int(scores[p])
    return (int(scores[player]) - total / len(scores)) / SCORE_SCALE


@jit
def potentials(weight: float, scores: Array, out: Array) -> None:
    """Writes what a position is worth on the way: the weight times the ``score`` reward so far.

    The money of all together and the points on the table are public, so a player's own potential
    tells that player nothing that is hidden.

    Args:
        weight: The weight of shaping.
        scores: The points of each player so far, shape (players,).
        out: Where the potentials go, shape (players,); their sum is 0.
    """
    for p in range(len(scores)):
        out[p] = weight * margin(scores, p)


@jit
def utilities(kind: int, scores: Array, won: Array, out: Array) -> None:
    """Writes what a finished game is worth to each player.

    ``win``: the winners share +1, the others share -1; 0 for all if all have won. ``rank``: from +1
    for the best place to -1 for the last, equal places sharing; a winner comes before others with
    as many points. ``score``: points above the mean of all, divided by 50.

    Args:
        kind: A Reward.
        scores: The points of each player, shape (players,).
        won: 1 for each winner, else 0, shape (players,).
        out: Where the utilities go, shape (players,); their sum is 0.
    """
    players = len(scores)
    winners = 0
    for p in range(players):
        winners += int(won[p])
    for p in range(players):
        if kind == Reward.SCORE:
            out[p] = margin(scores, p)
        elif kind == Reward.RANK:
            better = 0  # twice the players that are better, and those that are equal
            for q in range(players):
                mine, theirs = int(scores[p]) * 2 + int(won[p]), int(scores[q]) * 2 + int(won[q])
                better += 2 if theirs > mine else 1 if theirs == mine and q != p else 0
            out[p] = 1 - better / (players - 1)
        elif winners == players:
            out[p] = 0
        else:
            out[p] = 1 / winners if won[p] else -1 / (players - winners)


@jit
def utilities_of_foul(offender: int, out: Array) -> None:
    """Writes what a game is worth that ends with an illegal action: the others share what is lost.

    Args:
        offender: Who played it.
        out: Where the utilities go, shape (players,); -1 for the offender, and their sum is 0.
    """
    for p in range(len(out)):
        out[p] = -1 if p == offender else 1 / (len(out) - 1)
