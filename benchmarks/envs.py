"""How fast the environments are: ``python -m benchmarks.envs`` prints figures and ratios.

The AEC environment is compared with PettingZoo's own connect_four_v3 under the same loop, and the
batch with games of OpenSpiel where it is installed (``make bench`` sees to that). Four players,
random legal actions, one core. What a figure is held to stands beside it.
"""

from __future__ import annotations

import argparse
import importlib.util
import warnings
from functools import partial
from typing import Any

import numpy as np

from benchmarks.choosing import Chooser
from benchmarks.measuring import Figures, best_rate, best_rates, best_seconds
from benchmarks.shares import kernel_nanoseconds
from dreamfactory_env import DreamFactory, dream_factory_v0
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv

SIZES = (64, 256, 1024)
PLAYERS = 4


def batch_rates(count: int) -> tuple[float, float]:
    """Returns decisions a second of a batch: without choosing them, and with it."""
    batch, chosen = SelfPlayBatch("dream_factory", count, players=PLAYERS), Chooser(count)

    def play() -> int:
        batch.step(chosen(batch.masks))
        return count

    rate = best_rate(play)
    return 1 / (1 / rate - chosen.seconds(batch.masks)), rate


def vector_rate(count: int) -> float:
    """Returns how many of the agents' decisions a second the vector environment takes."""
    envs, chosen = (
        SingleAgentVectorEnv(count, game="dream_factory", players=PLAYERS),
        Chooser(count),
    )
    envs.reset(seed=1)

    def play() -> int:
        over = envs.step(chosen(envs.action_masks()))[2]
        return count - int(over.sum())  # the step after an end is none

    return 1 / (1 / best_rate(play) - chosen.seconds(envs.action_masks()))


def play_a_game(env: Any, rng: np.random.Generator) -> int:
    """Plays a game with random legal actions and returns the number of decisions."""
    steps = 0
    env.reset(seed=int(rng.integers(2**31)))
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        action = None
        if not (termination or truncation):
            legal = np.flatnonzero(observation["action_mask"])
            action = int(legal[rng.integers(len(legal))])
            steps += 1
        env.step(action)
    return steps


def add_batch(figures: Figures) -> None:
    """Measures the batch, what a step of it is made of, and OpenSpiel beside it."""
    rates = {count: batch_rates(count) for count in SIZES}
    for count, (alone, _) in rates.items():
        name = f"batch of {count:,}, with observation and mask"
        figures.add(name, alone, "/s", "at least 2,000,000")
    count = SIZES[-1]
    step = 1e9 / rates[count][0]
    parts = kernel_nanoseconds(DreamFactory(PLAYERS, seed=0), count)
    figures.add(f"a step of {count:,}, for each game", step, "ns")
    names = ("rules", "legal moves and mask", "observation")
    for name, part in [*zip(names, parts, strict=True), ("the rest", step - sum(parts))]:
        figures.add(f"  {name}", part, "ns", f"{part / step:.0%}")
    add_peers(figures, min(whole for _, whole in rates.values()))


def add_peers(figures: Figures, ours: float) -> None:
    """Measures games of OpenSpiel; both sides choose at random, and that counts."""
    figures.add("batch, choosing included, the slowest of these sizes", ours, "/s")
    if importlib.util.find_spec("pyspiel") is None:
        print('OpenSpiel is not installed: pip install -c constraints.txt -e ".[openspiel]"')
        return
    from benchmarks.openspiel_peers import peer_rates

    rates = peer_rates()
    for name, rate in rates.items():
        figures.add(f"OpenSpiel's {name} from Python, the same", rate, "/s")
        figures.add(f"  the batch over {name}", ours / rate, "times")
    figures.add("the batch over the fastest", ours / max(rates.values()), "times", "at least 10")


def add_aec(figures: Figures) -> None:
    """Measures the AEC environment, and PettingZoo's own in turn with it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3

        envs = (dream_factory_v0.env(players=PLAYERS), connect_four_v3.env())
    rng = np.random.default_rng(0)
    ours, theirs = best_rates([partial(play_a_game, env, rng) for env in envs])
    figures.add("AEC with wrappers", ours, "/s", "at least 60,000")
    figures.add("connect_four_v3 under the same loop", theirs, "/s")
    figures.add("  AEC with wrappers over it", ours / theirs, "times", "at least 5")


def add_clones(figures: Figures) -> None:
    """Measures what a clone costs in the middle of a game, from Python."""
    rng = np.random.default_rng(0)
    table = dream_factory_v0.raw_env(players=PLAYERS)
    table.reset(seed=1)
    for _ in range(120):
        mask = table.infos[table.agent_selection]["action_mask"]
        table.step(int(rng.choice(np.flatnonzero(mask))))
    single = SingleAgentEnv("dream_factory", players=PLAYERS)
    single.reset(seed=1)
    for _ in range(30):
        single.step(int(rng.choice(np.flatnonzero(single.action_masks()))))
    games = 64
    environments: dict[str, tuple[Any, int]] = {
        "AEC": (table, 1),
        "single agent": (single, 1),
        "vector, a game": (
            SingleAgentVectorEnv(games, game="dream_factory", players=PLAYERS),
            games,
        ),
        "batch, a game": (SelfPlayBatch("dream_factory", games, players=PLAYERS), games),
    }
    for name, (env, count) in environments.items():
        clone = env.clone_state()
        made = best_seconds(env.clone_state) / count
        back = best_seconds(partial(env.restore_state, clone)) / count
        figures.add(f"clone, {name}", made * 1e6, "µs", "at most 5")
        figures.add("  going back to it", back * 1e6, "µs", "at most 5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    figures = Figures()
    add_batch(figures)
    figures.add(f"vector environment of {SIZES[-1]:,}, own decisions", vector_rate(SIZES[-1]), "/s")
    add_aec(figures)
    add_clones(figures)
    figures.show(arguments.json)


if __name__ == "__main__":
    main()
