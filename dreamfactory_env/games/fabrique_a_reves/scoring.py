"""What a night is worth: groups and points of each vial, the total, who has won (R17 to R20)."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.state import (
    AIMS,
    NOTHING,
    PROPOSALS,
    VIALS_OF_MODE,
    Params,
    Phase,
    State,
    Tool,
)

#: The totals from which the places 1 to 5 of the printed scale begin (R20).
SCALE = (4, 7, 10, 14, 18)


def scale_of(points: int) -> int:
    """Returns the place of a total on the printed scale, 0 to 5 (R20)."""
    return sum(points >= least for least in SCALE)


@jit
def group_of(s: State, vial: int, dream: int) -> int:
    """Returns how many players have written a dream for a vial, as either proposal (R17)."""
    size = 0
    for p in range(s.players):
        if s.slates[p, vial, 0] == dream or s.slates[p, vial, 1] == dream:
            size += 1
    return size


@jit
def largest_group(s: State, vial: int) -> int:
    """Returns the dream of a vial's largest group, of equal ones the first in the list (R17).

    NOTHING if nobody has written one.
    """
    best, most = NOTHING, 0
    for p in range(s.players):
        for k in range(PROPOSALS):
            dream = int(s.slates[p, vial, k])
            if dream >= 0:
                size = group_of(s, vial, dream)
                if size > most or (size == most and dream < best):
                    best, most = dream, size
    return best


@jit
def points_of(s: State, t: Params, vial: int) -> int:
    """Returns what a vial scores at the end (R18, R19)."""
    dream = largest_group(s, vial)
    if dream == NOTHING:
        return 0
    group = group_of(s, vial, dream)
    points = int(t.points[s.players, group, s.filled[vial]])
    if points > 0 and s.tokens[vial] == Tool.DUST:
        return points + 1
    if points > 0 and s.tokens[vial] == Tool.DUST_2:
        return points + 2
    return points


@jit
def total_of(s: State, t: Params) -> int:
    """Returns the points of all vials; none before the end, for slates are secret till then."""
    if s.phase != Phase.OVER:
        return 0
    total = 0
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        total += points_of(s, t, vial)
    return total


@jit
def outcome(s: State, t: Params, points: Array, won: Array) -> None:
    """Writes the points, the same for all, and 1 for all if the aim is reached (R20).

    Args:
        s: The game.
        t: The lexicon.
        points: int32 (players,).
        won: int8 (players,).
    """
    total = total_of(s, t)
    reached = s.phase == Phase.OVER and total >= AIMS[int(s.mode)]
    for p in range(s.players):
        points[p] = total
        won[p] = 1 if reached else 0
