"""A step of the self-play batch in one call: checks the actions, plays, hands out what follows."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.memory import copy_numbers
from dreamfactory_env.engine.stepper import advance
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.engine.tables import Games, Table
from dreamfactory_env.engine.templates import template

#: What :func:`step_all` returns when all actions were legal.
ALL_LEGAL = -1


@jit
def first_illegal(actions: Array, masks: Array) -> int:
    """Returns the first game whose action is not legal, ALL_LEGAL if there is none."""
    for index in range(len(actions)):
        action = actions[index]
        if action < 0 or action >= masks.shape[1] or masks[index, action] == 0:
            return index
    return ALL_LEGAL


@jit
def hand_out(games: Games, masks: Array, rewards: Array) -> None:
    """Copies what the caller may write to: masks, int8 (n, actions), and rewards (n, players)."""
    copy_numbers(masks.reshape(masks.size), 0, games.masks.reshape(masks.size), 0, masks.size)
    for index in range(len(rewards)):
        paid = games.rows[index].reward
        for seat in range(rewards.shape[1]):
            rewards[index, seat] = paid[seat]


@template
def hand_out_all(table: Table, games: Games, masks: Array, rewards: Array) -> None:
    """Hands out what stands in the rows: after a deal, or where old rows were put back."""
    hand_out(games, masks, rewards)


@template
def step_all(
    table: Table, games: Games, every: Array, actions: Array, masks: Array, rewards: Array
) -> int:
    """Plays an action in every row if all of them are legal, and hands out what follows.

    Args:
        table: What the games have in common.
        games: The games.
        every: All rows, int64 (n,).
        actions: An action for each, int64 (n,).
        masks: A copy for the caller, int8 (n, actions).
        rewards: A copy for the caller, float32 (n, players).

    Returns:
        ALL_LEGAL, or the first row whose action is not legal: then nothing has changed.
    """
    index = first_illegal(actions, games.masks)
    if index == ALL_LEGAL:
        advance(table, games, every, actions, True)
        hand_out(games, masks, rewards)
    return int(index)
