"""Board games about the cinema for reinforcement learning, behind one contract."""

from __future__ import annotations

# ruff: noqa: E402  (what makes the command end quietly comes before all that takes long)
from dreamfactory_env.utils.interrupts import end_quietly_while_importing

end_quietly_while_importing()

from dreamfactory_env.envs.registration import register_envs
from dreamfactory_env.games.dream_factory.component_files import (
    load_components,
    standard_components,
)
from dreamfactory_env.games.dream_factory.game import DreamFactory, Film
from dreamfactory_env.games.fabrique_a_reves.game import FabriqueAReves
from dreamfactory_env.games.faux_raccords.game import FauxRaccords
from dreamfactory_env.utils.errors import (
    ComponentsError,
    GameError,
    IllegalMove,
    OptionError,
    RecordError,
    SavedStateError,
)
from dreamfactory_env.utils.version import __version__

__all__ = [
    "ComponentsError",
    "DreamFactory",
    "FabriqueAReves",
    "FauxRaccords",
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

register_envs()
