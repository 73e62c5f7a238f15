"""The one loop that plays games: legal → mask → observe → act → pay → deal anew.

Many games stand side by side, a row each. Every seat of a row belongs to somebody: to the caller
(``CALLER``), who hands in actions; to a scripted policy, which is played here; or to a frozen
player, whom the caller asks. :func:`advance` plays an action in some rows, then the scripted moves
that follow, pays, deals anew if it is told to, and writes what the next decision is made from.

Self-play batch, single-agent and vector environment, training, arena and simulation are adapters
around it; ``games.batch.GameBatch`` holds the arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
    Payoff,
    write_illegal_returns,
    write_potentials,
    write_returns,
)
from dreamfactory_env.engine.rng import Seed, derive_seed, random_below, random_unit
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.engine.templates import template

# Who has a seat: a scripted policy is its place in ``Table.codes``, from 0.
CALLER = -1  # asked through ``advance``
DRAWN = -2  # in an arrangement: whoever is drawn at the deal
FIRST_FROZEN = 100  # frozen players, from here on: the caller asks them
#: No seat at all.
NOBODY = -1
#: The code of the hint policy of who has none.
NO_HINT = -1
#: The labels under which the seed of a game gives the arrangement, and who is drawn.
ARRANGEMENT, DRAW = 1000, 2000


def row_dtype(max_players: int) -> np.dtype[Any]:
    """Returns the record of a row: how a game stands, besides its state and what is seen of it."""
    seats = (max_players,)
    fields = [
        ("seed", "u8"),  # of the game
        ("episode", "i8"),  # how many games of this row are over
        ("moves", "i8"),  # how many moves were played in the game
        ("current_policy", "i8"),  # who has the seat of the player to move
        ("hint", "i8"),  # what the hint policy of the player to move would play
        ("last_hint", "i8"),  # the same at the last decision of the caller
        ("lineup", "i8", seats),  # who has each seat
        ("last_lineup", "i8", seats),  # the same in the game that has ended
        ("potential", "f8", seats),  # of the position to each seat, with shaping
        ("reward", "f8", seats),  # what each seat was paid since the last decision of the caller
        ("returns", "f8", seats),  # what the ended game was worth
        ("points", "i4", seats),  # of the ended game
        ("decisions", "i4", seats),  # how many moves each seat has made in the game
        ("won", "i1", seats),  # 1 for the winners of the ended game
        ("current_player", "i1"),  # whose turn it is
        ("last_player", "i1"),  # whose turn it was at the last decision of the caller
        ("done", "i1"),  # 1 if a game has ended since the last decision of the caller
        ("offender", "i1"),  # whose illegal action has ended it, or NOBODY
    ]
    size = np.dtype(fields).itemsize
    return np.dtype((np.record, [*fields, ("spare", "u1", (-size % 8,))]))


class Settings(NamedTuple):
    """How games are played, as compiled code takes it.

    Attributes:
        payoff: What they pay.
        seed: Where the series of games comes from that are dealt anew, uint64.
        deal_again: Whether a game that is over is dealt anew at once.
        skip_forced: Whether moves without a choice are played without asking.
        observing: Whether observations are written.
        together: The chance that all drawn players of a game are the same.
    """

    payoff: Payoff
    seed: np.uint64 = np.uint64(0)
    deal_again: bool = False
    skip_forced: bool = False
    observing: bool = True
    together: float = 0.0


class Table(NamedTuple):
    """What the games of a batch have in common.

    Attributes:
        params: The components, shape (1,).
        blank: A state before the deal, shape (1,).
        codes: The scripted policies, int64 (m,).
        weights: The constants of each, float64 (m, K).
        hints: The hint policy of the caller and of each frozen player, as places in ``codes``,
            or NO_HINT; int64 (1 + frozen players,).
        arrangements: Who sits where, int64 (a, players); one of them is drawn at each deal.
        mix: Cumulated chances of those in ``whom``, float64 (k,).
        whom: Who is drawn for a seat that is DRAWN, int64 (k,).
        settings: How games are played.
    """

    params: Records
    blank: Records
    codes: Array
    weights: Array
    hints: Array
    arrangements: Array
    mix: Array
    whom: Array
    settings: Settings


class Games(NamedTuple):
    """Games side by side, and room for what is seen of them.

    Attributes:
        states: The games, shape (n,).
        rows: How each stands, see :func:`row_dtype`.
        caches: The caches of the observations, shape (n,).
        observations: What the player to move sees, float32 (n, size).
        masks: What the player to move may do, int8 (n, actions); all zero when the game is over.
        actions: The moves of each game, int32 (n, as many as are kept).
        table_stats: Counts of each game, int32 (n, T); n is 0 if nothing is counted.
        seat_stats: Counts of each seat, int32 (n, players, S).
    """

    states: Records
    rows: Records
    caches: Records
    observations: Array
    masks: Array
    actions: Array
    table_stats: Array
    seat_stats: Array


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
def write_mask(s: Any, params: Any, buffer: Array, out: Array) -> int:
    """Marks the legal actions in a row of a mask; returns how many there are."""
    count = legal(s, params, buffer)
    out[:] = 0
    for k in range(count):
        out[buffer[k]] = 1
    return count


@template
def play_move(table: Table, games: Games, index: int, action: int) -> None:
    """Plays a legal action in a row; keeps and counts it where somebody wants that."""
    s, row = games.states[index], games.rows[index]
    if row.moves < games.actions.shape[1]:
        games.actions[index, row.moves] = action
    if len(games.table_stats) > 0:
        tables, seats = games.table_stats[index], games.seat_stats[index]
        count_move(s, table.params[0], action, tables, seats)
    row.decisions[s.to_move] += 1
    apply(s, table.params[0], action)
    row.moves += 1


@template
def run_on(table: Table, games: Games, index: int, buffer: Array) -> int:
    """Plays scripted moves; returns how many legal moves the next player has, 0 at the end."""
    s, row, params = games.states[index], games.rows[index], table.params[0]
    count = legal(s, params, buffer)
    while count > 0:
        seat = int(s.to_move)
        who = row.lineup[seat]
        if count == 1 and table.settings.skip_forced:
            action = int(buffer[0])
        elif 0 <= who < FIRST_FROZEN:
            stream = derive_seed(row.seed, seat + 1)
            code, weights = table.codes[who], table.weights[who]
            action = decide(s, params, code, weights, buffer, count, stream, row.moves)
        else:
            break
        play_move(table, games, index, action)
        count = legal(s, params, buffer)
    return int(count)


@template
def ask(table: Table, games: Games, index: int, buffer: Array, count: int) -> None:
    """Writes what the player to move may do and sees; after the end, what the caller sees."""
    s, row, params = games.states[index], games.rows[index], table.params[0]
    mask = games.masks[index]
    mask[:] = 0
    for k in range(count):
        mask[buffer[k]] = 1
    if count == 0:
        row.current_player = caller_seat(row, int(s.players))
    else:
        row.current_player = s.to_move
        row.current_policy = row.lineup[s.to_move]
        place = max(int(row.current_policy) - FIRST_FROZEN + 1, 0)
        hint = table.hints[place] if place < len(table.hints) else NO_HINT
        if hint != NO_HINT:
            # Scripted policies use only what their player may know, so they may be shown all.
            stream = derive_seed(row.seed, int(s.to_move) + 1)
            code, weights = table.codes[hint], table.weights[hint]
            row.hint = decide(s, params, code, weights, buffer, count, stream, row.moves)
    if table.settings.observing:
        player = int(row.current_player)
        observe_cached(s, params, player, games.caches[index], games.observations[index])


@template
def close(table: Table, games: Games, index: int) -> None:
    """Writes the outcome of a game that is over, and pays it.

    A second game that ends within the same step had no decision of the caller's: it is not paid.
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
def settle(table: Table, games: Games, index: int, buffer: Array, dealt: bool) -> None:
    """Plays on to the next decision of somebody who is not scripted, pays, and asks.

    A game that was just dealt (``dealt``) pays no potential before its first decision.
    """
    row, settings = games.rows[index], table.settings
    count = run_on(table, games, index, buffer)
    while count == 0:
        close(table, games, index)
        if not settings.deal_again:
            break
        row.seed = derive_seed(derive_seed(settings.seed, index), row.episode)
        deal(table, games, index)
        count = run_on(table, games, index, buffer)
    if settings.payoff.shaping > 0 and not (dealt or row.done):
        pay_potential(table, games, index)
    ask(table, games, index, buffer, count)


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
    buffer = np.empty(games.masks.shape[1], np.int32)
    for k in range(len(which)):
        index = which[k]
        if fresh:
            begin_step(games.rows[index])
        play_move(table, games, index, actions[k])
        settle(table, games, index, buffer, False)


@jit
def begin_step(row: Any) -> None:
    """Forgets what the last step has brought."""
    row.last_player = row.current_player
    row.last_hint = row.hint
    row.done = 0
    row.offender = NOBODY
    row.reward[:] = 0


@template
def deal_rows(table: Table, games: Games, which: Array) -> None:
    """Deals some rows from the seeds that stand in them, up to their first decisions.

    Where games are dealt anew at once, the seeds come from the series instead.
    """
    buffer = np.empty(games.masks.shape[1], np.int32)
    settings = table.settings
    for k in range(len(which)):
        index = which[k]
        row = games.rows[index]
        if settings.deal_again:
            row.seed = derive_seed(derive_seed(settings.seed, index), row.episode)
        begin_step(row)
        deal(table, games, index)
        settle(table, games, index, buffer, True)


@template
def resume_rows(table: Table, games: Games, which: Array) -> None:
    """Takes up some rows whose states and seats were put there, up to their next decisions."""
    buffer = np.empty(games.masks.shape[1], np.int32)
    for k in range(len(which)):
        begin_step(games.rows[which[k]])
        settle(table, games, which[k], buffer, True)


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
