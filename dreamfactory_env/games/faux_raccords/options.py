"""The options of a game of Faux Raccords, declared and checked once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.faux_raccords.component_files import (
    STANDARD,
    check_components,
    load_components,
    standard_components,
)
from dreamfactory_env.games.faux_raccords.components import Components, make_params
from dreamfactory_env.games.faux_raccords.state import (
    NO_CARD,
    NO_SEED,
    NOTHING,
    NOWHERE,
    STATE,
    Memory,
    Mode,
)
from dreamfactory_env.games.spec import Option
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.yaml_lines import Document

MODES = tuple(mode.name.lower() for mode in Mode)
MEMORIES = tuple(memory.name.lower() for memory in Memory)


def _parse_components(given: Any) -> Components:
    """Returns components, also by the path of their file, the standard ones for None."""
    if given is None:
        return standard_components()
    if isinstance(given, str | Path):
        return load_components(given)
    if not isinstance(given, Components):
        found = type(given).__name__
        raise OptionError(f"components must be Components or the path of a file, not {found}")
    return given


def _dump_components(components: Components) -> dict[str, Any] | None:
    """Returns own components as data; nothing for the standard ones."""
    return None if components == standard_components() else components.as_data()


def _load_components(data: Any) -> Components:
    """Returns the components that a record holds."""
    return check_components(Document(data), "components")


def _dump_memory(memory: str) -> str | None:
    """Returns the memory of observations, nothing for the default: a game is the same with both."""
    return None if memory == MEMORIES[0] else memory


def _load_memory(memory: Any) -> Any:
    """Returns what a record says of memory."""
    return memory


OPTIONS = (
    Option(
        "mode",
        str,
        "feature",
        "what is made: an exam film, a feature film, two shorts, a series, a film with several "
        "arcs, or a studio",
        values=MODES,
    ),
    Option(
        "memory",
        str,
        "none",
        "what observations tell of cards that were seen before and could be followed since",
        values=MEMORIES,
        dump=_dump_memory,
        load=_load_memory,
    ),
    Option(
        "components",
        Path,
        None,
        "a component file of your own",
        parse=_parse_components,
        dump=_dump_components,
        load=_load_components,
        example=STANDARD,
    ),
)


@dataclass(frozen=True)
class Options:
    """What was chosen before a game, checked by the spec.

    Attributes:
        players: 2 to 4.
        mode: The mode (F3).
        memory: Whether observations tell what a seat is sure of by memory (F26).
        components: The cards, moods and hazards.
    """

    players: int
    mode: str
    memory: str
    components: Components

    @property
    def mode_number(self) -> Mode:
        """The mode as the rules know it."""
        return Mode[self.mode.upper()]

    @property
    def params(self) -> Records:
        """Options and components as numbers; PARAMS, shape (1,), not to be changed."""
        return make_params(self.components, self.mode_number, Memory[self.memory.upper()])

    def blank(self) -> Records:
        """Returns a state with these options, before anything is dealt; STATE, shape (1,)."""
        return _blank(self.players).copy()


@lru_cache(maxsize=8)
def _blank(players: int) -> Records:
    states = np.zeros(1, STATE)
    s: Any = states[0]
    s.seed = NO_SEED
    s.players = players
    for name in ("pending", "called"):
        s[name] = NO_CARD
    for name in ("chosen", "swapped"):
        s[name] = NOWHERE
    for name in ("passing", "taken", "film", "cut", "dealt"):
        s[name][:] = NO_CARD
    s.hint_slot[:] = NOWHERE
    s.hazard = NOTHING
    s.hazards[:] = NOTHING
    s.moods[:] = NOTHING
    return states
