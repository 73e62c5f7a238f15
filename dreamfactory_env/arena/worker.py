"""Playing the games of some deals: compiled where all are scripted, else many side by side."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.fouls import Foul, ask
from dreamfactory_env.arena.kernels import arena_loops
from dreamfactory_env.engine.kernels import room_for_moves
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.policies import Views
from dreamfactory_env.policies.rows import take_rows
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
        won: 1 for each winner, int8 (games, players); all but the offender after a foul.
        roles: What each seat had, int32 (games, players, roles); zeros after a foul.
        decisions: How many decisions each policy has made, int64 (policies,).
        table: The numbers of the tables, summed over the games without a foul; int64.
        seats: The numbers of the seats, summed for each policy; int64 (policies, tally.seat).
        fouls: The games that were ended by a foul.
        seconds: How long each policy has thought, float64 (policies,); 0 where all is compiled.
            This is not part of the result.
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
    """Where a process plays the games of a tournament: its policies, and room for them.

    Args:
        tournament: Which one.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.kind = tournament.kind
        self.game = tournament.template()
        self.roles = [role.place for role in self.game.figures().roles]
        self.buffer = np.empty(self.kind.actions, np.int32)
        self.policies = [] if tournament.compiled else tournament.make_policies()
        if tournament.compiled:
            self.seated = self.kind.scripted_seats(tournament.policies)

    def play(self, number: int) -> tuple[Chunk, list[dict[str, Any]]]:
        """Plays a chunk; gives its records, too, if the tournament keeps them."""
        deals = self.tournament.deals_of(number)
        games = [self.tournament.games_of(deal) for deal in deals]
        seeds = [self.tournament.seed_of(deal) for deal in deals]
        entrants = np.concatenate(games)
        batch = _Batch(
            np.repeat(np.array(seeds, np.uint64), [len(g) for g in games]), entrants, self
        )
        (self._play_compiled if self.tournament.compiled else self._play_side_by_side)(batch)
        chunk = batch.chunk(number, self.roles)
        return chunk, self._records(batch) if self.tournament.records else []

    def _play_compiled(self, batch: _Batch) -> None:
        arena_loops(self.kind).play(
            *(self.game.blank(), self.game.tables, self.game.blank(), self.buffer),
            *(batch.seeds, batch.entrants, *self.seated, batch.scores, batch.won),
            *(batch.decisions, batch.table, batch.seats, batch.noted, batch.lengths),
        )

    def _play_side_by_side(self, batch: _Batch) -> None:
        """Plays all games of a batch at once, a move in each; every policy answers for its own."""
        loops = arena_loops(self.kind)
        states = np.repeat(self.game.blank(), len(batch.seeds))
        loops.deal(states, self.game.tables, self.game.blank(), batch.seeds)
        over = np.zeros(len(states), np.int8)
        while not over.all():
            rows = np.flatnonzero(over == 0)
            to_move = states["to_move"][rows].astype(np.int64)
            who = batch.entrants[rows, to_move]
            actions = np.empty(len(rows), np.int64)
            fouled = np.zeros(len(rows), np.bool_)
            for policy in np.unique(who):
                mine = np.flatnonzero(who == policy)
                games, seats = rows[mine], to_move[mine]
                begin = time.perf_counter()
                views = Views(
                    *(self.game, take_rows(states, games), seats),
                    *(batch.seeds[games], batch.lengths[games]),
                )
                actions[mine], fouls = ask(self.policies[policy], views, self.tournament.time_limit)
                batch.seconds[policy] += time.perf_counter() - begin
                batch.decisions[policy] += len(mine)
                for place, foul in fouls.items():
                    fouled[mine[place]] = True
                    batch.fouls.append(FouledGame(int(games[place]), int(seats[place]), foul))
            over[rows[fouled]] = 1
            rows, actions = rows[~fouled], actions[~fouled]
            if self.tournament.records:
                batch.noted[rows, batch.lengths[rows]] = actions
            batch.lengths[rows] += 1
            loops.advance(
                *(states, rows, actions, self.game.tables, self.buffer),
                *(batch.scores, batch.won, batch.table, batch.seats, over),
            )
        self._close_fouls(batch, states)

    def _close_fouls(self, batch: _Batch, states: Array) -> None:
        """Notes the result of games that a foul has ended: the others share the win."""
        batch.fouls.sort()
        for fouled in batch.fouls:
            row = fouled.game
            self.kind.rules.outcome(
                states[row], self.game.tables[0], batch.scores[row], batch.won[row]
            )
            batch.won[row] = 1
            batch.won[row, fouled.seat] = 0
            batch.table[row] = 0
            batch.seats[row] = 0

    def _records(self, batch: _Batch) -> list[dict[str, Any]]:
        """Returns the records of the games that were played to their end."""
        records = []
        fouled = {fouled.game for fouled in batch.fouls}
        names = self.tournament.policies
        config = self.game.config()
        for k in range(len(batch.seeds)):
            if k in fouled:
                continue
            seed = int(batch.seeds[k])
            before = self.kind.from_config(config, seed=seed)
            after = before.copy()
            actions = batch.noted[k, : batch.lengths[k]]
            seats, _, meanings = room_for_moves(len(actions))
            self.kind.loops.replay(
                after.states, 0, after.tables, self.buffer, actions, seats, meanings
            )
            words = [self.game.words(meaning) for meaning in meanings.tolist()]
            moves = zip(seats.tolist(), actions.tolist(), words, strict=True)
            agents = [names[entrant] for entrant in batch.entrants[k]]
            records.append(make_record(before, after, seed, agents, [list(m) for m in moves]))
        return records


class _Batch:
    """Games that are being played, and room for what comes out; see ``playing`` for the arrays."""

    def __init__(self, seeds: Array, entrants: Array, hall: Worker) -> None:
        games, players = entrants.shape
        policies, tally = len(hall.tournament.policies), hall.kind.tally
        moves = hall.game.longest_game() if hall.tournament.records else 0
        self.seeds = seeds
        self.entrants = entrants
        self.scores = np.zeros((games, players), np.int32)
        self.won = np.zeros((games, players), np.int8)
        self.decisions = np.zeros(policies, np.int64)
        self.seconds = np.zeros(policies, np.float64)
        self.table = np.zeros((games, tally.table), np.int32)
        self.seats = np.zeros((games, players, tally.seat), np.int32)
        self.noted = np.zeros((games, moves), np.int32)
        self.lengths = np.zeros(games, np.int64)
        self.fouls: list[FouledGame] = []

    def chunk(self, number: int, roles: list[int]) -> Chunk:
        """Returns what came out, the numbers of the seats summed for each policy."""
        sums = np.zeros((len(self.decisions), self.seats.shape[2]), np.int64)
        np.add.at(sums, self.entrants.ravel(), self.seats.reshape(-1, self.seats.shape[2]))
        return Chunk(
            number=number,
            scores=self.scores,
            won=self.won,
            roles=self.seats[:, :, roles],
            decisions=self.decisions,
            table=self.table.sum(axis=0, dtype=np.int64),
            seats=sums,
            fouls=self.fouls,
            seconds=self.seconds,
        )


def decisions_per_second(tournament: Tournament, name: str, seconds: float = 0.1) -> float:
    """Returns how many decisions a scripted policy makes a second against itself, in one core.

    Rules and dealing are included. What it plays changes no result.

    Args:
        tournament: Its game and options.
        name: The policy.
        seconds: How long to measure at least.
    """
    alone = Tournament(
        policies=(name,),
        players=tournament.players,
        game=tournament.game,
        options=tournament.options,
        deals=2**31,
    )
    hall = Worker(alone)
    hall.play(0)
    begin = time.perf_counter()
    decisions = number = 0
    while time.perf_counter() - begin < seconds:
        number += 1
        decisions += int(hall.play(number)[0].decisions.sum())
    return decisions / (time.perf_counter() - begin)
