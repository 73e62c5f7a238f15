"""Random play with the bare rules: list the legal moves, choose one, play it, deal anew."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from dreamfactory_env.engine.contract import apply, legal, reset
from dreamfactory_env.engine.rng import Seed, derive_seed, random_below
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.engine.templates import template
from dreamfactory_env.games.game import Game


@template
def random_decisions(
    states: Records, params: Records, blank: Records, buffer: Array, seed: Seed, span: Array
) -> None:
    """Makes random decisions in each game of a batch, dealing a new game whenever one is over.

    Args:
        states: The batch.
        params: The components, shape (1,).
        blank: A state before the deal, shape (1,).
        buffer: Room for the legal actions, int32.
        seed: Where the decisions and the new games come from, uint64.
        span: The number of the first game, of the first decision and of the last, int64 (3,).
    """
    for index in range(len(states)):
        s, t = states[index], params[0]
        stream = derive_seed(seed, index + span[0])
        for k in range(span[1], span[2]):
            count = legal(s, t, buffer)
            if count == 0:
                reset(states, index, params, blank, derive_seed(stream, k))
                count = legal(s, t, buffer)
            apply(s, t, buffer[random_below(stream, k, count)])


def play_at_random(
    game: Game, states: Records, first: int, decisions: int, threads: int = 1
) -> None:
    """Makes random decisions in each game of a batch, the games spread over threads.

    Compiled code runs without the interpreter's lock, so plain threads do.

    Args:
        game: A game with the options of all.
        states: The batch; it is changed.
        first: How many decisions were made in each game before.
        decisions: How many to make in each game.
        threads: How many threads.
    """
    edges = [len(states) * part // threads for part in range(threads + 1)]
    run = game.compiled(random_decisions)

    def play(part: int) -> None:
        buffer = np.empty(game.spec.num_actions, np.int32)
        span = np.array([edges[part], first, first + decisions])
        mine = states[edges[part] : edges[part + 1]]
        run(mine, game.params, game.blank(), buffer, np.uint64(9), span)

    if threads == 1:
        play(0)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, range(threads)))
