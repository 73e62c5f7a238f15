"""Results made by hand, for figures whose right answers are known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.fouls import Foul
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.stepper import NOBODY


def made_result(tournament: Tournament, **arrays: Any) -> Result:
    """Returns a result with some of its arrays given, and nobody's foul unless one is given."""
    played = Result.of(tournament, play_chunks(replace(tournament, deals=1)))
    given: dict[str, Any] = {name: np.array(values) for name, values in arrays.items()}
    games = len(given["entrants"])
    given.setdefault("offender", np.full(games, NOBODY))
    given["roles"] = np.zeros((*given["entrants"].shape, played.roles.shape[2]), np.int32)
    given["fouls"] = [
        (tournament.policies[given["entrants"][game, seat]], Foul("illegal", "it cannot be"))
        for game, seat in enumerate(given["offender"])
        if seat != NOBODY
    ]
    return replace(played, **given)
