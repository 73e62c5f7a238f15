"""Random legal actions for the games of a batch, from their masks."""

from __future__ import annotations

import numpy as np

from benchmarks.measuring import best_rate
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below
from dreamfactory_env.engine.structs import Array

SEED = np.uint64(1)
#: Bytes of a word.
WORD = 8
#: So many words of zeros and ones sum up to less than 256, which is counted in one byte.
MOST_WORDS = 31
#: In a product with this, each byte is the sum of the bytes up to there.
ONES = np.uint64(0x0101010101010101)
ONE_BYTE, LOWEST, HIGHEST = np.uint64(8), np.uint64(255), np.uint64(56)


@jit
def ones_in(word: np.uint64) -> int:
    """Returns the sum of the bytes of a word, if it is below 256."""
    return int((word * ONES) >> HIGHEST)


@jit
def place_of(word: np.uint64, number: int) -> int:
    """Returns which byte of a word is the 1 with so many others before it."""
    place, sums = 0, word * ONES
    for _ in range(WORD):
        place += int(sums & LOWEST) <= number
        sums >>= ONE_BYTE
    return place


@jit
def choose(words: Array, seed: Seed, first: int, out: Array) -> None:
    """Chooses a random legal action in every game of a batch.

    Which one is as good as random, so that to stop there would be guessed wrong by the processor:
    every word is looked at instead.

    Args:
        words: The masks, eight actions in a word: uint64 (n, actions / 8).
        seed: Where the choices come from.
        first: How many choices were made before.
        out: Where the actions go, int64 (n,).
    """
    for index in range(len(words)):
        total = np.uint64(0)
        for k in range(words.shape[1]):
            total += words[index, k]
        number = random_below(seed, first + index, ones_in(total))
        place, before, count = 0, 0, 0
        for k in range(words.shape[1]):
            count += ones_in(words[index, k])
            if count <= number:
                place, before = k + 1, count
        out[index] = WORD * place + place_of(words[index, place], number - before)


class Chooser:
    """Random legal actions for a batch.

    Args:
        count: How many games the batch has.
    """

    def __init__(self, count: int) -> None:
        self.actions = np.zeros(count, np.int64)
        self.drawn = 0
        self._padded = np.zeros((count, 0), np.int8)  # masks, up to whole words

    def __call__(self, masks: Array) -> Array:
        """Returns an action for each game, in an array that is overwritten.

        Args:
            masks: int8 (count, actions); at most MOST_WORDS words of them.
        """
        width = masks.shape[1]
        if width % WORD:
            if self._padded.shape[1] < width:
                self._padded = np.zeros((len(masks), width + -width % WORD), np.int8)
            self._padded[:, :width] = masks
            masks = self._padded
        words = masks.view(np.uint64)
        assert words.shape[1] <= MOST_WORDS
        choose(words, SEED, self.drawn, self.actions)
        self.drawn += len(masks)
        return self.actions

    def seconds(self, masks: Array) -> float:
        """Returns how long one choice takes."""

        def draw() -> int:
            return len(self(masks))

        return 1 / best_rate(draw, 0.5)
