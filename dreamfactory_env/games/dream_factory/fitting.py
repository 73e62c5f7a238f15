"""Which open spaces of films the tiles on offer fill, counted quickly: observations tell it.

Most of a step goes into observing, so these are counted in whole numbers, without branches:

- the open spaces of a film: four bits for each kind of space, the lowest four for all of them, and
  from ``FITTING`` on a bit for each kind of tile that fills one;
- the tiles on offer: eight bits each.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.state import Kind, Phase, State, kind_of

BLANK = int(Kind.BLANK)
FITTING = 40
#: By the kind of a space: one of them in a number of open spaces.
A_SPACE = np.array([0] + [1 + (1 << 4 * kind) for kind in range(1, BLANK + 1)])
#: By the kind of a space: a bit for each kind of tile that fills it (D17, D18).
FILLING = np.zeros(BLANK + 1, np.int64)
#: By the kind of a tile: the bits of its own spaces, blank ones, and any, as far as it fills them.
OWN, BLANKS, ANY = np.zeros((3, Kind.GUEST + 1), np.int64)
for _kind in range(Kind.DIRECTOR, Kind.AGENCY):
    FILLING[_kind] = 1 << _kind | 1 << Kind.AGENCY
    OWN[_kind] = 15 << 4 * _kind
    if _kind != Kind.DIRECTOR:
        FILLING[BLANK] |= 1 << _kind | 1 << Kind.AGENCY
        BLANKS[_kind] = 15 << 4 * BLANK
ANY[Kind.AGENCY] = 15
#: By a bit for each kind of tile: the same with four bits for each kind, to be added up.
SPREAD = np.array([sum((n >> kind & 1) << 4 * kind for kind in range(8)) for n in range(256)])


@jit
def open_of(open_spaces: int, kind: int) -> int:
    """Returns how many spaces of a kind are open, of all kinds if it is 0."""
    return open_spaces >> 4 * kind & 15


@jit
def tiles_that_fit(open_spaces: int) -> int:
    """Returns 1 for each kind of tile that fills an open space, four bits for each kind."""
    return int(SPREAD[open_spaces >> FITTING & 255])


@jit
def filled_by(kind: int, open_spaces: int) -> int:
    """Returns what a tile of a kind takes from the open spaces, 0 if it fills none (D17, D18).

    Agencies take one of any kind; which does not matter where they come last.
    """
    taken = 1 if open_spaces & ANY[kind] else 0
    taken = int(A_SPACE[BLANK]) if open_spaces & BLANKS[kind] else taken
    return int(A_SPACE[kind]) if open_spaces & OWN[kind] else taken


@jit
def offered_tiles(s: State) -> int:
    """Returns the lot of an auction, or the hand while it is placed; those with most stars first.

    Agencies come last: they go where the others leave room (D18).
    """
    if s.phase == Phase.AUCTION:
        return in_order(s.lot)
    return in_order(s.hand) if s.phase == Phase.PLACING else 0


@jit
def in_order(tiles: Array) -> int:
    """Returns the first three tiles as one number, eight bits each, as they look for spaces."""
    a, b, c = int(tiles[0]), int(tiles[1]), int(tiles[2])
    if order_of(a) < order_of(b):
        a, b = b, a
    if order_of(b) < order_of(c):
        b, c = c, b
    if order_of(a) < order_of(b):
        a, b = b, a
    return a | b << 8 | c << 16


@jit
def order_of(tile: int) -> int:
    """Returns how early a tile looks for a space, higher before lower; 0 for no tile."""
    return (tile & 7) if kind_of(tile) == Kind.AGENCY else (tile & 7) + (8 if tile > 0 else 0)
