"""The learner that some settings describe."""

from __future__ import annotations

import torch

from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.learning.ppo import MakeCollector, SeatPPO
from dreamfactory_env.learning.schedules import falling
from dreamfactory_env.learning.training_env import TrainingVecEnv


def make_model(
    settings: Training, env: TrainingVecEnv, make_collector: MakeCollector | None = None
) -> SeatPPO:
    """Returns the learner of some settings, with random weights.

    Args:
        settings: The settings.
        env: The games.
        make_collector: As :class:`SeatPPO`.
    """
    ppo = settings.ppo
    return SeatPPO(
        SeatPolicy,
        env,
        learning_rate=falling(ppo.learning_rate, ppo.final_learning_rate),
        n_steps=ppo.n_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.n_epochs,
        threads=settings.threads,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.ent_coef,
        vf_coef=ppo.vf_coef,
        policy_kwargs={
            "net_arch": list(settings.network.net_arch),
            "activation_fn": torch.nn.ReLU,
            "share_features_extractor": True,
            "game": env.games.game,
            "pointer_width": settings.network.pointer_width,
            "half_precision": ppo.bfloat16,
            "hint": settings.network.hint,
            "hint_bias": settings.network.hint_bias,
            "optimizer_kwargs": {"eps": 1e-5, "fused": True},  # SB3's eps; Adam in one pass
        },
        async_rollouts=ppo.async_rollouts,
        make_collector=make_collector,
        seed=settings.seed,
        device="cpu",
    )
