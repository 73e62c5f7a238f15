"""The rules of Dream Factory, D1 to D30 of docs/rules.md: how a game begins, what a move does.

Plain functions over one :class:`State` and the :class:`Params` of the components. They change the
state in place and return nothing; :func:`apply` trusts that its action is among those that
``legal.legal`` lists. Chance is only in :func:`deal`: after it the game is determined.

Numbers that a sum or product could carry out of their narrow field are read through ``int()``:
compiled code widens by itself, NumPy, which runs the uncompiled code, does not.
"""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below, shuffle
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.dream_factory.legal import BID, DECLINE, DISCARD, PASS, PICK, PLACE
from dreamfactory_env.games.dream_factory.legal import STUDIO as STUDIO_ACTION
from dreamfactory_env.games.dream_factory.scoring import (
    award_first_film,
    award_genre_prizes,
    award_round_prize,
    take_token,
)
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    MAX_HAND,
    MAX_LOT,
    MAX_PLAYERS,
    NO_BID,
    NO_TILE,
    NOTHING,
    SPACES,
    STUDIO_FILMS,
    Kind,
    Params,
    Phase,
    State,
    kind_of,
)

# ---------------------------------------------------------------------------- set-up


@jit
def reset(states: Records, index: int, params: Records, blank: Records, seed: Seed) -> None:
    """Deals game ``index`` of a batch anew from a seed.

    Args:
        states: The batch, STATE.
        index: Which game of it.
        params: The components, PARAMS, shape (1,).
        blank: A state before the deal with the options set, STATE, shape (1,).
        seed: Where the shuffles come from, uint64.
    """
    states[index] = blank[0]
    deal(states[index], params[0], seed)
    begin(states[index], params[0])


@jit
def deal(s: State, t: Params, seed: Seed) -> None:
    """Draws all that chance decides: studios (D1), tiles and pile (D5), the first player (D6).

    Each draw is made whatever the options, so that a seed means the same shuffles for all.
    """
    s.seed = np.uint64(seed)
    for p in range(t.studios):
        s.studio[p] = p + 1
    counter = shuffle(s.studio, int(t.studios), seed, 0)
    for p in range(MAX_PLAYERS):
        if p >= s.players or s.choose_studio:
            s.studio[p] = 0
    s.starting_player = random_below(seed, counter, int(s.players))
    counter += 1
    s.deck[:] = t.deck
    counter = shuffle(s.deck, int(t.deck_size), seed, counter)
    s.pile[:] = t.pile
    shuffle(s.pile, int(t.pile_size), seed, counter)


@jit
def begin(s: State, t: Params) -> None:
    """Starts a game whose shuffles lie ready: money (D2), tokens (D4), studios (D1)."""
    for p in range(s.players):
        s.money[p] = t.money[s.players]
    s.free_tokens = (1 << int(t.tokens)) - 1
    s.first_player = s.starting_player
    if s.choose_studio:
        s.phase = Phase.STUDIO
        s.to_move = s.first_player
        return
    for p in range(s.players):
        take_studio_films(s, t, p)
    open_location(s, t)


@jit
def begin_at(states: Records, index: int, params: Records) -> None:
    """Starts game ``index`` of a batch, whose shuffles lie ready."""
    begin(states[index], params[0])


@jit
def take_studio_films(s: State, t: Params, player: int) -> None:
    """Gives a player the three screenplays of their studio (D1); a variant may have fewer."""
    for slot in range(STUDIO_FILMS):
        film = int(t.studio_films[s.studio[player], slot])
        if film != NOTHING:
            take_screenplay(s, player, slot, film)


@jit
def take_screenplay(s: State, player: int, slot: int, film: int) -> None:
    """Puts a screenplay in front of a player."""
    s.in_production[player, slot] = film
    s.owner[film] = player


# ---------------------------------------------------------------------------- what a move does


@jit
def apply(s: State, t: Params, action: int) -> None:
    """Plays a legal action of the player to move."""
    if s.phase == Phase.AUCTION:
        if action == PASS:
            pass_auction(s)
        else:
            bid(s, action - BID)
    elif s.phase == Phase.PLACING:
        if action >= DISCARD:
            discard(s, action - DISCARD)
        else:
            target = action - PLACE
            place_tile(
                s,
                t,
                target // (STUDIO_FILMS * SPACES),
                target // SPACES % STUDIO_FILMS,
                target % SPACES,
            )
        if is_empty(s.hand):
            go_on(s, t)
    elif s.phase == Phase.PARTY:
        if action == DECLINE:
            go_on(s, t)
        else:
            pick(s, action - PICK)
    else:
        choose_studio(s, t, action - STUDIO_ACTION + 1)


@jit
def choose_studio(s: State, t: Params, number: int) -> None:
    """Takes a studio; when all have one, the first round begins (D1)."""
    player = int(s.to_move)
    s.studio[player] = number
    take_studio_films(s, t, player)
    s.to_move = (player + 1) % int(s.players)
    if s.to_move == s.first_player:
        open_location(s, t)


@jit
def open_location(s: State, t: Params) -> None:
    """Comes to a location: its tiles lie face up, and somebody is asked (D7 to D9, D14)."""
    if t.is_hollywood[s.location]:
        s.lot[0] = t.legendary
    else:
        start = first_tile_of(s, t, int(s.round_number), int(s.location))
        for place in range(t.lot_size[s.players, s.location]):
            s.lot[place] = s.deck[start + place]
    if t.is_party[s.location]:
        s.phase = Phase.PARTY
        set_party_order(s)
        s.to_move = s.party_order[0]
    else:
        s.phase = Phase.AUCTION
        s.to_move = s.first_player


@jit
def first_tile_of(s: State, t: Params, round_: int, location: int) -> int:
    """Returns where in the draw order the tiles of a location begin (D7)."""
    return round_ * int(t.round_size[s.players]) + int(t.lot_start[s.players, location])


@jit
def bid(s: State, amount: int) -> None:
    """Bids; the next player still in is asked (D9)."""
    s.high_bid = amount
    s.bids[s.to_move] = amount
    s.to_move = next_bidder(s)


@jit
def pass_auction(s: State) -> None:
    """Leaves the auction for good (D10); the last one left wins it (D11)."""
    s.passed[s.to_move] = 1
    s.to_move = next_bidder(s)
    still_in = 0
    for p in range(s.players):
        if not s.passed[p]:
            still_in += 1
    if still_in == 1:
        win_auction(s)


@jit
def next_bidder(s: State) -> int:
    """Returns the next player clockwise who has not passed."""
    player = (int(s.to_move) + 1) % int(s.players)
    while s.passed[player]:
        player = (player + 1) % int(s.players)
    return player


@jit
def win_auction(s: State) -> None:
    """Gives the lot to the player to move, who pays all the others and is first player now."""
    winner = int(s.to_move)
    price = max(int(s.high_bid), 0)  # D11: nobody bid, so it is free
    others = int(s.players) - 1
    # D12: what is paid goes to the middle, the middle is shared, the rest of it stays.
    share = (int(s.pot) + price) // others
    s.pot = (int(s.pot) + price) % others
    for p in range(s.players):
        s.money[p] = int(s.money[p]) - price if p == winner else int(s.money[p]) + share
    s.first_player = winner  # D13
    s.high_bid = NO_BID
    s.bids[:] = NO_BID
    s.passed[:] = 0
    for place in range(MAX_HAND):
        s.hand[place] = s.lot[place]
    s.lot[:] = NO_TILE
    s.phase = Phase.PLACING


@jit
def set_party_order(s: State) -> None:
    """Orders the players by their red tiles; ties clockwise from the first player (D14)."""
    served = 0  # a set of players, one bit each
    for turn in range(s.players):
        best = -1
        for step in range(s.players):
            player = (int(s.first_player) + step) % int(s.players)
            if served >> player & 1:
                continue
            if best < 0 or s.red[player] > s.red[best]:
                best = player
        s.party_order[turn] = best
        served |= 1 << best


@jit
def pick(s: State, place: int) -> None:
    """Takes a tile of the party into the hand, to be placed at once (D15)."""
    s.hand[0] = s.lot[place]
    s.lot[place] = NO_TILE
    s.phase = Phase.PLACING


@jit
def discard(s: State, place: int) -> None:
    """Puts a tile in hand back into the box (D16)."""
    s.hand[place] = NO_TILE
    s.discarded = int(s.discarded) + 1


@jit
def place_tile(s: State, t: Params, place: int, slot: int, space: int) -> None:
    """Lays a tile on a space of a film, over what lies there, and finishes the film if it can."""
    player = int(s.to_move)
    film = int(s.in_production[player, slot])
    tile = int(s.hand[place])
    under = int(s.tiles[film, space])
    s.hand[place] = NO_TILE
    s.tiles[film, space] = tile
    if under != NO_TILE:
        s.covered = int(s.covered) + 1
    s.red[player] = int(s.red[player]) + is_red(tile) - is_red(under)  # D14: visible ones only
    if is_complete(s, t, film):
        finish(s, t, player, slot)


@jit
def is_red(tile: int) -> int:
    """Returns 1 for an actor or a guest star, else 0."""
    kind = kind_of(tile)
    return 1 if kind == Kind.ACTOR or kind == Kind.GUEST else 0


@jit
def is_complete(s: State, t: Params, film: int) -> bool:
    """Tells whether every space but the guest star's is covered (D21)."""
    for space in range(GUEST_SPACE):
        if t.space_kind[film, space] != 0 and s.tiles[film, space] == NO_TILE:
            return False
    return True


@jit
def finish(s: State, t: Params, player: int, slot: int) -> None:
    """Finishes a film: its token (D22), a first film's award (D25), a new screenplay (D24)."""
    film = int(s.in_production[player, slot])
    s.finished[s.finished_count] = film
    s.finished_count = int(s.finished_count) + 1
    take_token(s, t, film)
    award_first_film(s, t, film)
    if s.pile_taken < t.pile_size:
        take_screenplay(s, player, slot, int(s.pile[s.pile_taken]))
        s.pile_taken = int(s.pile_taken) + 1
    else:
        s.in_production[player, slot] = NOTHING


@jit
def is_empty(tiles: Array) -> bool:
    """Tells whether no tile is left."""
    for place in range(len(tiles)):
        if tiles[place] != NO_TILE:
            return False
    return True


@jit
def go_on(s: State, t: Params) -> None:
    """Asks whoever comes next: the next guest of a party, the next location, the next round."""
    if t.is_party[s.location]:
        s.party_turn = int(s.party_turn) + 1
        if s.party_turn < s.players:
            s.to_move = s.party_order[s.party_turn]
            s.phase = Phase.PARTY
            return
        leave_party(s)
    s.location = int(s.location) + 1
    if s.location == t.locations:
        s.location = 0
        close_round(s, t)
    if s.phase != Phase.OVER:
        open_location(s, t)


@jit
def leave_party(s: State) -> None:
    """Puts the tiles that nobody took back into the box (D15)."""
    for place in range(MAX_LOT):
        if s.lot[place] != NO_TILE:
            s.discarded = int(s.discarded) + 1
    s.lot[:] = NO_TILE
    s.party_order[:] = 0
    s.party_turn = 0


@jit
def close_round(s: State, t: Params) -> None:
    """Ends a round with its award (D26), the last one with the end of the game (D27)."""
    s.round_number = int(s.round_number) + 1
    if s.round_number < t.rounds:
        award_round_prize(s)
    else:
        award_genre_prizes(s, t)
        s.phase = Phase.OVER
