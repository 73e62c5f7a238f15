"""Your first learning curve with stock Stable-Baselines3: ``python training/first_curve.py``.

MaskablePPO of sb3-contrib on a vector environment, without our learner: one agent at each table,
the opponent played inside. docs/first_curve.md says why these settings, and what usual mistakes
look like.

1,000,000 moves and ten evaluations take two to five minutes of one core; then the agent wins
100 % ± 0.9 of 1,000 games against `random` and 90.0 % ± 2.3 against `greedy` (with `--seed 2`
88.9 % ± 2.4).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.envs.sb3 import SingleAgentVecEnv
from dreamfactory_env.learning.evaluation import ModelPolicy
from dreamfactory_env.learning.export import export


def main() -> None:
    """Trains in stretches, evaluates after each, and draws the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timesteps", type=int, default=1_000_000, help="moves to learn from")
    parser.add_argument("--stretches", type=int, default=10, help="an evaluation after each")
    parser.add_argument("--games", type=int, default=1000, help="of an evaluation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/first_curve"), help="a folder")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # more wait for each other as soon as anything else runs
    arguments.out.mkdir(parents=True, exist_ok=True)

    # Points are paid as they come: a beginner who loses every game learns to lose by less.
    games = SingleAgentVecEnv(
        "dream_factory", 100, players=2, opponents="greedy", reward="score", shaping=1.0
    )
    model = MaskablePPO(
        "MlpPolicy",
        VecMonitor(games),  # for ep_rew_mean, with verbose=1 or in TensorBoard
        policy_kwargs={"net_arch": [64, 64], "activation_fn": torch.nn.ReLU},
        learning_rate=1e-3,
        n_steps=100,
        batch_size=1000,
        n_epochs=4,
        ent_coef=0.01,
        seed=arguments.seed,
        device="cpu",
    )

    curves: dict[str, list[tuple[float, float]]] = {"random": [], "greedy": []}
    steps: list[int] = []
    seconds = 0.0
    while model.num_timesteps < arguments.timesteps:
        start = time.process_time()
        model.learn(arguments.timesteps // arguments.stretches, reset_num_timesteps=False)
        seconds += time.process_time() - start
        steps.append(model.num_timesteps)
        print(f"{steps[-1]:,} steps, {seconds:.0f} s of one core", flush=True)
        for opponent, curve in curves.items():
            # The deals of the arena are its own: nobody has trained on them.
            match = duel(ModelPolicy(model), [opponent], players=2, games=arguments.games)
            found = evaluate(match, processes=1)
            assert found is not None
            curve.append((100 * found.win_rate, 100 * found.half_width))
            print(f"  {found.win_rate:.1%} ± {found.half_width:.1%} against {opponent}", flush=True)

    facts = {"trained": "by training/first_curve.py, with stock MaskablePPO"}
    export(model, games.games.game, arguments.out / "agent.safetensors", facts)
    figure = Figure(figsize=(5.5, 3.4), dpi=110, layout="constrained")
    panel = figure.subplots()
    for opponent, curve in curves.items():
        rates, half_widths = zip(*curve, strict=True)
        panel.errorbar(steps, rates, half_widths, marker="o", capsize=3, label=opponent)
    panel.set(xlabel="moves of the learner", ylabel="games won in %", ylim=(-3, 103))
    panel.xaxis.set_major_formatter(EngFormatter())
    panel.grid(alpha=0.3)
    panel.legend(title="against", frameon=False)
    figure.savefig(arguments.out / "curve.png")


if __name__ == "__main__":
    main()
