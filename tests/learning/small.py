"""Small trainings for tests, and what is compared of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.config import Network, Others, PPOSettings, Schedule, Training
from dreamfactory_env.learning.run import Run

#: Six rollouts of 256 decisions.
STEPS = 6 * 16 * 16
OPPONENTS = Others(self=0.5, past=0.3, scripted={"greedy": 0.2})


def tiny(**changes: Any) -> Training:
    """Returns the settings of a run of seconds, without evaluations."""
    settings: dict[str, Any] = {
        "total_timesteps": STEPS,
        "n_envs": {2: 8, 3: 8},
        "opponents": OPPONENTS,
        "network": Network(net_arch=[16]),
        "ppo": PPOSettings(n_steps=16, batch_size=64),
        "schedule": Schedule(snapshot_every=512, checkpoint_every=512, evaluation_players=[]),
    }
    return Training(**{**settings, **changes})


def choose(masks: Array, rng: np.random.Generator) -> Array:
    """Returns a random legal action for each row."""
    actions: Array = (rng.random(masks.shape) * masks).argmax(axis=1)
    return actions


def weights(run: Run) -> bytes:
    """Returns the weights of a run's learner."""
    return b"".join(tensor.numpy().tobytes() for tensor in run.model.policy.state_dict().values())


def drop_checkpoints(run: Run, kept: int = 1) -> None:
    """Removes all checkpoints of a run but the oldest ones."""
    files = sorted((run.folder / "checkpoints").iterdir())
    assert len(files) > kept
    for file in files[kept:]:
        file.unlink()
