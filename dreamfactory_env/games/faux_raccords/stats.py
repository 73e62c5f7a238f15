"""What games of Faux Raccords look like: what is done, how they end, and who was right."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.actions import CALL, END, HINT_BAD, HINT_GOOD, VIEW
from dreamfactory_env.games.faux_raccords.scoring import WON, graded_score
from dreamfactory_env.games.faux_raccords.state import Ending, Member, Params, Phase, State
from dreamfactory_env.games.stats import GameStats, Rate, Role, Stat


class Seat(IntEnum):
    """The numbers of a seat; behind them stands one for each member that was called."""

    TURN = 0  # how many seats after the first player
    PLACES = 1
    VIEWS = 2
    GOOD_HINTS = 3
    BAD_HINTS = 4
    ENDS = 5
    RIGHT_ENDS = 6
    CALLS = 7


#: How a game can end, each won or lost: the counts of the table.
ENDINGS = ("end", "empty hand")
OUTCOMES = ("won", "lost")


@jit
def count_move(s: State, t: Params, action: int, table: Array, seats: Array) -> None:
    """Counts the actions of turns (F12), and hints (F17)."""
    seat = int(s.to_move)
    if s.phase == Phase.HINT:
        if action == HINT_GOOD:
            seats[seat, Seat.GOOD_HINTS] += 1
        elif action == HINT_BAD:
            seats[seat, Seat.BAD_HINTS] += 1
    if s.phase != Phase.ACTION:
        return
    if action < CALL:
        seats[seat, Seat.PLACES] += 1
    elif action < VIEW:
        seats[seat, Seat.CALLS + int(t.member[action - CALL])] += 1
    elif action < END:
        seats[seat, Seat.VIEWS] += 1
    else:
        seats[seat, Seat.ENDS] += 1


@jit
def count_end(s: State, t: Params, table: Array, seats: Array) -> None:
    """Counts how the game has ended, and whether whoever ended it was right (F21)."""
    won = graded_score(s, t) == WON
    ended = s.ending == Ending.END
    table[(0 if ended else len(OUTCOMES)) + (0 if won else 1)] += 1
    if ended and won:
        seats[s.turn, Seat.RIGHT_ENDS] += 1
    for p in range(s.players):
        seats[p, Seat.TURN] = (p - int(s.first_player)) % int(s.players)


def stats_of(players: int) -> GameStats:
    """Returns what the counts mean."""
    members = tuple(member.name.lower() for member in Member)
    called = Seat.CALLS + np.arange(len(members))
    ends = np.arange(len(ENDINGS) * len(OUTCOMES)).reshape(len(ENDINGS), len(OUTCOMES))
    return GameStats(
        table_size=ends.size,
        seat_size=len(Seat) - 1 + len(members),
        table=(Stat("endings", ends, (("ended by", ENDINGS), ("outcome", OUTCOMES))),),
        seats=(
            _number("cards placed", Seat.PLACES),
            _number("cards viewed", Seat.VIEWS),
            Stat("members called", called, (("member", members),)),
            _number("good hints", Seat.GOOD_HINTS),
            _number("bad hints", Seat.BAD_HINTS),
            _number("said that the Film is finished", Seat.ENDS),
            _number("and was right", Seat.RIGHT_ENDS),
        ),
        roles=(Role("turn", Seat.TURN, ("first", "second", "third", "fourth")[:players]),),
        rates=(
            Rate("games that a player ended", ends[0], ends.ravel()),
            Rate("`end` was right", ends[0, :1], ends[0]),
            Rate("won without `end`", ends[1, :1], ends[1]),
        ),
    )


def _number(title: str, place: Seat) -> Stat:
    return Stat(title, np.array(int(place)))
