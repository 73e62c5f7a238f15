"""The options of a game of Dream Factory, declared and checked once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.dream_factory.component_files import (
    STANDARD,
    check_components,
    load_components,
    standard_components,
)
from dreamfactory_env.games.dream_factory.components import Components
from dreamfactory_env.games.dream_factory.state import (
    NO_BID,
    NO_SEED,
    NOBODY,
    NOTHING,
    STATE,
    UNFINISHED,
    Edition,
    HiddenMoney,
)
from dreamfactory_env.games.spec import Option
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.yaml_lines import Document


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


OPTIONS = (
    Option(
        "edition",
        str,
        "dream_factory",
        "the edition of 2009 (dream_factory) or of 2000 (traumfabrik)",
        values=tuple(edition.name.lower() for edition in Edition),
    ),
    Option(
        "hidden_money",
        str,
        "rule",
        "whether others' money is hidden; by the rule it is with three or more players",
        values=tuple(how.name.lower() for how in HiddenMoney),
    ),
    Option(
        "choose_studio",
        bool,
        False,
        "whether the players choose their studios instead of being dealt them",
    ),
    Option(
        "components",
        Path,
        None,
        "a component file of your own, or the name of one from `dreamfactory configs`",
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
        players: 2 to 5 (D1).
        edition: ``"dream_factory"`` (2009) or ``"traumfabrik"`` (2000).
        hidden_money: Whether others' money is hidden: ``"rule"`` (with three or more players),
            ``"never"`` or ``"always"`` (D3).
        choose_studio: Whether the players choose their studios instead of being dealt them (D1).
        components: The tiles, screenplays and so on.

    Raises:
        OptionError: The components are for fewer players.
    """

    players: int
    edition: str
    hidden_money: str
    choose_studio: bool
    components: Components

    def __post_init__(self) -> None:
        most = self.components.players
        if self.players > most:
            raise OptionError(f"these components are for up to {most} players, not {self.players}")

    def blank(self) -> Records:
        """Returns a state with these options, before anything is dealt; STATE, shape (1,)."""
        return _blank(self).copy()


@lru_cache(maxsize=64)
def _blank(options: Options) -> Records:
    states = np.zeros(1, STATE)
    s: Any = states[0]
    s.seed = NO_SEED
    s.players = options.players
    s.edition = Edition[options.edition.upper()]
    s.hidden_money = HiddenMoney[options.hidden_money.upper()]
    s.choose_studio = options.choose_studio
    s.high_bid = NO_BID
    s.bids[:] = NO_BID
    s.in_production[:] = NOTHING
    s.owner[:] = NOBODY
    s.rank[:] = UNFINISHED
    s.awards[:] = NOTHING
    s.best_director = NOBODY
    return states
