"""The search tree and one iteration of the search, the same for every game, compiled for each.

A node stands for a sequence of moves from the position that is searched. A move is known by its
key and not by its action number, so that *the tile at place 0* is another move in every deal
in which another tile lies there. What is hidden is redrawn in every iteration, so a node gathers
the games of many deals, and not every one of its children can be played in each.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.contract import (
    apply,
    decide,
    legal,
    move_key,
    outcome,
    resample_hidden,
)
from dreamfactory_env.engine.returns import Payoff, write_returns
from dreamfactory_env.engine.rng import Seed, derive_seed
from dreamfactory_env.engine.structs import I32, Array, Records, record_dtype
from dreamfactory_env.engine.templates import template
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.policies.search.prior import Prior, Room, ask, make_room

ROOT = 0
NO_NODE = -1


class Node:
    """One node of the tree; the sums of its returns stand in an array of their own."""

    key: Annotated[int, "i8"]  # the key of the move that leads here
    visits: I32
    available: I32  # how often the move could be played when its parent was visited
    child: I32  # its first child, NO_NODE if there is none
    sibling: I32  # the next child of its parent


NODE = record_dtype(Node)


class Tree(NamedTuple):
    """Everything an iteration writes to, made once before the search."""

    nodes: Records  # NODE (capacity,)
    totals: Array  # float64 (capacity, players), sums of returns
    squares: Array  # float64 (capacity, players), sums of their squares
    used: Array  # int64 (2,): nodes in use, decisions made so far
    work: Records  # the game that is played, shape (1,)
    path: Array  # int32 (longest game + 1,), the nodes of this iteration
    buffer: Array  # int32 (actions,), the legal actions
    keys: Array  # int64 (actions,), their move keys
    found: Array  # int32 (actions,), their nodes or NO_NODE
    priors: Array  # float64 (2, actions), of the moves of the root, and of another node
    room: Room  # for a network
    points: Array  # int32 (players,)
    won: Array  # int8 (players,)
    returns: Array  # float64 (players,), what the game was worth to each


class Settings(NamedTuple):
    """How to search, as compiled code takes it."""

    code: int  # the scripted policy that plays the games to their end
    weights: Array  # its constants
    exploration: float
    prior: Prior
    payoff: Payoff
    cutoff: int


def new_tree(game: Game, capacity: int, network: NetworkPolicy | None = None) -> Tree:
    """Returns a tree with nothing but its root.

    Args:
        game: The game.
        capacity: How many nodes there is room for.
        network: The network that is asked for priors, None if none is.
    """
    nodes = np.zeros(capacity, NODE)
    nodes["child"][ROOT] = nodes["sibling"][ROOT] = NO_NODE
    used = np.zeros(2, np.int64)
    used[0] = 1
    return Tree(
        nodes=nodes,
        totals=np.zeros((capacity, game.players)),
        squares=np.zeros((capacity, game.players)),
        used=used,
        work=game.blank(),
        path=np.empty(game.spec.max_length + 1, np.int32),
        buffer=np.empty(game.spec.num_actions, np.int32),
        keys=np.empty(game.spec.num_actions, np.int64),
        found=np.empty(game.spec.num_actions, np.int32),
        priors=np.empty((2, game.spec.num_actions)),
        room=make_room(game, network),
        points=np.empty(game.players, np.int32),
        won=np.empty(game.players, np.int8),
        returns=np.empty(game.players),
    )


# ---------------------------------------------------------------------------- the tree


@jit
def add_node(tree: Tree, parent: int, key: int) -> int:
    """Adds a child to a node and returns it, NO_NODE if there is no room left."""
    nodes = tree.nodes
    node = int(tree.used[0])
    if node == len(nodes):
        return NO_NODE
    tree.used[0] += 1
    nodes[node].key = key
    nodes[node].child = NO_NODE
    nodes[node].sibling = nodes[parent].child
    nodes[parent].child = node
    # It could be played as often as anybody looked, as far as we know.
    nodes[node].available = int(nodes[parent].visits) + 1
    return node


@jit
def find_children(tree: Tree, node: int, count: int) -> None:
    """Finds the nodes of the ``count`` moves that can be played now, and counts them available."""
    for k in range(count):
        tree.found[k] = NO_NODE
    child = int(tree.nodes[node].child)
    while child != NO_NODE:
        for k in range(count):
            if tree.keys[k] == tree.nodes[child].key:
                tree.found[k] = child
                tree.nodes[child].available = int(tree.nodes[child].available) + 1
                break
        child = int(tree.nodes[child].sibling)


@jit
def most_promising(
    tree: Tree, settings: Settings, node: int, mover: int, count: int, priors: Array
) -> int:
    """Returns the place of the move to try: a high mean return, or a prior beyond its visits.

    So of fifty bids few are tried before they are worth it. A move without visits is taken to be as
    good as its parent.
    """
    visits_here = int(tree.nodes[node].visits)
    mean_here = tree.totals[node, mover] / max(visits_here, 1)
    best, best_promise = 0, -np.inf
    for k in range(count):
        child = tree.found[k]
        visits, available, mean = 0, visits_here + 1, mean_here
        if child != NO_NODE:
            visits = int(tree.nodes[child].visits)
            available = int(tree.nodes[child].available)
            if visits > 0:
                mean = tree.totals[child, mover] / visits
        promise = mean + settings.exploration * priors[k] * np.sqrt(available) / (1 + visits)
        if promise > best_promise:
            best, best_promise = k, promise
    return best


@jit
def back_up(tree: Tree, length: int) -> None:
    """Counts a game for every node on its path."""
    for step in range(length):
        node = tree.path[step]
        tree.nodes[node].visits = int(tree.nodes[node].visits) + 1
        for p in range(tree.totals.shape[1]):
            tree.totals[node, p] += tree.returns[p]
            tree.squares[node, p] += tree.returns[p] ** 2


# ---------------------------------------------------------------------------- with a game's rules


@template
def look(tree: Tree, params: Records, node: int) -> int:
    """Lists the legal moves, their move keys and their nodes; returns how many."""
    s, t = tree.work[0], params[0]
    count = legal(s, t, tree.buffer)
    for k in range(count):
        tree.keys[k] = move_key(s, t, tree.buffer[k])
    find_children(tree, node, count)
    return count


@template
def select(
    tree: Tree, settings: Settings, params: Records, node: int, count: int, stream: Seed, moves: int
) -> int:
    """Returns the place of the move to try."""
    if count == 1:
        return 0
    prior, at_root = settings.prior, node == ROOT
    priors = tree.priors[0 if at_root else 1, :count]
    # What a network says of the root is the same in every iteration.
    if not (at_root and prior.guided and tree.nodes[ROOT].visits > 0):
        ask(prior, tree.room, tree.work, params, tree.buffer, stream, moves, priors)
    return most_promising(tree, settings, node, int(tree.work[0].to_move), count, priors)


@template
def descend(
    tree: Tree, settings: Settings, params: Records, count: int, k: int, stream: Seed
) -> int:
    """Goes down the tree, the first move chosen, and adds a node; returns the path's length."""
    node, length = ROOT, 1
    tree.path[0] = ROOT
    while True:
        child = int(tree.found[k])
        is_new = child == NO_NODE
        if is_new:
            child = add_node(tree, node, int(tree.keys[k]))
        apply(tree.work[0], params[0], tree.buffer[k])
        tree.used[1] += 1
        if child == NO_NODE:
            return length
        node = child
        tree.path[length] = node
        length += 1
        # A move without a choice is no place to stop at.
        if is_new and count > 1:
            return length
        count = look(tree, params, node)
        if count == 0:
            return length
        k = select(tree, settings, params, node, count, stream, length)


@template
def roll_out(tree: Tree, settings: Settings, params: Records, stream: Seed, moves: int) -> None:
    """Plays the game to its end, or as far as the cutoff, by the scripted policy."""
    s, t = tree.work[0], params[0]
    last = moves + settings.cutoff
    count = legal(s, t, tree.buffer)
    while count > 0 and moves < last:
        action = decide(s, t, settings.code, settings.weights, tree.buffer, count, stream, moves)
        apply(s, t, action)
        moves += 1
        tree.used[1] += 1
        count = legal(s, t, tree.buffer)


@template
def iterate(
    tree: Tree,
    settings: Settings,
    root: Records,
    params: Records,
    player: int,
    seed: Seed,
    iterations: int,
) -> None:
    """Plays some games down the tree and on to their end.

    The moves of the player who searches do not depend on what is hidden from them, so the first
    one is chosen before the redraw. The n-th game of each gets the n-th redraw: moves are compared
    over the same deals, and luck weighs less.

    Args:
        tree: What is known so far.
        settings: How to search.
        root: The position, shape (1,).
        params: The components, shape (1,).
        player: Who searches, the player to move.
        seed: Where the redraws come from, uint64.
        iterations: How many games.
    """
    for _ in range(iterations):
        tree.work[0] = root[0]
        count = look(tree, params, ROOT)
        k = select(tree, settings, params, ROOT, count, seed, int(tree.nodes[ROOT].visits))
        first = tree.found[k]
        stream = derive_seed(seed, int(tree.nodes[first].visits) if first != NO_NODE else 0)
        resample_hidden(tree.work, 0, params, player, stream)
        length = descend(tree, settings, params, count, k, derive_seed(stream, 0))
        roll_out(tree, settings, params, derive_seed(stream, 1), length)
        outcome(tree.work[0], params[0], tree.points, tree.won)
        write_returns(settings.payoff, tree.points, tree.won, tree.returns)
        back_up(tree, length)
