"""What a player cannot see, and how to redraw it."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below, shuffle
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.dream_factory.state import (
    MAX_DECK,
    MAX_PLAYERS,
    MAX_TILE,
    NO_SEED,
    SCREENPLAYS,
    HiddenMoney,
    Params,
    Phase,
    State,
)

UNKNOWN_SEED = np.uint64(NO_SEED)


@jit
def resample_hidden(states: Records, index: int, params: Records, player: int, seed: Seed) -> None:
    """Redraws in place everything in game ``index`` that ``player`` cannot know.

    These are the other players' money where it is hidden, the tiles that lie face down or are
    not drawn yet, and the order of the pile below its top. What is public stays: the game looks
    the same from the player's seat, has the same legal moves if it is the player's turn, and
    goes on by the same rules. What comes out depends on nothing but what the player knows and
    the seed: games that look the same are redrawn the same.

    Args:
        states: A batch, STATE.
        index: Which game of it.
        params: The components, PARAMS, shape (1,).
        player: The seat that looks.
        seed: Where the redraw comes from, uint64.
    """
    s = states[index]
    s.seed = UNKNOWN_SEED  # whoever knew it would know the shuffles
    counter = redraw_tiles(s, params[0], seed, 0)
    counter = redraw_pile(s, params[0], seed, counter)
    redraw_money(s, params[0], player, seed, counter)


@jit
def seen_at(
    states: Records, index: int, params: Records, viewer: int, money: Array, lots: Array
) -> None:
    """Tells what a viewer sees in game ``index``.

    Args:
        states: A batch, STATE.
        index: Which game of it.
        params: The components, PARAMS, shape (1,).
        viewer: The seat that looks.
        money: Set to 1 for each player whose money it sees, else 0; shape (players,).
        lots: Set to 1 for each location whose tiles of this round, at the end of the last one, have
            been seen by all, else 0; shape (locations,).
    """
    s, t = states[index], params[0]
    round_ = min(int(s.round_number), int(t.rounds) - 1)
    for p in range(s.players):
        money[p] = sees_money(s, viewer, p)
    for location in range(t.locations):
        lots[location] = is_face_up(s, t, round_, location)


@jit
def is_face_up(s: State, t: Params, round_: int, location: int) -> bool:
    """Tells whether the tiles of a location have been seen by all (D7, D14)."""
    if s.phase == Phase.STUDIO:
        return False  # studios are chosen before the first tiles are laid out
    if round_ != s.round_number:
        return round_ < s.round_number
    return not t.is_party[location] or location <= s.location


@jit
def redraw_tiles(s: State, t: Params, seed: Seed, counter: int) -> int:
    """Shuffles the part of the draw order that nobody has seen; returns the counter after it."""
    places = np.empty(MAX_DECK, np.int64)
    unseen = np.empty(MAX_DECK, np.int8)
    copies = np.zeros(MAX_TILE + 1, np.int64)  # of each tile, among those unseen
    count = 0
    place = 0
    for round_ in range(t.rounds):
        for location in range(t.locations):
            for _ in range(t.lot_size[s.players, location]):
                if not is_face_up(s, t, round_, location):
                    places[count] = place
                    count += 1
                place += 1
    for left in range(place, t.deck_size):
        places[count] = left
        count += 1
    for k in range(count):
        copies[s.deck[places[k]]] += 1
    sort_by_counting(copies, unseen)  # so that the true order leaves no trace
    counter = shuffle(unseen, count, seed, counter)
    for k in range(count):
        s.deck[places[k]] = unseen[k]
    return counter


@jit
def redraw_pile(s: State, t: Params, seed: Seed, counter: int) -> int:
    """Shuffles the pile below its top (D5); returns the counter after it."""
    below = int(s.pile_taken) + 1
    size = int(t.pile_size)
    if below >= size:
        return counter
    copies = np.zeros(SCREENPLAYS, np.int64)
    for place in range(below, size):
        copies[s.pile[place]] += 1
    sort_by_counting(copies, s.pile[below:])
    return shuffle(s.pile[below:], size - below, seed, counter)


@jit
def sort_by_counting(copies: Array, out: Array) -> None:
    """Writes numbers in rising order, each as often as ``copies`` says."""
    place = 0
    for number in range(len(copies)):
        for _ in range(copies[number]):
            out[place] = number
            place += 1


@jit
def sees_money(s: State, viewer: int, player: int) -> bool:
    """Tells whether ``viewer`` sees the money of ``player`` (D3); at the end all do."""
    if viewer == player or s.phase == Phase.OVER or s.hidden_money == HiddenMoney.NEVER:
        return True
    return s.hidden_money == HiddenMoney.RULE and s.players == 2


@jit
def redraw_money(s: State, t: Params, viewer: int, seed: Seed, counter: int) -> int:
    """Spreads the hidden money anew over those who hold it; returns the counter after it.

    The total is known (D2), and that whoever has bid in this auction has as much as the bid (D9).
    Every spread that agrees with both is equally likely.
    """
    least = np.zeros(MAX_PLAYERS, np.int64)
    spread = 0  # what is not bound by a bid
    holders = 0
    for p in range(s.players):
        if not sees_money(s, viewer, p):
            least[p] = max(int(s.bids[p]), 0)
            spread += int(s.money[p]) - least[p]
            holders += 1
    # Coins and the walls between the holders, in a row in random order.
    coins, walls = spread, holders - 1
    for p in range(s.players):
        if sees_money(s, viewer, p):
            continue
        money = least[p]
        while coins > 0 and random_below(seed, counter, coins + walls) < coins:
            money += 1
            coins -= 1
            counter += 1
        counter += 1
        walls -= 1
        s.money[p] = money
    return counter
