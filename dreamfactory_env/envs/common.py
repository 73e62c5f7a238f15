"""What all environments of a game have in common: their options and spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

import gymnasium
import numpy as np
from typing_extensions import TypeVar  # typing has no defaults before Python 3.13

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import game_named
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.observation_spec import Block
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int, check_word, did_you_mean

ILLEGAL = ["lose", "raise"]
#: The options of an environment with one agent, besides who plays the other seats.
SINGLE_AGENT_OPTIONS = [
    *("seat", "reward", "shaping", "illegal"),
    *("render_mode", "render_seat", "render_fps"),
]

#: The game of an environment, for type checkers: a class given tells it, a name does not.
GameT = TypeVar("GameT", bound=Game, default=Game)


class ObservationSpecMixin(Generic[GameT]):
    """Says what the observations and actions of an environment are made of.

    Attributes:
        game: A game with the options of the environment.
    """

    game: GameT

    def observation_box(self) -> gymnasium.spaces.Box:
        """Returns the space of the observations, float32 (size,)."""
        spec = self.game.spec.observation
        return gymnasium.spaces.Box(spec.low(), spec.high(), dtype=np.float32)

    def observation_spec(self) -> list[Block]:
        """Returns the blocks of an observation: name, slice, shape, range and meaning of each."""
        return list(self.game.spec.observation.blocks.values())

    def observation_to_string(self, observation: Array) -> str:
        """Returns what an observation says, in words.

        Args:
            observation: What a player sees, float32 (size,).
        """
        return self.game.observation_to_string(observation)


def check_illegal(illegal: object) -> None:
    """Raises OptionError unless it says what an illegal action does."""
    check_word("illegal", illegal, ILLEGAL)


def check_names(names: Any, players: int) -> list[str]:
    """Returns a name for each seat.

    Raises:
        OptionError: They are no names, or not as many as seats.
    """
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise OptionError(f"names must be a list with one name for each seat, not {names!r}")
    if len(names) != players:
        raise OptionError(f"{len(names)} names for {players} players")
    return list(names)


def others_of(game: object, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Returns who plays the seats beside a learner, and the options without it.

    Args:
        game: The game, or its name.
        options: What was given: ``opponents`` for a zero-sum game, ``partners`` for a shared one;
            the weakest scripted policy if neither is there.

    Raises:
        OptionError: It is given under the word for the other utility, or an option is unknown: the
            message lists those of the environment, too, whose names are mistaken as easily.
    """
    spec = game_named(game).spec
    wrong = "opponents" if spec.shared else "partners"
    if wrong in options:
        kind = f"{spec.title} is a {spec.utility} game"
        raise OptionError(f"{kind}: give {spec.others}, not {wrong}")
    known = [spec.others, *SINGLE_AGENT_OPTIONS, *spec.option_names]
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known)
            raise OptionError(f"unknown option {name!r}; known are {', '.join(known)}{hint}")
    rest = {name: value for name, value in options.items() if name != spec.others}
    return options.get(spec.others, spec.ladder[0]), rest


def check_reset_options(options: Any, known: list[str]) -> dict[str, Any]:
    """Returns the options of a reset as a dictionary, an empty one if there are none.

    Raises:
        OptionError: One of them is unknown, or they are something else.
    """
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise OptionError(f"options must be a dictionary, not {options!r}")
    for key in options:
        if key not in known:
            hint = did_you_mean(str(key), known)
            listed = ", ".join(known)
            raise OptionError(f"unknown option {key!r} of reset; known are {listed}{hint}")
    return options


def check_count(num_envs: object) -> int:
    """Returns a number of games as an int.

    Raises:
        OptionError: It is no whole number from 1 up.
    """
    count = as_int(num_envs)
    if count is None or count < 1:
        raise OptionError(f"num_envs must be at least 1, not {num_envs!r}")
    return count


def check_actions(actions: Any, num_envs: int) -> Array:
    """Returns the actions of a batch as an array.

    Raises:
        OptionError: They are of another shape than (num_envs,), or no whole numbers.
    """
    array = np.asarray(actions)
    if array.shape != (num_envs,) or array.dtype.kind not in "iu":
        found = f"{array.dtype} of shape {array.shape}"
        raise OptionError(f"actions must be whole numbers of shape ({num_envs},), not {found}")
    return array
