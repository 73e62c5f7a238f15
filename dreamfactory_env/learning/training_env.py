"""The games that a learner trains on, as an environment of stable-baselines3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.sb3 import BatchedVecEnv, Step
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.training_games import TrainingGames, split


class TrainingVecEnv(BatchedVecEnv):
    """:class:`TrainingGames` for stable-baselines3: a step is a decision of the learner.

    The reward of a step is that of the seat which has decided; what the others were paid is not
    handed on. A learner that follows each seat's own decisions asks ``games.play`` instead.

    Args:
        game: Which game: its name, or its class.
        n_envs: As :class:`TrainingGames`.
        options: The options of the game, the number of players apart.
        **more: As :class:`TrainingGames`.

    Raises:
        GameError: One of them is wrong.
    """

    games: TrainingGames

    def __init__(
        self,
        game: object,
        n_envs: Mapping[int, int] | Sequence[Mapping[int, int]],
        options: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(TrainingGames(game, n_envs, options, **more))

    def reset(self) -> Array:
        """Deals all games; returns what the learner sees, float32 (num_envs, size)."""
        return self.games.reset()

    def step_wait(self) -> Step:
        """Plays the actions; returns observations, rewards, dones and (empty) infos.

        Raises:
            IllegalMove: One of them is not legal; no game has changed.
        """
        result = self.games.play(self._actions)
        rewards = result.rewards[np.arange(self.num_envs), result.last_player]
        return result.observations, rewards, result.dones, [{} for _ in range(self.num_envs)]

    def action_masks(self) -> Array:
        """Returns what the learner may do: int8 (num_envs, actions), a copy."""
        return self.games.action_masks()


def make_env(settings: Training) -> TrainingVecEnv:
    """Returns the games of a training, not dealt yet.

    Raises:
        GameError: One of the settings is wrong.
    """
    return TrainingVecEnv(
        settings.game,
        split(settings.n_envs, settings.actors),
        settings.options,
        reward=settings.reward,
        shaping=settings.shaping,
        hint=settings.network.hint or settings.teacher.policy,
        observes_hint=bool(settings.network.hint),
        seed=settings.seed,
    )
