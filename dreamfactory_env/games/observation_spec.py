"""Observations made of named blocks: what each number means, for people and for the docs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.utils.errors import OptionError


@dataclass(frozen=True)
class Block:
    """A named part of an observation.

    Attributes:
        name: What it is called.
        shape: How its numbers are arranged.
        low: No number is below this.
        high: No number is above this.
        meaning: What the numbers say.
        start: Where it begins; the spec knows.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where its numbers stand."""
        return slice(self.start, self.start + self.size)


class ObservationSpec:
    """The blocks of an observation, one behind another.

    Attributes:
        blocks: The blocks by name, in their order.
        size: How many numbers there are in all.
    """

    def __init__(self, blocks: list[Block]) -> None:
        self.blocks: dict[str, Block] = {}
        self.size = 0
        for block in blocks:
            self.blocks[block.name] = replace(block, start=self.size)
            self.size += block.size

    def start(self, name: str) -> int:
        """Returns where a block begins."""
        return self.blocks[name].start

    def low(self) -> Array:
        """Returns the least value of each number, float32, shape (size,)."""
        return self._spread([block.low for block in self.blocks.values()])

    def high(self) -> Array:
        """Returns the greatest value of each number, float32, shape (size,)."""
        return self._spread([block.high for block in self.blocks.values()])

    def _spread(self, values: list[float]) -> Array:
        sizes = [block.size for block in self.blocks.values()]
        return np.repeat(np.array(values, np.float32), sizes)

    def block(self, observation: Array, name: str) -> Array:
        """Returns a block of an observation in its own shape, as a view."""
        block = self.blocks[name]
        return observation[block.slice].reshape(block.shape)

    def to_string(self, observation: Array) -> str:
        """Returns the numbers of an observation under the names of their blocks, zeros left out.

        Raises:
            OptionError: It does not have the right shape.
        """
        observation = np.asarray(observation)
        if observation.shape != (self.size,):
            found = observation.shape
            raise OptionError(f"an observation has the shape ({self.size},), not {found}")
        lines = []
        for name in self.blocks:
            numbers = self.block(observation, name)
            told = [f"{list(map(int, at))} {numbers[tuple(at)]:g}" for at in np.argwhere(numbers)]
            lines.append(f"{name}: {', '.join(told) or '-'}")
        return "\n".join(lines)

    def fingerprint(self) -> str:
        """Returns 16 hexadecimal digits that tell observations apart.

        What the numbers of a block mean may be told in other words; if it changes, so does the
        version of the game.
        """
        described = [(b.name, b.shape, b.low, b.high) for b in self.blocks.values()]
        return hashlib.blake2b(repr(described).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Pointer:
    """Actions that point at things which the observation describes, such as a tile and a film.

    A network can rate them by looking at the things: what it learns of one holds for all.

    Attributes:
        first: The first of the actions. They are counted by the first thing, then by the second,
            then by the choice.
        things: For each thing the block that describes it, and how many there are to choose from:
            the first ones of the block, whose last dimension describes one.
        choices: How many actions there are for the same things.
    """

    first: int
    things: tuple[tuple[str, int], ...]
    choices: int = 1

    @property
    def actions(self) -> slice:
        """The actions."""
        count = prod(count for _, count in self.things) * self.choices
        return slice(self.first, self.first + count)

    def described(self) -> str:
        """Returns it as a text, for the header of a file."""
        things = "*".join(f"{count} {name}" for name, count in self.things)
        return f"{self.first}: {things}*{self.choices}"
