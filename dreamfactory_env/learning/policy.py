"""The network of a learner as a policy of stable-baselines3, made to be asked often and quickly."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from stable_baselines3.common.type_aliases import Schedule

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import game_named
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.observation_spec import ObservationSpec, Pointer


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
        half_precision: Whether to compute them in bfloat16 while learning.
    """

    def __init__(
        self,
        size: int,
        layers: list[int],
        activation: type[torch.nn.Module],
        half_precision: bool = False,
    ) -> None:
        super().__init__(size, {"pi": layers}, activation, "cpu")
        self.latent_dim_vf = self.latent_dim_pi
        self.half_precision = half_precision

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what the policy and the value are made from, twice the same."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half_precision and self.training):
            shared = self.forward_actor(features)
        shared = shared.float()
        return shared, shared

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Returns what the value is made from."""
        return self.forward_actor(features)


def start_level(layer: torch.nn.Linear) -> None:
    """Lets all actions be about as likely at first, as SB3 has it."""
    torch.nn.init.orthogonal_(layer.weight, 0.01)
    torch.nn.init.zeros_(layer.bias)


class PointerRatings(torch.nn.Module):
    """Rates the actions of a pointer by the things that they point at.

    Args:
        pointer: The actions.
        layout: Where the things are in an observation.
        size: How many numbers come from the hidden layers.
        width: How many numbers describe a combination of things.
    """

    def __init__(self, pointer: Pointer, layout: ObservationSpec, size: int, width: int) -> None:
        super().__init__()
        self.blocks = [(layout.blocks[name], count) for name, count in pointer.things]
        self.context = torch.nn.Linear(size, width)
        self.things = torch.nn.ModuleList(
            torch.nn.Linear(block.shape[-1], width, bias=False) for block, _ in self.blocks
        )
        self.choices = torch.nn.Linear(width, pointer.choices)
        start_level(self.choices)

    def forward(self, latent: torch.Tensor, observations: torch.Tensor) -> torch.Tensor:
        """Returns the ratings, float32 (n, actions of the pointer)."""
        rows, kinds, width = len(latent), len(self.blocks), self.context.out_features
        sums = self.context(latent).reshape(rows, *[1] * kinds, width)
        for place, (block, count) in enumerate(self.blocks):
            size = block.shape[-1]
            seen = observations[:, block.start : block.start + count * size]
            around = [count if other == place else 1 for other in range(kinds)]
            share = self.things[place](seen.reshape(rows, count, size))
            sums = sums + share.reshape(rows, *around, width)
        ratings: torch.Tensor = self.choices(torch.relu(sums)).flatten(start_dim=1)
        return ratings


class PointingHead(torch.nn.Module):
    """Rates all actions by what the hidden layers say, and some by what they point at, too.

    Args:
        kind: The game.
        size: How many numbers come from the hidden layers.
        width: How many numbers describe a combination of things.
    """

    def __init__(self, kind: type[Game], size: int, width: int) -> None:
        super().__init__()
        self.slices = [pointer.actions for pointer in kind.pointers]
        self.actions = torch.nn.Linear(size, kind.actions)
        self.pointers = torch.nn.ModuleList(
            PointerRatings(pointer, kind.layout, size, width) for pointer in kind.pointers
        )
        start_level(self.actions)

    def forward(
        self, latent: torch.Tensor, observations: torch.Tensor, masks: torch.Tensor | None
    ) -> torch.Tensor:
        """Returns the ratings.

        Args:
            latent: What the hidden layers say, float32 (n, size).
            observations: float32 (n, size).
            masks: What is legal, bool or int8 (n, actions). Where given, things are only looked at
                in positions where an action that points at them is legal: most have none.

        Returns:
            Ratings, float32 (n, actions); those of illegal actions mean nothing.
        """
        ratings: torch.Tensor = self.actions(latent)
        parts, reached = [], 0
        for place, pointer in zip(self.slices, self.pointers, strict=True):
            parts += [ratings[:, reached : place.start]]
            if masks is None:
                parts += [ratings[:, place] + pointer(latent, observations)]
            else:
                rows = masks[:, place].any(dim=1).nonzero().flatten()
                pointed = pointer(latent[rows], observations[rows])
                parts += [ratings[:, place].index_add(0, rows, pointed)]
            reached = place.stop
        return torch.cat([*parts, ratings[:, reached:]], dim=1)


class SeatPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO with one network for policy and value, quick to draw actions.

    Args:
        *args: As ``MaskableActorCriticPolicy``.
        game: The name of the game; it says which actions point at things.
        width: How many numbers describe a combination of things that an action points at; at 0
            actions are rated by the hidden layers alone.
        half_precision: Whether to compute the hidden layers in bfloat16 while learning.
        adviser: A scripted policy whose advice stands behind the observations, none if empty. The
            network rates the action that is advised higher, by as much as ``trust`` says; how much
            that is, and where it knows better, it learns.
        **options: As ``MaskableActorCriticPolicy``.
    """

    #: How much higher an action is rated at first that is advised: it is e³ times as likely as any
    #: other, so that its adviser's play is mixed with some of its own to compare it with.
    TRUST = 3.0

    def __init__(
        self,
        *args: Any,
        game: str,
        width: int,
        half_precision: bool = False,
        adviser: str = "",
        **options: Any,
    ) -> None:
        self.game, self.width, self.half_precision = game, width, half_precision
        self.adviser = adviser
        super().__init__(*args, **options)

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, list)
        self.mlp_extractor = SharedLayers(
            self.features_dim, self.net_arch, self.activation_fn, self.half_precision
        )

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        if self.width > 0:
            size = self.mlp_extractor.latent_dim_pi
            self.action_net = PointingHead(game_named(self.game), size, self.width)
        if self.adviser:
            self.trust = torch.nn.Parameter(torch.tensor([self.TRUST]))
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        own = ("game", "width", "half_precision", "adviser")
        theirs = super()._get_constructor_parameters()
        return {**theirs, **{name: getattr(self, name) for name in own}}

    def get_distribution(  # type: ignore[override]
        self, obs: torch.Tensor, action_masks: Array | None = None
    ) -> MaskableDistribution:
        """Returns the chances of all actions, as its parent does."""
        ratings, _ = self.rate(obs, None)
        distribution = self.action_dist.proba_distribution(ratings)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Returns values, the logarithms of the actions' chances, and entropies, as its parent."""
        distribution = self.get_distribution(obs, action_masks)
        return self.predict_values(obs), distribution.log_prob(actions), distribution.entropy()

    def rate(
        self, observations: torch.Tensor, masks: torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what the network thinks of actions, and of the position.

        Args:
            observations: float32 (n, size).
            masks: What is legal, bool or int8 (n, actions); if not given, all actions are rated.

        Returns:
            Ratings, float32 (n, actions), and values, float32 (n, 1).
        """
        for_policy, for_value = self.mlp_extractor(self.extract_features(observations))
        if isinstance(self.action_net, PointingHead):
            ratings = self.action_net(for_policy, observations, masks)
        else:
            ratings = self.action_net(for_policy)
        if self.adviser:
            ratings = ratings + self.trust * observations[:, -ratings.shape[1] :]
        return ratings, self.value_net(for_value)

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
            distribution = self.get_distribution(obs, action_masks)
            chosen = distribution.get_actions(deterministic=deterministic)
            return chosen, self.predict_values(obs), distribution.log_prob(chosen)
        ratings, values = self.rate(obs, torch.from_numpy(action_masks))
        count = len(ratings)
        actions, log_probs = np.empty(count, np.int64), np.empty(count, np.float32)
        luck = np.random.random(count)
        draw_actions(ratings.detach().numpy(), action_masks, luck, actions, log_probs)
        return torch.from_numpy(actions), values, torch.from_numpy(log_probs)
