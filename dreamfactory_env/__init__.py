"""Reiner Knizia's board game Dream Factory (Traumfabrik) for reinforcement learning."""

from __future__ import annotations

from importlib.metadata import version

import gymnasium
import pettingzoo

from dreamfactory_env.games.dream_factory.components import load_components, standard_components
from dreamfactory_env.games.dream_factory.game import DreamFactory, Film
from dreamfactory_env.utils.errors import (
    ComponentsError,
    GameError,
    IllegalMove,
    OptionError,
    RecordError,
    SavedStateError,
)

__version__ = version("dreamfactory-env")

__all__ = [
    "ComponentsError",
    "DreamFactory",
    "Film",
    "GameError",
    "IllegalMove",
    "OptionError",
    "RecordError",
    "SavedStateError",
    "__version__",
    "load_components",
    "standard_components",
]

# gymnasium.make("DreamFactory-v0") works once the package is imported, and PettingZoo's make()
# where its version has a registry.
gymnasium.register(
    "DreamFactory-v0",
    "dreamfactory_env.envs.single_agent:SingleAgentEnv",
    kwargs={"game": "dream_factory"},
    vector_entry_point="dreamfactory_env.envs.vector:SingleAgentVectorEnv",
)
if hasattr(pettingzoo, "register"):
    pettingzoo.register("aec", "DreamFactory-v0", "dreamfactory_env.dream_factory_v0:env")
