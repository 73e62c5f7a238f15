"""How strong the scripted policies are: ``python benchmarks/ladder.py`` prints the docs' table.

Every policy meets the one below it in the arena: at a table of two, and alone among more of them.
Each deal is played from every seat, and the intervals are those of the deals.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import duel, evaluate

COUNTS = (2, 3, 4, 5)


def cell(name: str, below: str, players: int, games: int, edition: str) -> str:
    """Returns the share of wins of a policy alone among others, in percent, with its interval."""
    match = duel(name, [below], players=players, games=games, options={"edition": edition})
    found = evaluate(match)
    assert found is not None
    return f"{100 * found.win_rate:.1f} ± {100 * found.half_width:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="of each meeting")
    parser.add_argument("--edition", default="dream_factory", help="or traumfabrik")
    arguments = parser.parse_args()
    print("| wins in % of | " + " | ".join(f"{players} players" for players in COUNTS) + " |")
    print("|---|" + "---:|" * len(COUNTS))
    for below, name in pairwise(DreamFactory.scripted):
        cells = [
            cell(name, below, players, arguments.games, arguments.edition) for players in COUNTS
        ]
        print(f"| `{name}` among `{below}` | " + " | ".join(cells) + " |", flush=True)
    print("| a fair share | " + " | ".join(f"{100 / players:.1f}" for players in COUNTS) + " |")


if __name__ == "__main__":
    main()
