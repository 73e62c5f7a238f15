"""What films are worth, and what tiles add to them: how ``builder`` and ``expert`` see them."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.legal import fits
from dreamfactory_env.games.dream_factory.rules import is_red
from dreamfactory_env.games.dream_factory.scripted.outlook import (
    SCORES,
    Outlook,
    prize_points,
)
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    NO_TILE,
    NOTHING,
    SPACES,
    STUDIO_FILMS,
    Kind,
    Params,
    State,
    kind_of,
    stars_of,
)


@jit
def film_worth(t: Params, o: Outlook, film: int, tiles: Array) -> float:
    """Returns the points that a film with these tiles is expected to bring.

    Args:
        t: The components.
        o: The outlook from its player's seat.
        film: The film, unfinished before these tiles.
        tiles: The top tile of each space, int8 (SPACES,).
    """
    stars = float(t.printed_stars[film])
    chance = 1.0
    missing = 0
    red = 0
    director = 0.0
    for space in range(SPACES):
        kind = int(t.space_kind[film, space])
        tile = int(tiles[space])
        if kind == 0:
            continue
        if tile != NO_TILE:
            stars += stars_of(tile)
            red += is_red(tile)
            if kind_of(tile) == Kind.DIRECTOR:
                director = float(stars_of(tile))
        elif space != GUEST_SPACE:
            missing += 1
            chance *= o.chance[kind]
            stars += o.bring[kind]
    points = o.red * red
    if missing == 0:
        value = o.token[min(max(int(stars), 0), SCORES - 1)]
        if o.prizes:
            value += prize_points(o, int(t.genre[film]), value, director, 1.0)
        return float(points + value + o.fresh)
    if tiles[GUEST_SPACE] == NO_TILE:
        stars += o.guest
    if o.prizes:
        stars += prize_points(o, int(t.genre[film]), stars, director, o.speed[missing])
    return float(points + chance * stars)


@jit
def studio_worth(s: State, t: Params, o: Outlook, player: int) -> float:
    """Returns what the films that a player has in production are expected to bring."""
    total = 0.0
    for slot in range(STUDIO_FILMS):
        film = int(s.in_production[player, slot])
        if film != NOTHING:
            total += film_worth(t, o, film, s.tiles[film])
    return total


@jit
def sort_tiles(tiles: Array, o: Outlook) -> int:
    """Puts up to three tiles into the outlook's room, agencies last; returns how many."""
    count = np.int64(0)
    for agencies in range(2):
        for k in range(len(tiles)):
            tile = int(tiles[k])
            if tile != NO_TILE and (kind_of(tile) == Kind.AGENCY) == (agencies == 1):
                o.tiles[count] = tile
                count += 1
    return int(count)


@jit
def tiles_gain(s: State, t: Params, o: Outlook, player: int, count: int) -> float:
    """Returns what the first ``count`` tiles of the outlook's room add to a player's films.

    Each film is tried with each subset of the tiles, each tile on its best space; then the tiles
    are spread over the films in the best way.
    """
    full = (1 << count) - 1
    for slot in range(STUDIO_FILMS):
        film = int(s.in_production[player, slot])
        if film == NOTHING:
            o.worth[slot, : full + 1] = 0.0
            continue
        o.trial[0, :] = s.tiles[film]
        o.worth[slot, 0] = film_worth(t, o, film, o.trial[0])
        for subset in range(1, full + 1):
            try_subset(t, o, film, slot, subset)
    most = -1e9
    for first in range(full + 1):
        for second in range(full + 1):
            if first & second == 0:
                total = o.worth[0, first] + o.worth[1, second]
                most = max(most, total + o.worth[2, full ^ first ^ second])
    return float(most - o.worth[0, 0] - o.worth[1, 0] - o.worth[2, 0])


@jit
def try_subset(t: Params, o: Outlook, film: int, slot: int, subset: int) -> None:
    """Finds what a film is worth with a subset of the tiles: the last on its best space, or not.

    The tile before may have completed the film; then this one is thought to be laid first.
    """
    last = 2 if subset >= 4 else 1 if subset >= 2 else 0
    before = subset ^ (1 << last)
    tile = int(o.tiles[last])
    trial = o.trial[subset]
    trial[:] = o.trial[before]
    most = o.worth[slot, before]
    where = NOTHING
    for space in range(SPACES):
        under = int(trial[space])
        if not fits(tile, int(t.space_kind[film, space]), under):
            continue
        trial[space] = tile
        worth = film_worth(t, o, film, trial)
        trial[space] = under
        if worth > most:
            most, where = worth, space
    if where != NOTHING:
        trial[where] = tile
    o.worth[slot, subset] = most


@jit
def tile_gain(s: State, t: Params, o: Outlook, player: int, tile: int) -> float:
    """Returns what a single tile adds to a player's films."""
    o.tiles[0] = tile
    return tiles_gain(s, t, o, player, int(np.int64(1)))
