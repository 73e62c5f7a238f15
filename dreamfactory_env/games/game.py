"""A game for people: one position that can be read, played, copied, saved and narrated.

A game's own folder has the rules as compiled functions; this class joins them to one position.
Records, environments, arena and training are written against it.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from dreamfactory_env.engine.position import (
    apply_at,
    legal_at,
    move_keys_at,
    observe_at,
    outcome_at,
)
from dreamfactory_env.engine.returns import (
    Payoff,
    write_illegal_returns,
    write_potentials,
    write_returns,
)
from dreamfactory_env.engine.rng import NO_SEED, SEED_BITS
from dreamfactory_env.engine.structs import Array, copy_records
from dreamfactory_env.engine.templates import bind
from dreamfactory_env.games.display import DisplayedGame
from dreamfactory_env.games.saving import pack, read_state, unpack
from dreamfactory_env.games.stats import GameStats
from dreamfactory_env.utils.errors import GameError, IllegalMove, OptionError, SavedStateError
from dreamfactory_env.utils.validation import as_int

Function = TypeVar("Function", bound=Callable[..., Any])

#: The record of every game begins with the seed it was dealt from, uint64.
SEED_BYTES = 8
#: Seeds go from 0 up to this, this one not included.
SEED_LIMIT = 2**63


class Line(NamedTuple):
    """One line of a narrated game, with the style in which a terminal may show it."""

    text: str
    style: str = ""


class Game(DisplayedGame):
    """One position of a game, for people: it can be read, played, copied, saved and narrated.

    Two are equal if they have the same options and seed and are in the same position. They can be
    keys of a dictionary; a key that is played on is lost, so use a copy.

    Args:
        players: How many play; the default of the game if None.
        seed: Where the shuffles come from, 0 to 2**63 - 1; drawn at random if not given. The
            same seed is the same game on every machine.
        **options: The options that the spec declares.

    Raises:
        GameError: An option or the seed is wrong.
    """

    def __init__(
        self, players: int | None = None, *, seed: int | None = None, **options: Any
    ) -> None:
        given = options if players is None else {"players": players, **options}
        self._prepare(self.spec.check_options(given))
        self._deal(check_seed(seed))

    def _prepare(self, values: dict[str, Any], config: Any = None) -> None:
        """Takes checked options, those of a record's config if given; nothing is dealt yet."""
        self.values = values
        self.spec = type(self).spec.with_options(values)
        self.configure()
        self.spec.check_settled(config, self.values)
        self.states = self.blank()

    def _deal(self, seed: int) -> None:
        self.kernels.reset(self.states, 0, self.params, self.blank(), np.uint64(seed))

    # ------------------------------------------------------------------ what a game may bring

    def narrate(self, moves: Iterator[int], viewer: int | None = None) -> Iterator[Line]:
        """Plays actions, and says line by line what happens.

        Args:
            moves: The actions.
            viewer: The seat for which it is narrated; None sees everything.
        """
        for action in moves:
            yield Line(f"player {self.to_move}: {self.action_to_string(action)}")
            self.play(action)
        if self.over:
            yield Line(json.dumps(self.result()))

    def observation_to_string(self, observation: Array) -> str:
        """Returns what an observation, float32 (size,), says in words."""
        return self.spec.observation.to_string(observation)

    @property
    def phase(self) -> str:
        """What the player to move decides, in a word; ``over`` at the end."""
        return "over" if self.over else "turn"

    def result(self) -> dict[str, Any] | None:
        """Returns the result as a record writes it, None before the game is over."""
        return {"scores": self.scores(), "winners": self.winners()} if self.over else None

    def check_position(self) -> None:
        """Checks that all that the position says belongs together; nothing by default.

        It is called for a position that comes from bytes, whose numbers are within their ranges and
        whose options are those of the game. What it accepts must be safe: whatever is legal there,
        and then, compiled code stays within its arrays and comes to an end. See ``saving.require``.

        Raises:
            SavedStateError: Something does not.
        """

    def stats(self) -> GameStats:
        """Returns what is counted in games with these options, see ``games.stats``."""
        return GameStats()

    def summary_of(self, legal: list[str]) -> str:
        """Returns legal moves as one line; a game may know a shorter one."""
        return ", ".join(legal)

    # ------------------------------------------------------------------ reading the position

    def compiled(self, function: Function) -> Function:
        """Returns a template of the engine compiled for this game."""
        return bind(function, self.kernels)

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.values["players"])

    @property
    def seed(self) -> int | None:
        """The seed from which the game was dealt, None if its set-up was given."""
        seed = int(self.states["seed"][0])
        return None if seed == int(NO_SEED) else seed

    def legal_count(self) -> int:
        """Returns how many legal moves there are, 0 when the game is over."""
        buffer = np.empty(self.spec.num_actions, np.int32)
        return int(self.compiled(legal_at)(self.states, 0, self.params, buffer))

    @property
    def to_move(self) -> int | None:
        """The seat of the player to move, None when the game is over."""
        return int(self.states["to_move"][0]) if self.legal_count() else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move is None

    def _outcome(self) -> tuple[Array, Array]:
        """Returns points, int32 (players,), and 1 for winners, int8 (players,)."""
        points, won = np.zeros(self.players, np.int32), np.zeros(self.players, np.int8)
        self.compiled(outcome_at)(self.states, 0, self.params, points, won)
        return points, won

    def scores(self) -> list[int]:
        """Returns the points of each player so far."""
        points: list[int] = self._outcome()[0].tolist()
        return points

    def winners(self) -> list[int]:
        """Returns the seats that have won; nobody before the end, nor in a shared game lost."""
        return np.flatnonzero(self._outcome()[1]).tolist() if self.over else []

    def returns(self, payoff: Payoff, offender: int | None = None) -> Array:
        """Returns what a game that has ended is worth to each player, float64 (players,).

        Args:
            payoff: How it is paid, see ``GameSpec.payoff``.
            offender: Who has ended it by an illegal action, None if nobody.
        """
        out = np.empty(self.players, np.float64)
        if offender is not None:
            write_illegal_returns(payoff, offender, out)
        else:
            write_returns(payoff, *self._outcome(), out)
        return out

    def potentials(self, payoff: Payoff) -> Array:
        """Returns what the position is worth to each player on the way, float64 (players,)."""
        out = np.empty(self.players, np.float64)
        write_potentials(payoff, self._outcome()[0], out)
        return out

    def observe(self, player: int) -> Array:
        """Returns what a player sees, as ``spec.observation`` describes it; float32 (size,).

        Raises:
            OptionError: There is no such player.
        """
        out = np.empty(self.spec.observation.size, np.float32)
        self.compiled(observe_at)(self.states, 0, self.params, self.check_seat(player), out)
        return out

    def check_seat(self, player: object) -> int:
        """Returns a seat as an int.

        Raises:
            OptionError: There is no such player.
        """
        seat = as_int(player)
        if seat is None or seat not in range(self.players):
            raise OptionError(f"there are players 0 to {self.players - 1}, not {player!r}")
        return seat

    def resample_hidden(self, player: int, seed: int) -> Self:
        """Returns a copy in which everything that ``player`` cannot know is drawn anew.

        Raises:
            OptionError: There is no such player, or the seed is out of range.
        """
        seat = self.check_seat(player)
        other = self.copy()
        stream = np.uint64(check_seed(seed))
        self.kernels.resample_hidden(other.states, 0, self.params, seat, stream)
        return other

    # ------------------------------------------------------------------ playing

    def legal(self) -> list[str]:
        """Returns every legal move of the player to move, in words."""
        return list(self.legal_actions())

    def legal_actions(self) -> dict[str, int]:
        """Returns every legal move in words, each with its action number, in rising order."""
        actions = np.empty(self.spec.num_actions, np.int32)
        keys = np.empty(self.spec.num_actions, np.int64)
        count = self.compiled(legal_at)(self.states, 0, self.params, actions)
        self.compiled(move_keys_at)(self.states, 0, self.params, actions, count, keys)
        words = [self.key_to_string(key) for key in keys[:count].tolist()]
        found = dict(zip(words, actions[:count].tolist(), strict=True))
        assert len(found) == count, "two legal actions have the same words"
        return found

    def action_to_string(self, action: object) -> str:
        """Returns the words of an action that is legal now.

        Raises:
            IllegalMove: It is not.
        """
        legal = self.legal_actions()
        for words, number in legal.items():
            if number == as_int(action):
                return words
        raise self.illegal_move(action, list(legal))

    def play(self, move: str | int) -> Self:
        """Plays a move of the player to move, given in words or as an action number.

        Returns:
            The game itself, so that moves can be chained.

        Raises:
            IllegalMove: It is not legal now, or no move at all; nothing has changed.
        """
        legal = self.legal_actions()
        action = legal.get(" ".join(move.split())) if isinstance(move, str) else as_int(move)
        if action is None or action not in legal.values():
            raise self.illegal_move(move, list(legal))
        self.compiled(apply_at)(self.states, 0, self.params, action)
        return self

    def illegal_move(
        self, move: object, legal: list[str] | None = None, where: str = ""
    ) -> IllegalMove:
        """Returns the error of a move that is not legal now; ``where`` begins its message."""
        words = self.legal() if legal is None else legal
        return IllegalMove(where + self.why_illegal(move, words), move, self.phase, words)

    def why_illegal(self, move: object, legal: list[str]) -> str:
        """Returns the message of an illegal move."""
        if self.over:
            return f"{move!r} cannot be played: the game is over"
        return (
            f"{move!r} is not legal for player {self.to_move} in the {self.phase} phase; "
            f"legal: {self.summary_of(legal)}"
        )

    # ------------------------------------------------------------------ making games

    @classmethod
    def from_config(cls, config: Any, *, seed: int | None) -> Self:
        """Returns a new game with the options of a record, dealt from a seed."""
        game: Self = cls.__new__(cls)
        game._prepare(cls.spec.from_config(config), config)
        game._deal(check_seed(seed))
        return game

    @classmethod
    def from_setup(cls, config: Any, setup: Any) -> Self:
        """Returns a new game with the options and the set-up of a record.

        Raises:
            GameError: They are not those of a game.
        """
        game: Self = cls.__new__(cls)
        game._prepare(cls.spec.from_config(config), config)
        game.load_setup(setup)
        return game

    def config(self) -> dict[str, Any]:
        """Returns the options as a record writes them."""
        return self.spec.to_config(self.values)

    def deal(self, seed: int | None) -> Self:
        """Returns a new game with the same options, dealt from a seed.

        Raises:
            OptionError: The seed is out of range.
        """
        other = self.copy()
        other._deal(check_seed(seed))
        return other

    # ------------------------------------------------------------------ copying, comparing, saving

    def copy(self) -> Self:
        """Returns another game in the same position."""
        other: Self = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.states = copy_records(self.states)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (type(self), self.save())  # cloudpickle takes no bound class methods

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[bytes, str]:
        return self.states.tobytes(), json.dumps(self.config(), sort_keys=True)

    def fingerprint(self) -> str:
        """Returns 32 hexadecimal digits that tell positions apart, the same on every machine."""
        return hashlib.blake2b(self.save(), digest_size=16).hexdigest()

    def save(self) -> bytes:
        """Returns the position as bytes, with a version and a checksum."""
        return pack(self.spec, self.config(), self.states.tobytes())

    @classmethod
    def load(cls, blob: bytes) -> Self:
        """Returns the position that :meth:`save` put into bytes.

        Raises:
            SavedStateError: They are not a whole saved position of this game and version.
        """
        config, state = unpack(cls.spec, blob)
        try:
            game = cls.from_config(config, seed=0)
        except GameError as error:
            problem = f"the saved position has options that cannot be: {error}"
            raise SavedStateError(problem) from error
        game.states = read_state(game, state)
        return game


def check_seed(seed: object) -> int:
    """Returns a seed as an int; draws one if it is None.

    Raises:
        OptionError: It is no whole number from 0 to 2**63 - 1.
    """
    if seed is None:
        return secrets.randbelow(int(SEED_BITS) + 1)
    number = as_int(seed)
    if number is None or not 0 <= number < SEED_LIMIT:
        raise OptionError(f"seed must be a whole number from 0 to 2**63 - 1, not {seed!r}")
    return number


def _load(game_cls: type[Game], blob: bytes) -> Game:
    return game_cls.load(blob)
