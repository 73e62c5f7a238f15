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
from dreamfactory_env.engine.rng import NO_SEED, Seed, random_below, shuffle
from dreamfactory_env.engine.structs import (
    I8,
    U64,
    Array,
    Between,
    Records,
    record_dtype,
    record_ranges,
)

MAX_PLAYERS, RANKS, COPIES = 3, 4, 4
CARDS = RANKS * COPIES
SIGNALS, MISTAKES, MAX_GOAL = 4, 3, 4
#: The actions: a guess for each rank, a signal for each of the others in turn order, and stop.
GUESS, SIGNAL, STOP = 0, RANKS, RANKS + MAX_PLAYERS - 1
ACTIONS = STOP + 1
#: What a player was told about the own card: nothing, that it is low, or that it is high.
NOTHING, LOW, HIGH = 0, 1, 2
#: The numbers of an observation: how the game stands, then each seat.
COURSE, SEAT = 5, 3 + RANKS


class State:
    """A game; all that changes while it is played."""

    seed: U64
    players: Annotated[I8, Between(2, MAX_PLAYERS)]
    to_move: Annotated[I8, Between(0, MAX_PLAYERS - 1)]
    over: Annotated[I8, Between(0, 1)]
    points: Annotated[I8, Between(0, MAX_GOAL)]
    mistakes: Annotated[I8, Between(0, MISTAKES)]
    signals: Annotated[I8, Between(0, SIGNALS)]  # left to the team
    # how many cards of the deck are in hands or were guessed
    drawn: Annotated[I8, Between(0, CARDS)]
    # where in the deck each player's card stands
    hand: Annotated[Array, "i1", (MAX_PLAYERS,), Between(0, CARDS - 1)]
    # what each player was told about it
    told: Annotated[Array, "i1", (MAX_PLAYERS,), Between(0, 2)]
    # ranks in the order in which they are drawn
    deck: Annotated[Array, "i1", (CARDS,), Between(0, RANKS - 1)]


class Params:
    """What stays the same in all games with the same options: the options of these names."""

    goal: I8
    memory: I8


STATE, PARAMS = record_dtype(State), record_dtype(Params)
RANGES = record_ranges(State)


@jit
def reset(states: Records, index: int, params: Records, blank: Records, seed: Seed) -> None:
    """Shuffles the deck and deals; the arguments of this and all below: ``engine.contract``."""
    states[index] = blank[0]
    s = states[index]
    s.seed, s.signals, s.drawn = seed, SIGNALS, s.players
    for p in range(s.players):
        s.hand[p] = p
    for card in range(CARDS):
        s.deck[card] = card // COPIES
    shuffle(s.deck, CARDS, seed, 0)


@jit
def rank_of(s: State, player: int) -> int:
    """Returns the rank of a player's card."""
    return int(s.deck[s.hand[player]])


@jit
def signalled(s: State, action: int) -> int:
    """Returns the player whom a signal is for."""
    return (int(s.to_move) + 1 + action - SIGNAL) % int(s.players)


@jit
def legal(s: State, params: Params, out: Array) -> int:
    """Any guess, signals to those who were not told while there are some left, and stop."""
    count = 0
    for action in range(0 if s.over else ACTIONS):
        if SIGNAL <= action < STOP:
            there = action - SIGNAL < s.players - 1
            if not there or s.signals == 0 or s.told[signalled(s, action)] != NOTHING:
                continue
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
        s.told[other] = HIGH if rank_of(s, other) >= RANKS // 2 else LOW
        s.signals -= 1
    else:
        right = action == rank_of(s, player)
        s.points += right
        s.mistakes += not right
        s.over = s.points == params.goal or s.mistakes == MISTAKES
        s.told[player], s.hand[player] = NOTHING, s.drawn
        s.drawn += 1
    s.to_move = (player + 1) % int(s.players)


@jit
def move_key(s: State, params: Params, action: int) -> int:
    """The action, but a signal by the seat that it is for."""
    return ACTIONS + signalled(s, action) if SIGNAL <= action < STOP else action


@jit
def outcome(s: State, params: Params, points: Array, won: Array) -> None:
    """All have the same points, and win if these are enough."""
    points[:] = 0 if s.mistakes == MISTAKES else s.points
    won[:] = s.points == params.goal


@jit
def count_unseen(s: State, player: int) -> Array:
    """Returns how many cards of each rank a player has not seen: those to come, and the own."""
    copies = np.zeros(RANKS, np.int64)
    copies[rank_of(s, player)] += 1
    for card in range(s.drawn, CARDS):
        copies[s.deck[card]] += 1
    return copies


@jit
def possible(s: State, player: int) -> tuple[int, int]:
    """Returns the first rank that a player's card can have by what was told, and the one behind."""
    half = RANKS // 2
    return half if s.told[player] == HIGH else 0, half if s.told[player] == LOW else RANKS


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
        out[COURSE + MAX_PLAYERS * SEAT :] = count_unseen(s, player) / COPIES


@jit
def draw(copies: Array, first: int, stop: int, seed: Seed, counter: int) -> int:
    """Takes one of the cards that are left of some ranks, each alike; returns its rank."""
    number = random_below(seed, counter, copies[first:stop].sum())
    rank = first
    while number >= copies[rank]:
        number -= copies[rank]
        rank += 1
    copies[rank] -= 1
    return rank


@jit
def resample_hidden(states: Records, index: int, params: Records, player: int, seed: Seed) -> None:
    """Draws the own card from all that it can be, and then the deck, from what is unseen."""
    s = states[index]
    s.seed = NO_SEED
    unseen = count_unseen(s, player)
    first, stop = possible(s, player)
    s.deck[s.hand[player]] = draw(unseen, first, stop, seed, 0)
    for card in range(s.drawn, CARDS):
        s.deck[card] = draw(unseen, 0, RANKS, seed, card)


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
        for action in legal_actions[:count]:
            if SIGNAL <= action < STOP:
                return int(action)
    first, stop = possible(s, player)
    return GUESS + first + int(count_unseen(s, player)[first:stop].argmax())
