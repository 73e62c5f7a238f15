"""Signals: what a state is, and the compiled functions over it.

A team of two or three. Everybody holds a card, which all others see. In turn a player names the
rank of the own card, or signals another player whether that player's card is low or high, or stops
the game. A right guess is a point, and as many points as the goal win. The third mistake loses all
points; who stops the game keeps them.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below, shuffle
from dreamfactory_env.engine.structs import I8, U64, Array, Records, record_dtype
from dreamfactory_env.games.game import NO_SEED

MAX_PLAYERS, RANKS, COPIES = 3, 4, 4
CARDS = RANKS * COPIES
SIGNALS, MISTAKES = 4, 3
#: The actions: a guess for each rank, a signal for each of the others in turn order, and stop.
GUESS, SIGNAL, STOP = 0, RANKS, RANKS + MAX_PLAYERS - 1
ACTIONS = STOP + 1
#: What a player was told about the own card: nothing, that it is low, or that it is high.
NOTHING, LOW, HIGH = 0, 1, 2
#: The numbers of an observation: how the game stands, then each seat.
COURSE, SEAT = 5, 3 + RANKS
UNKNOWN_SEED = np.uint64(NO_SEED)


class State:
    """A game; all that changes while it is played."""

    seed: U64
    players: I8
    to_move: I8
    over: I8
    points: I8
    mistakes: I8
    signals: I8  # left to the team
    drawn: I8  # how many cards of the deck are in hands or were guessed
    hand: Annotated[Array, "i1", (MAX_PLAYERS,)]  # where in the deck each player's card stands
    told: Annotated[Array, "i1", (MAX_PLAYERS,)]  # what each player was told about it
    deck: Annotated[Array, "i1", (CARDS,)]  # ranks in the order in which they are drawn


class Params:
    """What stays the same in all games with the same options."""

    goal: I8
    memory: I8  # whether observations count the cards that the player has not seen


STATE, PARAMS = record_dtype(State), record_dtype(Params)


@jit
def reset(states: Records, index: int, params: Records, blank: Records, seed: Seed) -> None:
    """Shuffles the deck and deals; the arguments of this and all below: ``engine.contract``."""
    states[index] = blank[0]
    s = states[index]
    s.seed = seed
    for card in range(CARDS):
        s.deck[card] = card // COPIES
    shuffle(s.deck, CARDS, seed, 0)
    begin(states, index)


@jit
def begin(states: Records, index: int) -> None:
    """Starts a game whose deck lies ready."""
    s = states[index]
    s.signals = SIGNALS
    s.drawn = s.players
    for p in range(s.players):
        s.hand[p] = p


@jit
def rank_of(s: State, player: int) -> int:
    """Returns the rank of a player's card."""
    return int(s.deck[s.hand[player]])


@jit
def half_of(rank: int) -> int:
    """Returns what a signal says of a card."""
    return HIGH if rank >= RANKS // 2 else LOW


@jit
def signalled(s: State, action: int) -> int:
    """Returns the player whom a signal is for."""
    return (int(s.to_move) + 1 + action - SIGNAL) % int(s.players)


@jit
def may_signal(s: State, action: int) -> bool:
    """Tells whether there are signals left, and whom the signal is for was told nothing yet."""
    there = action - SIGNAL < s.players - 1
    return there and s.signals > 0 and s.told[signalled(s, action)] == NOTHING


@jit
def legal(s: State, params: Params, out: Array) -> int:
    """Any guess, signals to those who were not told while there are some left, and stop."""
    if s.over:
        return 0
    count = 0
    for action in range(ACTIONS):
        if not SIGNAL <= action < STOP or may_signal(s, action):
            out[count] = action
            count += 1
    return count


@jit
def apply(s: State, params: Params, action: int) -> None:
    """Plays a legal action."""
    player = int(s.to_move)
    if action == STOP:
        s.over = 1
        return
    if action >= SIGNAL:
        other = signalled(s, action)
        s.told[other] = half_of(rank_of(s, other))
        s.signals -= 1
    else:
        if action == rank_of(s, player):
            s.points += 1
        else:
            s.mistakes += 1
        s.hand[player] = s.drawn
        s.told[player] = NOTHING
        s.drawn += 1
        s.over = s.points == params.goal or s.mistakes == MISTAKES
    s.to_move = (player + 1) % int(s.players)


@jit
def move_key(s: State, params: Params, action: int) -> int:
    """The action, but a signal by the seat that it is for."""
    if SIGNAL <= action < STOP:
        return ACTIONS + signalled(s, action)
    return action


@jit
def outcome(s: State, params: Params, points: Array, won: Array) -> None:
    """All have the same points, and win if these are enough."""
    for p in range(s.players):
        points[p] = 0 if s.mistakes == MISTAKES else s.points
        won[p] = s.over and s.points == params.goal


@jit
def is_unseen(s: State, player: int, card: int) -> bool:
    """Tells whether a player has not seen a card of the deck: it is not drawn, or the own one."""
    return card >= s.drawn or card == s.hand[player]


@jit
def count_unseen(s: State, player: int, out: Array) -> None:
    """Counts the cards of each rank that a player has not seen, int64 (RANKS,)."""
    out[:] = 0
    for card in range(CARDS):
        if is_unseen(s, player, card):
            out[s.deck[card]] += 1


@jit
def observe(s: State, params: Params, player: int, out: Array) -> None:
    """Writes what a player sees; seats are counted from the player on."""
    out[:] = 0
    out[0] = int(s.points) / int(params.goal)
    out[1] = int(s.mistakes) / MISTAKES
    out[2] = int(s.signals) / SIGNALS
    out[3] = s.over
    out[4] = s.to_move == player
    for k in range(s.players):
        p = (player + k) % int(s.players)
        place = COURSE + k * SEAT
        out[place + int(s.told[p])] = 1
        if p != player:
            out[place + 3 + rank_of(s, p)] = 1
    if params.memory:
        unseen = np.empty(RANKS, np.int64)
        count_unseen(s, player, unseen)
        for rank in range(RANKS):
            out[COURSE + MAX_PLAYERS * SEAT + rank] = unseen[rank] / COPIES


@jit
def resample_hidden(states: Records, index: int, params: Records, player: int, seed: Seed) -> None:
    """Shuffles all cards that the player cannot see, until the own one is as the player was told.

    They are sorted first, so that their true order leaves no trace.
    """
    s = states[index]
    s.seed = UNKNOWN_SEED
    copies = np.empty(RANKS, np.int64)
    count_unseen(s, player, copies)
    unseen = np.empty(CARDS, np.int8)
    count = 0
    for rank in range(RANKS):
        for _ in range(copies[rank]):
            unseen[count] = rank
            count += 1
    counter = shuffle(unseen, count, seed, 0)
    # The own card is the first of them.
    while s.told[player] != NOTHING and half_of(unseen[0]) != s.told[player]:
        counter = shuffle(unseen, count, seed, counter)
    count = 0
    for card in range(CARDS):
        if is_unseen(s, player, card):
            s.deck[card] = unseen[count]
            count += 1


@jit
def decide(
    s: State,
    params: Params,
    code: int,
    weights: Array,
    legal_actions: Array,
    count: int,
    stream: Seed,
    moves: int,
) -> int:
    """Plays at random (code 0), or helps (code 1).

    Who helps guesses as soon as it was told something, else signals, else guesses anyway: always
    the rank of which the most cards are unseen.
    """
    if code == 0:
        return int(legal_actions[random_below(stream, moves, count)])
    player = int(s.to_move)
    if s.told[player] == NOTHING:
        for k in range(count):
            if SIGNAL <= legal_actions[k] < STOP:
                return int(legal_actions[k])
    unseen = np.empty(RANKS, np.int64)
    count_unseen(s, player, unseen)
    best = -1
    for rank in range(RANKS):
        fits = s.told[player] == NOTHING or half_of(rank) == s.told[player]
        if fits and (best < 0 or unseen[rank] > unseen[best]):
            best = rank
    return GUESS + best
