"""A training that is disturbed on a cluster, and what is compared of two."""

from __future__ import annotations

from collections.abc import Callable

from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.learning.config import Network, Others, PPOSettings, Training
from dreamfactory_env.learning.run import Run
from tests.learning.small import tiny, weights

#: Everybody who may play: the learner, its past, a scripted policy, a trained network.
OTHERS = Others(self=0.4, past=0.3, scripted={"greedy": 0.2}, agents={"pretrained-small": 0.1})
ROLLOUT = 32 * 32
STEPS = 8 * ROLLOUT


def settings(actors: int, async_rollouts: bool = True, length: int = 1) -> Training:
    """Returns the settings of eight rollouts, each long enough to be killed in the middle."""
    return tiny(
        total_timesteps=length * STEPS,
        actors=actors,
        n_envs={2: 16, 3: 16},
        opponents=OTHERS,
        network=Network(net_arch=[32]),
        ppo=PPOSettings(1e-2, n_steps=32 * length, batch_size=256, async_rollouts=async_rollouts),
    )


class AtRollout(BaseCallback):
    """Does something at the end of a rollout, the next one of which is not begun yet."""

    def __init__(self, number: int, what: Callable[[], object]) -> None:
        super().__init__()
        self._left, self._what = number, what

    def _on_rollout_end(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._what()

    def _on_step(self) -> bool:
        return True


def same(run: Run, other: Run) -> bool:
    """Tells whether two runs have come to the same end."""
    found = [
        (weights(each), each.metrics.games, each.league.results, each.env.games.clone_state())
        for each in (run, other)
    ]
    return found[0] == found[1]
