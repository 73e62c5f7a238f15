"""Whole games played by policies, one after another, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dreamfactory_env.engine.kernels import NOBODY, room_for_moves
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.policies import Policy, policy_named, view_of
from dreamfactory_env.records.format import FORMAT, make_record
from dreamfactory_env.utils.errors import OptionError, RecordError

#: Room for noted moves: seats, actions and meanings.
Notes = tuple[Array, Array, Array]


def seed_of_game(seed: int, number: int) -> int:
    """Returns the seed of game ``number`` (from 0) of a simulation."""
    return int(derive_seed(np.uint64(seed), number))


def check_policies(kind: type[Game], names: Sequence[str], players: int) -> list[str]:
    """Returns one policy name for each seat: those given, or the only one given for all.

    Args:
        kind: Which game.
        names: One name for all seats, or one for each; see :func:`policy_named`.
        players: How many seats there are.

    Raises:
        OptionError: One is unknown, or there are neither one nor as many as players.
    """
    for name in dict.fromkeys(names):
        policy_named(name, kind)
    if len(names) not in (1, players):
        raise OptionError(f"{len(names)} policies for {players} players; give 1 or {players}")
    return list(names) * (players if len(names) == 1 else 1)


class Seated:
    """Policies at a table, ready to play on; compiled as a whole where all of them are scripted.

    Args:
        kind: Which game.
        names: The policy of each seat.
        made: Policies by name that were made before; those that are new are added.

    Raises:
        OptionError: One is unknown.
    """

    def __init__(
        self, kind: type[Game], names: Sequence[str], made: dict[str, Policy] | None = None
    ) -> None:
        self._buffer = np.empty(kind.actions, np.int32)
        self._compiled = kind.scripted_seats(names) if set(names) <= set(kind.scripted) else None
        self._policies: list[Policy] = []
        if self._compiled is None:
            made = {} if made is None else made
            for name in names:
                if name not in made:
                    made[name] = policy_named(name, kind)
                self._policies.append(made[name])

    def play(self, game: Game, seed: int, room: Notes, moves: int = 0, until: int = NOBODY) -> int:
        """Lets them play on; what they draw depends on the seed, the seat and the move alone.

        Args:
            game: The game; it is changed.
            seed: Where their chance comes from.
            room: Where the moves are noted, see :func:`room_for_moves`.
            moves: How many moves have been made before; notes go behind theirs.
            until: Stop when it is this seat's turn; NOBODY plays to the end.

        Returns:
            The number of moves made in the game so far.

        Raises:
            IllegalMove: A policy has answered with an action that is not legal.
        """
        if self._compiled is not None:
            seated = (*self._compiled, np.uint64(seed), self._buffer)
            length = game.loops.play(game.states, 0, game.tables, *seated, *room, moves, until)
            return int(length)
        while (seat := game.to_move) is not None and seat != until:
            view = view_of(game, seed=seed, moves=moves)
            action = self._policies[seat].act(view)
            if action not in np.flatnonzero(view.mask):
                game.play(action)  # says what is wrong with it
            note_move(game, seat, action, room, moves)
            moves += 1
        return moves


def note_move(game: Game, seat: int, action: int, room: Notes, moves: int) -> None:
    """Plays a legal action of a seat, and notes it as the loops do, behind ``moves`` others."""
    here = slice(moves, moves + 1)
    seats, actions, meanings = (column[here] for column in room)
    seats[:], actions[:] = seat, action
    game.loops.meanings_at(game.states, 0, game.tables, actions, 1, meanings)
    game.loops.apply_at(game.states, 0, game.tables, action)


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
        policies: Who plays: one name for all seats, or one for each; see :func:`policy_named`.
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
    seated = Seated(kind, agents)
    for number in range(start, games):
        game_seed = seed_of_game(seed, number)
        before = kind.from_config(config, seed=game_seed)
        after = before.copy()
        length = seated.play(after, game_seed, room)
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
