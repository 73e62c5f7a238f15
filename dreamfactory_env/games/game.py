"""The seam: what a game is to everything above its rules.

A game's own folder has the rules as compiled functions; this class joins them to one position that
a person can read and play. Records, the command line and whatever comes above are written against
it and know no game by name.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from dreamfactory_env.engine.kernels import Loops, Rules
from dreamfactory_env.engine.rng import SEED_BITS
from dreamfactory_env.engine.structs import Array, Records, copy_records
from dreamfactory_env.games.observation_spec import ObservationSpec, Pointer
from dreamfactory_env.games.stats import Figures, Tally
from dreamfactory_env.utils.errors import IllegalMove, OptionError, SavedStateError
from dreamfactory_env.utils.validation import as_int, did_you_mean

#: The record of every game begins with the seed it was dealt from, uint64.
SEED_BYTES = 8
#: Seeds go from 0 up to this, this one not included.
SEED_LIMIT = 2**63

SAVE_MAGIC = b"dreamfac"
SAVE_VERSION = 1
_HEADER = struct.Struct("<8sHI")  # magic, version, length of the JSON description
_DIGEST = 16


class Line(NamedTuple):
    """One line of a told game, with the style in which a terminal may show it."""

    text: str
    style: str = ""


class Game(ABC):
    """One position of a game, for people: it can be read, played, copied, saved and told.

    Two are equal if they have the same options and seed and are in the same position. They can be
    keys of a dictionary; a key that is played on is lost, so use a copy.
    """

    #: What the game is called in records, and the version of its behaviour.
    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[str]
    #: The size of the action space.
    actions: ClassVar[int]
    rules: ClassVar[Rules]
    loops: ClassVar[Loops]
    #: What an observation is made of.
    layout: ClassVar[ObservationSpec]
    #: The scripted policies in the order of their codes, each with its constants: float64, all of
    #: one length. The first is ``random``.
    scripted: ClassVar[dict[str, Array]]
    #: Actions that point at things which the observation describes.
    pointers: ClassVar[tuple[Pointer, ...]] = ()
    #: The trained networks that come with the game, by name: their files.
    agents: ClassVar[dict[str, Path]] = {}
    #: How a game is counted while it is played; :meth:`figures` says what the numbers mean.
    tally: ClassVar[Tally]

    #: The position: a batch of one, and the tables of its components.
    states: Records
    tables: Records

    # ------------------------------------------------------------------ what a game brings

    @property
    @abstractmethod
    def phase(self) -> str:
        """What the player to move decides, in a word; ``over`` at the end."""

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat of the player to move, None when the game is over."""

    @property
    @abstractmethod
    def players(self) -> int:
        """The number of players."""

    @property
    @abstractmethod
    def seed(self) -> int | None:
        """The seed from which the game was dealt, None if its set-up was given."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Returns the points of each player so far."""

    @abstractmethod
    def winners(self) -> list[int]:
        """Returns the seats of those who have won, an empty list before the game is over."""

    @abstractmethod
    def text(self, viewer: int) -> str:
        """Returns the table as one player sees it, and what that player may do, as text."""

    @abstractmethod
    def picture(self, viewer: int) -> Array:
        """Returns the table as one player sees it as a picture, uint8 (height, width, 3)."""

    @abstractmethod
    def blank(self) -> Records:
        """Returns a state with the options of this game, before anything is dealt; shape (1,)."""

    @abstractmethod
    def config(self) -> dict[str, Any]:
        """Returns the options as a record writes them."""

    @abstractmethod
    def setup(self) -> dict[str, Any]:
        """Returns the set-up as a record writes it: everything that was drawn."""

    @abstractmethod
    def result(self) -> dict[str, Any] | None:
        """Returns the result as a record writes it, None before the game is over."""

    @abstractmethod
    def words(self, meaning: int) -> str:
        """Returns the words of a meaning that the compiled rules gave."""

    @abstractmethod
    def longest_game(self) -> int:
        """Returns a number of moves that no game with these options exceeds."""

    @abstractmethod
    def figures(self) -> Figures:
        """Returns what the numbers of ``tally`` mean in games with these options."""

    @abstractmethod
    def resample_hidden(self, player: int, seed: int) -> Self:
        """Returns a copy in which everything that ``player`` cannot know is drawn anew."""

    @abstractmethod
    def tell(self, moves: Iterator[int]) -> Iterator[Line]:
        """Plays actions, and tells line by line what happens."""

    @staticmethod
    @abstractmethod
    def explain(observation: Array) -> str:
        """Returns what an observation says, in words, read from its numbers alone."""

    @classmethod
    @abstractmethod
    def from_config(cls, config: Any, *, seed: int | None) -> Self:
        """Returns a new game with the options of a record, dealt from a seed."""

    @classmethod
    @abstractmethod
    def from_setup(cls, config: Any, setup: Any) -> Self:
        """Returns a new game with the options and the set-up of a record."""

    # ------------------------------------------------------------------ scripted policies

    @classmethod
    def scripted_seats(cls, names: Sequence[str]) -> tuple[Array, Array]:
        """Returns scripted policies as compiled loops take them, one for each seat.

        Args:
            names: The policy of each seat, names of ``scripted``.

        Returns:
            Their codes, int64 (seats,), and their constants, float64 (seats, K).
        """
        known = list(cls.scripted)
        codes = np.array([known.index(name) for name in names], np.int64)
        return codes, np.array([cls.scripted[name] for name in names], np.float64)

    # ------------------------------------------------------------------ playing

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move is None

    def legal(self) -> list[str]:
        """Returns every legal move of the player to move, in words."""
        return list(self.legal_actions())

    def legal_actions(self) -> dict[str, int]:
        """Returns every legal move in words, each with its action number, in rising order."""
        actions = np.empty(self.actions, np.int32)
        meanings = np.empty(self.actions, np.int64)
        count = self.loops.legal_at(self.states, 0, self.tables, actions)
        self.loops.meanings_at(self.states, 0, self.tables, actions, count, meanings)
        words = [self.words(meaning) for meaning in meanings[:count].tolist()]
        found = dict(zip(words, actions[:count].tolist(), strict=True))
        assert len(found) == count, "two legal actions have the same words"
        return found

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
            raise IllegalMove(self.why_illegal(move, list(legal)), move, self.phase, list(legal))
        self.loops.apply_at(self.states, 0, self.tables, action)
        return self

    def why_illegal(self, move: object, legal: list[str]) -> str:
        """Returns the message of an illegal move."""
        if self.over:
            return f"{move!r} cannot be played: the game is over"
        offered = self.summary_of(legal)
        return (
            f"{move!r} is not legal for player {self.to_move} in the {self.phase} phase; "
            f"legal: {offered}"
        )

    def summary_of(self, legal: list[str]) -> str:
        """Returns legal moves as one line; a game may know a shorter one."""
        return ", ".join(legal)

    def observe(self, player: int) -> Array:
        """Returns what a player sees, as ``layout`` describes it; float32, shape (layout.size,).

        Raises:
            OptionError: There is no such player.
        """
        out = np.empty(self.layout.size, np.float32)
        self.loops.observe_at(self.states, 0, self.tables, self.check_seat(player), out)
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

    # ------------------------------------------------------------------ copying, comparing, saving

    def deal(self, seed: int | None) -> Self:
        """Returns a new game with the same options, dealt from a seed.

        Raises:
            OptionError: The seed is out of range.
        """
        other = self.copy()
        number = np.uint64(check_seed(seed))
        self.rules.reset(other.states, 0, self.tables, self.blank(), number)
        return other

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
        return type(self).load, (self.save(),)

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
        described = {"game": self.name, "version": self.version, "config": self.config()}
        text = json.dumps(described, sort_keys=True).encode()
        body = _HEADER.pack(SAVE_MAGIC, SAVE_VERSION, len(text)) + text + self.states.tobytes()
        return body + hashlib.blake2b(body, digest_size=_DIGEST).digest()

    @classmethod
    def load(cls, blob: bytes) -> Self:
        """Returns the position that :meth:`save` put into bytes.

        Raises:
            SavedStateError: They are not a whole saved position of this game and version.
        """
        if not isinstance(blob, bytes | bytearray | memoryview):
            raise SavedStateError(f"a saved position is bytes, not {type(blob).__name__}")
        blob = bytes(blob)
        if len(blob) < _HEADER.size + _DIGEST or not blob.startswith(SAVE_MAGIC):
            raise SavedStateError("these bytes are not a saved position, or only a piece of one")
        body, digest = blob[:-_DIGEST], blob[-_DIGEST:]
        if hashlib.blake2b(body, digest_size=_DIGEST).digest() != digest:
            raise SavedStateError("the saved position is damaged or cut off: its checksum is wrong")
        _, version, length = _HEADER.unpack_from(body)
        if version != SAVE_VERSION:
            raise SavedStateError(f"saved in format {version}; this version reads {SAVE_VERSION}")
        described = json.loads(body[_HEADER.size : _HEADER.size + length])
        if (described["game"], described["version"]) != (cls.name, cls.version):
            found = f"{described['game']} {described['version']}"
            raise SavedStateError(f"a position of {found}, not of {cls.name} {cls.version}")
        game = cls.from_config(described["config"], seed=0)
        state = body[_HEADER.size + length :]
        if len(state) != game.states.nbytes:
            raise SavedStateError(
                f"{len(state)} bytes of state; there should be {game.states.nbytes}"
            )
        game.states = np.frombuffer(bytearray(state), game.states.dtype)
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


def check_word(name: str, value: object, known: list[str]) -> None:
    """Raises OptionError if a value is none of the words known."""
    if value not in known:
        hint = did_you_mean(str(value), known)
        raise OptionError(f"{name} must be one of {', '.join(known)}, not {value!r}{hint}")
