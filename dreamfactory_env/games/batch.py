"""Games side by side: the arrays around the stepper, and who has which seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from dreamfactory_env.engine.position import mask_at
from dreamfactory_env.engine.stepper import (
    CALLER,
    FIRST_FROZEN,
    NO_HINT,
    NOBODY,
    Games,
    Settings,
    Table,
    advance,
    deal_rows,
    end_rows_illegally,
    resume_rows,
    row_dtype,
)
from dreamfactory_env.engine.structs import (
    Array,
    Between,
    Records,
    arrays_in_one,
    copy_records,
)
from dreamfactory_env.engine.templates import entry_point
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.saving import LiveBytes, check_ranges, check_saved, require

#: No table has so many frozen players that their numbers come this far.
LAST_FROZEN = FIRST_FROZEN + 10_000

#: What :meth:`GameBatch.save` returns: the memory of the arrays, and what policies keep in mind.
Saved = tuple[bytes, dict[tuple[int, int], dict[Any, Any]]]


class GameBatch:
    """Games of one kind and one set of options, a row each, played by compiled code.

    After :meth:`deal` and :meth:`advance`, ``masks`` and ``observations`` say what the next
    decision of each row is made from, and ``rows`` how it stands; see ``engine.stepper``. Arrays
    are made once and overwritten.

    Attributes:
        game: A game with the options of all, to read; it is none of the rows.
        states: The games, shape (n,).
        rows: How each stands, see ``engine.stepper.row_dtype``; shape (n,).
        observations: What the player to move sees, float32 (n, size).
        masks: What the player to move may do, int8 (n, actions); all zero when the game is over.
        actions: The moves of each game, int32 (n, spec.max_length); without ``keep_moves`` (n, 0).
        table_stats: Counts of each game, int32 (n, T); see ``games.stats``.
        seat_stats: Counts of each seat, int32 (n, players, S).
        memories: What policies keep in mind of their games, by row and seat; see
            :meth:`memories_of`.

    Args:
        game: A game with the options of all.
        count: How many rows.
        settings: How games are played and paid.
        arrangements: Who sits where, one row of seats for each arrangement, of which one is drawn
            at each deal; empty if the caller writes ``rows["lineup"]``. All seats are the caller's
            if not given.
        scripted: The codes and the constants of the scripted policies that lineups refer to, int64
            (m,) and float64 (m, K); those of the game in their order if not given.
        keep_moves: Whether the moves of games are kept.
        counting: Whether games are counted.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        settings: Settings,
        *,
        arrangements: Sequence[Sequence[int]] | None = None,
        scripted: tuple[Array, Array] | None = None,
        keep_moves: bool = False,
        counting: bool = False,
    ) -> None:
        spec, stats = game.spec, game.stats()
        self.game = game
        blank = game.blank()
        counted = count if counting else 0
        # All that changes lies in one piece of memory, so that it is copied at once.
        self._memory, arrays = arrays_in_one(
            (blank.dtype, (count,)),
            (row_dtype(type(game).spec.max_players), (count,)),
            (np.float32, (count, spec.observation.size if settings.observing else 0)),
            (np.int8, (count, spec.num_actions)),
            (np.int32, (count, spec.max_length if keep_moves else 0)),
            (np.int32, (counted, stats.table_size)),
            (np.int32, (counted, game.players, stats.seat_size)),
        )
        self.states, self.rows, self.observations, self.masks = arrays[:4]
        self.actions, self.table_stats, self.seat_stats = arrays[4:]
        self.states[:] = blank
        seats = [[CALLER] * game.players] if arrangements is None else arrangements
        codes, weights = all_scripted(game) if scripted is None else scripted
        self.table = Table(
            params=game.params,
            blank=blank,
            codes=np.ascontiguousarray(codes, np.int64),
            weights=np.ascontiguousarray(weights, np.float64),
            hints=np.array([NO_HINT]),
            arrangements=np.array(seats, np.int64).reshape(len(seats), game.players),
            mix=np.ones(1),
            whom=np.array([CALLER]),
            settings=settings,
        )
        self._games = Games(
            states=self.states,
            rows=self.rows,
            caches=np.zeros(count, game.kernels.cache_dtype),
            observations=self.observations,
            masks=self.masks,
            actions=self.actions,
            table_stats=self.table_stats,
            seat_stats=self.seat_stats,
        )
        self.memories: dict[tuple[int, int], dict[Any, Any]] = {}
        self.every = np.arange(count)
        self._compiled: dict[Any, Any] = {}  # what was called before, see call

    def __len__(self) -> int:
        return len(self.rows)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameBatch:
        return self._rebuilt(self.__getstate__())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.__getstate__())

    def __getstate__(self) -> dict[str, Any]:
        """Returns what another batch just like this one is made from."""
        table = self.table._replace(params=None, blank=None)  # type: ignore[arg-type]
        shape = {"count": len(self), "keep_moves": self.actions.shape[1] > 0}
        shape["counting"] = len(self.table_stats) > 0
        return {"game": self.game.copy(), "table": table, "shape": shape, "saved": self.save()}

    @classmethod
    def _rebuilt(cls, kept: dict[str, Any]) -> GameBatch:
        shape, table = dict(kept["shape"]), kept["table"]
        batch = cls(kept["game"], shape.pop("count"), table.settings, **shape)
        own = batch.table
        batch.table = table._replace(params=own.params, blank=own.blank)
        batch.restore(kept["saved"])
        return batch

    # ------------------------------------------------------------------ who has which seat

    def configure(self, **changes: Any) -> None:
        """Changes settings, see ``engine.stepper.Settings``, from the next call on."""
        settings = self.table.settings._replace(**changes)
        self.table = self.table._replace(settings=settings)

    def set_arrangements(self, arrangements: Sequence[Sequence[int]]) -> None:
        """Says who sits where from the next deals on, see the class."""
        seats = np.array(arrangements, np.int64).reshape(len(arrangements), self.game.players)
        self.table = self.table._replace(arrangements=seats)

    def set_mix(self, shares: Mapping[int, float]) -> None:
        """Says who is drawn for seats that are DRAWN, from the next deals on.

        Args:
            shares: The chance of each player; they need not sum to 1.
        """
        numbers = np.array(list(shares.values()), np.float64)
        mix = np.cumsum(numbers / numbers.sum())
        mix[-1] = 1.0
        self.table = self.table._replace(mix=mix, whom=np.array(list(shares), np.int64))

    def set_hints(self, hints: Sequence[int]) -> None:
        """Says who gives hints to the caller and to each frozen player: scripted, or NO_HINT."""
        self.table = self.table._replace(hints=np.array(hints, np.int64))
        self.configure(hinting=any(hint != NO_HINT for hint in hints))

    # ------------------------------------------------------------------ playing

    def deal(self, which: Array | None = None, seeds: Array | None = None) -> None:
        """Deals rows, and plays up to their first decisions.

        Args:
            which: The rows, int64 (k,); all if not given.
            seeds: Their seeds, uint64 (k,); not for batches that deal games anew at once, whose
                seeds come from the series of the settings.
        """
        rows = self.every if which is None else which
        if seeds is not None:
            self.rows["seed"][rows] = seeds
        self.call(deal_rows, rows)

    def resume(self, which: Array) -> None:
        """Takes up rows whose states and lineups were written, up to their next decisions."""
        self.call(resume_rows, which)

    def advance(self, which: Array, actions: Array, *, fresh: bool = True) -> None:
        """Plays a legal action in some rows, and all that follows up to their next decisions.

        Args:
            which: The rows, int64 (k,).
            actions: An action for each, int64 (k,).
            fresh: Whether a new step begins; an action of a frozen player continues the caller's.
        """
        played = np.ascontiguousarray(actions, np.int64)
        self.call(advance, np.ascontiguousarray(which, np.int64), played, bool(fresh))

    def end_illegally(self, which: Array) -> None:
        """Ends rows whose players to move have played illegal actions; pays, and deals nothing."""
        self.call(end_rows_illegally, which)

    def call(self, function: Any, *arguments: Any) -> Any:
        """Calls a template of the engine with the games; returns what it returns."""
        compiled = self._compiled.get(function)
        if compiled is None:
            given = (self.table, self._games, *arguments)
            compiled = self._compiled[function] = entry_point(function, self.game.kernels, *given)
        return compiled(self.table, self._games, *arguments)

    # ------------------------------------------------------------------ reading and copying

    def game_at(self, index: int) -> Game:
        """Returns a copy of the game of a row, to read or to play on."""
        game = self.game.copy()
        game.states = copy_records(self.states[index : index + 1])
        return game

    def memories_of(self, which: Array) -> list[dict[Any, Any]]:
        """Returns what the player to move of some rows keeps in mind of the game: its own dict.

        It is empty at the first decision of a seat in a game, and the same one at all others.

        Args:
            which: The rows, int64 (k,), in which somebody is to move.
        """
        seats = self.rows["current_player"][which]
        begins = self.rows["decisions"][which, seats] == 0
        keys = list(zip(which.tolist(), seats.tolist(), strict=True))
        for key, first in zip(keys, begins.tolist(), strict=True):
            if first or key not in self.memories:
                self.memories[key] = {}
        return [self.memories[key] for key in keys]

    def save(self) -> Saved:
        """Returns all that changes, for :meth:`restore`."""
        memory = LiveBytes(self._memory.data)
        return memory, deepcopy(self.memories) if self.memories else {}

    def restore(self, saved: Saved) -> None:
        """Goes back to what :meth:`save` returned.

        What comes from another process or from a file is checked.

        Raises:
            SavedStateError: It cannot be from a batch like this one; nothing has changed.
        """
        memory, memories = saved
        if not isinstance(memory, LiveBytes):
            self._check(memory)
        self._memory[:] = np.frombuffer(memory, np.uint8)
        self.memories = deepcopy(memories) if memories else {}

    def _check(self, memory: object) -> None:
        """Raises SavedStateError unless memory can be from a batch like this one."""
        size = len(self._memory)
        right = isinstance(memory, bytes) and len(memory) == size
        require(right, f"the memory of these games must be {size} bytes")
        before = LiveBytes(self._memory.data)
        try:
            self._memory[:] = np.frombuffer(memory, np.uint8)  # type: ignore[call-overload]
            self._check_rows()
        finally:
            self._memory[:] = np.frombuffer(before, np.uint8)

    def _check_rows(self) -> None:
        """Raises SavedStateError unless all rows are positions with the masks that belong there."""
        rows, players, actions = self.rows, self.game.players, self.game.spec.num_actions
        seats = Between(NOBODY, players - 1)
        check_ranges(
            rows,
            {
                **{name: Between(0, 2**31 - 1) for name in ("episode", "moves", "decisions")},
                **{name: Between(0, actions - 1) for name in ("hint", "last_hint")},
                **{name: Between(0, 1) for name in ("won", "done")},
                **dict.fromkeys(("last_player", "offender"), seats),
                "current_player": Between(0, players - 1),
            },
        )
        for name in ("lineup", "last_lineup"):
            scripted = (rows[name] >= CALLER) & (rows[name] < len(self.table.codes))
            frozen = (rows[name] >= FIRST_FROZEN) & (rows[name] < LAST_FROZEN)
            require(bool((scripted | frozen).all()), f"{name} names players that are not there")
        game, blank, buffer = self.game.copy(), self.game.blank(), np.empty(actions, np.int32)
        for index in range(len(self)):
            game.states = copy_records(self.states[index : index + 1])
            right = np.zeros(actions, np.int8)
            if game.states.tobytes() != blank.tobytes():  # else it was never dealt
                check_saved(game)
                game.compiled(mask_at)(game.states, 0, game.params, buffer, right)
            same = np.array_equal(self.masks[index], right)
            require(same, f"the mask of game {index} is another one")


def trusted(saved: Saved) -> Saved:
    """Returns what a process has saved that this one works with, so that it is not checked."""
    return LiveBytes(saved[0]), saved[1]


def _rebuild(cls: type[GameBatch], kept: dict[str, Any]) -> GameBatch:
    return cls._rebuilt(kept)


def as_bytes(array: Array) -> Array:
    """Returns a contiguous array as its bytes, uint8 (n,), without copying."""
    return array.reshape(-1).view(np.uint8)


def all_scripted(game: Game) -> tuple[Array, Array]:
    """Returns the scripted policies of a game: codes, int64 (m,), and constants, float64 (m, K)."""
    return np.arange(len(game.scripted)), np.array(list(game.scripted.values()), np.float64)


def take_rows(states: Records, rows: Array) -> Records:
    """Returns a copy of some games of a batch, made byte by byte: NumPy goes field by field."""
    plain = states.view(np.uint8).reshape(len(states), states.itemsize)
    return plain[rows].reshape(-1).view(states.dtype)
