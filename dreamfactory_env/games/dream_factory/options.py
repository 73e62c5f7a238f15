"""The options of a game of Dream Factory, checked once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.dream_factory.components import (
    Components,
    check_components,
    load_components,
    standard_components,
)
from dreamfactory_env.games.dream_factory.state import (
    MAX_PLAYERS,
    NO_BID,
    NO_SEED,
    NOBODY,
    NOTHING,
    STATE,
    UNFINISHED,
    Edition,
    HiddenMoney,
)
from dreamfactory_env.games.game import check_word
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int, did_you_mean
from dreamfactory_env.utils.yaml_lines import Document


@dataclass(frozen=True)
class Options:
    """What can be chosen before a game.

    Attributes:
        players: 2 to 5 (D1).
        edition: ``"dream_factory"`` (2009) or ``"traumfabrik"`` (2000).
        hidden_money: Whether others' money is hidden: ``"rule"`` (with three or more players),
            ``"never"`` or ``"always"`` (D3).
        choose_studio: Whether the players choose their studios instead of being dealt them (D1).
        components: The tiles, screenplays and so on; the standard ones if not given.

    Raises:
        OptionError: One of them is out of its range.
    """

    players: int = 4
    edition: str = "dream_factory"
    hidden_money: str = "rule"
    choose_studio: bool = False
    components: Components = field(default_factory=standard_components)

    def __post_init__(self) -> None:
        if as_int(self.players) not in range(2, MAX_PLAYERS + 1):
            raise OptionError(f"players must be 2 to {MAX_PLAYERS}, not {self.players!r}")
        check_word("edition", self.edition, [edition.name.lower() for edition in Edition])
        check_word("hidden_money", self.hidden_money, [how.name.lower() for how in HiddenMoney])
        if not isinstance(self.choose_studio, bool | np.bool_):
            raise OptionError(f"choose_studio must be True or False, not {self.choose_studio!r}")
        if not isinstance(self.components, Components):
            found = type(self.components).__name__
            raise OptionError(f"components must be Components or the path of a file, not {found}")
        most = self.components.players
        if self.players > most:
            raise OptionError(f"these components are for up to {most} players, not {self.players}")

    @classmethod
    def of(cls, components: Components | str | Path | None = None, **options: Any) -> Options:
        """Returns options whose components may be named by the path of a file."""
        if components is None:
            return cls(**options)
        if isinstance(components, str | Path):
            components = load_components(components)
        return cls(components=components, **options)

    @classmethod
    def from_config(cls, config: Any) -> Options:
        """Returns the options that the ``config`` of a record describes.

        Raises:
            GameError: It does not describe options of this game.
        """
        known = ["players", "edition", "hidden_money", "choose_studio", "components"]
        if not isinstance(config, dict):
            raise OptionError(f"config must be an object, not {config!r}")
        for key in config:
            if key not in known:
                hint = did_you_mean(key, known)
                raise OptionError(f"unknown option {key!r}; known are {', '.join(known)}{hint}")
        for key in known[:-1]:
            if key not in config:
                raise OptionError(f"config has no {key!r}")
        options = dict(config)
        if "components" in options:
            options["components"] = check_components(Document(options["components"]), "components")
        return cls(**options)

    def as_config(self) -> dict[str, Any]:
        """Returns the options as the ``config`` of a record, own components included."""
        config: dict[str, Any] = {
            "players": int(self.players),
            "edition": self.edition,
            "hidden_money": self.hidden_money,
            "choose_studio": bool(self.choose_studio),
        }
        if self.components != standard_components():
            config["components"] = self.components.as_data()
        return config

    def blank(self) -> Records:
        """Returns a state with these options, before anything is dealt; STATE, shape (1,)."""
        states = np.zeros(1, STATE)
        s: Any = states[0]
        s.seed = NO_SEED
        s.players = self.players
        s.edition = Edition[self.edition.upper()]
        s.hidden_money = HiddenMoney[self.hidden_money.upper()]
        s.choose_studio = self.choose_studio
        s.high_bid = NO_BID
        s.bids[:] = NO_BID
        s.in_production[:] = NOTHING
        s.owner[:] = NOBODY
        s.rank[:] = UNFINISHED
        s.awards[:] = NOTHING
        s.best_director = NOBODY
        return states
