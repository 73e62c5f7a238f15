"""Game records: one JSON object a line, each a whole game that anybody can follow and check.

The format is described in docs/records.md. Nothing here knows a game by name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from dreamfactory_env.engine.position import replay_at
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import game_named
from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import RecordError
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.utils.validation import shown

FORMAT = "dreamfactory-record/1"
KEYS = ["format", "game", "version", "config", "seed", "agents", "setup", "moves", "result"]


def make_record(
    start: Game, actions: Sequence[int] | Array, agents: Sequence[str]
) -> dict[str, Any]:
    """Returns the record of a game.

    Args:
        start: The game before its first move.
        actions: The legal actions that were played; the game need not be over after them.
        agents: Who played, one name for each seat.
    """
    end = start.copy()
    played, seats, keys = replay_actions(end, actions)
    assert played == len(actions), "an illegal action cannot be recorded"
    moves = [
        [seat, int(action), start.key_to_string(key)]
        for seat, action, key in zip(seats.tolist(), actions, keys.tolist(), strict=True)
    ]
    return {
        "format": FORMAT,
        "game": start.spec.name,
        "version": start.spec.version,
        "config": start.config(),
        "seed": start.seed,
        "agents": list(agents),
        "setup": start.setup(),
        "moves": moves,
        "result": end.result(),
    }


def replay_actions(game: Game, actions: Sequence[int] | Array) -> tuple[int, Array, Array]:
    """Plays actions in a game as long as they are legal.

    Args:
        game: It is changed.
        actions: What is played.

    Returns:
        How many were legal; the player of each move, int8 (n,); the key of each, int64 (n,).
    """
    numbers = np.ascontiguousarray(actions, np.int32)
    seats, keys = np.empty(len(numbers), np.int8), np.empty(len(numbers), np.int64)
    buffer = np.empty(game.spec.num_actions, np.int32)
    replay = game.compiled(replay_at)
    played = replay(game.states, 0, game.params, buffer, numbers, seats, keys)
    return int(played), seats, keys


def parse_line(line: bytes) -> dict[str, Any]:
    """Returns the record that a line of a file holds.

    Raises:
        RecordError: It holds none.
    """
    try:
        record = read_json(line)
    except ValueError as error:
        raise RecordError(f"not a JSON object: {error}") from error
    if not isinstance(record, dict):
        raise RecordError(f"not a JSON object but {type(record).__name__}")
    return record


def start_of(record: dict[str, Any]) -> Game:
    """Returns the game of a record before its first move.

    Raises:
        GameError: The record does not describe a game that this version plays.
    """
    if sorted(record) != sorted(KEYS):
        missing = [key for key in KEYS if key not in record]
        unknown = [key for key in record if key not in KEYS]
        raise RecordError(f"wrong keys: missing {missing or 'none'}, unknown {unknown or 'none'}")
    if record["format"] != FORMAT:
        raise RecordError(f"format {shown(record['format'])}; this version reads {FORMAT!r}")
    game_cls = game_named(record["game"])
    name, version = game_cls.spec.name, game_cls.spec.version
    if record["version"] != version:
        raise RecordError(f"{name} {shown(record['version'])}; this version plays {version!r}")
    start = game_cls.from_setup(record["config"], record["setup"])
    if record["seed"] is not None:
        dealt = game_cls.from_config(record["config"], seed=record["seed"])
        if dealt.setup() != record["setup"]:
            raise RecordError(f"the set-up is not the one that seed {record['seed']} deals")
        start = dealt
    agents, players = record["agents"], start.players
    if not isinstance(agents, list) or [type(agent) for agent in agents] != [str] * players:
        raise RecordError(f"agents must be {players} names, not {shown(agents)}")
    return start


def replay_moves(record: dict[str, Any]) -> Game:
    """Plays the moves of a record again and verifies every seat, action and word.

    Returns:
        The game after the last move; it need not be over.

    Raises:
        GameError: Something is not as the rules have it. A :class:`RecordError` names the move,
            counted from 0, if one is to blame.
    """
    game = start_of(record)
    _play_moves(game, record["moves"])
    return game


def replay(record: dict[str, Any]) -> Game:
    """Plays a whole game again: verifies the moves like :func:`replay_moves`, and the result.

    Returns:
        The game after the last move.

    Raises:
        GameError: Something is not as the rules have it, or the game is not over.
    """
    game = replay_moves(record)
    result = game.result()
    if result is None:
        told = "and there is no result" if record["result"] is None else "but there is a result"
        raise RecordError(f"the game is not over after {len(record['moves'])} moves, {told}")
    _compare_results(record["result"], result)
    return game


def _play_moves(game: Game, moves: Any) -> None:
    """Plays the moves of a record in a game.

    Raises:
        RecordError: One of them is wrong; it has not been played, and nothing after it.
    """
    if not isinstance(moves, list):
        raise RecordError(f"moves must be a list, not {shown(moves)}")
    for number, move in enumerate(moves):
        if not isinstance(move, list) or [type(part) for part in move] != [int, int, str]:
            raise RecordError(f"{shown(move)} is not [seat, action, words]", number)
    # A number too large for an action is as illegal as any other that is none.
    actions = [move[1] if 0 <= move[1] < game.spec.num_actions else -1 for move in moves]
    start = game.copy()
    played, seats, keys = replay_actions(game, actions)
    for number in range(played):
        seat, _, words = moves[number]
        problem = ""
        if seat != seats[number]:
            problem = f"player {seat} moves, but it is player {seats[number]}'s turn"
        elif words != (right := game.key_to_string(int(keys[number]))):
            problem = f"action {moves[number][1]} is {right!r} here, not {shown(words)}"
        if problem:
            raise RecordError(problem, number)
    if played < len(moves):
        seat, action, words = moves[played]
        for earlier in actions[:played]:
            start.play(earlier)
        if start.over:
            raise RecordError(f"{shown(words)} after the game is over", played)
        offered = start.summary_of(start.legal())
        raise RecordError(
            f"action {action} ({shown(words)}) is not legal for player {start.to_move} in the "
            f"{start.phase} phase; legal: {offered}",
            played,
        )


def _compare_results(told: Any, right: dict[str, Any]) -> None:
    """Raises RecordError where a told result differs; compared as text, for 1, 1.0 and true do."""
    if not isinstance(told, dict):
        raise RecordError(f"result must be an object, not {shown(told)}")
    for key in [*right, *(key for key in told if key not in right)]:
        ours, theirs = (
            json.dumps(one[key], sort_keys=True) if key in one else "missing"
            for one in (right, told)
        )
        if ours != theirs:
            raise RecordError(f"result: {key[:100]} is {theirs[:10_000]}, but must be {ours}")
