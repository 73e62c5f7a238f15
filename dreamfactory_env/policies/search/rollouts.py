"""Moves of one position compared by games over the same deals, played on by a scripted policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dreamfactory_env.engine.contract import apply, decide, legal, outcome, resample_hidden
from dreamfactory_env.engine.rng import Seed, derive_seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.engine.templates import template
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.utils.errors import OptionError

#: So many deals are played between two looks at Ctrl-C; some milliseconds.
CHUNK = 16


class Outcomes(NamedTuple):
    """How games ended that began with different moves on the same deals.

    Attributes:
        points: Of each player, int32 (deals, moves, players).
        won: 1 for each winner, int8 (deals, moves, players).
    """

    points: Array
    won: Array


class Job(NamedTuple):
    """What is to be played, as compiled code takes it."""

    player: int  # who moves, and from whom hidden things are redrawn
    actions: Array  # int32 (moves,), what is compared
    code: int  # the scripted policy that plays on
    weights: Array  # its constants
    work: Records  # the game that is played, shape (1,)
    buffer: Array  # int32 (actions,), the legal actions
    points: Array  # int32 (deals, moves, players)
    won: Array  # int8 (deals, moves, players)


@template
def play_deals(job: Job, root: Records, params: Records, seed: Seed, first: int) -> None:
    """Plays every move on each of some deals to the end of the game.

    Args:
        job: What is played, and where the outcomes go.
        root: The position, shape (1,).
        params: The components, shape (1,).
        seed: Where the deals come from, uint64.
        first: The number of the first deal.
    """
    for n in range(len(job.points)):
        stream = derive_seed(seed, first + n)
        for k in range(len(job.actions)):
            job.work[0] = root[0]
            resample_hidden(job.work, 0, params, job.player, stream)
            s, t = job.work[0], params[0]
            apply(s, t, job.actions[k])
            moves = 1
            count = legal(s, t, job.buffer)
            while count > 0:
                chance = derive_seed(stream, 1)
                action = decide(s, t, job.code, job.weights, job.buffer, count, chance, moves)
                apply(s, t, action)
                moves += 1
                count = legal(s, t, job.buffer)
            outcome(s, t, job.points[n, k], job.won[n, k])


def play_moves(
    game: Game, actions: Sequence[int], deals: int, seed: int, first: int = 0
) -> Outcomes:
    """Plays moves of the player to move on the same deals, and on to the end of the game.

    A deal is a redraw of everything that the player cannot know. All moves get the same deals and
    the same random numbers, and the game's rollout policy plays on for everybody, so differences
    between moves are paired, and luck weighs less.

    Args:
        game: The position; not changed. Nothing in it that the player cannot know matters.
        actions: The legal actions that are compared.
        deals: How many deals.
        seed: Where they come from.
        first: The number of the first of them, to go on where others have stopped.

    Raises:
        OptionError: The game is over, or an action is not legal.
    """
    player = game.to_move
    if player is None:
        raise OptionError("there is nothing to play: the game is over")
    legal_now = game.legal_actions().values()
    for action in actions:
        if action not in legal_now:
            raise game.illegal_move(action)
    stream = np.uint64(check_seed(seed))
    # From here on nobody holds what the player cannot know.
    root = game.resample_hidden(player, int(stream))
    shape = (deals, len(actions), game.players)
    outcomes = Outcomes(np.zeros(shape, np.int32), np.zeros(shape, np.int8))
    rollout = game.spec.rollout
    job = Job(
        player=player,
        actions=np.array(actions, np.int32),
        code=list(game.scripted).index(rollout),
        weights=game.scripted[rollout],
        work=game.blank(),
        buffer=np.empty(game.spec.num_actions, np.int32),
        points=outcomes.points,
        won=outcomes.won,
    )
    play = game.compiled(play_deals)
    for begin in range(0, deals, CHUNK):
        part = slice(begin, begin + CHUNK)
        chunk = job._replace(points=outcomes.points[part], won=outcomes.won[part])
        play(chunk, root.states, root.params, stream, first + begin)
    return outcomes
