"""The action space of Dream Factory, and what is legal: D9, D15 to D19 of docs/rules.md."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.state import (
    MAX_HAND,
    MAX_LOT,
    MAX_MONEY,
    MAX_PLAYERS,
    NO_TILE,
    NOTHING,
    SPACES,
    STUDIO_FILMS,
    Edition,
    Kind,
    Params,
    Phase,
    State,
    kind_of,
)

# The action space: one number for every move of every phase and player count.
PASS = 0
BID = PASS + 1  # + amount, 0 to MAX_MONEY
STUDIO = BID + MAX_MONEY + 1  # + studio number - 1
PICK = STUDIO + MAX_PLAYERS  # + place in the lot
DECLINE = PICK + MAX_LOT
PLACE = DECLINE + 1  # + (place in hand * STUDIO_FILMS + film in production) * SPACES + space
DISCARD = PLACE + MAX_HAND * STUDIO_FILMS * SPACES  # + place in hand
ACTIONS = DISCARD + MAX_HAND


def kind_fits(kind: int, space_kind: int, top_kind: int) -> bool:
    """Tells whether a kind of tile may be laid on a space with another on top (D17 to D19).

    Args:
        kind: The kind of the tile to be laid.
        space_kind: What the space shows, 0 where the film has no such space.
        top_kind: The kind of the tile that lies there, 0 for none.
    """
    if Kind.GUEST in (kind, space_kind):
        return kind == space_kind  # D19
    if kind == Kind.AGENCY:
        return space_kind != 0  # D18
    if top_kind == Kind.AGENCY:
        return False  # D18: only agencies cover an agency
    if space_kind == Kind.BLANK:  # D17
        return kind != Kind.DIRECTOR and top_kind in (0, kind)
    return kind == space_kind


def _fitting_tops() -> Array:
    """Returns for each kind of tile and space a bit for each kind on top that it may cover."""
    tops = np.zeros((Kind.GUEST + 1, Kind.BLANK + 1), np.int64)
    for kind, space_kind, top_kind in np.ndindex(*tops.shape, Kind.GUEST + 1):
        if kind > 0 and kind_fits(kind, space_kind, top_kind):
            tops[kind, space_kind] |= 1 << top_kind
    return tops


#: :func:`kind_fits` as a table, which is looked up in a moment.
FITTING_TOPS = _fitting_tops()


@jit
def legal(s: State, t: Params, out: Array) -> int:
    """Lists the legal actions of the player to move.

    Moves that are the same for every purpose share an action: of equal tiles in hand, or on a
    party, only the first is offered. So there is one action for each move that can be put into
    words, and never none before the game is over.

    Args:
        s: The game.
        t: The components.
        out: Where the actions are written, in rising order; int32, shape (ACTIONS,).

    Returns:
        How many there are; 0 when the game is over.
    """
    if s.phase == Phase.AUCTION:
        return legal_bids(s, out)
    if s.phase == Phase.PLACING:
        return legal_placements(s, t, out)
    if s.phase == Phase.PARTY:
        return legal_picks(s, out)
    if s.phase == Phase.STUDIO:
        return legal_studios(s, t, out)
    return 0


@jit
def legal_studios(s: State, t: Params, out: Array) -> int:
    """Lists the studios that nobody has chosen yet (D1)."""
    count = 0
    for number in range(1, int(t.studios) + 1):
        taken = False
        for p in range(s.players):
            taken = taken or s.studio[p] == number
        if not taken:
            out[count] = STUDIO + number - 1
            count += 1
    return count


@jit
def legal_bids(s: State, out: Array) -> int:
    """Lists a pass, and every bid above the highest that the player can pay (D9)."""
    out[0] = PASS
    count = 1
    for amount in range(int(s.high_bid) + 1, int(s.money[s.to_move]) + 1):
        out[count] = BID + amount
        count += 1
    return count


@jit
def legal_picks(s: State, out: Array) -> int:
    """Lists the tiles of the party (D15), and declining in the edition that lets a player."""
    count = 0
    for place in range(MAX_LOT):
        if is_first_of_its_like(s.lot, place):
            out[count] = PICK + place
            count += 1
    if s.edition == Edition.TRAUMFABRIK:
        out[count] = DECLINE
        count += 1
    return count


@jit
def legal_placements(s: State, t: Params, out: Array) -> int:
    """Lists every space that takes a tile in hand, and discarding each (D16)."""
    count = 0
    for place in range(MAX_HAND):
        if not is_first_of_its_like(s.hand, place):
            continue
        for slot in range(STUDIO_FILMS):
            film = int(s.in_production[s.to_move, slot])
            if film == NOTHING:
                continue
            base = PLACE + (place * STUDIO_FILMS + slot) * SPACES
            for space in range(SPACES):
                # Without a branch: which spaces fit cannot be foreseen.
                out[count] = base + space
                tile, kind = int(s.hand[place]), int(t.space_kind[film, space])
                count += 1 if fits(tile, kind, int(s.tiles[film, space])) else 0
    for place in range(MAX_HAND):
        if is_first_of_its_like(s.hand, place):
            out[count] = DISCARD + place
            count += 1
    return count


@jit
def is_first_of_its_like(tiles: Array, place: int) -> bool:
    """Tells whether there is a tile at ``place``, and none equal to it before."""
    if tiles[place] == NO_TILE:
        return False
    for other in range(place):
        if tiles[other] == tiles[place]:
            return False
    return True


@jit
def fits(tile: int, space_kind: int, top: int) -> bool:
    """Tells whether a tile may be laid on a space of an unfinished film (D17 to D19).

    Args:
        tile: The tile to be laid.
        space_kind: What the space shows, 0 where the film has no such space.
        top: The tile that lies there, or NO_TILE.
    """
    return bool(FITTING_TOPS[kind_of(tile), space_kind] >> kind_of(top) & 1)
