"""How ``builder`` and ``expert`` decide: by what their films are worth after each choice."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.dream_factory.legal import DECLINE, DISCARD, PICK, PLACE, STUDIO
from dreamfactory_env.games.dream_factory.rules import is_complete, place_tile
from dreamfactory_env.games.dream_factory.scripted.builder import builders_bid, look_ahead
from dreamfactory_env.games.dream_factory.scripted.expert import (
    experts_bid,
    look_around,
    spoil_gain,
)
from dreamfactory_env.games.dream_factory.scripted.outlook import Outlook
from dreamfactory_env.games.dream_factory.scripted.values import (
    film_worth,
    sort_tiles,
    studio_worth,
    tile_gain,
    tiles_gain,
)
from dreamfactory_env.games.dream_factory.state import (
    NO_TILE,
    NOTHING,
    SPACES,
    STUDIO_FILMS,
    Params,
    Phase,
    State,
)


@jit
def decide_by_worth(
    s: State,
    t: Params,
    is_expert: bool,
    w: Array,
    outlooks: Records,
    scratch: Records,
    buffer: Array,
    count: int,
) -> int:
    """Returns the action that ``builder`` or ``expert`` plays.

    Args:
        s: The game.
        t: The components.
        is_expert: Which of the two.
        w: Its constants.
        outlooks: Room for an outlook, zeros, shape (1,). A record does not keep its array alive in
            compiled code, so the caller holds the arrays.
        scratch: Room for a state, shape (1,).
        buffer: The legal actions.
        count: How many there are.
    """
    o = outlooks[0]
    player = int(np.int64(s.to_move))  # one type everywhere, so that nothing is compiled twice
    if is_expert:
        look_around(s, t, w, o, player)
    else:
        look_ahead(s, t, w, o)
    if s.phase == Phase.AUCTION:
        if is_expert:
            return experts_bid(s, t, w, o, player)
        return builders_bid(s, t, w, o, player)
    best, most = int(buffer[0]), -1e9
    for k in range(count):
        action = int(buffer[k])
        if s.phase == Phase.PLACING:
            scratch[0] = s
            worth = placement_worth(scratch[0], t, o, player, action)
        elif s.phase == Phase.STUDIO:
            worth = studio_choice_worth(s, t, o, action)
        elif action == DECLINE:
            worth = 0.0
        else:
            worth = tile_gain(s, t, o, player, s.lot[action - PICK])
            if is_expert:
                worth += spoil_gain(s, t, w, o, player, s.lot[action - PICK])
        if worth > most:
            best, most = action, worth
    return best


@jit
def placement_worth(s: State, t: Params, o: Outlook, player: int, action: int) -> float:
    """Plays a placement in a copy of the game, and returns what the studio is worth then.

    The tiles that are still in hand count, too, laid as well as they can be.
    """
    worth = 0.0
    if action >= DISCARD:
        s.hand[action - DISCARD] = NO_TILE
    else:
        target = action - PLACE
        slot = target // SPACES % STUDIO_FILMS
        film = int(s.in_production[player, slot])
        place_tile(s, t, target // (STUDIO_FILMS * SPACES), slot, target % SPACES)
        if is_complete(s, t, film):
            worth = film_worth(t, o, film, s.tiles[film])
            # The new screenplay counts in that already; only what is laid on it comes to it.
            fresh = int(s.in_production[player, slot])
            if fresh != NOTHING:
                worth -= film_worth(t, o, fresh, s.tiles[fresh])
    worth += studio_worth(s, t, o, player)
    return worth + tiles_gain(s, t, o, player, sort_tiles(s.hand, o))


@jit
def studio_choice_worth(s: State, t: Params, o: Outlook, action: int) -> float:
    """Returns what the screenplays of a studio are worth, empty as they are."""
    worth = 0.0
    for slot in range(STUDIO_FILMS):
        film = int(t.studio_films[action - STUDIO + 1, slot])
        worth += film_worth(t, o, film, s.tiles[film])
    return worth
