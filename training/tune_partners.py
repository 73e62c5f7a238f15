"""Tunes the constants of a scripted policy of Faux Raccords: ``python training/tune_partners.py``.

An evolution strategy, mode by mode: each generation draws candidates around a mean, lets a table of
each play the same deals, and moves the mean towards the better ones. A mean that plays better than
the constants so far, on deals of its own, is written to weights.yaml. Deals come from other seeds
than those of benchmarks.
"""

from __future__ import annotations

import argparse
import re
import time

import numpy as np

from dreamfactory_env import FauxRaccords
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.faux_raccords.scripted.weights import BY_MODE, FILE, POLICIES, Weight
from dreamfactory_env.games.faux_raccords.state import Mode

MODES = [mode.name.lower() for mode in Mode]
COUNTS = (2, 3, 4)
#: What a win is worth besides its graded score, 1.
WIN = 0.5
SIGNIFICANT = 1.0
#: Tuning draws its deals from here on.
SEEDS = 10**9


def results_of(policy: str, mode: str, candidates: Array, deals: int, seed: int) -> Array:
    """Lets tables of candidates play the same deals.

    Args:
        policy: Whose constants they are.
        mode: The mode.
        candidates: Constants of the mode, float64 (m, K).
        deals: How many deals of each player count.
        seed: Where the deals come from.

    Returns:
        What each candidate has got in each deal, float64 (m, len(COUNTS) * deals).
    """
    code = list(POLICIES).index(policy)
    weights = np.tile(FauxRaccords.spec.scripted[policy], (len(candidates), 1))
    at = BY_MODE * MODES.index(mode)
    weights[:, at : at + candidates.shape[1]] = candidates
    found = []
    for players in COUNTS:
        game = FauxRaccords(players, seed=0, mode=mode, memory="perfect")
        who = np.repeat(np.arange(len(candidates)), deals)
        settings = Settings(game.spec.payoff(), observing=False)
        scripted = np.full(len(candidates), code), weights
        batch = GameBatch(game, len(who), settings, arrangements=[], scripted=scripted)
        batch.rows["lineup"] = who[:, None]
        rng = np.random.default_rng([SEEDS, seed, players])
        batch.deal(seeds=np.tile(rng.integers(0, 2**53, deals), len(candidates)).astype(np.uint64))
        result = batch.rows["points"][:, 0] / 100.0 + WIN * batch.rows["won"][:, 0]
        found.append(result.reshape(len(candidates), deals))
    return np.concatenate(found, axis=1)


def write_weights(policy: str, mode: str, weights: Array) -> None:
    """Writes the constants of a policy for a mode into weights.yaml."""
    head, mark, body = FILE.read_text(encoding="utf-8").partition(f"\n{policy}:\n")
    section, blank, rest = body.partition("\n\n")
    for name in POLICIES[policy]:
        line = re.compile(rf"(?m)^  {name.name.lower()}: \[(.*)\]$")
        found = line.search(section)
        assert found is not None
        numbers = found[1].split(", ")
        numbers[MODES.index(mode)] = f"{weights[name]:.3g}"
        new = f"  {name.name.lower()}: [{', '.join(numbers)}]"
        section = section[: found.start()] + new + section[found.end() :]
    FILE.write_text(head + mark + section + blank + rest, encoding="utf-8")


def tune(policy: str, mode: str, generations: int, population: int, deals: int) -> None:
    """Searches for better constants of a policy in a mode."""
    size = len(POLICIES[policy])
    at = BY_MODE * MODES.index(mode)
    start = FauxRaccords.spec.scripted[policy][at : at + size].copy()
    free = np.array([name not in (Weight.SURE, Weight.RANGE) for name in POLICIES[policy]])
    mean, spread = np.log(np.maximum(start, 0.05)), np.where(free, 0.35, 0.0)
    fixed = np.where(free, 0.0, start)
    begin = time.perf_counter()

    def constants(logs: Array) -> Array:
        return np.where(free, np.exp(logs), fixed)

    for generation in range(generations):
        rng = np.random.default_rng([7, generation])
        noise = rng.standard_normal((population // 2, size))
        steps = spread * np.vstack([noise, -noise])
        results = results_of(policy, mode, constants(mean + steps), deals, generation)
        best = np.argsort(-results.mean(axis=1))[: population // 2]
        pull = np.log(len(best) + 0.5) - np.log(np.arange(1, len(best) + 1))
        pull /= pull.sum()
        mean = mean + pull @ steps[best]
        spread = 0.8 * spread + 0.2 * np.sqrt(pull @ steps[best] ** 2)
        seconds = time.perf_counter() - begin
        print(f"{policy} {mode} {generation}: {results.mean():.3f} ({seconds:.0f} s)", flush=True)
    both = np.array([start, constants(mean)])
    old, new = results_of(policy, mode, both, population * deals // 2, generations + 10**6)
    gain = new - old
    error = gain.std() / np.sqrt(len(gain))
    print(f"{policy} {mode}: {old.mean():.3f} to {new.mean():.3f} ± {1.96 * error:.3f}", flush=True)
    if gain.mean() > SIGNIFICANT * error:
        write_weights(policy, mode, both[1])


def main() -> None:
    """Reads the command line and tunes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("policies", nargs="*", default=["careful", "convention"])
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--population", type=int, default=16, help="candidates a generation")
    parser.add_argument("--deals", type=int, default=12, help="of each player count")
    arguments = parser.parse_args()
    for mode in arguments.modes:
        for policy in arguments.policies:
            tune(
                policy,
                mode,
                arguments.generations,
                arguments.population,
                arguments.deals,
            )


if __name__ == "__main__":
    main()
