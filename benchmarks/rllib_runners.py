"""Decisions a second of one runner on one core: ours, and those of RLlib.

Each plays Dream Factory with two players and a network of two hidden layers of 256, and learns
nothing: ours all seats of 256 games side by side; RLlib's multi-agent runner all seats through its
``PettingZooEnv``; RLlib's single-agent runner one seat of 256 games against ``random``, which are
one vector environment (``vector_entry_point``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.learning.config import Network, Others, PPOSettings, Training
from dreamfactory_env.learning.model import make_model
from dreamfactory_env.learning.rollout_jobs import Networks, RolloutJob, RolloutWorker, arrays_of
from dreamfactory_env.learning.training_env import make_env
from tests.docs.examples import examples, run

GAMES = 256
LAYERS = [256, 256]
SECONDS = 10.0


def rate(play: Callable[[], int]) -> float:
    """Returns the decisions a second of a runner, once it is warm."""
    play()
    begun, done = time.perf_counter(), 0
    while time.perf_counter() - begun < SECONDS:
        done += play()
    return done / (time.perf_counter() - begun)


def ours() -> float:
    settings = Training(
        total_timesteps=1,
        n_envs={2: GAMES},
        opponents=Others(self=1, past=0),
        network=Network(LAYERS, pointer_width=0),
        ppo=PPOSettings(n_steps=64),
    )
    env = make_env(settings)
    env.reset()
    policy = make_model(settings, env).policy
    worker = RolloutWorker(settings, [], policy)
    networks = Networks(arrays_of(policy.state_dict()), [])
    jobs = [RolloutJob(0, 64, env.games.clone_state(), np.random.get_state())]

    def play() -> int:
        done = worker(networks, jobs[-1])
        jobs[0] = RolloutJob(0, 64, done.games, done.numpy)
        return 64 * GAMES

    return rate(play)


class MaskedVectorEnv(gymnasium.vector.VectorWrapper):
    """The vector environment with its masks where RLlib's masking module looks for them."""

    def __init__(self, config: Any) -> None:
        super().__init__(
            SingleAgentVectorEnv(
                config["num_envs"], game="dream_factory", players=2, opponents="random"
            )
        )
        actions = self.env.single_action_space.n  # type: ignore[attr-defined]
        self.single_observation_space = gymnasium.spaces.Dict(
            {
                "observations": self.env.single_observation_space,
                "action_mask": gymnasium.spaces.Box(0.0, 1.0, (actions,), np.float32),
            }
        )
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, self.num_envs
        )

    def _with_masks(self, seen: Any, infos: dict[str, Any]) -> dict[str, Any]:
        return {"observations": seen, "action_mask": infos["action_mask"].astype(np.float32)}

    def reset(self, **options: Any) -> Any:
        """Deals; returns what is seen, with masks, and no infos."""
        seen, infos = self.env.reset(**options)
        return self._with_masks(seen, infos), {}

    def step(self, actions: Any) -> Any:
        """Plays; returns what is seen, with masks, rewards and ends, and no infos."""
        seen, *rest, infos = self.env.step(actions)
        return self._with_masks(seen, infos), *rest, {}


def of_rllib(config: Any, decisions: int) -> float:
    """Returns the decisions a second of the one runner of an algorithm."""
    algorithm = config.build_algo()
    runner = algorithm.env_runner

    def play() -> int:
        episodes = runner.sample(num_timesteps=decisions, random_actions=False)
        return int(sum(episode.env_steps() for episode in episodes))

    try:
        return rate(play)
    finally:
        algorithm.stop()


def print_runners() -> None:
    """Prints a table."""
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (
        ActionMaskingTorchRLModule,
    )

    figures = {"ours": ours()}
    ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": LAYERS, "head_fcnet_hiddens": []},
    )
    vector = (
        PPOConfig()
        .environment(MaskedVectorEnv, disable_env_checking=True)
        .env_runners(
            num_env_runners=0,
            num_envs_per_env_runner=GAMES,
            gym_env_vectorize_mode=gymnasium.VectorizeMode.VECTOR_ENTRY_POINT,
        )
        .rl_module(rl_module_spec=module)
    )
    figures["RLlib, our vector environment"] = of_rllib(vector, 16 * GAMES)
    (code,) = examples("docs/interop.md", "RLlib")
    code = code.split("algorithm = ")[0].replace('"players": 3', '"players": 2')
    code = code.replace("[64]", str(LAYERS))
    pettingzoo = run(code, "docs/interop.md")["config"]
    figures["RLlib, PettingZooEnv"] = of_rllib(pettingzoo, 500)
    ray.shutdown()
    print("\n| one runner, one core | decisions a second |\n|---|---:|")
    for name, figure in figures.items():
        print(f"| {name} | {figure:,.0f} |")


if __name__ == "__main__":
    print_runners()
