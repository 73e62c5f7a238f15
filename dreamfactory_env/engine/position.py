"""Single steps on one game of a batch, called from Python: templates, see ``templates``."""

from __future__ import annotations

from dreamfactory_env.engine.contract import (
    apply,
    legal,
    move_key,
    observe,
    observe_cached,
    outcome,
)
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.engine.tables import NOBODY
from dreamfactory_env.engine.templates import template


@template
def legal_at(states: Records, index: int, params: Records, out: Array) -> int:
    """Lists the legal actions of game ``index``, int32; returns how many."""
    return legal(states[index], params[0], out)


@template
def mask_at(states: Records, index: int, params: Records, buffer: Array, mask: Array) -> int:
    """Marks the legal actions of game ``index`` in a mask of zeros; returns how many."""
    count = legal(states[index], params[0], buffer)
    for k in range(count):
        mask[buffer[k]] = 1
    return count


@template
def turn_at(states: Records, index: int, params: Records, buffer: Array, mask: Array) -> int:
    """Writes the mask of the legal actions of game ``index``; returns who moves, or NOBODY."""
    count = legal(states[index], params[0], buffer)
    mask[:] = 0
    for k in range(count):
        mask[buffer[k]] = 1
    return int(states[index].to_move) if count > 0 else NOBODY


@template
def play_at(
    states: Records, index: int, params: Records, action: int, buffer: Array, mask: Array
) -> int:
    """Plays a legal action in game ``index``; then as :func:`turn_at`."""
    apply(states[index], params[0], action)
    return turn_at(states, index, params, buffer, mask)


@template
def restore_at(
    states: Records, index: int, params: Records, saved: Records, buffer: Array, mask: Array
) -> int:
    """Puts a saved game, shape (1,), in the place of game ``index``; then as :func:`turn_at`."""
    states[index] = saved[0]
    return turn_at(states, index, params, buffer, mask)


@template
def observe_cached_at(
    states: Records, index: int, params: Records, player: int, caches: Records, out: Array
) -> None:
    """Writes what a player of game ``index`` sees, float32, with the cache of that game."""
    observe_cached(states[index], params[0], player, caches[index], out)


@template
def apply_at(states: Records, index: int, params: Records, action: int) -> None:
    """Plays a legal action in game ``index``."""
    apply(states[index], params[0], action)


@template
def move_keys_at(
    states: Records, index: int, params: Records, actions: Array, count: int, out: Array
) -> None:
    """Writes the move keys of the first ``count`` actions in game ``index``, int64."""
    for k in range(count):
        out[k] = move_key(states[index], params[0], actions[k])


@template
def observe_at(states: Records, index: int, params: Records, player: int, out: Array) -> None:
    """Writes what a player of game ``index`` sees, float32."""
    observe(states[index], params[0], player, out)


@template
def outcome_at(states: Records, index: int, params: Records, points: Array, won: Array) -> None:
    """Writes the points, int32, and the winners, int8, of game ``index``."""
    outcome(states[index], params[0], points, won)


@template
def replay_at(
    states: Records,
    index: int,
    params: Records,
    buffer: Array,
    actions: Array,
    seats: Array,
    keys: Array,
) -> int:
    """Plays the given actions in game ``index`` as long as they are legal.

    Args:
        states: A batch.
        index: Which game of it.
        params: The components, shape (1,).
        buffer: Room for the legal actions, int32.
        actions: What is played, int32 (n,).
        seats: Where the player of each move goes, int8 (n,).
        keys: Where the move key of each goes, int64 (n,).

    Returns:
        How many were legal; the first that is not has not been played.
    """
    s, t = states[index], params[0]
    for k in range(len(actions)):
        found = False
        for m in range(legal(s, t, buffer)):
            found = found or buffer[m] == actions[k]
        if not found:
            return k
        seats[k] = s.to_move
        keys[k] = move_key(s, t, actions[k])
        apply(s, t, actions[k])
    return len(actions)
