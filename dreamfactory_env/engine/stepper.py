"""The one loop that plays games: legal → mask → observe → act → pay → deal anew.

Many games stand side by side, a row each. Every seat of a row belongs to somebody: to the caller
(``CALLER``), who hands in actions; to a scripted policy, which is played here; or to a frozen
player, whom the caller asks. :func:`advance` plays an action in some rows, then the scripted moves
that follow, pays, deals anew if it is told to, and writes what the next decision is made from.

Self-play batch, single-agent and vector environment, training, arena and simulation are adapters
around it; ``games.batch.GameBatch`` holds the arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.contract import (
    apply,
    count_end,
    count_move,
    decide,
    legal,
    observe_cached,
    outcome,
    reset,
)
from dreamfactory_env.engine.returns import (
    write_illegal_returns,
    write_potentials,
    write_returns,
)
from dreamfactory_env.engine.rng import Seed, derive_seed, random_below, random_unit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.engine.tables import (
    CALLER,
    DRAWN,
    FIRST_FROZEN,
    NO_HINT,
    NOBODY,
    Games,
    Settings,
    Table,
    row_dtype,
)
from dreamfactory_env.engine.templates import template

__all__ = [
    "CALLER",
    "DRAWN",
    "FIRST_FROZEN",
    "NOBODY",
    "NO_HINT",
    "Games",
    "Settings",
    "Table",
    "advance",
    "arrangement_of",
    "deal_rows",
    "end_rows_illegally",
    "resume_rows",
    "row_dtype",
]

# How rows are settled: after an action of the caller, of a frozen player, or after the deal.
FRESH, CONTINUED, DEALT = 0, 1, 2
#: The labels under which the seed of a game gives the arrangement, and who is drawn.
ARRANGEMENT, DRAW = 1000, 2000


@jit
def arrangement_of(seed: Seed, count: int) -> int:
    """Returns which of ``count`` arrangements the game of a seed has; the seat of a lone agent."""
    return random_below(derive_seed(seed, ARRANGEMENT), 0, count)


@jit
def draw_from(stream: Seed, counter: int, cumulated: Array) -> int:
    """Returns a number drawn by cumulated chances, float64 (n,), the last of which is 1."""
    chance = random_unit(stream, counter)
    for number in range(len(cumulated) - 1):
        if chance < cumulated[number]:
            return number
    return len(cumulated) - 1


@jit
def take_seats(table: Table, row: Any) -> None:
    """Says who has each seat of a game that is dealt: an arrangement, and who is drawn for it."""
    count, players = table.arrangements.shape
    if count == 0:
        return  # the caller has said it
    chosen = arrangement_of(row.seed, count) if count > 1 else 0
    stream = derive_seed(row.seed, DRAW)
    alike = random_unit(stream, players + 1) < table.settings.together
    for seat in range(players):
        who = table.arrangements[chosen, seat]
        if who == DRAWN:
            who = table.whom[draw_from(stream, 1 if alike else seat + 1, table.mix)]
        row.lineup[seat] = who


@jit
def caller_seat(row: Any, players: int) -> int:
    """Returns the first seat of the caller; the last one that was asked if the caller has none."""
    for seat in range(players):
        if row.lineup[seat] == CALLER:
            return seat
    return int(row.current_player)


@template
def play_move(s: Any, params: Any, row: Any, action: int) -> None:
    """Plays a legal action."""
    row.decisions[s.to_move] += 1
    row.moves += 1
    apply(s, params, action)


@template
def note_move(table: Table, games: Games, index: int, action: int) -> None:
    """Keeps and counts a legal action that is about to be played, where somebody wants that."""
    s, row = games.states[index], games.rows[index]
    if row.moves < games.actions.shape[1]:
        games.actions[index, row.moves] = action
    if len(games.table_stats) > 0:
        tables, seats = games.table_stats[index], games.seat_stats[index]
        count_move(s, table.params[0], action, tables, seats)


@jit
def plays_by_itself(row: Any, seat: int, count: int, skip_forced: bool) -> bool:
    """Tells whether the next move is played here: by a scripted policy, or without a choice."""
    return 0 <= row.lineup[seat] < FIRST_FROZEN or (count == 1 and skip_forced)


@template
def run_on(table: Table, games: Games, index: int, buffer: Array, count: int) -> int:
    """Plays scripted moves; returns how many legal moves the next player has, 0 at the end.

    ``buffer`` has the ``count`` legal actions, here and when it returns.
    """
    s, row, params = games.states[index], games.rows[index], table.params[0]
    skip_forced = table.settings.skip_forced
    noted = is_noted(games)
    while count > 0 and plays_by_itself(row, int(s.to_move), count, skip_forced):
        action = int(buffer[0])
        if count > 1 or not skip_forced:
            action = scripted_action(table, s, row, int(row.lineup[s.to_move]), buffer, count)
        if noted:
            note_move(table, games, index, action)
        play_move(s, params, row, action)
        count = legal(s, params, buffer)
    return count


@template
def scripted_action(table: Table, s: Any, row: Any, who: int, buffer: Array, count: int) -> int:
    """Returns what a scripted policy plays for the player to move."""
    stream = derive_seed(row.seed, int(s.to_move) + 1)
    code, weights = table.codes[who], table.weights[who]
    return int(decide(s, table.params[0], code, weights, buffer, count, stream, row.moves))


@jit
def is_noted(games: Games) -> bool:
    """Tells whether moves are kept or counted."""
    return games.actions.shape[1] > 0 or len(games.table_stats) > 0


@template
def give_hint(table: Table, s: Any, row: Any, buffer: Array, count: int) -> None:
    """Writes what the hint policy of the player to move would play, if there is one.

    Scripted policies use only what their player may know, so they may be shown all.
    """
    place = max(int(row.current_policy) - FIRST_FROZEN + 1, 0)
    hint = table.hints[place] if place < len(table.hints) else NO_HINT
    if hint != NO_HINT:
        row.hint = scripted_action(table, s, row, hint, buffer, count)


@jit
def write_turn(s: Any, row: Any, mask: Array, buffer: Array, count: int) -> None:
    """Writes whose turn it is and what that player may do; after the end, nobody's."""
    mask[:] = 0
    for k in range(count):
        mask[buffer[k]] = 1
    if count == 0:
        row.current_player = caller_seat(row, int(s.players))
    else:
        row.current_player = s.to_move
        row.current_policy = row.lineup[s.to_move]


@template
def close(table: Table, games: Games, index: int) -> None:
    """Writes the outcome of a game that is over, and pays it.

    A game in which the caller has made no decision pays nobody: one that ends after the deal, or a
    second one that ends within the same step.
    """
    s, row = games.states[index], games.rows[index]
    players = int(s.players)
    if len(games.table_stats) > 0:
        count_end(s, table.params[0], games.table_stats[index], games.seat_stats[index])
    row.episode += 1
    if row.done:
        return
    points, won, returns = row.points[:players], row.won[:players], row.returns[:players]
    outcome(s, table.params[0], points, won)
    write_returns(table.settings.payoff, points, won, returns)
    row.done = 1
    row.last_lineup[:] = row.lineup
    if row.last_player != NOBODY:
        for p in range(players):
            row.reward[p] += returns[p] - row.potential[p]


@template
def pay_potential(table: Table, games: Games, index: int) -> None:
    """Pays every seat by how much its potential has changed."""
    s, row = games.states[index], games.rows[index]
    players = int(s.players)
    points, won, fresh = row.points[:players], row.won[:players], row.returns[:players]
    outcome(s, table.params[0], points, won)
    write_potentials(table.settings.payoff, points, fresh)
    for p in range(players):
        row.reward[p] += fresh[p] - row.potential[p]
        row.potential[p] = fresh[p]


@template
def deal(table: Table, games: Games, index: int) -> None:
    """Deals a row from its seed, and seats everybody."""
    row = games.rows[index]
    reset(games.states, index, table.params, table.blank, row.seed)
    row.moves = 0
    row.potential[:] = 0
    row.decisions[:] = 0
    take_seats(table, row)


@template
def deal_on(table: Table, games: Games, index: int, buffer: Array) -> int:
    """Closes a game that is over; deals the next ones if it should, up to one with a decision.

    Returns:
        How many legal moves the next player has, 0 if nothing was dealt.
    """
    row, settings = games.rows[index], table.settings
    count = 0
    while count == 0:
        close(table, games, index)
        if not settings.deal_again:
            break
        row.seed = derive_seed(derive_seed(settings.seed, index), row.episode)
        deal(table, games, index)
        count = legal(games.states[index], table.params[0], buffer)
        count = run_on(table, games, index, buffer, count)
    return count


@template
def settle_rows(table: Table, games: Games, which: Array, actions: Array, step: int) -> None:
    """Plays some rows on to the next decisions of those who are not scripted, pays, and asks.

    The arrays are taken out of the tuples once: to do that for every move costs more than a move.

    Args:
        table: What the games have in common.
        games: The games.
        which: The rows, int64 (k,).
        actions: An action for each that is played first, int64 (k,); none for rows just dealt.
        step: FRESH, CONTINUED or DEALT.
    """
    params, settings = table.params[0], table.settings
    states, rows, caches = games.states, games.rows, games.caches
    observations, masks = games.observations, games.masks
    buffer = np.empty(masks.shape[1], np.int32)
    noted = is_noted(games)
    for k in range(len(which)):
        index = which[k]
        s, row = states[index], rows[index]
        if step != CONTINUED:
            begin_step(row)
        if step == DEALT:
            row.last_player = NOBODY
        else:
            if noted:
                note_move(table, games, index, actions[k])
            play_move(s, params, row, actions[k])
        count = legal(s, params, buffer)
        if count > 0 and plays_by_itself(row, int(s.to_move), count, settings.skip_forced):
            count = run_on(table, games, index, buffer, count)
        if count == 0:
            count = deal_on(table, games, index, buffer)
        # What comes before the caller's first decision is paid with it.
        if settings.payoff.shaping > 0 and row.last_player != NOBODY and not row.done:
            pay_potential(table, games, index)
        write_turn(s, row, masks[index], buffer, count)
        if settings.hinting and count > 0:
            give_hint(table, s, row, buffer, count)
        if settings.observing:
            observe_cached(s, params, int(row.current_player), caches[index], observations[index])


@template
def advance(table: Table, games: Games, which: Array, actions: Array, fresh: bool) -> None:
    """Plays a legal action in some rows, and all that follows up to their next decisions.

    Args:
        table: What the games have in common.
        games: The games.
        which: The rows, int64 (k,).
        actions: An action for each, int64 (k,).
        fresh: Whether a new step begins: what was paid before is forgotten. An action of a frozen
            player continues the step of the caller.
    """
    settle_rows(table, games, which, actions, FRESH if fresh else CONTINUED)


@template
def resume_rows(table: Table, games: Games, which: Array) -> None:
    """Takes up some rows whose states and seats were put there, up to their next decisions."""
    settle_rows(table, games, which, which, DEALT)


@template
def deal_rows(table: Table, games: Games, which: Array) -> None:
    """Deals some rows from the seeds that stand in them, up to their first decisions.

    Where games are dealt anew at once, the seeds come from the series instead.
    """
    settings = table.settings
    for k in range(len(which)):
        row = games.rows[which[k]]
        if settings.deal_again:
            row.seed = derive_seed(derive_seed(settings.seed, which[k]), row.episode)
        deal(table, games, which[k])
    settle_rows(table, games, which, which, DEALT)


@jit
def begin_step(row: Any) -> None:
    """Forgets what the last step has brought."""
    row.last_player = row.current_player
    row.last_hint = row.hint
    row.done = 0
    row.offender = NOBODY
    row.reward[:] = 0


@template
def end_rows_illegally(table: Table, games: Games, which: Array) -> None:
    """Ends some rows whose players to move have played illegal actions; nothing is dealt."""
    players = int(table.blank[0].players)
    for k in range(len(which)):
        row = games.rows[which[k]]
        begin_step(row)
        returns = row.returns[:players]
        write_illegal_returns(table.settings.payoff, int(row.current_player), returns)
        row.done = 1
        row.offender = row.current_player
        row.last_lineup[:] = row.lineup
        for p in range(players):
            row.reward[p] = returns[p] - row.potential[p]
