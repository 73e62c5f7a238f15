"""What games of Dream Factory look like: prices, films, awards, where the points come from."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.components import ROUNDS, Components
from dreamfactory_env.games.dream_factory.legal import PASS
from dreamfactory_env.games.dream_factory.scoring import GRAND_AWARD, award_points, film_value
from dreamfactory_env.games.dream_factory.state import (
    FILM_AWARDS,
    MAX_LOCATIONS,
    MAX_PLAYERS,
    NOTHING,
    Params,
    Phase,
    State,
)
from dreamfactory_env.games.stats import GameStats, Role, Stat


class Seat(IntEnum):
    """The numbers of a seat; behind them stands one for each award."""

    STUDIO = 0
    TURN = 1
    FILMS = 2
    FILM_POINTS = 3
    AWARD_POINTS = 4
    MONEY = 5
    AUCTIONS = 6
    PAID = 7
    AWARDS = 8


BEST_DIRECTOR = FILM_AWARDS


@jit
def count_move(s: State, t: Params, action: int, table: Array, seats: Array) -> None:
    """Counts the price when an auction ends: all but one have passed (D11)."""
    if s.phase != Phase.AUCTION or action != PASS:
        return
    winner = -1
    others = 0
    for p in range(s.players):
        if p != s.to_move and not s.passed[p]:
            winner = p
            others += 1
    if others == 1:
        price = max(int(s.high_bid), 0)
        table[int(s.round_number) * MAX_LOCATIONS + int(s.location)] = price
        seats[winner, Seat.AUCTIONS] += 1
        seats[winner, Seat.PAID] += price


@jit
def count_end(s: State, t: Params, table: Array, seats: Array) -> None:
    """Counts what each player has at the end, and how the player began."""
    for p in range(s.players):
        seats[p, Seat.STUDIO] = int(s.studio[p]) - 1
        seats[p, Seat.TURN] = (p - int(s.starting_player)) % int(s.players)
        seats[p, Seat.MONEY] = s.money[p]
    for k in range(s.finished_count):
        film = int(s.finished[k])
        seats[s.owner[film], Seat.FILMS] += 1
        seats[s.owner[film], Seat.FILM_POINTS] += film_value(s, t, film)
    for award in range(FILM_AWARDS):
        film = int(s.awards[award])
        if film != NOTHING:
            seats[s.owner[film], Seat.AWARDS + award] += 1
            seats[s.owner[film], Seat.AWARD_POINTS] += award_points(award)
    if s.best_director >= 0:
        seats[s.best_director, Seat.AWARDS + BEST_DIRECTOR] += 1
        seats[s.best_director, Seat.AWARD_POINTS] += GRAND_AWARD


def stats_of(components: Components, players: int, awards: list[str]) -> GameStats:
    """Returns what the counts mean.

    Args:
        components: They name the locations.
        players: How many play.
        awards: The words of the awards on films.
    """
    auctions = [k for k, at in enumerate(components.locations) if at.kind == "auction"]
    rounds = tuple(f"round {number + 1}" for number in range(components.rounds))
    locations = tuple(components.locations[k].name for k in auctions)
    price = np.arange(components.rounds)[:, None] * MAX_LOCATIONS + np.array(auctions, np.int64)
    won = Seat.AWARDS + np.arange(FILM_AWARDS + 1)
    turns = ("first", "second", "third", "fourth", "fifth")[:players]
    studios = tuple(str(number + 1) for number in range(MAX_PLAYERS))
    return GameStats(
        table_size=ROUNDS * MAX_LOCATIONS,
        seat_size=len(Seat) + BEST_DIRECTOR,
        table=(Stat("price", price, (("round", rounds), ("location", locations))),),
        seats=(
            _number("films finished", Seat.FILMS),
            _number("auctions won", Seat.AUCTIONS),
            _number("paid in auctions", Seat.PAID),
            Stat("awards won", won, (("award", (*awards, "best director")),)),
        ),
        parts=(
            _number("films", Seat.FILM_POINTS),
            _number("awards", Seat.AWARD_POINTS),
            _number("money", Seat.MONEY),
        ),
        roles=(Role("turn", Seat.TURN, turns), Role("studio", Seat.STUDIO, studios)),
    )


def _number(title: str, place: Seat) -> Stat:
    return Stat(title, np.array(int(place)))
