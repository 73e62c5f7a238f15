"""The golden games of La Fabrique à rêves, see ``tests.games.playthroughs``."""

from __future__ import annotations

import random
from dataclasses import dataclass

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.games.fabrique_a_reves.options import MODES
from tests.games import playthroughs

#: The games that are kept with all positions: one theme, and two themes with all labels alike.
WITH_POSITIONS = ("base_3_players", "friday_2_players")


@dataclass(frozen=True)
class Playthrough(playthroughs.Playthrough):
    """One golden game."""

    def game(self) -> FabriqueAReves:
        """Returns the game before its first move."""
        return FabriqueAReves(seed=self.seed, **self.options)

    def choose(self, legal: list[str], rng: random.Random) -> str:
        """Returns the move that is played: the first dreams of the own mind, and any thought."""
        if legal[0].startswith("dream"):
            return legal[min(rng.randrange(3), len(legal) - 1)]
        tools = [move for move in legal if not move.startswith(("take", "pass"))]
        if tools and rng.random() < (0.2 if self.style == "tools" else 0.05):
            return rng.choice(tools)
        return "pass" if "pass" in legal and rng.random() < 0.1 else rng.choice(legal)

    def drawn(self) -> list[str]:
        """Returns what was drawn."""
        setup = self.game().setup()
        tops = [" ".join(cards[:4]) for cards in setup["reservoirs"]]
        return [
            f"first player {setup['first_player']}, themes {', '.join(setup['themes']) or '-'}",
            f"tools {', '.join(setup['tools'])}; minds {', '.join(map(str, setup['minds']))}",
            f"reservoirs {' | '.join(tops)} …",
        ]


PLAYTHROUGHS = [
    Playthrough(
        f"{mode}_{players}_players",
        {
            "players": players,
            "mode": mode,
            "labels": ("mind", "list")[mode == "friday"],
            "language": ("en", "fr")[players % 2],
        },
        ("takes", "tools")[(number + players) % 2],
        seed=10 * number + players,
    )
    for number, mode in enumerate(MODES)
    for players in (2, 3, 4, 5)
]
