"""How fast the environments are: ``python benchmarks/envs.py`` prints figures and ratios.

The AEC face is compared with PettingZoo's own connect_four_v3 under the same loop. Nothing else
should be running meanwhile; the load that the machine had at the start is printed.
"""

from __future__ import annotations

import os
import time
import warnings
from typing import Any

import numpy as np

from dreamfactory_env import DreamFactory, dream_factory_v0
from dreamfactory_env.compiling import jit
from dreamfactory_env.envs.batch import SelfPlayBatch
from dreamfactory_env.envs.solo_vector import SoloVectorEnv
from dreamfactory_env.layout import Array
from dreamfactory_env.randomness import Seed, random_below

SECONDS = 4.0


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
    """Returns how many agent steps a second random play makes through an AEC environment."""
    rng = np.random.default_rng(0)
    play_a_game(env, rng, 0)  # compiles, or loads from the cache
    steps = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        steps += play_a_game(env, rng, steps)
    return steps / (time.perf_counter() - begin)


def play_a_game(env: Any, rng: np.random.Generator, seed: int) -> int:
    """Plays a game with random legal actions and returns the number of steps."""
    steps = 0
    env.reset(seed=seed)
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        action = None
        if not (termination or truncation):
            legal = np.flatnonzero(observation["action_mask"])
            action = int(legal[rng.integers(len(legal))])
        env.step(action)
        steps += 1
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
    envs = SoloVectorEnv(num_envs, players=4)
    envs.reset(seed=1)
    actions = np.zeros(num_envs, np.int64)
    choose(envs.action_masks(), np.uint64(1), 0, actions)
    envs.step(actions)  # compiles, or loads from the cache
    steps, decisions, choosing = 0, 0, 0.0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        before = time.perf_counter()
        masks = envs.action_masks()
        asked = masks.any(axis=1)
        masks[~asked, 0] = 1  # games that are over: any action will do
        choose(masks, np.uint64(1), steps * num_envs, actions)
        decisions += int(asked.sum())
        choosing += time.perf_counter() - before
        envs.step(actions)
        steps += 1
    return decisions / (time.perf_counter() - begin - choosing)


def main() -> None:
    print(f"load at the start: {os.getloadavg()[0]:.2f} (idle: below 0.5)")
    for num_envs in (64, 256, 1024):
        whole, alone = batch_decisions_per_second(num_envs)
        print(
            f"self-play batch of {num_envs}, one core: {alone:,.0f} decisions/s with observation "
            f"and mask ({whole:,.0f} with choosing them); aim: 1,000,000"
        )
    vector = vector_decisions_per_second(1024)
    print(f"vector environment of 1,024, one core: {vector:,.0f} own decisions/s; aim: 250,000")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3

        theirs = aec_steps_per_second(connect_four_v3.env())
    ours = aec_steps_per_second(dream_factory_v0.env(players=4))
    print(f"AEC with wrappers: {ours:,.0f} steps/s; aim: 20,000")
    print(f"the same loop on connect_four_v3: {theirs:,.0f}; ratio {ours / theirs:.2f}, aim: 3")


if __name__ == "__main__":
    main()
