"""The same game with a policy that sees everything, which benchmarks show as the ceiling."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import OptionError


@cache
def seen_by_all(game_cls: type[Game]) -> type[Game]:
    """Returns a game whose one scripted policy sees everything; all else is the same.

    Raises:
        OptionError: The game has no such policy.
    """
    policy = game_cls.all_seeing
    if policy is None:
        raise OptionError(f"{game_cls.spec.title} has no policy that sees everything")
    kernels = replace(game_cls.kernels, decide=policy.decide, bound={})
    scripted = {policy.name: policy.weights}
    spec = replace(game_cls.spec, scripted=scripted, rollout=policy.name)
    return type(f"Seen{game_cls.__name__}", (game_cls,), {"kernels": kernels, "spec": spec})
