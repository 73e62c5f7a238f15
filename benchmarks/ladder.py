"""How strong the scripted policies are: ``python benchmarks/ladder.py`` prints win rates.

Every policy meets the one below it: at a table of two, and alone among three or more of them. Each
deal is played once from every seat, so that luck of the deal and of the seat cancels out; the
intervals are those of the deals. A win that is shared counts as its fraction.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise

import numpy as np

from dreamfactory_env import DreamFactory
from dreamfactory_env.layout import Array


def share_of_wins(name: str, others: str, players: int, deals: int, **options: str) -> Array:
    """Returns what part of its games a policy wins, alone among others; float64 (deals,).

    Args:
        name: The policy.
        others: The policy of all other seats.
        players: How many play.
        deals: How many deals; each is played from every seat.
        **options: Further options of the game.
    """
    game = DreamFactory(players, seed=0, **options)  # type: ignore[arg-type]
    codes, weights = game.scripted_seats([name, others])
    seeds = np.random.default_rng(players).integers(0, 2**53, deals).astype(np.uint64)
    seated = np.tile(1 - np.eye(players, dtype=np.int64), (deals, 1))
    scores = np.empty(seated.shape, np.int32)
    won = np.empty(seated.shape, np.int8)
    decisions = np.empty(len(seated), np.int32)
    game.loops.play_games_parallel(
        *(game.tables, game.blank(), game.actions, np.repeat(seeds, players), seated),
        *(codes, weights, scores, won, decisions),
    )
    wins = (won * (seated == 0)).sum(axis=1) / won.sum(axis=1)
    shares: Array = wins.reshape(deals, players).mean(axis=1)
    return shares


def measure_ladder(games: int, edition: str) -> None:
    """Prints how each policy does against the one below, over that many games each."""
    names = list(DreamFactory.scripted)
    for below, name in pairwise(names):
        for players in (2, 3, 4, 5):
            deals = -(-games // players)
            begin = time.perf_counter()
            shares = share_of_wins(name, below, players, deals, edition=edition)
            took = time.perf_counter() - begin
            error = 1.96 * shares.std() / np.sqrt(deals)
            print(
                f"{name} against {players - 1} {below}: {shares.mean():.1%} ± {error:.1%} "
                f"(fair: {1 / players:.0%}), {deals * players:,} games, "
                f"{deals * players / took:,.0f} games/s",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="of each meeting")
    parser.add_argument("--edition", default="dream_factory", help="or traumfabrik")
    arguments = parser.parse_args()
    share_of_wins("random", "random", 2, 1)  # compiles, or loads from the cache
    measure_ladder(arguments.games, arguments.edition)


if __name__ == "__main__":
    main()
