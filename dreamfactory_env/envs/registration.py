"""The environments of all games in the registries of Gymnasium and PettingZoo."""

from __future__ import annotations

import gymnasium
import pettingzoo

from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game


def env_id(game_cls: type[Game]) -> str:
    """Returns the name of a game's environments in registries: its class and its version."""
    return f"{game_cls.__name__}-{game_cls.spec.version}"


def register_env(game_cls: type[Game]) -> None:
    """Registers the single-agent and the vector environment of a game with Gymnasium."""
    gymnasium.register(
        env_id(game_cls),
        "dreamfactory_env.envs.single_agent:SingleAgentEnv",
        kwargs={"game": game_cls.spec.name},
        vector_entry_point="dreamfactory_env.envs.vector:SingleAgentVectorEnv",
    )


def register_envs() -> None:
    """Registers the environments of every game.

    Gymnasium's ``make()`` and ``make_vec()`` find them once the package is imported, and so does
    PettingZoo's ``make()`` where its version has a registry.
    """
    for name, game_cls in GAMES.items():
        register_env(game_cls)
        if hasattr(pettingzoo, "register"):
            module = f"dreamfactory_env.{name}_{game_cls.spec.version}"
            pettingzoo.register("aec", env_id(game_cls), f"{module}:env")
