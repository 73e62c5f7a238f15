"""``greedy`` prices what fits its films now, tile by tile, and knows no later."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.legal import BID, DISCARD, PASS, PICK, PLACE, fits
from dreamfactory_env.games.dream_factory.scripted.weights import Greedy
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    MAX_LOT,
    NO_TILE,
    NOTHING,
    SPACES,
    STUDIO_FILMS,
    Params,
    Phase,
    State,
    stars_of,
)


@jit
def decide_greedily(s: State, t: Params, w: Array, buffer: Array, count: int) -> int:
    """Returns the action that ``greedy`` plays."""
    if s.phase == Phase.AUCTION:
        return greedy_bid(s, t, w)
    best = buffer[0]
    most = -1.0
    for k in range(count):
        gain = action_gain(s, t, w, int(buffer[k]))
        if gain > most:
            best, most = buffer[k], gain
    return int(best)


@jit
def greedy_bid(s: State, t: Params, w: Array) -> int:
    """Bids one more as long as the lot is worth it."""
    bid = int(s.high_bid) + 1
    gain = lot_gain(s, t, w)
    affordable = bid <= s.money[s.to_move]
    return BID + bid if affordable and gain > 0.0 and bid <= w[Greedy.PRICE] * gain else PASS


@jit
def action_gain(s: State, t: Params, w: Array, action: int) -> float:
    """Returns what placing, discarding or picking a tile gains; all studios are alike."""
    if PLACE <= action < DISCARD:
        target = action - PLACE
        film = int(s.in_production[s.to_move, target // SPACES % STUDIO_FILMS])
        tile = int(s.hand[target // (STUDIO_FILMS * SPACES)])
        return placing_gain(s, t, w, tile, film, target % SPACES)
    if PICK <= action < PICK + MAX_LOT:
        return tile_gain(s, t, w, int(s.lot[action - PICK]))
    return 0.0


@jit
def lot_gain(s: State, t: Params, w: Array) -> float:
    """Returns what the tiles of the lot gain, each where it fits best."""
    total = 0.0
    for place in range(MAX_LOT):
        if s.lot[place] != NO_TILE:
            total += tile_gain(s, t, w, int(s.lot[place]))
    return total


@jit
def tile_gain(s: State, t: Params, w: Array, tile: int) -> float:
    """Returns what a tile gains where it fits best, at least 0: it can be discarded."""
    most = 0.0
    for slot in range(STUDIO_FILMS):
        film = int(s.in_production[s.to_move, slot])
        if film == NOTHING:
            continue
        for space in range(SPACES):
            if fits(tile, int(t.space_kind[film, space]), int(s.tiles[film, space])):
                most = max(most, placing_gain(s, t, w, tile, film, space))
    return most


@jit
def placing_gain(s: State, t: Params, w: Array, tile: int, film: int, space: int) -> float:
    """Returns what a tile gains on a space: its stars, a space filled, perhaps a film finished."""
    under = int(s.tiles[film, space])
    if under != NO_TILE:
        return float(w[Greedy.STAR] * (stars_of(tile) - stars_of(under)))
    gain = w[Greedy.STAR] * stars_of(tile)
    if space != GUEST_SPACE:
        gain += w[Greedy.SPACE]
        if missing_spaces(s, t, film) == 1:
            gain += w[Greedy.FINISH]
    return float(gain)


@jit
def missing_spaces(s: State, t: Params, film: int) -> int:
    """Returns how many spaces must still be filled before a film is finished (D21)."""
    missing = 0
    for space in range(GUEST_SPACE):
        if t.space_kind[film, space] != 0 and s.tiles[film, space] == NO_TILE:
            missing += 1
    return missing
