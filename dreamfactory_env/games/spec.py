"""What a game is, declared: everything above a game's folder reads it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.returns import Payoff, Reward
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.observation_spec import ObservationSpec, Pointer
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int, check_word, did_you_mean, shown

#: Options that make a game which is measured by itself, each with its value.
Variant = tuple[tuple[str, Any], ...]


class Utility(StrEnum):
    """Who gains what: all payments sum to zero, or all seats are paid the same."""

    ZERO_SUM = "zero_sum"
    SHARED = "shared"


#: The rewards that make sense for each utility, the default first.
REWARDS = {Utility.ZERO_SUM: ("win", "rank", "score"), Utility.SHARED: ("win", "score")}


@dataclass(frozen=True)
class Option:
    """An option of a game, besides the number of players and the seed.

    Attributes:
        name: What it is called.
        type: ``str``, ``bool``, ``int``, ``float``, or ``Path`` for a file.
        default: Its value if it is not given.
        help: One line that says what it does.
        values: What it may be, where that can be listed.
        parse: Turns what a user gave into the value that the game keeps; raises OptionError.
        dump: Turns the value into what a record's ``config`` holds; None leaves it out.
        load: Turns what a record's ``config`` holds into the value.
        example: Of an option that takes a file: the file of the default, to start from.
    """

    name: str
    type: type
    default: Any
    help: str
    values: tuple[Any, ...] = ()
    parse: Callable[[Any], Any] | None = None
    dump: Callable[[Any], Any] | None = None
    load: Callable[[Any], Any] | None = None
    example: Path | None = None

    def check(self, value: Any) -> Any:
        """Returns a value as the game keeps it.

        Raises:
            OptionError: It is none of this option's.
        """
        if self.parse is not None:
            return self.parse(value)
        if self.type is bool:
            if not isinstance(value, bool | np.bool_):
                raise OptionError(f"{self.name} must be True or False, not {shown(value)}")
            return bool(value)
        if self.type is int:
            number = as_int(value)
            if number is None or (self.values and number not in self.values):
                expected = f"one of {self.values_in_words()}" if self.values else "a whole number"
                raise OptionError(f"{self.name} must be {expected}, not {shown(value)}")
            return number
        if self.values:
            check_word(self.name, value, list(self.values))
            return value
        if not isinstance(value, self.type):
            raise OptionError(f"{self.name} must be a {self.type.__name__}, not {shown(value)}")
        return value

    def read_text(self, text: str) -> Any:
        """Returns the value that is written as text, on a command line say.

        Raises:
            OptionError: It is none of this option's type.
        """
        if self.type is bool:
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            if text.lower() not in words:
                raise OptionError(f"{self.name} must be true or false, not {shown(text)}")
            return words[text.lower()]
        try:
            return self.type(text)
        except ValueError as error:
            raise OptionError(f"{self.name} must be a number, not {shown(text)}") from error

    def values_in_words(self) -> str:
        """Returns what it may be, for help and docs."""
        if self.values:
            return ", ".join(str(value) for value in self.values)
        return {bool: "true, false", Path: "a file", int: "a number", float: "a number"}.get(
            self.type, "a text"
        )


@dataclass(frozen=True)
class Sizes:
    """What options may change of a game: its sizes and bounds.

    Attributes:
        num_actions: The size of the action space.
        observation: What an observation is made of.
        max_length: A number of moves that no game exceeds.
        score_scale: Points are divided by this in the reward ``score`` and in shaping.
        score_range: The least and the most that the reward ``score`` can be.
        action_labels: What action numbers mean, where options change that and nothing else tells: a
            network that has learned one meaning plays no game of another.
    """

    num_actions: int
    observation: ObservationSpec
    max_length: int
    score_scale: float
    score_range: tuple[float, float]
    action_labels: str = ""


@dataclass(frozen=True)
class GameSpec:
    """What a game is, declared once for all its options.

    The spec of a class of games has the sizes of default options, that of a game those of its own.

    Attributes:
        name: What it is called in records, files and commands.
        title: What people call it.
        version: The version of its behaviour, such as ``v0``.
        min_players: The fewest players.
        max_players: The most players.
        utility: Who gains what.
        sizes_of: Returns the sizes of games with some options, the number of players among them.
        scripted: The scripted policies from weakest to strongest, in the order of their codes, each
            with its constants: float64, all of one length. The first is ``random``.
        options: Its options besides players and seed.
        default_players: How many play if nothing is said; the fewest if not given.
        rollout: The scripted policy that plays a search's games to their end; the strongest if not
            given.
        pointers: Actions that point at things which the observation describes.
        shaping: Whether rewards can be shaped by the points so far: all seats have the same at the
            start, and in a shared game none.
        variants: The games that are measured each by itself, by the options that make them: a
            benchmark plays them all. What a variant does not name has its default there.
    """

    name: str
    title: str
    version: str
    min_players: int
    max_players: int
    utility: Utility
    sizes_of: Callable[[Mapping[str, Any]], Sizes]
    scripted: dict[str, Array] = field(
        default_factory=lambda: {"random": np.zeros(0)}, compare=False
    )
    options: tuple[Option, ...] = ()
    default_players: int = 0
    rollout: str = ""
    pointers: tuple[Pointer, ...] = ()
    shaping: bool = True
    variants: tuple[Variant, ...] = ()

    def __post_init__(self) -> None:
        # Frozen, for everybody else.
        object.__setattr__(self, "default_players", self.default_players or self.min_players)
        object.__setattr__(self, "rollout", self.rollout or self.ladder[-1])

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes of games with these options, with default ones if it is the spec of a class."""
        return self.sizes_of(self.check_options({}))

    def with_options(self, values: Mapping[str, Any]) -> GameSpec:
        """Returns the spec with the sizes of games with some options.

        Args:
            values: All options, as :meth:`check_options` returns them.

        Raises:
            GameError: They do not go together.
        """
        other = copy(self)
        other.__dict__["sizes"] = self.sizes_of(values)
        return other

    @property
    def num_actions(self) -> int:
        """The size of the action space."""
        return self.sizes.num_actions

    @property
    def observation(self) -> ObservationSpec:
        """What an observation is made of."""
        return self.sizes.observation

    @property
    def max_length(self) -> int:
        """A number of moves that no game exceeds."""
        return self.sizes.max_length

    @property
    def score_scale(self) -> float:
        """Points are divided by this in the reward ``score`` and in shaping."""
        return self.sizes.score_scale

    @property
    def score_range(self) -> tuple[float, float]:
        """The least and the most that the reward ``score`` can be."""
        return self.sizes.score_range

    @property
    def ladder(self) -> tuple[str, ...]:
        """The names of the scripted policies, from weakest to strongest."""
        return tuple(self.scripted)

    @property
    def shared(self) -> bool:
        """Whether all seats are paid the same."""
        return self.utility == Utility.SHARED

    @property
    def rewards(self) -> tuple[str, ...]:
        """The rewards on offer, the default first."""
        return REWARDS[self.utility]

    @property
    def variant_options(self) -> list[str]:
        """The names of the options that make variants."""
        return list(dict.fromkeys(name for variant in self.variants for name, _ in variant))

    @property
    def player_counts(self) -> range:
        """The numbers of players that the game is for."""
        return range(self.min_players, self.max_players + 1)

    @property
    def others(self) -> str:
        """What the players beside a learner are called: ``partners`` or ``opponents``."""
        return "partners" if self.shared else "opponents"

    def payoff(self, reward: object = None, shaping: object = 0.0) -> Payoff:
        """Returns how a game is paid, as compiled code takes it.

        Args:
            reward: One of :attr:`rewards`; the default if None.
            shaping: The weight of the potential by which points are paid as they come.

        Raises:
            OptionError: There is no such reward, or the weight is no number from 0 up.
        """
        name = self.rewards[0] if reward is None else reward
        check_word("reward", name, list(self.rewards))
        weight = check_shaping(shaping)
        if weight and not self.shaping:
            raise OptionError(
                f"{self.title} offers no shaping: shaping must be 0, not {shown(shaping)}"
            )
        return Payoff(self.shared, int(Reward[str(name).upper()]), float(self.score_scale), weight)

    # ------------------------------------------------------------------ options

    @property
    def option_names(self) -> list[str]:
        """The names of all options, the number of players first."""
        return ["players", *(option.name for option in self.options)]

    def option(self, name: object) -> Option:
        """Returns an option by its name.

        Raises:
            OptionError: There is none; the message names the nearest.
        """
        for option in self.options:
            if option.name == name:
                return option
        known = self.option_names
        hint = did_you_mean(str(name), known)
        listed = ", ".join(known)
        raise OptionError(f"unknown option {shown(name)}; those of the game are {listed}{hint}")

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns all options as the game keeps them, those that are not given by default.

        Raises:
            OptionError: One of them is unknown or wrong.
        """
        for name in options:
            if name != "players":
                self.option(name)
        players = as_int(options.get("players", self.default_players))
        if players not in self.player_counts:
            least, most = self.min_players, self.max_players
            raise OptionError(f"players must be {least} to {most}, not {shown(options['players'])}")
        values: dict[str, Any] = {"players": players}
        for option in self.options:
            values[option.name] = option.check(options.get(option.name, option.default))
        return values

    def to_config(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Returns options as the ``config`` of a record."""
        config: dict[str, Any] = {"players": values["players"]}
        for option in self.options:
            value = values[option.name]
            if option.dump is None:
                config[option.name] = value
            elif (dumped := option.dump(value)) is not None:
                config[option.name] = dumped
        return config

    def from_config(self, config: Any) -> dict[str, Any]:
        """Returns the options that the ``config`` of a record describes, checked.

        Raises:
            GameError: It does not describe options of this game.
        """
        known = self.option_names
        if not isinstance(config, dict):
            raise OptionError(f"config must be an object, not {shown(config)}")
        for key in config:
            if key not in known:
                hint = did_you_mean(key, known)
                raise OptionError(
                    f"unknown option {shown(key)}; known are {', '.join(known)}{hint}"
                )
        values = dict(config)
        for option in self.options:
            if option.name in config and option.load is not None:
                values[option.name] = option.load(config[option.name])
        for key in ["players", *(o.name for o in self.options if o.load is None)]:
            if key not in config:
                raise OptionError(f"config has no {shown(key)}")
        return self.check_options(values)

    def check_settled(self, config: Mapping[str, Any] | None, values: Mapping[str, Any]) -> None:
        """Checks that a record's config says what the game has made of it.

        What was left open, such as a level, stands in a record as the game has settled it: a config
        that leaves it open would be played today as defaults are today.

        Args:
            config: The config, which :meth:`from_config` has read; None if there is none.
            values: All options as the game keeps them.

        Raises:
            OptionError: It says something else.
        """
        if config is None:
            return
        for option in self.options:
            found, right = config.get(option.name), values[option.name]
            if option.dump is None and found != right:
                raise OptionError(f"config: {option.name} must be {right!r} here, not {found!r}")


def all_variants(options: tuple[Option, ...], *names: str) -> tuple[Variant, ...]:
    """Returns a variant for every combination of the values of some options."""
    values = {option.name: option.values for option in options}
    return tuple(
        tuple(zip(names, combination, strict=True))
        for combination in product(*(values[name] for name in names))
    )


def check_shaping(weight: object) -> float:
    """Returns the weight of shaping as a float.

    Raises:
        OptionError: It is no number from 0 up.
    """
    if isinstance(weight, int | float | np.number) and not isinstance(weight, bool):
        number = float(weight)
        if isfinite(number) and number >= 0:
            return number
    raise OptionError(f"shaping must be a number from 0 (none) up, not {shown(weight)}")
