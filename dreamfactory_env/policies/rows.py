"""Loops over games with a player to move, which policies need: templates of the engine."""

from __future__ import annotations

from dreamfactory_env.engine.contract import decide, legal, observe, resample_hidden
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.engine.templates import template


@template
def redraw_rows(
    states: Records, params: Records, seats: Array, seeds: Array, moves: Array, streams: Array
) -> None:
    """Redraws in each game what its player to move cannot know.

    Args:
        states: The games, shape (n,).
        params: The components, shape (1,).
        seats: The player to move of each, int64 (n,).
        seeds: Of the games, uint64 (n,).
        moves: How many moves were played, int64 (n,); the place in the stream.
        streams: Where the seed of each player's random numbers goes, uint64 (n,).
    """
    for k in range(len(states)):
        streams[k] = derive_seed(seeds[k], seats[k] + 1)
        resample_hidden(states, k, params, int(seats[k]), derive_seed(streams[k], moves[k]))


@template
def observe_rows(states: Records, params: Records, seats: Array, out: Array) -> None:
    """Writes what the player to move of each game sees, float32 (n, size)."""
    for k in range(len(states)):
        observe(states[k], params[0], int(seats[k]), out[k])


@template
def mask_rows(states: Records, params: Records, buffer: Array, out: Array) -> None:
    """Marks the legal actions of each game, int8 (n, actions)."""
    for k in range(len(states)):
        out[k, :] = 0
        for m in range(legal(states[k], params[0], buffer)):
            out[k, buffer[m]] = 1


@template
def decide_rows(
    states: Records,
    params: Records,
    code: int,
    weights: Array,
    streams: Array,
    moves: Array,
    buffer: Array,
    out: Array,
) -> None:
    """Writes what a scripted policy plays in each game, int64 (n,)."""
    for k in range(len(states)):
        s, t = states[k], params[0]
        count = legal(s, t, buffer)
        out[k] = decide(s, t, code, weights, buffer, count, streams[k], moves[k])
