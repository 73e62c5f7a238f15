"""``builder`` values a lot by what it does for finishing its films, and keeps money for later."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.legal import BID, PASS
from dreamfactory_env.games.dream_factory.scripted.outlook import (
    KINDS,
    SCORES,
    Outlook,
    count_tiles_to_come,
)
from dreamfactory_env.games.dream_factory.scripted.values import sort_tiles, tiles_gain
from dreamfactory_env.games.dream_factory.scripted.weights import Builder
from dreamfactory_env.games.dream_factory.state import Params, State


@jit
def look_ahead(s: State, t: Params, w: Array, o: Outlook) -> None:
    """Expects an empty space of any kind to be filled the likelier the more tiles come."""
    count_tiles_to_come(s, t, o)
    for kind in range(KINDS):
        o.chance[kind] = o.time_left / (o.time_left + w[Builder.DOUBT])
        o.bring[kind] = w[Builder.BRING]
    for score in range(SCORES):
        o.token[score] = score
    o.fresh = w[Builder.FRESH] * o.time_left
    o.red = w[Builder.FACE] * o.time_left


@jit
def builders_bid(s: State, t: Params, w: Array, o: Outlook, player: int) -> int:
    """Bids one more as long as the lot is worth it, and never what it keeps for later."""
    gain = tiles_gain(s, t, o, player, sort_tiles(s.lot, o))
    price = w[Builder.PRICE_LATE] + o.time_left * (w[Builder.PRICE_EARLY] - w[Builder.PRICE_LATE])
    price *= (float(s.players) / 4.0) ** w[Builder.CROWD]
    spendable = float(s.money[player]) * (1.0 - w[Builder.KEEP] * o.time_left)
    bid = int(s.high_bid) + 1
    if gain > 0.0 and bid <= min(price * gain, spendable):
        return BID + bid
    return PASS
