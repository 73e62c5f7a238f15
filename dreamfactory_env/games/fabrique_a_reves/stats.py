"""What games of La Fabrique à rêves look like: what is done, and how alike players dream."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.actions import BROOM, PASS, TOKEN
from dreamfactory_env.games.fabrique_a_reves.lexicon import MAX_PLAYERS, VIAL
from dreamfactory_env.games.fabrique_a_reves.scoring import (
    group_of,
    largest_group,
    points_of,
    total_of,
)
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_VIALS,
    NOTHING,
    TOOL_WORDS,
    VIALS_OF_MODE,
    Params,
    Phase,
    State,
)
from dreamfactory_env.games.stats import GameStats, Rate, Role, Stat

#: The counts of the table: vials by the words in them and by the size of their largest group.
GROUPS = MAX_PLAYERS + 1
COUNTS = (VIAL + 1) * GROUPS


class Seat(IntEnum):
    """The numbers of a seat; behind them stands one for each tool."""

    TURN = 0  # how many seats after the first player
    TAKES = 1
    PASSES = 2
    MATCHES = 3  # vials at which the seat has written the dream of the largest group of two or more
    POINTS = 4
    TOOLS = 5


@jit
def count_move(s: State, t: Params, action: int, table: Array, seats: Array) -> None:
    """Counts what is done in thoughts."""
    if s.phase != Phase.THOUGHTS:
        return
    seat = int(s.to_move)
    if action < BROOM:
        seats[seat, Seat.TAKES] += 1
    elif action == BROOM:
        seats[seat, Seat.TOOLS] += 1
    elif action == PASS:
        seats[seat, Seat.PASSES] += 1
    else:
        seats[seat, Seat.TOOLS + 1 + (action - TOKEN) // MAX_VIALS] += 1


@jit
def count_end(s: State, t: Params, table: Array, seats: Array) -> None:
    """Counts vials by their words and largest groups, and who was in these."""
    from_first = int(s.first_player)
    for p in range(s.players):
        seats[p, Seat.TURN] = (p - from_first) % int(s.players)
        seats[p, Seat.POINTS] = total_of(s, t)
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        dream = largest_group(s, vial)
        group = 0 if dream == NOTHING else group_of(s, vial, dream)
        table[int(s.filled[vial]) * GROUPS + group] += 1
        if group > 1 and points_of(s, t, vial) > 0:
            for p in range(s.players):
                if s.slates[p, vial, 0] == dream or s.slates[p, vial, 1] == dream:
                    seats[p, Seat.MATCHES] += 1


def stats_of(players: int) -> GameStats:
    """Returns what the counts mean."""
    groups = tuple(str(size) for size in range(players + 1))
    words = tuple(str(count) for count in range(VIAL + 1))
    places = np.arange(COUNTS).reshape(VIAL + 1, GROUPS)[:, : players + 1]
    tools = Seat.TOOLS + np.arange(len(TOOL_WORDS))
    turns = ("first", "second", "third", "fourth", "fifth")
    return GameStats(
        table_size=COUNTS,
        seat_size=int(Seat.TOOLS) + len(TOOL_WORDS),
        table=(Stat("vials", places, (("words", words), ("largest group", groups))),),
        seats=(
            _number("words placed", Seat.TAKES),
            _number("passed", Seat.PASSES),
            Stat("tools used", tools, (("tool", TOOL_WORDS),)),
            _number("vials in the group that scores", Seat.MATCHES),
        ),
        parts=(_number("points", Seat.POINTS),),
        roles=(Role("turn", Seat.TURN, turns[:players]),),
        rates=(
            Rate("vials with three words", places[VIAL], places.ravel()),
            Rate("dreamt alike by all", places[:, players], places.ravel()),
            Rate("by two or more", places[:, 2:].ravel(), places.ravel()),
        ),
    )


def _number(title: str, place: Seat) -> Stat:
    return Stat(title, np.array(int(place)))
