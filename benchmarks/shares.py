"""What a step of the self-play batch is made of: the bare kernels over the same games.

Games of random play are noted once and then played again, at first only by the rules, then with
the legal moves and the mask, then with the observation: the differences are the shares.
"""

from __future__ import annotations

import numpy as np

from benchmarks.measuring import best_rate
from dreamfactory_env.engine.contract import apply, legal, observe_cached, reset
from dreamfactory_env.engine.rng import derive_seed, random_below
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.engine.templates import template
from dreamfactory_env.games.game import Game

#: How much of a step is played.
RULES, LEGAL, OBSERVED = 0, 1, 2
DECISIONS = 400  # of each game
DEAL = -1  # noted instead of an action where a game was over
SEED = np.uint64(1)


@template
def note_games(
    states: Records, params: Records, blank: Records, buffer: Array, noted: Array
) -> None:
    """Plays games at random, and notes the actions, int32 (decisions, games)."""
    for k in range(len(noted)):
        for index in range(len(states)):
            count = legal(states[index], params[0], buffer)
            place = k * len(states) + index
            if count == 0:
                reset(states, index, params, blank, derive_seed(SEED, place))
                noted[k, index] = DEAL
            else:
                noted[k, index] = buffer[random_below(SEED, place, count)]
                apply(states[index], params[0], noted[k, index])


@template
def play_again(
    games: tuple[Records, Records, Array, Array],
    params: Records,
    blank: Records,
    buffer: Array,
    noted: Array,
    much: int,
) -> None:
    """Plays noted games again, with as much of a step as is asked for.

    Args:
        games: The states, the caches, the observations and the masks of a batch.
        params: The components, shape (1,).
        blank: A state before the deal, shape (1,).
        buffer: Room for the legal actions, int32.
        noted: The actions, int32 (decisions, games).
        much: RULES, LEGAL or OBSERVED.
    """
    states, caches, observations, masks = games
    t = params[0]
    for k in range(len(noted)):
        for index in range(len(states)):
            s = states[index]
            if noted[k, index] == DEAL:
                reset(states, index, params, blank, derive_seed(SEED, k * len(states) + index))
            else:
                apply(s, t, noted[k, index])
            if much >= LEGAL:
                mask = masks[index]
                mask[:] = 0
                for place in range(legal(s, t, buffer)):
                    mask[buffer[place]] = 1
            if much >= OBSERVED:
                observe_cached(s, t, int(s.to_move), caches[index], observations[index])


def kernel_nanoseconds(game: Game, count: int) -> tuple[float, float, float]:
    """Returns what rules, legal moves with mask, and observation take for a decision.

    Args:
        game: A game with the options of all.
        count: How many games are played side by side.
    """
    spec, blank = game.spec, game.blank()
    dealt = np.repeat(blank, count)
    for index in range(count):
        game.kernels.reset(dealt, index, game.params, blank, np.uint64(index))
    buffer = np.empty(spec.num_actions, np.int32)
    noted = np.empty((DECISIONS, count), np.int32)
    game.compiled(note_games)(dealt.copy(), game.params, blank, buffer, noted)
    games = (
        dealt.copy(),
        np.zeros(count, game.kernels.cache_dtype),
        np.zeros((count, spec.observation.size), np.float32),
        np.zeros((count, spec.num_actions), np.int8),
    )
    run = game.compiled(play_again)

    def nanoseconds(much: int) -> float:
        def play() -> int:
            games[0][:] = dealt
            run(games, game.params, blank, buffer, noted, much)
            return noted.size

        return 1e9 / best_rate(play)

    rules, listed, observed = (nanoseconds(much) for much in (RULES, LEGAL, OBSERVED))
    return rules, listed - rules, observed - listed
