"""The network of a learner as a policy of stable-baselines3, made to be asked often and quickly."""

from __future__ import annotations

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor

from dreamfactory_env.compiling import jit
from dreamfactory_env.layout import Array


@jit
def draw_actions(
    ratings: Array, masks: Array, luck: Array, actions: Array, log_probs: Array
) -> None:
    """Draws a legal action in each row: each with a chance in proportion to exp(rating).

    Args:
        ratings: float32 (rows, actions).
        masks: What is legal, int8 (rows, actions).
        luck: A random number for each row, from 0 to below 1, float64 (rows,).
        actions: Where the actions go, int64 (rows,).
        log_probs: Where the logarithms of their chances go, float32 (rows,).
    """
    weights = np.zeros(ratings.shape[1])
    for row in range(len(ratings)):
        highest = -np.inf
        for action in range(len(weights)):
            if masks[row, action]:
                highest = max(highest, ratings[row, action])
        total = 0.0
        for action in range(len(weights)):
            if masks[row, action]:
                weights[action] = np.exp(ratings[row, action] - highest)
                total += weights[action]
        left = luck[row] * total
        drawn = 0
        for action in range(len(weights)):
            if masks[row, action]:
                drawn = action
                left -= weights[action]
                if left < 0:
                    break
        actions[row] = drawn
        log_probs[row] = ratings[row, drawn] - highest - np.log(total)


class SharedLayers(MlpExtractor):
    """Hidden layers that policy and value share: stable-baselines3 gives each its own.

    Args:
        size: How many numbers come in.
        layers: The sizes of the layers.
        activation: What comes after each of them.
    """

    def __init__(self, size: int, layers: list[int], activation: type[torch.nn.Module]) -> None:
        super().__init__(size, {"pi": layers}, activation, "cpu")
        self.latent_dim_vf = self.latent_dim_pi

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what the policy and the value are made from, twice the same."""
        shared = self.forward_actor(features)
        return shared, shared

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Returns what the value is made from."""
        return self.forward_actor(features)


class SeatPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO with one network for policy and value, quick to draw actions."""

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, list)
        self.mlp_extractor = SharedLayers(self.features_dim, self.net_arch, self.activation_fn)

    def rate(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what the network thinks: of all actions, legal or not, and of the position.

        Args:
            observations: float32 (n, size).

        Returns:
            Ratings, float32 (n, actions), and values, float32 (n, 1).
        """
        for_policy, for_value = self.mlp_extractor(self.extract_features(observations))
        return self.action_net(for_policy), self.value_net(for_value)

    def forward(
        self,
        obs: torch.Tensor,
        deterministic: bool = False,
        action_masks: Array | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Chooses actions, as its parent does.

        Args:
            obs: float32 (n, size).
            deterministic: Whether to take the best action instead of drawing one.
            action_masks: What is legal, int8 (n, actions).

        Returns:
            Actions, int64 (n,), values, float32 (n, 1), and the logarithms of the actions' chances,
            float32 (n,).
        """
        if deterministic or action_masks is None:
            return super().forward(obs, deterministic, action_masks)
        ratings, values = self.rate(obs)
        count = len(ratings)
        actions, log_probs = np.empty(count, np.int64), np.empty(count, np.float32)
        luck = np.random.random(count)
        draw_actions(ratings.detach().numpy(), action_masks, luck, actions, log_probs)
        return torch.from_numpy(actions), values, torch.from_numpy(log_probs)
