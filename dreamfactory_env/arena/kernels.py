"""Compiled loops that play and count games; templates as in ``loops.py``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dreamfactory_env.engine.compiling import bind
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.game import Game

# The names that the templates call; bind() puts a game's functions in their place.
reset: Any = None
legal: Any = None
apply: Any = None
decide: Any = None
outcome: Any = None
note: Any = None
finish: Any = None


@dataclass(frozen=True)
class ArenaLoops:
    """The loops below, compiled for one game."""

    play: Callable[..., None]
    deal: Callable[..., None]
    advance: Callable[..., None]


@cache
def arena_loops(kind: type[Game]) -> ArenaLoops:
    """Returns the loops below, compiled for a game."""
    rules, tally, owner = kind.rules, kind.tally, kind.name
    moving: dict[str, Any] = {"legal": rules.legal, "apply": rules.apply, "outcome": rules.outcome}
    counting: dict[str, Any] = {"note": tally.note, "finish": tally.finish}
    return ArenaLoops(
        play=bind(_play, owner, **moving, **counting, reset=rules.reset, decide=rules.decide),
        deal=bind(_deal, owner, reset=rules.reset),
        advance=bind(_advance, owner, **moving, **counting),
    )


def _play(
    states: Records,
    tables: Records,
    blank: Records,
    buffer: Array,
    seeds: Array,
    entrants: Array,
    codes: Array,
    weights: Array,
    scores: Array,
    won: Array,
    decisions: Array,
    table: Array,
    seats: Array,
    noted: Array,
    lengths: Array,
) -> None:
    """Plays whole games between scripted policies; each is the game that ``Loops.play`` plays.

    Args:
        states: Room for one game, shape (1,).
        tables: The components, shape (1,).
        blank: A state before the deal, shape (1,).
        buffer: Room for the legal actions, int32.
        seeds: Of the games, uint64 (games,).
        entrants: Who sits where, as rows of ``codes`` and ``weights``; int64 (games, players).
        codes: The policy of each entrant, int64 (m,).
        weights: The constants of each entrant's policy, float64 (m, K).
        scores: Where the points go, int32 (games, players).
        won: Where the winners are marked with 1, int8 (games, players).
        decisions: Where the decisions of each entrant are counted, int64 (m,).
        table: Where the numbers of the tables go, int32 (games, tally.table), zeros.
        seats: Where the numbers of the seats go, int32 (games, players, tally.seat), zeros.
        noted: Where the actions go, int32 (games, as many as fit).
        lengths: Where the number of moves goes, int64 (games,).
    """
    for k in range(len(seeds)):
        reset(states, 0, tables, blank, seeds[k])
        s, t = states[0], tables[0]
        moves = np.int64(0)  # a literal would compile all policies once more, for its type
        count = legal(s, t, buffer)
        while count > 0:
            seat = int(s.to_move)
            who = entrants[k, seat]
            stream = derive_seed(seeds[k], seat + 1)
            action = decide(s, t, codes[who], weights[who], buffer, count, stream, moves)
            if moves < noted.shape[1]:
                noted[k, moves] = action
            note(s, t, action, table[k], seats[k])
            apply(s, t, action)
            decisions[who] += 1
            moves += 1
            count = legal(s, t, buffer)
        lengths[k] = moves
        outcome(s, t, scores[k], won[k])
        finish(s, t, table[k], seats[k])


def _deal(states: Records, tables: Records, blank: Records, seeds: Array) -> None:
    """Deals every game of a batch from its seed."""
    for k in range(len(states)):
        reset(states, k, tables, blank, seeds[k])


def _advance(
    states: Records,
    rows: Array,
    actions: Array,
    tables: Records,
    buffer: Array,
    scores: Array,
    won: Array,
    table: Array,
    seats: Array,
    over: Array,
) -> None:
    """Plays a legal action in some games of a batch, and closes those that are over.

    Args:
        states: The batch, shape (games,).
        rows: Which games of it, int64 (n,).
        actions: What is played in each, int64 (n,).
        tables: The components, shape (1,).
        buffer: Room for the legal actions, int32.
        scores: As in ``_play``, as all that follows.
        won: The winners.
        table: The numbers of the tables.
        seats: The numbers of the seats.
        over: Set to 1 for each game that has ended, int8 (games,).
    """
    for k in range(len(rows)):
        row = rows[k]
        s, t = states[row], tables[0]
        note(s, t, actions[k], table[row], seats[row])
        apply(s, t, actions[k])
        if legal(s, t, buffer) == 0:
            over[row] = 1
            outcome(s, t, scores[row], won[row])
            finish(s, t, table[row], seats[row])
