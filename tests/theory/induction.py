"""A solution of small games for two by backward induction, with the engine alone.

Everything in Dream Factory that is seen at all is seen by both, and with two players money lies
open. So both always know the same, nobody has a reason to mix, and going backwards over the sets of
deals that look the same gives the value of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from dreamfactory_env import DreamFactory

#: A victory is worth 1, a defeat -1.
PAYOFF = DreamFactory.spec.payoff("win")
#: Equally likely deals, in the same position as far as both players know.
Deals = list[DreamFactory]


def all_deals(game: DreamFactory) -> Iterator[DreamFactory]:
    """Returns every deal of a game with these options once; all are equally likely."""
    setup = game.setup()
    studios = range(1, game.options.components.players + 1)
    for first in range(game.players):
        for chosen in permutations(studios, game.players):
            for deck in sorted(set(permutations(setup["deck"]))):
                for pile in permutations(setup["pile"]):
                    dealt = {"first_player": first, "studios": list(chosen)}
                    dealt |= {"deck": list(deck), "pile": list(pile)}
                    yield DreamFactory.from_setup(game.config(), dealt)


def alike(deals: Deals) -> list[Deals]:
    """Returns the deals in groups of those that look the same to both players."""
    groups: dict[bytes, Deals] = {}
    for deal in deals:
        views = deal.observe(0).tobytes() + deal.observe(1).tobytes()
        groups.setdefault(views, []).append(deal)
    return list(groups.values())


def values_of_moves(deals: Deals) -> dict[int, float]:
    """Returns each legal action in deals that look the same, and its value to the player to move.

    The value of an action is that of the game if both play perfectly after it.
    """
    mover = deals[0].to_move
    found = {}
    for action in deals[0].legal_actions().values():
        after = [deal.copy().play(action) for deal in deals]
        value = sum(len(group) * value_to_first_seat(group) for group in alike(after)) / len(deals)
        found[action] = value if mover == 0 else -value
    return found


def value_to_first_seat(deals: Deals) -> float:
    """Returns the value to seat 0 of deals that look the same."""
    if deals[0].over:
        return float(np.mean([deal.returns(PAYOFF)[0] for deal in deals]))
    best = max(values_of_moves(deals).values())
    return best if deals[0].to_move == 0 else -best


def value_against_random(deals: Deals, player: int) -> float:
    """Returns the value to a player who plays perfectly against one who plays at random."""
    if deals[0].over:
        return float(np.mean([deal.returns(PAYOFF)[player] for deal in deals]))
    values = []
    for action in deals[0].legal_actions().values():
        after = [deal.copy().play(action) for deal in deals]
        groups = alike(after)
        values.append(
            sum(len(group) * value_against_random(group, player) for group in groups) / len(deals)
        )
    return max(values) if deals[0].to_move == player else float(np.mean(values))
