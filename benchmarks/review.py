"""What a review costs besides its judge: ``python -m benchmarks.review`` prints its figures.

For each game, positions of a game by the weakest policy are judged by the rollout policy, which
answers at once: what is left is the comparison of two moves over shared deals. Seconds are those of
the processor, so that others on the machine disturb little. The load at the start is printed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

from dreamfactory_env.games import GAMES, new_game
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.viewer.judging import DEALS, Judge
from dreamfactory_env.viewer.questions import position_of


def costs(name: str, players: int, positions: int) -> list[tuple[int, float]]:
    """Returns the deals that were played and the seconds that it took, for some decisions."""
    game = new_game(name, {"players": players})
    record = next(simulate(game, [game.spec.ladder[0]], 1, seed=3))
    judge = Judge(game, game.spec.rollout)
    found: list[tuple[int, float]] = []
    length = len(record["moves"])
    for number in range(0, length, max(length // (3 * positions), 1)):
        position, played = position_of(record, number), record["moves"][number][2]
        if judge.decision(position, number)["preferred"] == played or position.legal_count() < 2:
            continue
        begin = time.process_time()
        deals = judge.decision(position, number, played)["deals"]
        found.append((deals, time.process_time() - begin))
        if len(found) == positions:
            break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=9, help="how many of each game")
    arguments = parser.parse_args()
    print(f"load at the start: {os.getloadavg()[0]:.1f}; {DEALS} deals at most")
    for name, game_cls in GAMES.items():
        for players in sorted({game_cls.spec.min_players, game_cls.spec.max_players}):
            found = costs(name, players, arguments.positions)
            seconds = [took for _, took in found]
            few = sum(deals < DEALS for deals, _ in found)
            print(
                f"{name}, {players} players: median {statistics.median(seconds):.2f} s, "
                f"longest {max(seconds):.2f} s, {few} of {len(found)} with a quarter of the deals"
            )


if __name__ == "__main__":
    main()
