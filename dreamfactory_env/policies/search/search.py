"""Searching for a move: budgets, threads and the table of what was found."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import KW_ONLY, dataclass
from html import escape
from typing import Any

import numpy as np

from dreamfactory_env.engine.position import move_keys_at
from dreamfactory_env.engine.returns import Reward
from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.templates import entry_point
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.policies.search.budget import Budget
from dreamfactory_env.policies.search.prior import make_prior
from dreamfactory_env.policies.search.tree import (
    NO_NODE,
    ROOT,
    Settings,
    Tree,
    iterate,
    new_tree,
)
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int, check_word

#: A tree with so many nodes stops growing; its leaves are still played from.
MAX_NODES = 1 << 18
#: How much priors are trusted if nothing is said: a network's, and a scripted policy's.
NETWORK_TRUST, SCRIPTED_TRUST = 0.9, 0.5
#: Nodes for each iteration: one, and those of moves without a choice.
NODES_PER_ITERATION = 4
#: Compiled code runs for about so long before the clock is looked at and Ctrl-C is heard.
CHUNK_SECONDS = 0.02


@dataclass(frozen=True)
class Candidate:
    """A legal move of the position that was searched, and what was found out about it."""

    action: int
    words: str
    visits: int
    #: The mean of each player's return, 0 without visits.
    utilities: tuple[float, ...]
    #: The standard error of each mean as if games were independent, infinite below two visits. They
    #: are not, for the tree learns from them: it is the least that there can be.
    errors: tuple[float, ...] = ()


@dataclass(frozen=True)
class Analysis:
    """What a search has found: its candidates, the most visited first.

    It prints as a table, and a notebook shows it as one.
    """

    player: int
    candidates: tuple[Candidate, ...]
    iterations: int
    decisions: int
    seconds: float

    @property
    def best(self) -> Candidate:
        """The move to play."""
        return self.candidates[0]

    def __str__(self) -> str:
        width = max(len(candidate.words) for candidate in self.candidates)
        head = f"{'move':<{width}}  visits  utility of each player"
        rows = [
            f"{c.words:<{width}}  {c.visits:>6}  {' '.join(f'{u:+.3f}' for u in c.utilities)}"
            for c in self.candidates
        ]
        return "\n".join([head, *rows])

    def _repr_html_(self) -> str:
        """Returns the table for a notebook, the move to play in bold."""
        players = range(len(self.best.utilities))
        head = ["move", "visits", *(f"player {seat}" for seat in players)]
        rows = [
            [escape(c.words), f"{c.visits:,}", *(f"{u:+.3f}" for u in c.utilities)]
            for c in self.candidates
        ]
        rows[0] = [f"<b>{cell}</b>" for cell in rows[0]]
        found = f"player {self.player} to move: {self.iterations:,} iterations"
        return (
            f"<table><caption>{found} in {self.seconds:.2f} s; utility of each player</caption>"
            f"<thead>{_html_row('th', head)}</thead>"
            f"<tbody>{''.join(_html_row('td', row) for row in rows)}</tbody></table>"
        )


def _html_row(tag: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


@dataclass(frozen=True)
class Search:
    """Information-set Monte Carlo tree search.

    Attributes:
        iterations: How many games to play for a move. With the same seed the same position gets
            the same answer, whatever the number of cores.
        seconds: How long to play games for a move instead.
        threads: How many trees grow at once, one in each thread; they share the iterations, and
            each gets the whole time.
        rollout: The scripted policy that plays on from the tree, and is asked first in it; None
            for the one that the game declares.
        cutoff: After so many moves below the tree a game is judged by the points so far; None
            plays to the end.
        exploration: How much a move with few visits is tried. Returns are between about -1 and 1.
        network: A network whose probabilities are the prior of the moves in the tree; None for the
            move of the scripted policy alone.
        trust: The share of the prior that is the network's, or goes to the move of the scripted
            policy, 0 to 1; None for 0.9 with a network and 0.5 without.
        reward: What a game is worth, one of the game's rewards.
        seed: Where all random numbers come from.

    Raises:
        OptionError: One of them is out of its range.
    """

    iterations: int | None = None
    _: KW_ONLY
    seconds: float | None = None
    threads: int = 1
    rollout: str | None = None
    cutoff: int | None = None
    exploration: float = 0.5
    network: NetworkPolicy | None = None
    trust: float | None = None
    reward: str = "score"
    seed: int = 0

    def __post_init__(self) -> None:
        Budget(self.iterations, self.seconds)
        for name, value in (("threads", self.threads), ("cutoff", self.cutoff)):
            if value is not None and (as_int(value) or 0) < 1:
                raise OptionError(f"{name} must be at least 1, not {value!r}")
        if self.trust is not None and not 0 <= self.trust <= 1:
            raise OptionError(f"trust must be from 0 to 1, not {self.trust!r}")
        if not 0 <= self.exploration < float("inf"):
            raise OptionError(f"exploration must be at least 0, not {self.exploration!r}")
        check_word("reward", self.reward, [reward.name.lower() for reward in Reward])
        check_seed(self.seed)

    def choose(self, game: Game, seat_seed: int = 0) -> int:
        """Returns the action to play for the player to move.

        Args:
            game: The position; not changed. Nothing in it that the player cannot know matters.
            seat_seed: Of the player's chance in this game; joins the seed of the search.

        Raises:
            OptionError: The game is over.
        """
        actions = list(game.legal_actions().values())
        return actions[0] if len(actions) == 1 else self.analyse(game, seat_seed).best.action

    def analyse(self, game: Game, seat_seed: int = 0) -> Analysis:
        """Returns what a search finds out about each legal move of the player to move.

        Raises:
            OptionError: The game is over, or has no such scripted policy or reward.
        """
        player = game.to_move
        if player is None:
            raise OptionError("there is nothing to search: the game is over")
        check_word("rollout", self.rollout or game.spec.rollout, list(game.scripted))
        begin = time.perf_counter()
        trees = self._grow(game, player, seat_seed)
        seconds = time.perf_counter() - begin
        candidates = _candidates(game, trees)
        candidates.sort(key=lambda c: (-c.visits, -c.utilities[player], c.action))
        return Analysis(
            player=player,
            candidates=tuple(candidates),
            iterations=sum(int(tree.nodes[ROOT]["visits"]) for tree in trees),
            decisions=sum(int(tree.used[1]) for tree in trees),
            seconds=seconds,
        )

    def _grow(self, game: Game, player: int, seat_seed: int) -> list[Tree]:
        """Returns a grown tree for each thread."""
        seed = derive_seed(derive_seed(np.uint64(self.seed), check_seed(seat_seed)), 0)
        # From here on nobody holds what the player cannot know.
        root = game.resample_hidden(player, int(seed))
        rollout = self.rollout or game.spec.rollout
        settings = Settings(
            code=list(game.scripted).index(rollout),
            weights=game.scripted[rollout],
            exploration=float(self.exploration),
            prior=make_prior(game, rollout, self.network, self._trust),
            payoff=game.spec.payoff(self.reward),
            cutoff=self.cutoff or game.spec.max_length,
        )
        shares = self._shares()
        room = [
            MAX_NODES if n is None else min(NODES_PER_ITERATION * n + 1, MAX_NODES) for n in shares
        ]
        trees = [new_tree(root, capacity, self.network) for capacity in room]
        # Compiled, if need be, before the clock starts.
        given = (settings, root.states, root.params, player)
        iterated = entry_point(iterate, game.kernels, trees[0], *given, np.uint64(seed), 1)
        stop = threading.Event()

        def grow(worker: int) -> None:
            stream = np.uint64(derive_seed(seed, worker + 1))
            for chunk in self._chunks(shares[worker], stop):
                iterated(trees[worker], *given, stream, chunk)

        if self.threads == 1:
            grow(0)
            return trees
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                workers = [pool.submit(grow, worker) for worker in range(self.threads)]
                while wait(workers, timeout=CHUNK_SECONDS).not_done:
                    pass  # a wait without an end would not hear Ctrl-C everywhere
                for worker in workers:
                    worker.result()
            finally:
                stop.set()
        return trees

    @property
    def _trust(self) -> float:
        """How much the prior is trusted."""
        if self.trust is not None:
            return float(self.trust)
        return SCRIPTED_TRUST if self.network is None else NETWORK_TRUST

    def _shares(self) -> list[int | None]:
        """Returns the iterations of each thread, None for as many as the time allows."""
        total = self.iterations
        if total is None:
            return [None] * self.threads
        return [(total + worker) // self.threads for worker in range(self.threads)]

    def _chunks(self, iterations: int | None, stop: threading.Event) -> Iterator[int]:
        """Gives numbers of iterations until the budget is used up, each a short time's work."""
        deadline = time.perf_counter() + (self.seconds or np.inf)
        chunk, done = 1, 0
        begin = time.perf_counter()
        while not stop.is_set() and begin < deadline and (iterations is None or done < iterations):
            if iterations is not None:
                chunk = min(chunk, iterations - done)
            yield chunk
            done += chunk
            now = time.perf_counter()
            wanted = chunk * CHUNK_SECONDS / max(now - begin, 1e-6)
            chunk = int(min(max(wanted, 1), 4 * chunk))
            begin = now


def _candidates(game: Game, trees: list[Tree]) -> list[Candidate]:
    """Returns the legal moves with what all trees say about them."""
    legal = game.legal_actions()
    actions = np.array(list(legal.values()), np.int32)
    keys = np.empty(len(actions), np.int64)
    game.compiled(move_keys_at)(game.states, 0, game.params, actions, len(actions), keys)
    place = {int(key): k for k, key in enumerate(keys)}
    visits = np.zeros(len(actions), np.int64)
    totals = np.zeros((len(actions), game.players))
    squares = np.zeros((len(actions), game.players))
    for tree in trees:
        child = int(tree.nodes[ROOT]["child"])
        while child != NO_NODE:
            node: Any = tree.nodes[child]
            k = place[int(node["key"])]
            visits[k] += int(node["visits"])
            totals[k] += tree.totals[child]
            squares[k] += tree.squares[child]
            child = int(node["sibling"])
    counts = np.maximum(visits, 1)[:, None]
    means = totals / counts
    variances = (squares - counts * means**2).clip(0) / np.maximum(counts - 1, 1)
    errors = np.where(counts > 1, np.sqrt(variances / counts), np.inf)
    return [
        Candidate(
            action, words, int(visits[k]), tuple(means[k].tolist()), tuple(errors[k].tolist())
        )
        for k, (words, action) in enumerate(legal.items())
    ]
