"""The chance of Dream Factory, draw by draw: who is first, which studio, which film, which tile."""

from __future__ import annotations

from collections import Counter
from enum import IntEnum
from typing import Any, Self

import numpy as np

from dreamfactory_env.engine.position import apply_at
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dealing import Dealing
from dreamfactory_env.games.dream_factory import hidden
from dreamfactory_env.games.dream_factory.actions import tile_words
from dreamfactory_env.games.dream_factory.rules import begin_at
from dreamfactory_env.games.dream_factory.state import MAX_TILE, NO_TILE, Phase
from dreamfactory_env.games.game import Game

#: Stands for the beginning of the game where an action waits for draws.
BEGINNING = -1


class Draw(IntEnum):
    """What can be drawn."""

    FIRST_PLAYER = 0
    STUDIO = 1
    FILM = 2
    TILE = 3


class DreamFactoryDealing(Dealing):
    """A game with its draws: the first player, the studios, the films of the pile, the tiles.

    The tiles of a round are drawn when they are laid out (D7), those of its parties among them,
    which nobody sees before the party; a film of the pile is drawn when it comes to lie on top
    (D5). A move that makes new draws necessary is played when they have been made.

    Args:
        game: A game with the options; it is not changed.
        dealt: Whether it is to be played as it was dealt, without any draw.
    """

    #: Seats, studio numbers, films and tiles.
    num_outcomes = MAX_TILE + 1

    def __init__(self, game: Game, *, dealt: bool = False) -> None:
        self.game = game.copy()
        self.moves = ()
        #: The action that waits for draws; how many draws of each kind have been made, and how many
        #: must be before it is played.
        self.waiting: int | None = None
        t: Any = game.params[0]
        if dealt:
            self.drawn = [1, game.players, int(t.pile_size), int(t.deck_size)]
            self.needed = self.drawn
            return
        self.drawn = [0, 0, 0, 0]
        choose = bool(game.values["choose_studio"])
        first_round = 0 if choose else int(t.round_size[game.players])
        self.needed = [1, 0 if choose else game.players, min(1, int(t.pile_size)), first_round]
        self.waiting = BEGINNING
        self.game.states = game.blank()
        s: Any = self.game.states[0]
        s.deck[:] = t.deck
        s.pile[:] = t.pile

    def _copy(self) -> Self:
        other: Self = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.game = self.game.copy()
        return other

    # ------------------------------------------------------------------ chance

    @property
    def is_chance(self) -> bool:
        """Whether something is to be drawn now."""
        return self.waiting is not None

    @property
    def before_the_deal(self) -> bool:
        """Whether the game waits for its first draws."""
        return self.waiting == BEGINNING

    def draw_kind(self) -> Draw | None:
        """Returns what is to be drawn now, None if a player is to move or the game is over."""
        if self.waiting is None:
            return None
        return next(draw for draw in Draw if self.drawn[draw] < self.needed[draw])

    def outcomes(self) -> dict[int, float]:
        """Returns what can be drawn now, in rising order, each with its probability."""
        draw = self.draw_kind()
        if draw is None:
            return {}
        left = Counter(self._left(draw))
        total = left.total()
        return {outcome: left[outcome] / total for outcome in sorted(left)}

    def _left(self, draw: Draw) -> list[int]:
        """Returns everything of which one is drawn."""
        s, t, done = self.game.states[0], self.game.params[0], self.drawn[draw]
        if draw == Draw.FIRST_PLAYER:
            return list(range(self.game.players))
        if draw == Draw.STUDIO:
            return sorted(set(range(1, int(t.studios) + 1)) - set(s.studio[:done].tolist()))
        if draw == Draw.FILM:
            return list(s.pile[done : int(t.pile_size)].tolist())
        return list(s.deck[done : int(t.deck_size)].tolist())

    def draw(self, outcome: int) -> Self:
        """Returns what follows if the draw comes out so; it must be one of ``outcomes``."""
        draw = self.draw_kind()
        assert draw is not None
        after = self._copy()
        s, done = after.game.states[0], self.drawn[draw]
        if draw == Draw.FIRST_PLAYER:
            s.starting_player = outcome
        elif draw == Draw.STUDIO:
            s.studio[done] = outcome
        else:
            order = s.pile if draw == Draw.FILM else s.deck
            place = done + self._left(draw).index(outcome)
            order[[done, place]] = order[[place, done]]
        after.drawn = [count + (kind == draw) for kind, count in enumerate(self.drawn)]
        if after.drawn == self.needed:
            after._play_on()
        return after

    def drawn_in(self, game: Game) -> int:
        """Returns the outcome with which the draw that is to be made now came out in a game."""
        draw = self.draw_kind()
        assert draw is not None
        s, done = game.states[0], self.drawn[draw]
        if draw == Draw.FIRST_PLAYER:
            return int(s.starting_player)
        return int((s.studio, s.pile, s.deck)[draw - 1][done])

    def _play_on(self) -> None:
        """Plays what waited for the draws."""
        assert self.waiting is not None
        if self.before_the_deal:
            begin_at(self.game.states, 0, self.game.params)
        else:
            self.game.compiled(apply_at)(self.game.states, 0, self.game.params, self.waiting)
        self.waiting = None

    def outcome_to_string(self, outcome: int) -> str:
        """Returns a draw that can be made now in words."""
        draw = self.draw_kind()
        if draw == Draw.TILE:
            return f"draw {tile_words(outcome)}"
        if draw == Draw.FILM:
            return f"draw {self.game.values['components'].screenplays[outcome].title}"
        return f"{'first player' if draw == Draw.FIRST_PLAYER else 'studio'} {outcome}"

    # ------------------------------------------------------------------ playing

    def play(self, action: int) -> Self:
        """Returns what follows a legal action of the player to move."""
        after = self._copy()
        after.moves += (action,)
        after.waiting = action
        after._play_on()
        after.needed = self._needed_in(after.game)
        if after.needed != self.drawn:
            after.game, after.waiting = self.game, action
        return after

    def _needed_in(self, game: Game) -> list[int]:
        """Returns how many draws of each kind must have been made in a position."""
        s, t = game.states[0], game.params[0]
        films, tiles = self.drawn[Draw.FILM :]
        if s.phase not in (Phase.STUDIO, Phase.OVER):
            films = max(films, min(int(s.pile_taken) + 1, int(t.pile_size)))
            tiles = max(tiles, (int(s.round_number) + 1) * int(t.round_size[game.players]))
        return [*self.drawn[: Draw.FILM], films, tiles]

    # ------------------------------------------------------------------ what is known

    def seen(self, player: int) -> tuple[Array, ...]:
        """Returns all that has been drawn and seen; what one player has seen, all have.

        Returns:
            The first player, int64 (1,); the studios, int64 (players,); the films of the pile up to
            its top, int64 (up to 7,); the tiles in the order of the draw, 0 where they are face
            down, int64 (up to 96,). Before the game begins they are empty.
        """
        s, t = self.game.states[0], self.game.params[0]
        if self.before_the_deal:
            nothing = np.empty(0, np.int64)
            return nothing, nothing, nothing, nothing
        tiles: list[int] = []
        if s.phase != Phase.STUDIO:
            for round_ in range(min(int(s.round_number) + 1, int(t.rounds))):
                for location in range(int(t.locations)):
                    size = int(t.lot_size[s.players, location])
                    face_up = hidden.is_face_up(s, t, round_, location)
                    start = len(tiles)
                    lot = s.deck[start : start + size].tolist()
                    tiles += lot if face_up else [NO_TILE] * size
        on_top = min(int(s.pile_taken) + 1, int(t.pile_size))
        return (
            np.array([s.starting_player], np.int64),
            s.studio[: self.game.players].astype(np.int64),
            s.pile[:on_top].astype(np.int64),
            np.array(tiles, np.int64),
        )

    def seen_sizes(self) -> tuple[int, ...]:
        """Returns for each kind of draw how many are made in a game at most."""
        t, players = self.game.params[0], self.game.players
        tiles = int(t.rounds) * int(t.round_size[players])
        return 1, players, int(t.pile_size), tiles

    def information_state(self, player: int) -> str:
        """Returns all that a player remembers after the deal: draws that were seen, and moves."""
        first, studios, pile, tiles = (numbers.tolist() for numbers in self.seen(player))
        titles = [self.game.values["components"].screenplays[film].title for film in pile]
        return "\n".join(
            [
                f"player {player}",
                f"first player {first[0]}, studios {' '.join(map(str, studios))}",
                f"pile: {', '.join(titles)}",
                f"tiles: {', '.join(map(tile_words, tiles))}",
                f"moves: {' '.join(map(str, self.moves))}",
            ]
        )
