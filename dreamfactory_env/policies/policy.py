"""The interface of whoever plays: it gets what its player may know and answers with an action."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dreamfactory_env.engine.structs import Array, Records, copy_records
from dreamfactory_env.games.batch import GameBatch, take_rows
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.policies.rows import mask_rows, observe_rows, redraw_rows
from dreamfactory_env.utils.errors import OptionError


class Views:
    """Games with a player to move, each as that player may know it.

    Everything that the player cannot know has been drawn anew, so nobody peeks by accident.

    Attributes:
        seats: Whose turn it is, int64 (n,).
        states: The games, what is hidden drawn anew; shape (n,).
        streams: The seed of each player's random numbers in its game, uint64 (n,).
        moves: How many moves were played in each, int64 (n,); the place in the stream.
        memories: What each player keeps in mind of its game: a dict of its own, empty at the
            player's first decision in a game, for the policy to write into.

    Args:
        game: Any game with the options of all.
        states: The games as they are, shape (n,); they are copied.
        seats: The player to move of each.
        seeds: Of each game, uint64 (n,); what a player draws comes from it and the seat.
        moves: How many moves were played in each.
        memories: What each player keeps in mind of its game; nothing if not given.
    """

    def __init__(
        self,
        game: Game,
        states: Records,
        seats: Array,
        seeds: Array,
        moves: Array,
        memories: Sequence[dict[Any, Any]] | None = None,
    ) -> None:
        self.template = game
        self.seats = np.ascontiguousarray(seats, np.int64)
        self.moves = np.ascontiguousarray(moves, np.int64)
        self.memories = [{} for _ in states] if memories is None else list(memories)
        self.streams = np.empty(len(states), np.uint64)
        self.states = copy_records(states)
        drawn_from = np.ascontiguousarray(seeds, np.uint64)
        game.compiled(redraw_rows)(
            self.states, game.params, self.seats, drawn_from, self.moves, self.streams
        )

    @classmethod
    def of(cls, batch: GameBatch, which: Array) -> Views:
        """Returns the games of some rows of a batch, in which somebody is to move.

        Args:
            batch: The batch.
            which: The rows, int64 (k,).
        """
        rows, states = batch.rows[which], take_rows(batch.states, which)
        drawn_from = rows["seed"], rows["moves"]
        seats, memories = rows["current_player"], batch.memories_of(which)
        return cls(batch.game, states, seats, *drawn_from, memories)

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, index: int) -> View:
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} views")
        return View(self, index % len(self))

    def part(self, rows: Array) -> Views:
        """Returns some of the views."""
        other: Views = object.__new__(Views)
        other.template = self.template
        other.seats, other.moves = self.seats[rows], self.moves[rows]
        other.streams, other.states = self.streams[rows], take_rows(self.states, rows)
        other.memories = [self.memories[row] for row in rows]
        return other

    @property
    def spec(self) -> GameSpec:
        """What the game is."""
        return self.template.spec

    @property
    def params(self) -> Records:
        """The components, shape (1,)."""
        return self.template.params

    @property
    def players(self) -> int:
        """How many play in each game."""
        return self.template.players

    @cached_property
    def observations(self) -> Array:
        """What each player sees, float32 (n, size)."""
        out = np.empty((len(self), self.spec.observation.size), np.float32)
        self.template.compiled(observe_rows)(self.states, self.params, self.seats, out)
        return out

    @cached_property
    def masks(self) -> Array:
        """What each player may do, int8 (n, actions)."""
        out = np.empty((len(self), self.spec.num_actions), np.int8)
        buffer = np.empty(self.spec.num_actions, np.int32)
        self.template.compiled(mask_rows)(self.states, self.params, buffer, out)
        return out

    def game_at(self, index: int) -> Game:
        """Returns one of the games, to read or to play on; what is hidden is drawn anew."""
        game = self.template.copy()
        game.states = copy_records(self.states[index : index + 1])
        return game


class View:
    """What a player may know when it is its turn.

    Args:
        views: Many of them.
        index: Which one this is.
    """

    def __init__(self, views: Views, index: int) -> None:
        self._views = views
        self._index = index

    def alone(self) -> Views:
        """Returns this view as a batch of one."""
        return self._views.part(np.array([self._index]))

    @property
    def seat(self) -> int:
        """The player's seat."""
        return int(self._views.seats[self._index])

    @property
    def players(self) -> int:
        """How many play."""
        return self._views.players

    @property
    def observation(self) -> Array:
        """What the player sees, float32 (size,)."""
        row: Array = self._views.observations[self._index]
        return row

    @property
    def mask(self) -> Array:
        """What the player may do, int8 (actions,)."""
        row: Array = self._views.masks[self._index]
        return row

    @cached_property
    def legal(self) -> dict[str, int]:
        """Every legal move in words, each with its action, in rising order."""
        return self._views.game_at(self._index).legal_actions()

    @cached_property
    def game(self) -> Game:
        """The game, to read or to play on: a copy, with what is hidden drawn anew."""
        return self._views.game_at(self._index)

    @property
    def memory(self) -> dict[Any, Any]:
        """What the player keeps in mind: a dict of its own, empty at its first decision in a game.

        What a policy writes into it, it finds there at its next decision in the same game.
        """
        return self._views.memories[self._index]

    @cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers that depend on the game's seed, the seat and the number of the move."""
        stream, move = self._views.streams[self._index], self._views.moves[self._index]
        return np.random.default_rng([int(stream), int(move)])


def view_of(
    game: Game, *, seed: int = 0, moves: int = 0, memory: dict[Any, Any] | None = None
) -> View:
    """Returns what the player to move of a game may know.

    Args:
        game: The game; not changed.
        seed: Where the player's chance comes from.
        moves: How many moves were played; the place in that chance.
        memory: What the player keeps in mind: an empty dict at its first decision in a game, the
            same one at all later ones. Policies that keep nothing in mind need none.

    Raises:
        OptionError: The game is over, or the seed is out of range.
    """
    if game.to_move is None:
        raise OptionError("nobody is to move: the game is over")
    seeds = np.array([check_seed(seed)], np.uint64)
    memories = None if memory is None else [memory]
    return Views(game, game.states, np.array([game.to_move]), seeds, np.array([moves]), memories)[0]


class Policy:
    """Whoever plays: a class of your own has :meth:`act` or :meth:`act_batch`; one is enough.

    One object plays all seats and many games at once. What it wants to keep in mind of a game goes
    into ``view.memory``, never into attributes of its own.

    Raises:
        TypeError: A class is declared that has neither.
    """

    #: Whether it answers for many games at once, by an ``act_batch`` of its own.
    batched: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.act is Policy.act and cls.act_batch is Policy.act_batch:
            raise TypeError(f"{cls.__name__} needs a method act or act_batch")
        cls.batched = cls.act_batch is not Policy.act_batch

    def act(self, view: View) -> int:
        """Returns a legal action."""
        return int(self.act_batch(view.alone())[0])

    def act_batch(self, views: Views) -> Array:
        """Returns a legal action for each view, whole numbers of shape (n,)."""
        return np.array([self.act(views[k]) for k in range(len(views))], np.int64)

    def fingerprint(self) -> str:
        """Returns what tells this policy from another of its name; nothing if it cannot tell."""
        return ""


def digest_of(content: bytes) -> str:
    """Returns 16 hexadecimal digits that tell contents apart, for fingerprints."""
    return hashlib.blake2b(content, digest_size=8).hexdigest()
