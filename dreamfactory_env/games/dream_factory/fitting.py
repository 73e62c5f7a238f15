"""Which open spaces of films the tiles on offer fill, counted quickly: observations tell it.

Most of a step goes into observing, so these are counted in whole numbers, without branches:

- a film in production: four bits for each kind of space that are open, the lowest four for all of
  them; from ``FITTING`` on a bit for each kind of tile that fills one; at ``NO_GUEST`` 1 if it has
  no guest star; from ``SCORED`` on its stars so far;
- the films of a player that the tiles of a kind fit: four bits for each kind, and again from
  ``FINISHING`` on for those that they finish;
- the tiles on offer: eight bits each.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.state import (
    MAX_HAND,
    Kind,
    Phase,
    State,
    kind_of,
    stars_of,
)

BLANK = int(Kind.BLANK)
FITTING, NO_GUEST, SCORED = 40, 48, 52
FINISHING = 32
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
def fits_of(film: int) -> int:
    """Returns 1 for each kind of tile that fills an open space of a film, and that finishes it."""
    fits = int(SPREAD[film >> FITTING & 255])
    return fits | fits << FINISHING if open_of(film, 0) == 1 else fits


@jit
def what_fills(film: int, offer: int) -> tuple[int, int, bool]:
    """Returns what tiles on offer do for a film.

    Returns:
        How many spaces they fill, their stars with those of a guest star that finds room, and
        whether they finish the film.
    """
    open_spaces = film
    no_guest = film >> NO_GUEST & 1
    filled = stars = 0
    for _ in range(MAX_HAND):
        tile = offer & 255
        offer >>= 8
        taken = filled_by(kind_of(tile), open_spaces)
        open_spaces -= taken
        fills = open_of(taken, 0)
        filled += fills
        guests = no_guest if kind_of(tile) == Kind.GUEST else 0
        no_guest -= guests
        stars += (fills + guests) * stars_of(tile)
    return filled, stars, filled > 0 and open_of(open_spaces, 0) == 0


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
