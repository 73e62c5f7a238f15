"""Saved positions that are damaged and signed anew, and what is done with one that is accepted."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import numpy as np

from dreamfactory_env.engine.position import apply_at, legal_at, observe_at, outcome_at
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.saving import _DIGEST, _HEADER, MAGIC, VERSION


def signed_with(header: bytes, state: bytes) -> bytes:
    """Returns a saved position with any header, and a right checksum."""
    body = _HEADER.pack(MAGIC, VERSION, len(header)) + header + state
    return body + hashlib.blake2b(body, digest_size=_DIGEST).digest()


def damaged_state(game: Game, rng: random.Random) -> Any:
    """Returns the state of a game, shape (1,), with some numbers changed."""
    states = game.states.copy()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice([name for name in states.dtype.names or () if name != "spare"])
        numbers = states[name].reshape(-1)
        at = rng.randrange(len(numbers))
        limits = np.iinfo(numbers.dtype)
        kind = rng.randrange(5)
        if kind == 0 and name in game.state_ranges:  # what the range lets pass
            between = game.state_ranges[name]
            numbers[at] = rng.randint(between.low, between.high)
        elif kind == 1:
            numbers[at] = rng.randint(int(limits.min), int(limits.max))
        elif kind == 2:
            step = rng.choice((-1, 1))
            moved = min(max(int(numbers[at]) + step, limits.min), limits.max)
            numbers[at] = moved
        elif kind == 3:  # what is moved within a field keeps its sum
            other = rng.randrange(len(numbers))
            numbers[[at, other]] = numbers[[other, at]]
        else:
            bit = rng.randrange(8 * numbers.dtype.itemsize)
            numbers.view(f"u{numbers.dtype.itemsize}")[at] ^= numbers.view(
                f"u{numbers.dtype.itemsize}"
            ).dtype.type(1 << bit)
    return states


def play_on(game: Game, rng: random.Random, games: int = 1) -> None:
    """Plays a position to the end at random, with everything that is computed on the way.

    Raises:
        AssertionError: It does not come to an end.
    """
    spec, seats = game.spec, range(game.players)
    buffer = np.empty(spec.num_actions, np.int32)
    seen = np.empty(spec.observation.size, np.float32)
    points, won = np.zeros(game.players, np.int32), np.zeros(game.players, np.int8)
    legal, apply = game.compiled(legal_at), game.compiled(apply_at)
    observe, outcome = game.compiled(observe_at), game.compiled(outcome_at)
    for _ in range(games):
        other = game.copy()
        for _ in range(spec.max_length + 1):
            for seat in seats:
                observe(other.states, 0, other.params, seat, seen)
            outcome(other.states, 0, other.params, points, won)
            count = legal(other.states, 0, other.params, buffer)
            if count == 0:
                break
            if rng.random() < 0.05:
                other = other.resample_hidden(rng.choice(seats), rng.randrange(1000))
                count = legal(other.states, 0, other.params, buffer)
            # The last action ends a game of Faux Raccords: play on, mostly.
            most = count - 1 if count > 1 and rng.random() < 0.97 else count
            apply(other.states, 0, other.params, int(buffer[rng.randrange(most)]))
        else:
            raise AssertionError(f"the game is not over after {spec.max_length} moves")
    for seat in (None, *seats):
        game.view(seat)
    game.text(0)
    game.legal()
