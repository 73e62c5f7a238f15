"""Whole games played by policies, one after another, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dreamfactory_env.checking import did_you_mean
from dreamfactory_env.errors import OptionError, RecordError
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.loops import NOBODY, room_for_moves
from dreamfactory_env.randomness import derive_seed
from dreamfactory_env.records import FORMAT, make_record


def seed_of_game(seed: int, number: int) -> int:
    """Returns the seed of game ``number`` (from 0) of a simulation."""
    return int(derive_seed(np.uint64(seed), number))


def check_policies(kind: type[Game], names: Sequence[str], players: int) -> list[str]:
    """Returns one policy name for each seat: those given, or the only one given for all.

    Args:
        kind: Which game; its scripted policies can play.
        names: One name for all seats, or one for each.
        players: How many seats there are.

    Raises:
        OptionError: One is unknown, or there are neither one nor as many as players.
    """
    for name in names:
        if name not in kind.scripted:
            hint = did_you_mean(str(name), kind.scripted)
            known = ", ".join(kind.scripted)
            raise OptionError(f"unknown policy {name!r}; known are {known}{hint}")
    if len(names) not in (1, players):
        raise OptionError(f"{len(names)} policies for {players} players; give 1 or {players}")
    return list(names) * (players if len(names) == 1 else 1)


def simulate(
    kind: type[Game],
    config: dict[str, Any],
    policies: Sequence[str],
    games: int,
    seed: int,
    *,
    start: int = 0,
) -> Iterator[dict[str, Any]]:
    """Plays games and gives their records; the same arguments give the same games.

    Args:
        kind: Which game.
        config: Its options, as a record writes them.
        policies: Who plays: one name for all seats, or one for each.
        games: How many games.
        seed: Where all of them come from; game k has the seed ``seed_of_game(seed, k)``.
        start: The first game to play, for going on where another run has stopped.

    Raises:
        GameError: An option is wrong; no game has been played.
    """
    check_seed(seed)
    game = kind.from_config(config, seed=seed)
    agents = check_policies(kind, policies, config["players"])
    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    room = room_for_moves(game.longest_game())
    buffer = np.empty(game.actions, np.int32)
    seated = game.scripted_seats(agents)
    for number in range(start, games):
        game_seed = seed_of_game(seed, number)
        before = kind.from_config(config, seed=game_seed)
        after = before.copy()
        stream = np.uint64(game_seed)
        length = game.loops.play(
            after.states, 0, after.tables, *seated, stream, buffer, *room, 0, NOBODY
        )
        seats, actions, meanings = (noted[:length].tolist() for noted in room)
        moves = [
            [seat, action, game.words(meaning)]
            for seat, action, meaning in zip(seats, actions, meanings, strict=True)
        ]
        yield make_record(before, after, game_seed, agents, moves)


def check_continues(
    record: dict[str, Any],
    number: int,
    kind: type[Game],
    config: dict[str, Any],
    policies: Sequence[str],
    seed: int,
) -> None:
    """Checks that a record is game ``number`` of the simulation with the other arguments.

    Raises:
        RecordError: It is one of another simulation.
    """
    expected = {
        "format": FORMAT,
        "game": kind.name,
        "version": kind.version,
        "config": config,
        "seed": seed_of_game(seed, number),
        "agents": check_policies(kind, policies, config["players"]),
    }
    for key, value in expected.items():
        if record.get(key) != value:
            raise RecordError(
                f"line {number + 1} is not game {number + 1} of this simulation: "
                f"its {key} is {record.get(key)!r}, not {value!r}"
            )
