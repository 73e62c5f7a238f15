"""From an agent on: ``python training/from_an_agent.py``.

A run may start with the weights of an agent, to specialise it: here on games of two players. The
file of an agent has no value network, so at first nothing but the value is learned; else the first
updates would follow random values and spoil the policy.

500,000 decisions take 49 s of one core, the evaluations among them. `pretrained-small` wins 86.0 %
± 2.5 of 1,000 games against `expert` with two players before, and 88.8 % ± 2.4 after.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from dreamfactory_env.games import new_game
from dreamfactory_env.learning.config import Network, Others, PPOSettings, Schedule, Training
from dreamfactory_env.learning.run import begin
from dreamfactory_env.policies.naming import network_named


def main() -> None:
    """Trains an agent further, and shows what that has changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timesteps", type=int, default=500_000, help="decisions to learn from")
    parser.add_argument("--deals", type=int, default=500, help="of each evaluation")
    parser.add_argument("--agent", default="pretrained-small", help="the agent to start with")
    parser.add_argument("--out", type=Path, default=Path("runs/from_an_agent"))
    arguments = parser.parse_args()

    agent = network_named(arguments.agent, new_game("dream_factory", {"players": 2}))
    settings = Training(
        total_timesteps=arguments.timesteps,
        n_envs={2: 128},
        opponents=Others(self=0.2, past=0, scripted={"expert": 0.8}),
        network=Network(  # the same network as the agent's
            net_arch=agent.layers,
            pointer_width=agent.width,
            hint=agent.hint,
            start=arguments.agent,
        ),
        ppo=PPOSettings(
            learning_rate=5e-4,
            final_learning_rate=5e-5,
            n_steps=128,
            value_only_timesteps=arguments.timesteps // 10,
        ),
        schedule=Schedule(
            evaluate_every=arguments.timesteps,  # before and after
            evaluate_against=["expert"],
            evaluation_players=[2],
            evaluation_deals=arguments.deals,
        ),
    )
    run = begin(settings, arguments.out)
    run.train()
    before, *_, after = (line["results"][0] for line in run.evaluator.lines)
    for when, result in (("before", before), ("after", after)):
        rate, half = result["win_rate"], result["half_width"]
        print(f"{when}: {rate:.1%} ± {half:.1%} against {result['others']}")


if __name__ == "__main__":
    main()
