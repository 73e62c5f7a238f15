"""``expert`` adds prizes, tokens, what may still come of each kind, and the others at the table."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.hidden import sees_money
from dreamfactory_env.games.dream_factory.legal import BID, PASS
from dreamfactory_env.games.dream_factory.scoring import SMALL_AWARD
from dreamfactory_env.games.dream_factory.scripted.outlook import (
    Outlook,
    count_tiles_to_come,
    look_at_finished_films,
    look_from,
    price_tokens,
    rise,
)
from dreamfactory_env.games.dream_factory.scripted.values import (
    film_worth,
    sort_tiles,
    tile_gain,
    tiles_gain,
)
from dreamfactory_env.games.dream_factory.scripted.weights import Expert
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    NO_TILE,
    NOTHING,
    PILE,
    SPACES,
    STUDIO_FILMS,
    Kind,
    Params,
    State,
    stars_of,
)

#: Who has a little less than the start money (D2) counts as neither rich nor poor.
COMFORT, SPARE = 12.0, 3.0

# ---------------------------------------------------------------------------- what to expect


@jit
def look_around(s: State, t: Params, w: Array, o: Outlook, player: int) -> None:
    """Fills the outlook from a player's seat: what comes, and how all films stand."""
    expect_tiles(s, t, w, o)
    look_at_films(s, t, w, o)
    take_seat(s, t, w, o, player)


@jit
def expect_tiles(s: State, t: Params, w: Array, o: Outlook) -> None:
    """Sets the chances of empty spaces by the tiles of their kind that are still to come."""
    count_tiles_to_come(s, t, o)
    jokers = w[Expert.JOKER] * o.to_come[Kind.AGENCY]
    blank = 0.0
    for kind in range(Kind.DIRECTOR, Kind.EFFECTS + 1):
        doubt = w[Expert.DOUBT_OTHER]
        if kind == Kind.DIRECTOR:
            doubt = w[Expert.DOUBT_DIRECTOR]
        else:
            blank += o.to_come[kind]
            if kind == Kind.ACTOR:
                doubt = w[Expert.DOUBT_ACTOR]
        o.chance[kind] = chance_of(s, o.to_come[kind] + jokers, doubt)
    o.chance[Kind.BLANK] = chance_of(s, blank + jokers, w[Expert.DOUBT_BLANK])
    o.bring[:] = w[Expert.BRING]
    o.bring[Kind.DIRECTOR] = w[Expert.BRING_DIRECTOR]
    o.guest = w[Expert.GUEST] * chance_of(s, o.to_come[Kind.GUEST], 1.0)
    for missing in range(SPACES):
        o.speed[missing] = w[Expert.HOPE] ** missing
    price_tokens(s, t, o)


@jit
def chance_of(s: State, tiles: float, doubt: float) -> float:
    """Returns the chance to get one of the tiles to come, which are shared by all players."""
    share = tiles / float(s.players)
    return float(share / (share + doubt)) if share > 0.0 else 0.0


@jit
def look_at_films(s: State, t: Params, w: Array, o: Outlook) -> None:
    """Looks at the films of all players, finished and hoped for, and at the top of the pile."""
    look_at_finished_films(s, t, o)
    for player in range(s.players):
        for slot in range(STUDIO_FILMS):
            film = int(s.in_production[player, slot])
            if film != NOTHING:
                hoped = hoped_stars(s, t, o, film)
                genre = int(t.genre[film])
                o.hoped_best[player, genre] = max(o.hoped_best[player, genre], hoped)
    o.fresh = 0.0
    if s.pile_taken < PILE:
        film = int(s.pile[s.pile_taken])
        o.fresh = w[Expert.FRESH] * film_worth(t, o, film, s.tiles[film])
    left = int(t.rounds) - 1 - int(s.round_number)
    o.top_points = SMALL_AWARD * (1.0 + w[Expert.FADING] * (left - 1)) if left > 0 else 0.0
    o.best_width = w[Expert.BEST_WIDTH]
    o.low_width = w[Expert.LOW_WIDTH]
    o.lead_width = w[Expert.LEAD_WIDTH]
    o.prizes = 1


@jit
def hoped_stars(s: State, t: Params, o: Outlook, film: int) -> float:
    """Returns the stars of a film as it is hoped to be, less the likelier it is not finished."""
    stars = float(t.printed_stars[film])
    chance = 1.0
    for space in range(SPACES):
        kind = int(t.space_kind[film, space])
        if s.tiles[film, space] != NO_TILE:
            stars += stars_of(int(s.tiles[film, space]))
        elif kind != 0 and space != GUEST_SPACE:
            chance *= o.chance[kind]
            stars += o.bring[kind]
    return stars * chance


@jit
def take_seat(s: State, t: Params, w: Array, o: Outlook, player: int) -> None:
    """Turns the outlook to a player's seat."""
    look_from(s, t, o, player, w[Expert.DRIFT], w[Expert.LOW_DRIFT])
    places = 0.0  # that one red tile more wins at a party
    for p in range(s.players):
        if p != player:
            lead = float(int(s.red[player]) - int(s.red[p]))
            places += rise((lead + 1.0) / w[Expert.RED_WIDTH]) - rise(lead / w[Expert.RED_WIDTH])
    o.red = w[Expert.RED] * places * parties_left(s, t)


@jit
def parties_left(s: State, t: Params) -> float:
    """Returns which part of the game's parties is still to begin."""
    parties = 0
    left = 0
    for location in range(t.locations):
        if t.is_party[location]:
            parties += 1
            left += int(t.rounds) - 1 - int(s.round_number)
            if location > s.location:
                left += 1
    return left / (float(t.rounds) * parties) if parties > 0 else 0.0


# ---------------------------------------------------------------------------- bidding


@jit
def experts_bid(s: State, t: Params, w: Array, o: Outlook, player: int) -> int:
    """Bids up to what the lot is worth, to itself and to keep it from others, in money.

    Where a rival will surely pay more it bids on for a while: what the winner pays is shared.
    """
    bid = int(s.high_bid) + 1
    count = sort_tiles(s.lot, o)
    gain = tiles_gain(s, t, o, player, count)
    rival_gain, rival_limit = strongest_rival(s, t, w, o, count, gain)
    wanted = gain + w[Expert.DENY] * rival_gain / (float(s.players) - 1.0)
    limit = wanted / money_worth(s, w, o, float(s.money[player]))
    if rival_limit > limit:
        limit += w[Expert.PUSH] * (rival_limit - limit)
    limit = min(limit, float(s.money[player]))
    if wanted <= 0.0 or bid > limit:
        return PASS
    return BID + max(bid, int(min(limit, w[Expert.JUMP] * rival_limit)))


@jit
def strongest_rival(
    s: State, t: Params, w: Array, o: Outlook, count: int, own_gain: float
) -> tuple[float, float]:
    """Returns what the lot gains for the rival who gains most, and the highest bid to expect."""
    most = 0.0
    limit = 0.0
    for p in range(np.int64(s.players)):
        if p == s.to_move or s.passed[p]:
            continue
        take_seat(s, t, w, o, p)
        gain = tiles_gain(s, t, o, p, count)
        money = money_of(s, t, p)
        wanted = gain + w[Expert.DENY] * own_gain / (float(s.players) - 1.0)
        most = max(most, gain)
        limit = max(limit, min(wanted / money_worth(s, w, o, money), money))
    return most, limit


@jit
def money_of(s: State, t: Params, player: int) -> float:
    """Returns the money of a rival, where it is hidden an equal part of what the others have."""
    viewer = int(s.to_move)
    if sees_money(s, viewer, player):
        return float(s.money[player])
    total = int(s.players) * int(t.money[s.players]) - int(s.pot) - int(s.money[viewer])
    return max(total / (float(s.players) - 1.0), float(s.bids[player]))


@jit
def money_worth(s: State, w: Array, o: Outlook, money: float) -> float:
    """Returns what a unit of money is worth in points: less late in the game, less to the rich."""
    early = w[Expert.MONEY_2 + int(s.players) - 2]
    worth = w[Expert.MONEY_LATE] + (early - w[Expert.MONEY_LATE]) * o.time_left ** w[Expert.CURVE]
    return float(worth * (COMFORT / (money + SPARE)) ** w[Expert.WEALTH])


# ---------------------------------------------------------------------------- parties


@jit
def spoil_gain(s: State, t: Params, w: Array, o: Outlook, player: int, tile: int) -> float:
    """Returns what it is worth to keep a tile of a party from those who choose later."""
    spoiled = 0.0
    for turn in range(int(s.party_turn) + 1, s.players):
        rival = int(np.int64(s.party_order[turn]))
        take_seat(s, t, w, o, rival)
        spoiled += tile_gain(s, t, o, rival, tile)
    take_seat(s, t, w, o, player)
    return float(w[Expert.SPOIL] * spoiled / (float(s.players) - 1.0))
