"""A small cooperative game with its chance drawn card by card, for OpenSpiel."""

from __future__ import annotations

from collections import Counter
from typing import Any, Self

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dealing import Dealing
from dreamfactory_env.games.game import Game
from tests.toy_game import SignalGame, rules

#: Stands for a card that the player has not seen.
UNSEEN = -1


class SignalDealing(Dealing):
    """A game of Signals with its draws: a card for each player, and one after every guess."""

    num_outcomes = rules.RANKS

    def __init__(self, game: Game, *, dealt: bool = False) -> None:
        self.game = game.copy()
        self.moves = ()
        self.begun = dealt
        self.drawn = rules.CARDS if dealt else 0
        if not dealt:
            self.game.states = game.blank()
            self.game.states["deck"][0] = np.arange(rules.CARDS) // rules.COPIES

    def _copy(self) -> Self:
        other: Self = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.game = self.game.copy()
        return other

    @property
    def before_the_deal(self) -> bool:
        return not self.begun

    @property
    def _needed(self) -> int:
        """How many cards must have been drawn."""
        return int(self.game.states["drawn"][0]) if self.begun else self.game.players

    @property
    def is_chance(self) -> bool:
        return self.drawn < self._needed and self.game.phase != "over"

    def _left(self) -> list[int]:
        left: list[int] = self.game.states["deck"][0, self.drawn :].tolist()
        return left

    def outcomes(self) -> dict[int, float]:
        left = Counter(self._left())
        return {rank: left[rank] / left.total() for rank in sorted(left)}

    def outcome_to_string(self, outcome: int) -> str:
        return f"draw {outcome}"

    def draw(self, outcome: int) -> Self:
        after = self._copy()
        deck: Any = after.game.states["deck"][0]
        place = self.drawn + self._left().index(outcome)
        deck[[self.drawn, place]] = deck[[place, self.drawn]]
        after.drawn += 1
        if not self.begun and after.drawn == self.game.players:
            after.game.load_setup(after.game.setup())
            after.begun = True
        return after

    def drawn_in(self, game: Game) -> int:
        return int(game.states["deck"][0, self.drawn])

    def play(self, action: int) -> Self:
        after = self._copy()
        after.moves += (action,)
        after.game.play(action)
        return after

    def seen(self, player: int) -> tuple[Array, ...]:
        state = self.game.states[0]
        count = min(self.drawn, int(state["drawn"])) if self.begun else 0
        cards = state["deck"][:count].astype(np.int64)
        if int(state["hand"][player]) < count:
            cards[int(state["hand"][player])] = UNSEEN
        return (cards,)

    def seen_sizes(self) -> tuple[int, ...]:
        return (self.game.players + self.game.spec.max_length,)

    def information_state(self, player: int) -> str:
        cards = " ".join(map(str, self.seen(player)[0].tolist()))
        return f"player {player}\ncards: {cards}\nmoves: {' '.join(map(str, self.moves))}"


class DealtSignalGame(SignalGame):
    """Signals that can be walked through draw by draw."""

    dealing = SignalDealing
