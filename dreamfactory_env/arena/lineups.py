"""Who sits at the table in each deal, and the games of a deal: the seats rotated."""

from __future__ import annotations

from itertools import product

import numpy as np

from dreamfactory_env.engine.rng import Seed, derive_seed, shuffle
from dreamfactory_env.engine.structs import Array

#: Policies as numbers, clockwise.
Lineup = tuple[int, ...]
#: The ways to make lineups that have a name; the first is the default.
WAYS = ["mixed", "pairs"]
#: Those of a game whose players are paid the same.
SHARED_WAYS = ["crossplay", *WAYS]


def pairs(policies: int, players: int) -> list[Lineup]:
    """Returns a lineup of one A and the rest B, for all policies A and B that differ."""
    both = [(a, b) for a in range(policies) for b in range(policies) if a != b]
    return [(a, *[b] * (players - 1)) for a, b in both]


def teams(a: int, b: int, players: int) -> list[Lineup]:
    """Returns the lineups of two policies in which both sit; of one if they are the same.

    Their :func:`rotations` are all ways to give the seats to the two, each once: of lineups that
    turn into one another only the first is returned. With three players these are AAB and ABB,
    with four AAAB, AABB, ABAB and ABBB.
    """
    if a == b:
        return [(a,) * players]
    lineups: list[Lineup] = []
    for line in product((a, b), repeat=players):
        if len(set(line)) == 2 and not set(_turned(line)) & set(lineups):
            lineups.append(line)
    return lineups


def crossplay(policies: int, players: int) -> list[Lineup]:
    """Returns the lineups of every policy with itself and with every other, see :func:`teams`."""
    return [
        line for a in range(policies) for b in range(a, policies) for line in teams(a, b, players)
    ]


def mixed(deal: int, policies: int, players: int, seed: Seed) -> Lineup:
    """Returns a lineup that is drawn, a function of the number of the deal and the seed.

    It comes out of a shuffle of all policies; one shuffle serves as many tables as it fills. So all
    play about equally often, and nobody sits twice at a table if there are enough.
    """
    tables = max(policies // players, 1)
    order = np.arange(policies)
    shuffle(order, policies, derive_seed(seed, deal // tables), 0)
    first = deal % tables * players
    return tuple(int(order[(first + place) % policies]) for place in range(players))


def rotations(lineup: Lineup) -> Array:
    """Returns the games of a lineup, each with who sits where; int64 (games, players).

    Everybody sits once on every seat. A lineup that looks the same after fewer turns has fewer
    games: none is played twice.
    """
    return np.array(list(dict.fromkeys(_turned(lineup))), np.int64)


def _turned(lineup: Lineup) -> list[Lineup]:
    """Returns a lineup after each number of turns."""
    return [lineup[turn:] + lineup[:turn] for turn in range(len(lineup))]
