"""What a search tries first: the move of a scripted policy, or what a network thinks likely."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.contract import decide, observe
from dreamfactory_env.engine.rng import Seed
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.engine.templates import template
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.compiled_network import Arranged, CompiledNetwork, forward
from dreamfactory_env.policies.network import NetworkPolicy

#: A network without hints; the code of a hint policy otherwise.
NO_HINT = -1


class Prior(NamedTuple):
    """Where priors come from, as compiled code takes it.

    Attributes:
        code: The scripted policy that is asked where no network is.
        weights: Its constants, float64 (K,).
        trust: The share of the prior that is the network's, or that of the scripted policy's move;
            all legal moves share the rest.
        guided: Whether a network is asked.
        network: The network; of no size if none is asked.
        hint: The code of the scripted policy whose hints the network observes, or ``NO_HINT``.
        hint_weights: Its constants, float64 (K,).
    """

    code: int
    weights: Array
    trust: float
    guided: bool
    network: Arranged
    hint: int
    hint_weights: Array


class Room(NamedTuple):
    """What is written while a network is asked: one position.

    Attributes:
        seen: Its observation, and behind it the hint, float32 (1, size) or (1, size + actions).
        mask: What is legal, int8 (1, actions).
        logits: float32 (1, actions).
        values: float32 (1, 1).
    """

    seen: Array
    mask: Array
    logits: Array
    values: Array


def make_prior(game: Game, rollout: str, network: NetworkPolicy | None, trust: float) -> Prior:
    """Returns the prior of a game, of a network if one is given, else of a scripted policy.

    Args:
        game: A game with the options that are played.
        rollout: The scripted policy.
        network: A network that was loaded for such a game.
        trust: See :class:`Prior`.
    """
    scripted = list(game.scripted)
    weights = game.scripted[rollout]
    code = scripted.index(rollout)
    if network is None:
        nothing = np.zeros(0, np.float32)
        tables = np.zeros(0, np.int64), np.zeros((0, 7), np.int64), np.zeros((0, 4), np.int64)
        arranged = Arranged(nothing, *tables, False)
        return Prior(code, weights, trust, False, arranged, NO_HINT, weights)
    compiled = CompiledNetwork(game.spec, network.tensors, network.observes_hint)
    hint = scripted.index(network.hint) if network.hint else NO_HINT
    hint_weights = game.scripted[network.hint] if network.hint else weights
    return Prior(code, weights, trust, True, compiled.arranged, hint, hint_weights)


def make_room(game: Game, network: NetworkPolicy | None) -> Room:
    """Returns room for what a network is asked, and says."""
    actions = game.spec.num_actions
    hint = actions if network is not None and network.hint else 0
    return Room(
        np.zeros((1, game.spec.observation.size + hint), np.float32),
        np.zeros((1, actions), np.int8),
        np.zeros((1, actions), np.float32),
        np.zeros((1, 1), np.float32),
    )


@template
def ask(
    prior: Prior,
    room: Room,
    work: Records,
    params: Records,
    buffer: Array,
    stream: Seed,
    moves: int,
    out: Array,
) -> None:
    """Writes the prior of each legal move of the player to move.

    Args:
        prior: Where it comes from.
        room: For the network.
        work: The game, shape (1,).
        params: The components, shape (1,).
        buffer: The legal actions, int32 (moves,) or more.
        stream: Where chance comes from, for a scripted policy that needs it.
        moves: The place in the stream.
        out: Where the priors go, float64 (moves,); they sum to 1.
    """
    s, t, count = work[0], params[0], len(out)
    if not prior.guided:
        favourite = decide(s, t, prior.code, prior.weights, buffer, count, stream, moves)
        for k in range(count):
            out[k] = (1 - prior.trust) / count
            if buffer[k] == favourite:
                out[k] += prior.trust
        return
    actions = room.mask.shape[1]
    seen = room.seen[0, : room.seen.shape[1] - (actions if prior.hint != NO_HINT else 0)]
    observe(s, t, int(s.to_move), seen)
    hinted = 0
    if prior.hint != NO_HINT:
        advice = decide(s, t, prior.hint, prior.hint_weights, buffer, count, stream, moves)
        hinted = len(seen) + int(advice)
        room.seen[0, hinted] = 1
    for k in range(count):
        room.mask[0, buffer[k]] = 1
    forward(prior.network, room.seen, room.mask, room.logits, room.values)
    if prior.hint != NO_HINT:
        room.seen[0, hinted] = 0
    for k in range(count):
        room.mask[0, buffer[k]] = 0
        out[k] = room.logits[0, buffer[k]]
    soften(out, prior.trust)


@jit
def soften(logits: Array, trust: float) -> None:
    """Turns logits into probabilities in place, and gives every move its share of the rest."""
    most, count = logits[0], len(logits)
    for k in range(1, count):
        most = max(most, logits[k])
    total = 0.0
    for k in range(count):
        logits[k] = np.exp(logits[k] - most)
        total += logits[k]
    for k in range(count):
        logits[k] = trust * logits[k] / total + (1 - trust) / count
