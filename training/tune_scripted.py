"""Tunes the constants of a scripted policy by playing: ``python training/tune_scripted.py expert``.

An evolution strategy: each generation draws candidates around a mean, lets each play the same deals
at every seat against the best constants so far, and moves the mean towards the better ones. A mean
that beats the best significantly becomes the best, and is written to weights.yaml. Ctrl-C stops at
any time; the same command resumes from what is in ``runs/``.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.dream_factory.scripted.weights import FILE, POLICIES
from dreamfactory_env.utils.files import atomic_write

RUNS = Path("runs") / "tune_scripted"
COUNTS = (2, 3, 4, 5)
EDITIONS = ("dream_factory", "traumfabrik")
#: Points of margin count a little besides wins: they say more about a small change.
MARGIN = 0.004
SIGNIFICANT = 2.0


@dataclass
class Search:
    """Where a search stands: everything that resuming needs.

    Attributes:
        mean: The logarithms of the constants, the centre of the next candidates.
        spread: The standard deviation of each in the candidates.
        best: The best constants so far.
        generation: How many generations have been played.
    """

    mean: list[float]
    spread: list[float]
    best: list[float]
    generation: int = 0

    @classmethod
    def load(cls, path: Path, start: Array, spread: float) -> Search:
        """Returns the search that a file holds, or a new one around ``start``."""
        if path.exists():
            return cls(**json.loads(path.read_text()))
        logs = np.log(np.maximum(start, 0.01)).tolist()
        return cls(mean=logs, spread=[spread] * len(logs), best=start.tolist())

    def save(self, path: Path) -> None:
        """Writes the search to a file, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, json.dumps(asdict(self)).encode())


def duplicate_results(
    candidates: Array, others: Array, code: int, other_code: int, deals: int, seed: int
) -> Array:
    """Lets candidates play the same deals, each at every seat, alone against ``others``.

    Args:
        candidates: Constants, float64 (m, K).
        others: The constants that all other seats play with, float64 (K,).
        code: The policy of the candidates.
        other_code: The policy of the others.
        deals: How many deals of each player count and edition.
        seed: Where the deals come from.

    Returns:
        For each candidate and deal the mean result over its seats, float64
        (m, len(COUNTS) * len(EDITIONS) * deals): the share of the win, 1 being a fair share, and
        a little for the margin in points over the mean of the others.
    """
    codes = np.array([code] * len(candidates) + [other_code])
    scripted = codes, np.vstack([candidates, others])

    def play(number: int, players: int, edition: str) -> Array:
        game = DreamFactory(players, seed=0, edition=edition)
        rng = np.random.default_rng([seed, number])
        return results_of(game, rng.integers(0, 2**53, deals).astype(np.uint64), scripted)

    tables = [(number, *table) for number, table in enumerate(product(COUNTS, EDITIONS))]
    with ThreadPoolExecutor() as pool:  # compiled code lets other threads run
        results: Array = np.concatenate(list(pool.map(play, *zip(*tables, strict=True))), axis=1)
    return results


def results_of(game: DreamFactory, seeds: Array, scripted: tuple[Array, Array]) -> Array:
    """Lets candidates play some deals, each at every seat, alone against the last policy.

    Args:
        game: A game with the options of all.
        seeds: Of the deals, uint64 (deals,).
        scripted: The codes and constants of the candidates and, at last, of who plays all other
            seats; int64 (m + 1,) and float64 (m + 1, K).

    Returns:
        The results of the candidates, float64 (m, deals).
    """
    players, candidates = game.players, len(scripted[0]) - 1
    axes = np.meshgrid(range(candidates), range(len(seeds)), range(players), indexing="ij")
    who, deal, seat = (axis.ravel() for axis in axes)
    rows = np.arange(len(who))
    settings = Settings(game.spec.payoff(), observing=False)
    batch = GameBatch(game, len(who), settings, arrangements=[], scripted=scripted)
    batch.rows["lineup"] = candidates
    batch.rows["lineup"][rows, seat] = who
    batch.deal(seeds=seeds[deal])  # all seats are scripted: every game is played to its end
    won, points = (batch.rows[name][:, :players].astype(np.int64) for name in ("won", "points"))
    share = players * won[rows, seat] / won.sum(axis=1)
    own = points[rows, seat]
    margin = own - (points.sum(axis=1) - own) / (players - 1)
    result: Array = share + MARGIN * np.clip(margin, -60, 60)
    means: Array = result.reshape(candidates, len(seeds), players).mean(axis=2)
    return means


def draw(search: Search, population: int, rng: np.random.Generator) -> Array:
    """Returns candidates in logarithms, in pairs mirrored at the mean; float64 (m, K)."""
    noise = rng.standard_normal((population // 2, len(search.mean)))
    steps: Array = np.array(search.spread) * np.vstack([noise, -noise])
    return np.array(search.mean) + steps


def move(search: Search, candidates: Array, results: Array) -> None:
    """Moves the mean towards the better half, and adapts the spread of each constant to it."""
    half = len(candidates) // 2
    ranks = np.argsort(-results)[:half]
    pull = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
    pull /= pull.sum()
    mean, spread = np.array(search.mean), np.array(search.spread)
    steps = candidates[ranks] - mean
    search.mean = (mean + 0.7 * pull @ steps).tolist()
    target = np.sqrt(pull @ steps**2)
    search.spread = np.clip(0.9 * spread + 0.1 * target, 0.02, 0.5).tolist()


def write_weights(policy: str, weights: Array) -> None:
    """Writes the constants of a policy into weights.yaml; its comments stay as they are."""
    head, mark, body = FILE.read_text(encoding="utf-8").partition(f"\n{policy}:\n")
    section, blank, rest = body.partition("\n\n")
    names = POLICIES[policy]
    assert names is not None
    for place, name in enumerate(names):
        line = re.compile(rf"(?m)^(  {name.name.lower()}: )\S+( *)")
        value = f"{weights[place]:.4g}"
        section = line.sub(lambda found, v=value: f"{found[1]}{v}{found[2]}", section)  # type: ignore[misc]
    FILE.write_text(head + mark + section + blank + rest, encoding="utf-8")


def tune(
    policy: str,
    generations: int,
    population: int,
    deals: int,
    check: int,
    spread: float,
    against: str | None,
) -> None:
    """Searches for better constants of a policy until all generations are played."""
    names = POLICIES[policy]
    assert names is not None
    known = list(DreamFactory.spec.scripted)
    size = len(names)
    padding = np.zeros(len(DreamFactory.spec.scripted[policy]) - size)
    path = RUNS / f"{policy}.json"
    search = Search.load(path, DreamFactory.spec.scripted[policy][:size], spread)
    code = known.index(policy)

    def play(candidates: Array, deals: int, seed: int, other: str) -> Array:
        rival = np.array(search.best) if other == policy else DreamFactory.spec.scripted[other][:]
        rival = np.concatenate([rival, padding]) if other == policy else rival
        full = np.hstack([candidates, np.tile(padding, (len(candidates), 1))])
        return duplicate_results(full, rival, code, known.index(other), deals, seed)

    while search.generation < generations:
        begin = time.perf_counter()
        seed = search.generation
        candidates = draw(search, population, np.random.default_rng([7, seed]))
        results = play(np.exp(candidates), deals, seed, policy)
        if against:
            results = (results + play(np.exp(candidates), deals, seed, against)) / 2
        move(search, candidates, results.mean(axis=1))
        search.generation += 1
        line = f"{policy} generation {search.generation}: results {results.mean():.3f}"
        if search.generation % 10 == 0:
            challenger = np.exp(np.array([search.mean]))
            gain = play(challenger, check, 10**6 + seed, policy)[0] - 1.0
            error = gain.std() / np.sqrt(len(gain))
            line += f", the mean against the best {1 + gain.mean():.3f} ± {1.96 * error:.3f}"
            if gain.mean() > SIGNIFICANT * error:
                search.best = challenger[0].tolist()
                write_weights(policy, challenger[0])
                line += ", accepted"
        search.save(path)
        print(f"{line} ({time.perf_counter() - begin:.1f} s)", flush=True)


def main() -> None:
    """Reads the command line and tunes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("policy", choices=[name for name, names in POLICIES.items() if names])
    parser.add_argument("--generations", type=int, default=200)
    parser.add_argument("--population", type=int, default=16, help="candidates a generation")
    parser.add_argument("--deals", type=int, default=16, help="of each player count and edition")
    parser.add_argument("--check", type=int, default=300, help="deals for accepting a mean")
    parser.add_argument("--spread", type=float, default=0.2, help="of the first candidates")
    parser.add_argument("--against", help="a policy to play against besides itself")
    arguments = parser.parse_args()
    try:
        tune(**vars(arguments))
    except KeyboardInterrupt:
        print("\nstopped; the same command resumes")


if __name__ == "__main__":
    main()
