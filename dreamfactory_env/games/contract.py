"""What a game brings: facts, compiled functions, and a few methods.

Everything above a game's folder is written against this and knows no game by name. What every game
can do once it brings these is in ``games.game``, with defaults for text, narration and so on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.spec import GameSpec


class GameContract(ABC):
    """What a game must bring; see ``Game`` for what comes of it."""

    #: What the game is: of the class with default options, of a game with its own.
    spec: GameSpec
    kernels: ClassVar[GameKernels]
    #: The scripted policies in the order of their codes, each with its constants: float64, all of
    #: one length. The first is ``random``.
    scripted: ClassVar[dict[str, Array]]
    #: The trained networks that come with the game, by name: their files.
    agents: ClassVar[dict[str, Path]] = {}
    #: A subclass of ``games.dealing.Dealing``, if the game can be walked through draw by draw.
    dealing: ClassVar[type[Any] | None] = None

    #: The position: a batch of one, and the components.
    states: Records
    params: Records
    #: All options as the game keeps them, the number of players among them.
    values: dict[str, Any]

    @abstractmethod
    def configure(self) -> None:
        """Sets ``params``, and ``spec`` if it is another than the class's, from ``values``.

        Raises:
            GameError: The options do not go together.
        """

    @abstractmethod
    def blank(self) -> Records:
        """Returns a state with the options of this game, before anything is dealt; shape (1,).

        The record begins with ``seed`` (uint64), and has ``players`` and ``to_move``.
        """

    @property
    @abstractmethod
    def phase(self) -> str:
        """What the player to move decides, in a word; ``over`` at the end."""

    @abstractmethod
    def key_to_string(self, key: int) -> str:
        """Returns the words of a move key; in a position no two legal moves have the same."""

    @abstractmethod
    def setup(self) -> dict[str, Any]:
        """Returns the set-up as a record writes it: everything that was drawn."""

    @abstractmethod
    def load_setup(self, setup: Any) -> None:
        """Starts the game from the set-up of a record.

        Raises:
            GameError: It is not one of a game with these options.
        """

    @abstractmethod
    def result(self) -> dict[str, Any] | None:
        """Returns the result as a record writes it, None before the game is over."""

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
