"""Games that tests of the page share: records of every kind, made once."""

from __future__ import annotations

from functools import cache
from typing import Any

from dreamfactory_env import DreamFactory, FabriqueAReves, FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.simulation import simulate

#: One game of every kind that looks different.
KINDS: dict[str, tuple[type[Game], dict[str, Any], str]] = {
    "dream factory, 2": (DreamFactory, {"players": 2}, "greedy"),
    "dream factory, 5": (DreamFactory, {"players": 5, "choose_studio": True}, "greedy"),
    **{
        f"faux raccords, {mode}": (
            FauxRaccords,
            {"players": players, "mode": mode, "memory": memory},
            "random",
        )
        for mode, players, memory in (
            ("tutorial", 2, "none"),
            ("shorts", 3, "perfect"),
            ("series", 4, "none"),
            ("arcs", 3, "none"),
            ("studio", 2, "perfect"),
        )
    },
    "fabrique": (FabriqueAReves, {"players": 3, "mode": "saturday"}, "nearest"),
    "fabrique, french": (FabriqueAReves, {"players": 2, "language": "fr"}, "nearest"),
}


def game_of(kind: str) -> Game:
    """Returns a new game of a kind."""
    game_cls, options, _ = KINDS[kind]
    return game_cls(seed=7, **options)


@cache
def record_of(kind: str, seed: int = 3) -> dict[str, Any]:
    """Returns the record of a whole game of a kind; not to be changed."""
    policy = KINDS[kind][2]
    return next(iter(simulate(game_of(kind), [policy], 1, seed)))
