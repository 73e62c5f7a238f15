"""Whole games played by policies, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.policies.seating import SeatedPolicies
from dreamfactory_env.records.format import FORMAT, make_record
from dreamfactory_env.utils.errors import OptionError, RecordError

#: So many games are played side by side where all policies answer for many at once.
SIDE_BY_SIDE = 64


def seed_of_game(seed: int, number: int) -> int:
    """Returns the seed of game ``number`` (from 0) of a simulation."""
    return int(derive_seed(np.uint64(seed), number))


def names_of_seats(policies: Sequence[str], players: int) -> list[str]:
    """Returns the policy of each seat: those given, or the only one given for all."""
    return list(policies) * (players if len(policies) == 1 else 1)


class PlayedGame(NamedTuple):
    """A game that was played.

    Attributes:
        record: The whole game.
        points: The points of each player.
        won: 1 for each player who has won, else 0.
    """

    record: dict[str, Any]
    points: list[int]
    won: list[int]


class Simulation:
    """Games between policies; the same arguments give the same games.

    Args:
        game: A game with the options of all.
        policies: Who plays: one name for all seats, or one for each; see ``policy_named``.
        seed: Where all of them come from; game k has the seed ``seed_of_game(seed, k)``.

    Raises:
        GameError: A name or the seed is wrong; no game has been played.
    """

    def __init__(self, game: Game, policies: Sequence[str], seed: int) -> None:
        check_seed(seed)
        self.game, self.seed = game, seed
        self._seated = SeatedPolicies(game)
        self._lineup = self._seated.codes(policies, game.players)
        self.agents = names_of_seats(policies, game.players)
        payoff = game.spec.payoff()
        self._settings = Settings(payoff, observing=False)

    def play(self, games: int, start: int = 0) -> Iterator[PlayedGame]:
        """Plays games and gives them in order.

        Args:
            games: How many games there are in all.
            start: The first game to play, for resuming where another run has stopped.
        """
        at_once = SIDE_BY_SIDE if self._seated.batched else 1
        for first in range(start, games, at_once):
            numbers = range(first, min(first + at_once, games))
            yield from self._play([seed_of_game(self.seed, number) for number in numbers])

    def _play(self, seeds: list[int]) -> Iterator[PlayedGame]:
        """Plays the games of some seeds side by side."""
        batch = GameBatch(
            self.game, len(seeds), self._settings, arrangements=[self._lineup], keep_moves=True
        )
        batch.deal(seeds=np.array(seeds, np.uint64))
        self._seated.play(batch)
        seats = slice(self.game.players)
        for seed, actions, row in zip(seeds, batch.actions, batch.rows, strict=True):
            record = make_record(self.game.deal(seed), actions[: row["moves"]], self.agents)
            yield PlayedGame(record, row["points"][seats].tolist(), row["won"][seats].tolist())


def simulate(
    game: Game, policies: Sequence[str], games: int, seed: int, *, start: int = 0
) -> Iterator[dict[str, Any]]:
    """Plays games and gives their records, see :class:`Simulation`.

    Raises:
        GameError: An option is wrong; no game has been played.
    """
    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    simulation = Simulation(game, policies, seed)
    return (played.record for played in simulation.play(games, start))


def check_continues(
    record: dict[str, Any], number: int, game: Game, policies: Sequence[str], seed: int
) -> None:
    """Checks that a record is game ``number`` of the simulation with the other arguments.

    Raises:
        RecordError: It is one of another simulation.
    """
    expected = {
        "format": FORMAT,
        "game": game.spec.name,
        "version": game.spec.version,
        "config": game.config(),
        "seed": seed_of_game(seed, number),
        "agents": names_of_seats(policies, game.players),
    }
    for key, value in expected.items():
        if record.get(key) != value:
            raise RecordError(
                f"line {number + 1} is not game {number + 1} of this simulation: "
                f"its {key} is {record.get(key)!r}, not {value!r}"
            )
