"""What a game brings: facts, compiled functions, and a few methods.

Everything above a game's folder is written against this and knows no game by name. A game must
bring ``spec``, ``kernels``, ``state_dtype``, ``key_to_string`` and ``view``; all else has a
default, here or in ``games.game``, which has what every game can do once it brings these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.engine.rng import NO_SEED
from dreamfactory_env.engine.structs import SPARE, Array, Between, Records
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.utils.errors import RecordError
from dreamfactory_env.utils.validation import shown

#: The params of a game whose compiled functions need none.
NO_PARAMS = np.dtype((np.record, [(SPARE, "u1", (8,))]))


class AllSeeing(NamedTuple):
    """A policy that sees everything, which no player may: the ceiling of a benchmark.

    Attributes:
        name: What it is called.
        decide: What it plays, as ``engine.contract.decide``; it may read all of the state.
        weights: Its constants, float64 (K,).
    """

    name: str
    decide: Callable[..., int]
    weights: Array


class GameContract(ABC):
    """What a game brings; see ``Game`` for what comes of it."""

    #: What the game is: the class's with default options, a game's with its own.
    spec: GameSpec
    kernels: ClassVar[GameKernels]
    #: The record of a state. It begins with ``seed`` (uint64), and has ``players`` and ``to_move``.
    state_dtype: ClassVar[np.dtype[Any]]
    #: The ranges of its fields, see ``structs.record_ranges``: a saved state must keep to them.
    state_ranges: ClassVar[dict[str, Between]] = {}
    #: The record of what is the same in all games with the same options.
    params_dtype: ClassVar[np.dtype[Any]] = NO_PARAMS
    #: The fields of a state that the deal shuffles, each a row of numbers that play leaves alone.
    drawn: ClassVar[tuple[str, ...]] = ()
    #: The trained networks that come with the game, by name: their files.
    agents: ClassVar[dict[str, Path]] = {}
    #: Networks that differ in the seed of their training alone, as partners whom nobody knows; by
    #: name: their files. Names that are the same up to the last ``_`` have the same maker.
    pool: ClassVar[dict[str, Path]] = {}
    #: A policy that sees everything, if there is one; it sits at no table but its own.
    all_seeing: ClassVar[AllSeeing | None] = None
    #: The folder of the page's drawing of the table: an ES module ``table.js`` and ``table.css``;
    #: without one a page shows the text.
    page: ClassVar[Path | None] = None
    #: A subclass of ``games.dealing.Dealing``, if the game can be walked through draw by draw.
    dealing: ClassVar[type[Any] | None] = None

    #: The position: a batch of one, and the components.
    states: Records
    params: Records
    #: All options as the game keeps them, the number of players among them.
    values: dict[str, Any]

    # ------------------------------------------------------------------ what a game must bring

    @abstractmethod
    def key_to_string(self, key: int) -> str:
        """Returns the words of a move key; in a position no two legal moves have the same."""

    @abstractmethod
    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Returns everything that a seat may know, and nothing that is hidden from it.

        The view is plain data: dicts with texts as keys, lists, texts, whole numbers, bools and
        None, so that JSON gives back the same. It is the only source of text, picture and
        narration, and of what a program shows to a person or a language model. Redrawing what is
        hidden from the seat (:meth:`resample_hidden`) leaves it as it is. Its keys change only with
        the version of the game.

        Args:
            seat: The seat; None sees everything, for replays: what is face down, the set-up, the
                seed.

        Raises:
            OptionError: There is no such seat.
        """

    # ------------------------------------------------------------------ what has a default

    @property
    def scripted(self) -> dict[str, Array]:
        """The scripted policies from weakest to strongest, each with its constants."""
        return self.spec.scripted

    def constants_of(self, name: str) -> Array:
        """Returns the constants of a scripted policy that count with these options.

        They tell it from another of its name: results and agents that rest on it stay valid while
        these are the same.
        """
        return self.scripted[name]

    def configure(self) -> None:
        """Sets ``params`` from ``values``: each field from the option of its name.

        A game whose params are more than that has a ``configure`` of its own.

        Raises:
            GameError: The options do not go together.
        """
        self.params = np.zeros(1, self.params_dtype)
        for name in self.params_dtype.names or ():
            if name in self.values:
                self.params[name] = self.values[name]
            elif name != SPARE:
                raise TypeError(
                    f"no option is called {name!r}, a field of the params: a game that "
                    "makes them in its own way has a method configure"
                )

    def blank(self) -> Records:
        """Returns a state with the options of this game, before anything is dealt; shape (1,)."""
        states = np.zeros(1, self.state_dtype)
        states["seed"], states["players"] = NO_SEED, self.values["players"]
        return states

    def setup(self) -> dict[str, Any]:
        """Returns the set-up as a record writes it: everything that was drawn."""
        return {name: self.states[name][0].tolist() for name in self.drawn}

    def load_setup(self, setup: Any) -> None:
        """Starts the game from the set-up of a record.

        By default all else in a state must be the same after every deal, whatever was drawn.

        Raises:
            GameError: It is not one of a game with these options.
        """
        if not isinstance(setup, dict) or setup.keys() != set(self.drawn):
            raise RecordError(f"setup must have {', '.join(self.drawn)}, not {shown(setup)}")
        states = self.blank()
        self.kernels.reset(states, 0, self.params, self.blank(), np.uint64(0))
        for name in self.drawn:
            given, dealt = setup[name], states[name][0]
            if not _is_reordered(given, dealt):
                found = sorted(dealt.tolist())
                raise RecordError(f"setup: {name} must be {found} in any order, not {shown(given)}")
            dealt[:] = given
        states["seed"] = NO_SEED
        self.states = states


def _is_reordered(given: object, numbers: Array) -> bool:
    """Tells whether something is a list of the same whole numbers, in any order."""
    if not isinstance(given, list) or any(type(number) is not int for number in given):
        return False
    return sorted(given) == sorted(numbers.tolist())
