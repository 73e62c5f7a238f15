"""The golden games of Dream Factory, see ``tests.games.playthroughs``."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.component_files import (
    check_components,
    standard_components,
)
from dreamfactory_env.games.dream_factory.scoring import director_stars
from dreamfactory_env.utils.yaml_lines import Document
from tests.games import playthroughs
from tests.games.dream_factory.styles import STYLES

#: The games that are kept with all positions: both editions and styles, two and four players.
WITH_POSITIONS = ("2_players_traumfabrik", "empty_pile")


@dataclass(frozen=True)
class Playthrough(playthroughs.Playthrough):
    """One golden game, with the odd thing that it must show."""

    shows: Callable[[DreamFactory], bool] = field(default=lambda game: True)
    tokens: tuple[str, ...] = ()

    def game(self) -> DreamFactory:
        """Returns the game before its first move."""
        if not self.tokens:
            return DreamFactory(seed=self.seed, **self.options)
        data: dict[str, Any] = {**standard_components().as_data(), "tokens": list(self.tokens)}
        components = check_components(Document(data), self.name)
        return DreamFactory(seed=self.seed, components=components, **self.options)

    def choose(self, legal: list[str], rng: random.Random) -> str:
        """Returns the move that is played."""
        return STYLES[self.style](legal, rng)

    def drawn(self) -> list[str]:
        """Returns what was drawn."""
        setup = self.game().setup()
        return [
            f"first player {setup['first_player']}, studios {setup['studios']}",
            f"pile: {', '.join(setup['pile'])}",
        ]


def _director_tie(game: DreamFactory) -> bool:
    stars = sorted(director_stars(game.state, seat) for seat in range(game.players))
    return stars[-1] > 0 and stars[-1] == stars[-2] and game.state.best_director < 0


def _edition(number: int) -> str:
    return ["dream_factory", "traumfabrik"][number]


PLAYTHROUGHS = [
    *(
        Playthrough(
            f"{players}_players_{_edition(number)}",
            {"players": players, "edition": _edition(number), "choose_studio": players == 3},
            ["thrifty", "uniform"][(players + number) % 2],
            seed=players,
        )
        for players in (2, 3, 4, 5)
        for number in (0, 1)
    ),
    Playthrough(
        "no_token_left",
        {"players": 2},
        "thrifty",
        seed=0,
        shows=lambda game: game.state.tokenless >= 2,
        tokens=("5", "9", "9+", "16"),
    ),
    Playthrough("best_director_tie", {"players": 3}, "thrifty", seed=38, shows=_director_tie),
    Playthrough(
        "empty_pile",
        {"players": 4},
        "thrifty",
        seed=3,
        shows=lambda game: bool((game.state.in_production[:4] == -1).any()),
    ),
    Playthrough(
        "everybody_passes",
        {"players": 5, "edition": "traumfabrik"},
        "passive",
        seed=0,
        shows=lambda game: game.winners() == [0, 1, 2, 3, 4] and not game.finished(),
    ),
]
