"""Chance drawn piece by piece, for those who walk through everything that can happen.

The engine deals everything at once and keeps it hidden. Whoever looks at a game as a tree needs
chance as events with probabilities, each at the moment when the rules draw it. A game that offers
this names a subclass of :class:`Dealing` as its ``dealing``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game


class Dealing(ABC):
    """A position, and the draws and moves that led to it.

    It is never changed: :meth:`draw` and :meth:`play` return the next one. All moves are public.

    Attributes:
        game: The position. Before the deal, and in what is not drawn yet, it means nothing.
        moves: The actions played so far.

    Args:
        game: A game with the options; it is not changed.
        dealt: Whether it is to be played as it was dealt, without any draw. Else what was dealt in
            it does not matter.
    """

    #: Every outcome of a draw is a number from 0 to this, this one not included.
    num_outcomes: ClassVar[int]

    game: Game
    moves: tuple[int, ...]

    @abstractmethod
    def __init__(self, game: Game, *, dealt: bool = False) -> None: ...

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    # ------------------------------------------------------------------ chance

    @property
    @abstractmethod
    def is_chance(self) -> bool:
        """Whether something is to be drawn now; else a player is to move, or the game is over."""

    @property
    @abstractmethod
    def before_the_deal(self) -> bool:
        """Whether the game waits for its first draws, so that there is no position yet."""

    @abstractmethod
    def outcomes(self) -> dict[int, float]:
        """Returns what can be drawn now, in rising order, each with its probability."""

    @abstractmethod
    def outcome_to_string(self, outcome: int) -> str:
        """Returns a draw that can be made now in words."""

    @abstractmethod
    def draw(self, outcome: int) -> Self:
        """Returns what follows if the draw comes out so; it must be one of ``outcomes``."""

    @abstractmethod
    def drawn_in(self, game: Game) -> int:
        """Returns the outcome with which the draw that is to be made now came out in a game."""

    # ------------------------------------------------------------------ playing

    @abstractmethod
    def play(self, action: int) -> Self:
        """Returns what follows a legal action of the player to move."""

    # ------------------------------------------------------------------ what is known

    @abstractmethod
    def seen(self, player: int) -> tuple[Array, ...]:
        """Returns the outcomes that a player has seen, one array for each kind of draw.

        Returns:
            For each kind the outcomes in the order of the draws, int64, at most as many as
            :meth:`seen_sizes` says. Before the game begins they are empty.
        """

    @abstractmethod
    def seen_sizes(self) -> tuple[int, ...]:
        """Returns for each kind of draw how many are made in a game at most."""

    @abstractmethod
    def information_state(self, player: int) -> str:
        """Returns all that a player remembers after the deal, as text: draws seen, and moves."""
