"""The golden games of Faux Raccords, see ``tests.games.playthroughs``: every mode and table."""

from __future__ import annotations

import random
from dataclasses import dataclass

from dreamfactory_env import FauxRaccords
from tests.games import playthroughs
from tests.games.faux_raccords.staging import MODES
from tests.games.faux_raccords.styles import STYLES

#: The games that are kept with all positions: a line and a grid, both styles.
WITH_POSITIONS = ("shorts_3_players", "series_2_players")


@dataclass(frozen=True)
class Playthrough(playthroughs.Playthrough):
    """One golden game."""

    def game(self) -> FauxRaccords:
        """Returns the game before its first move."""
        return FauxRaccords(seed=self.seed, **self.options)

    def choose(self, legal: list[str], rng: random.Random) -> str:
        """Returns the move that is played."""
        return STYLES[self.style](legal, rng)

    def drawn(self) -> list[str]:
        """Returns what was drawn."""
        setup = self.game().setup()
        hands = " | ".join(", ".join(hand) for hand in setup["hands"])
        moods = " | ".join(" and ".join(pair) for pair in setup["moods"]) or "-"
        return [
            f"first player {setup['first_player']}, hands {hands}",
            f"film {', '.join(setup['film'])}",
            f"deck {', '.join(setup['deck'])}; removed {', '.join(setup['removed']) or '-'}",
            f"hazards {', '.join(setup['hazards']) or '-'}; moods {moods}",
        ]


PLAYTHROUGHS = [
    Playthrough(
        f"{mode}_{players}_players",
        {"players": players, "mode": mode, "memory": ("none", "perfect")[players % 2]},
        ("lively", "placing")[(number + players) % 2],
        seed=10 * number + players,
    )
    for number, mode in enumerate(MODES)
    for players in (2, 3, 4)
]
