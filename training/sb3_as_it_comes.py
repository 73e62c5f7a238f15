"""Stable-Baselines3 as it comes: ``python training/sb3_as_it_comes.py``.

MaskablePPO of sb3-contrib on our vector environment, without anything of our own learner: one agent
at each table, the opponents played inside. It is the simplest set-up; ``benchmarks/training.py``
says how much slower it learns than ours, which also learns from the seats of its own copies.

300,000 moves and the evaluation take 88 s of one core; then the agent wins 99.9 % ± 1.0 of 1,000
games against `random`, on which it was trained, and none against `greedy` (0 % ± 0.9).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.envs.sb3 import SingleAgentVecEnv
from dreamfactory_env.learning.export import export


def main() -> None:
    """Trains, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timesteps", type=int, default=300_000, help="moves to learn from")
    parser.add_argument("--games", type=int, default=1000, help="of the evaluation")
    parser.add_argument("--out", type=Path, default=Path("runs/sb3.safetensors"))
    arguments = parser.parse_args()

    env = SingleAgentVecEnv("dream_factory", 64, players=2, opponents="random", shaping=1.0)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        learning_rate=1e-3,
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.01,
        seed=1,
        device="cpu",
    )
    model.learn(arguments.timesteps)

    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    export(model, env.games.game, arguments.out, {"trained": "by MaskablePPO as it comes"})
    for opponent in ("random", "greedy"):
        match = duel(str(arguments.out), [opponent], players=2, games=arguments.games)
        evaluation = evaluate(match, processes=1)
        assert evaluation is not None
        print(
            f"2 players: {evaluation.win_rate:.1%} ± {evaluation.half_width:.1%} against {opponent}"
        )


if __name__ == "__main__":
    main()
