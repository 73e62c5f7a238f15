"""How fast the environments are: ``python benchmarks/envs.py`` prints figures and ratios.

The AEC face is compared with PettingZoo's own connect_four_v3 under the same loop, and the batch
with OpenSpiel's random playouts of comparable games where OpenSpiel is installed (``make bench``
sees to that). Nothing else should be running meanwhile; the load at the start is printed.
"""

from __future__ import annotations

import os
import random
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dreamfactory_env import DreamFactory, dream_factory_v0
from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv

SECONDS = 4.0
#: Games of OpenSpiel that are about as long and as wide.
SPIEL_GAMES = ["gin_rummy", "bridge", "hearts", "backgammon"]


@jit
def choose(masks: Array, seed: Seed, first: int, out: Array) -> None:
    """Chooses a random legal action in every game of a batch."""
    for index in range(len(masks)):
        left = random_below(seed, first + index, int(masks[index].sum()))
        for action in range(masks.shape[1]):
            if masks[index, action]:
                if left == 0:
                    out[index] = action
                    break
                left -= 1


def aec_steps_per_second(env: Any) -> float:
    """Returns how many decisions a second random play makes through an AEC environment."""
    rng = np.random.default_rng(0)
    play_a_game(env, rng, 0)  # compiles, or loads from the cache
    steps = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        steps += play_a_game(env, rng, steps)
    return steps / (time.perf_counter() - begin)


def play_a_game(env: Any, rng: np.random.Generator, seed: int) -> int:
    """Plays a game with random legal actions and returns the number of decisions."""
    steps = 0
    env.reset(seed=seed)
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        action = None
        if not (termination or truncation):
            legal = np.flatnonzero(observation["action_mask"])
            action = int(legal[rng.integers(len(legal))])
            steps += 1
        env.step(action)
    return steps


def batch_decisions_per_second(num_envs: int) -> tuple[float, float]:
    """Returns decisions a second of a batch: choosing included, and without it."""
    batch = SelfPlayBatch(DreamFactory, num_envs, players=4)
    actions = np.zeros(num_envs, np.int64)
    choose(batch.masks, np.uint64(1), 0, actions)
    batch.step(actions)
    steps, choosing = 0, 0.0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        before = time.perf_counter()
        choose(batch.masks, np.uint64(1), steps * num_envs, actions)
        choosing += time.perf_counter() - before
        batch.step(actions)
        steps += 1
    total = time.perf_counter() - begin
    return steps * num_envs / total, steps * num_envs / (total - choosing)


def vector_decisions_per_second(num_envs: int) -> float:
    """Returns how many of the agents' decisions a second the vector environment takes."""
    envs = SingleAgentVectorEnv(num_envs, game="dream_factory", players=4)
    envs.reset(seed=1)
    actions = np.zeros(num_envs, np.int64)
    choose(envs.action_masks(), np.uint64(1), 0, actions)
    envs.step(actions)  # compiles, or loads from the cache
    steps, decisions, choosing = 0, 0, 0.0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        before = time.perf_counter()
        choose(envs.action_masks(), np.uint64(1), steps * num_envs, actions)
        choosing += time.perf_counter() - before
        over = envs.step(actions)[2]
        decisions += num_envs - int(over.sum())  # the step after an end is none
        steps += 1
    return decisions / (time.perf_counter() - begin - choosing)


def spiel_decisions_per_second(name: str) -> float:
    """Returns decisions a second of OpenSpiel's random playouts, with tensor and mask for each."""
    import pyspiel

    game = pyspiel.load_game(name)
    observes = game.get_type().provides_observation_tensor
    rng = random.Random(0)
    decisions = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            player = state.current_player()
            if observes:
                state.observation_tensor(player)
            else:
                state.information_state_tensor(player)
            state.legal_actions_mask()
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions / (time.perf_counter() - begin)


def microseconds_of(call: Callable[[], object]) -> float:
    """Returns how long a call takes, the best of several series."""
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        for _ in range(200):
            call()
        times.append((time.perf_counter() - begin) / 200)
    return min(times) * 1e6


def print_costs_of_clones() -> None:
    """Prints what a clone costs in the middle of a game, on every face."""
    rng = np.random.default_rng(0)
    table = dream_factory_v0.raw_env(players=4)
    table.reset(seed=1)
    for _ in range(120):
        table.step(
            int(rng.choice(np.flatnonzero(table.infos[table.agent_selection]["action_mask"])))
        )
    solo = SingleAgentEnv("dream_factory", players=4)
    solo.reset(seed=1)
    for _ in range(30):
        solo.step(int(rng.choice(np.flatnonzero(solo.action_masks()))))
    batch, vector = (
        SelfPlayBatch(DreamFactory, 64, players=4),
        SingleAgentVectorEnv(64, game="dream_factory", players=4),
    )
    faces: dict[str, tuple[Any, int]] = {
        "AEC": (table, 1),
        "single": (solo, 1),
        "vector, a game": (vector, 64),
        "batch, a game": (batch, 64),
    }
    for name, (face, games) in faces.items():
        clone = face.clone_state()
        cost = microseconds_of(face.clone_state) / games
        back = microseconds_of(partial(face.restore_state, clone)) / games
        print(f"{name}: a clone from Python {cost:.2f} µs, going back {back:.2f} µs; aim: 5 µs")


def print_ratios_to_openspiel(ours: float) -> None:
    """Prints how much faster the batch is than OpenSpiel's playouts, game by game."""
    try:
        import pyspiel
    except ImportError:
        print('OpenSpiel is not installed: pip install -c constraints.txt -e ".[openspiel]"')
        return
    for name in SPIEL_GAMES:
        if name in pyspiel.registered_names():
            theirs = spiel_decisions_per_second(name)
            print(
                f"OpenSpiel's {name} from Python, tensor and mask: {theirs:,.0f} decisions/s; "
                f"ratio {ours / theirs:.0f}, aim: 10"
            )


def main() -> None:
    print(f"load at the start: {os.getloadavg()[0]:.2f} (idle: below 0.5)")
    slowest = float("inf")
    for num_envs in (64, 256, 1024):
        whole, alone = batch_decisions_per_second(num_envs)
        slowest = min(slowest, whole)
        print(
            f"self-play batch of {num_envs}, one core: {alone:,.0f} decisions/s with observation "
            f"and mask ({whole:,.0f} with choosing them); aim: 1,000,000"
        )
    print_ratios_to_openspiel(slowest)
    vector = vector_decisions_per_second(1024)
    print(f"vector environment of 1,024, one core: {vector:,.0f} own decisions/s; aim: 250,000")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3

        theirs = aec_steps_per_second(connect_four_v3.env())
    ours = aec_steps_per_second(dream_factory_v0.env(players=4))
    print(f"AEC with wrappers: {ours:,.0f} decisions/s; aim: 20,000")
    print(f"the same loop on connect_four_v3: {theirs:,.0f}; ratio {ours / theirs:.2f}, aim: 3")
    print_costs_of_clones()


if __name__ == "__main__":
    main()
