"""Loops over games that are the same for every game, compiled for each.

The functions here are templates: ``legal``, ``apply``, ``observe`` and so on stand for a game's own
compiled functions, and :func:`compile_loops` binds them. Batches and tables are passed as arrays
with an index, never as records: from Python that is several times cheaper.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import get_num_threads, prange

from dreamfactory_env.engine.compiling import bind
from dreamfactory_env.engine.rng import Seed, derive_seed, random_below
from dreamfactory_env.engine.structs import Array, Records

#: No seat at all.
NOBODY = -1


@dataclass(frozen=True)
class Rules:
    """The compiled functions of a game, with the arguments that docs/engine.md names."""

    reset: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    meaning: Callable[..., int]
    observe: Callable[..., None]
    outcome: Callable[..., None]
    decide: Callable[..., int]
    resample_hidden: Callable[..., None]


@dataclass(frozen=True)
class Loops:
    """The loops below, compiled for one game."""

    legal_at: Callable[..., int]
    apply_at: Callable[..., None]
    meanings_at: Callable[..., None]
    observe_at: Callable[..., None]
    ask_at: Callable[..., int]
    move_at: Callable[..., int]
    play: Callable[..., int]
    play_games: Callable[..., None]
    play_games_parallel: Callable[..., None]
    replay: Callable[..., int]
    random_decisions: Callable[..., None]
    random_decisions_parallel: Callable[..., None]


def compile_loops(owner: str, game: Rules) -> Loops:
    """Returns the loops of the game whose compiled functions are given."""
    rules = {name: getattr(game, name) for name in ("reset", "legal", "apply", "meaning")}
    run = bind(_run, owner, **rules)
    playing: dict[str, Any] = {"legal": game.legal, "apply": game.apply, "decide": game.decide}
    play_game = bind(_play_game, owner, **playing, outcome=game.outcome)
    play_games = bind(_play_games, owner, reset=game.reset, play_game=play_game)
    return Loops(
        legal_at=bind(_legal_at, owner, **rules),
        apply_at=bind(_apply_at, owner, **rules),
        meanings_at=bind(_meanings_at, owner, **rules),
        observe_at=bind(_observe_at, owner, observe=game.observe),
        ask_at=bind(_ask_at, owner, **rules),
        move_at=bind(_move_at, owner, **rules),
        play=bind(_play, owner, **playing, meaning=game.meaning),
        play_games=play_games,
        play_games_parallel=spread_over_threads(play_games),
        replay=bind(_replay, owner, **rules),
        random_decisions=bind(_random_decisions, owner, run=run),
        random_decisions_parallel=bind(_random_decisions_parallel, owner, parallel=True, run=run),
    )


# The names that the templates call; bind() puts a game's functions in their place.
reset: Any = None
legal: Any = None
apply: Any = None
meaning: Any = None
observe: Any = None
outcome: Any = None
decide: Any = None
run: Any = None
play_game: Any = None


def _legal_at(states: Records, index: int, tables: Records, out: Array) -> int:
    """Lists the legal actions of game ``index``; returns how many."""
    count: int = legal(states[index], tables[0], out)
    return count


def _apply_at(states: Records, index: int, tables: Records, action: int) -> None:
    """Plays a legal action in game ``index``."""
    apply(states[index], tables[0], action)


def _meanings_at(
    states: Records, index: int, tables: Records, actions: Array, count: int, out: Array
) -> None:
    """Writes what each of the first ``count`` actions means now in game ``index``."""
    for k in range(count):
        out[k] = meaning(states[index], tables[0], actions[k])


def _observe_at(states: Records, index: int, tables: Records, player: int, out: Array) -> None:
    """Writes what a player of game ``index`` sees."""
    observe(states[index], tables[0], player, out)


def _ask_at(states: Records, index: int, tables: Records, buffer: Array, mask: Array) -> int:
    """Marks the legal actions of game ``index`` in a mask of zeros; returns who moves or NOBODY."""
    count = legal(states[index], tables[0], buffer)
    for k in range(count):
        mask[buffer[k]] = 1
    return int(states[index].to_move) if count > 0 else NOBODY


def _move_at(states: Records, index: int, tables: Records, action: int) -> int:
    """Plays a legal action in game ``index``, and returns what it meant."""
    code: int = meaning(states[index], tables[0], action)
    apply(states[index], tables[0], action)
    return code


def _play(
    states: Records,
    index: int,
    tables: Records,
    codes: Array,
    weights: Array,
    seed: Seed,
    buffer: Array,
    seats: Array,
    actions: Array,
    meanings: Array,
    moves: int,
    until: int,
) -> int:
    """Plays game ``index`` on by scripted policies, each move noted.

    Args:
        states: A batch.
        index: Which game of it.
        tables: The components, shape (1,).
        codes: The policy of each seat, int64 (players,).
        weights: The constants of each seat's policy, float64 (players, K).
        seed: Of the game; each seat draws from a stream of its own, derived from it.
        buffer: Room for the legal actions, int32.
        seats: Who moved; long enough for the longest game.
        actions: What they played.
        meanings: What that meant.
        moves: How many moves have been made before; notes go behind theirs.
        until: Stop when it is this seat's turn; NOBODY plays to the end.

    Returns:
        The number of moves made in the game so far.
    """
    s, t = states[index], tables[0]
    count = legal(s, t, buffer)
    while count > 0 and s.to_move != until:
        seat = int(s.to_move)
        stream = derive_seed(seed, seat + 1)
        action = decide(s, t, codes[seat], weights[seat], buffer, count, stream, moves)
        seats[moves] = seat
        actions[moves] = action
        meanings[moves] = meaning(s, t, action)
        apply(s, t, action)
        moves += 1
        count = legal(s, t, buffer)
    return moves


def _play_game(
    states: Records,
    index: int,
    tables: Records,
    actions: int,
    seed: Seed,
    entrants: Array,
    codes: Array,
    weights: Array,
    scores: Array,
    won: Array,
) -> int:
    """Plays game ``index``, just dealt, to its end, and writes its outcome.

    The other arguments are those of ``_play_games``, of one game. It is the game that ``_play``
    plays, without notes.

    Returns:
        The number of decisions.
    """
    s, t = states[index], tables[0]
    buffer = np.empty(actions, np.int32)
    moves = np.int64(0)  # a literal 0 would compile all policies once more for its type
    count = legal(s, t, buffer)
    while count > 0:
        seat = int(s.to_move)
        who = entrants[seat]
        stream = derive_seed(seed, seat + 1)
        apply(s, t, decide(s, t, codes[who], weights[who], buffer, count, stream, moves))
        moves += 1
        count = legal(s, t, buffer)
    outcome(s, t, scores, won)
    return int(moves)


def _play_games(
    tables: Records,
    blank: Records,
    actions: int,
    seeds: Array,
    entrants: Array,
    codes: Array,
    weights: Array,
    scores: Array,
    won: Array,
    decisions: Array,
) -> None:
    """Plays whole games between scripted policies, for their outcomes alone.

    Args:
        tables: The components, shape (1,).
        blank: A state before the deal, shape (1,).
        actions: The size of the action space.
        seeds: Of the games, uint64 (games,).
        entrants: Who sits where, as rows of ``codes`` and ``weights``; int64 (games, players).
        codes: The policy of each entrant, int64 (m,).
        weights: The constants of each entrant's policy, float64 (m, K).
        scores: Where the points go, int32 (games, players).
        won: Where the winners are marked with 1, int8 (games, players).
        decisions: Where the number of decisions goes, int32 (games,).
    """
    room = blank.copy()
    for k in range(len(seeds)):
        reset(room, 0, tables, blank, seeds[k])
        decisions[k] = play_game(
            room, 0, tables, actions, seeds[k], entrants[k], codes, weights, scores[k], won[k]
        )


def spread_over_threads(play_games: Callable[..., None]) -> Callable[..., None]:
    """Returns a function that does the same as ``play_games``, the games spread over threads.

    Compiled code runs without the interpreter's lock, so plain threads do, and nothing is compiled
    a second time.
    """

    def play_games_parallel(
        tables: Records,
        blank: Records,
        actions: int,
        seeds: Array,
        entrants: Array,
        codes: Array,
        weights: Array,
        scores: Array,
        won: Array,
        decisions: Array,
    ) -> None:
        threads = get_num_threads()

        def play_part(part: int) -> None:
            mine = slice(len(seeds) * part // threads, len(seeds) * (part + 1) // threads)
            play_games(
                *(tables, blank, actions, seeds[mine], entrants[mine], codes, weights),
                *(scores[mine], won[mine], decisions[mine]),
            )

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play_part, range(threads)))

    return play_games_parallel


def _replay(
    states: Records,
    index: int,
    tables: Records,
    buffer: Array,
    actions: Array,
    seats: Array,
    meanings: Array,
) -> int:
    """Plays the given actions in game ``index`` as long as they are legal, each noted.

    Returns:
        How many were legal; the first that is not has not been played.
    """
    s, t = states[index], tables[0]
    for k in range(len(actions)):
        found = False
        for m in range(legal(s, t, buffer)):
            found = found or buffer[m] == actions[k]
        if not found:
            return k
        seats[k] = s.to_move
        meanings[k] = meaning(s, t, actions[k])
        apply(s, t, actions[k])
    return len(actions)


def _run(
    states: Records,
    index: int,
    tables: Records,
    blank: Records,
    buffer: Array,
    seed: Seed,
    first: int,
    decisions: int,
) -> None:
    """Makes random decisions in game ``index``, dealing a new game whenever one is over.

    Args:
        states: A batch.
        index: Which game of it.
        tables: The components, shape (1,).
        blank: A state before the deal, shape (1,).
        buffer: Room for the legal actions, int32.
        seed: Where the decisions and the new games come from.
        first: How many decisions have been made with that seed before.
        decisions: How many to make.
    """
    s, t = states[index], tables[0]
    stream = derive_seed(seed, index)
    for k in range(first, first + decisions):
        count = legal(s, t, buffer)
        if count == 0:
            reset(states, index, tables, blank, derive_seed(stream, k))
            count = legal(s, t, buffer)
        apply(s, t, buffer[random_below(stream, k, count)])


def _random_decisions(
    states: Records,
    tables: Records,
    blank: Records,
    buffers: Array,
    seed: Seed,
    first: int,
    decisions: int,
) -> None:
    """Makes random decisions in each game of a batch, see ``_run``; each has a row of buffers."""
    for index in range(len(states)):
        run(states, index, tables, blank, buffers[index], seed, first, decisions)


def _random_decisions_parallel(
    states: Records,
    tables: Records,
    blank: Records,
    buffers: Array,
    seed: Seed,
    first: int,
    decisions: int,
) -> None:
    """Does the same as ``random_decisions``, the games spread over threads."""
    for index in prange(len(states)):
        run(states, index, tables, blank, buffers[index], seed, first, decisions)


def room_for_moves(length: int) -> tuple[Array, Array, Array]:
    """Returns room to note that many moves: seats, actions and meanings."""
    return np.empty(length, np.int8), np.empty(length, np.int32), np.empty(length, np.int64)
