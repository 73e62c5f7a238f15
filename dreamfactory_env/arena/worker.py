"""Playing the games of some deals side by side: scripted seats compiled, the others asked."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.fouls import NO_ACTION, Foul, ask
from dreamfactory_env.engine.stepper import FIRST_FROZEN, Settings
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.policies import Views
from dreamfactory_env.records.format import make_record


class FouledGame(NamedTuple):
    """A game that a foul has ended: which of its chunk, the seat to blame, and the foul."""

    game: int
    seat: int
    foul: Foul


@dataclass
class Chunk:
    """What came out of the games of some deals.

    Attributes:
        number: Which chunk of the tournament.
        scores: Points, int32 (games, players); as they stood where a foul has ended the game.
        won: 1 for each winner, int8 (games, players); after a foul all but the offender, and in a
            shared game nobody.
        roles: What each seat had, int32 (games, players, roles); zeros after a foul.
        decisions: How many decisions each policy has made, int64 (policies,).
        table: Counts of the tables, summed over the games without a foul; int64 (T,).
        seats: Counts of the seats, summed for each policy; int64 (policies, S).
        fouls: The games that were ended by a foul.
        seconds: How long each policy has thought, float64 (policies,); 0 where it is compiled.
            This is not part of the result, and empty in a chunk that was read from a file.
    """

    number: int
    scores: Array
    won: Array
    roles: Array
    decisions: Array
    table: Array
    seats: Array
    fouls: list[FouledGame] = field(default_factory=list)
    seconds: Array = field(default_factory=lambda: np.zeros(0))


class Worker:
    """Plays the games of a tournament.

    Args:
        tournament: Which one; its policies are used as they are.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.game = tournament.template
        self._policies = [tournament.policy(name) for name in tournament.policies]
        scripted = list(self.game.scripted)
        self._codes = np.array(
            [
                scripted.index(name) if tournament.is_scripted(name) else FIRST_FROZEN + place
                for place, name in enumerate(tournament.policies)
            ]
        )
        self._roles = [role.place for role in self.game.stats().roles]
        self._settings = Settings(self.game.spec.payoff(), observing=False)

    def play(self, number: int) -> tuple[Chunk, list[dict[str, Any]]]:
        """Plays a chunk; gives its records, too, if the tournament keeps them."""
        tournament = self.tournament
        deals = tournament.deals_of(number)
        games = [tournament.games_of(deal) for deal in deals]
        entrants = np.concatenate(games)
        seeds = np.array([tournament.seed_of(deal) for deal in deals], np.uint64)
        batch = GameBatch(
            *(self.game, len(entrants), self._settings),
            arrangements=[],
            keep_moves=tournament.records,
            counting=True,
        )
        batch.rows["lineup"][:, : self.game.players] = self._codes[entrants]
        batch.deal(seeds=np.repeat(seeds, [len(each) for each in games]))
        fouls, seconds = self._play_on(batch)
        chunk = self._chunk(number, batch, entrants)
        chunk.fouls, chunk.seconds = fouls, seconds
        return chunk, self._records(batch, entrants, fouls) if tournament.records else []

    def _play_on(self, batch: GameBatch) -> tuple[list[FouledGame], Array]:
        """Asks every policy for the games that wait for it, until all games are over.

        Returns:
            The fouls in the order of the games, and how long each policy has thought.
        """
        rows = batch.rows
        fouls: list[FouledGame] = []
        seconds = np.zeros(len(self._policies))
        while len(waiting := np.flatnonzero(rows["done"] == 0)):
            who = rows["current_policy"][waiting] - FIRST_FROZEN
            for policy in np.unique(who):
                which = waiting[who == policy]
                begin = time.perf_counter()
                views, limit = Views.of(batch, which), self.tournament.time_limit
                actions, fouled = ask(self._policies[policy], views, limit)
                seconds[policy] += time.perf_counter() - begin
                legal = actions != NO_ACTION
                batch.advance(which[legal], actions[legal])
                for place, foul in fouled.items():
                    fouls.append(self._end(batch, int(which[place]), foul))
        return sorted(fouls), seconds

    def _end(self, batch: GameBatch, index: int, foul: Foul) -> FouledGame:
        """Ends a game by a foul: the others share the win, or in a shared game all lose."""
        row, players = batch.rows[index], self.game.players
        offender = int(row.current_player)
        batch.end_illegally(np.array([index]))
        row.points[:players] = batch.game_at(index).scores()
        row.won[:players] = 0 if self.game.spec.shared else 1
        row.won[offender] = 0
        row.decisions[offender] += 1  # it was one, if a bad one
        batch.table_stats[index] = 0
        batch.seat_stats[index] = 0
        return FouledGame(index, offender, foul)

    def _chunk(self, number: int, batch: GameBatch, entrants: Array) -> Chunk:
        """Returns what came out, the counts of the seats summed for each policy."""
        policies, players = len(self._policies), self.game.players
        counts = batch.seat_stats
        sums = np.zeros((policies, counts.shape[2]), np.int64)
        np.add.at(sums, entrants.ravel(), counts.reshape(entrants.size, counts.shape[2]))
        decisions = np.zeros(policies, np.int64)
        np.add.at(decisions, entrants.ravel(), batch.rows["decisions"][:, :players].ravel())
        return Chunk(
            number=number,
            scores=batch.rows["points"][:, :players].copy(),
            won=batch.rows["won"][:, :players].copy(),
            roles=counts[:, :, self._roles],
            decisions=decisions,
            table=batch.table_stats.sum(axis=0, dtype=np.int64),
            seats=sums,
        )

    def _records(
        self, batch: GameBatch, entrants: Array, fouls: list[FouledGame]
    ) -> list[dict[str, Any]]:
        """Returns the records of the games that were played to their end."""
        names = self.tournament.policies
        fouled = {each.game for each in fouls}
        records = []
        for index in range(len(batch)):
            if index not in fouled:
                row = batch.rows[index]
                start = self.game.deal(int(row.seed))
                agents = [names[policy] for policy in entrants[index]]
                records.append(make_record(start, batch.actions[index, : row.moves], agents))
        return records


def decisions_per_second(tournament: Tournament, name: str, seconds: float = 0.1) -> float:
    """Returns how many decisions a scripted policy makes a second by itself, on one core.

    Rules and dealing are included. What it plays changes no result.

    Args:
        tournament: Its game and options.
        name: The policy.
        seconds: How long to measure at least.
    """
    alone = Tournament(
        policies=(name,),
        players=tournament.players,
        lineups="mixed",
        game=tournament.game,
        options=tournament.options,
        deals=2**31,
    )
    worker = Worker(alone)
    worker.play(0)
    begin = time.perf_counter()
    decisions = number = 0
    while time.perf_counter() - begin < seconds:
        number += 1
        decisions += int(worker.play(number)[0].decisions.sum())
    return decisions / (time.perf_counter() - begin)
