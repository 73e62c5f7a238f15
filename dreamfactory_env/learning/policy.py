"""The network of a learner as a policy of stable-baselines3, made to be asked often and quickly."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor, MlpExtractor
from stable_baselines3.common.type_aliases import Schedule

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.observation_spec import ObservationSpec, Pointer
from dreamfactory_env.games.spec import GameSpec


@jit
def draw_actions(
    logits: Array, masks: Array, uniforms: Array, actions: Array, log_probs: Array
) -> None:
    """Draws a legal action in each row by the softmax of the legal logits.

    Args:
        logits: float32 (rows, actions).
        masks: What is legal, int8 (rows, actions).
        uniforms: A random number for each row, from 0 to below 1, float64 (rows,).
        actions: Where the actions go, int64 (rows,).
        log_probs: Where their log-probabilities go, float32 (rows,).
    """
    weights = np.zeros(logits.shape[1])
    for row in range(len(logits)):
        highest = -np.inf
        for action in range(len(weights)):
            if masks[row, action]:
                highest = max(highest, logits[row, action])
        total = 0.0
        for action in range(len(weights)):
            if masks[row, action]:
                weights[action] = np.exp(logits[row, action] - highest)
                total += weights[action]
        left = uniforms[row] * total
        drawn = 0
        for action in range(len(weights)):
            if masks[row, action]:
                drawn = action
                left -= weights[action]
                if left < 0:
                    break
        actions[row] = drawn
        log_probs[row] = logits[row, drawn] - highest - np.log(total)


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


def level_logits(layer: torch.nn.Linear) -> None:
    """Lets all actions be about as likely at first, as SB3 has it."""
    torch.nn.init.orthogonal_(layer.weight, 0.01)
    torch.nn.init.zeros_(layer.bias)


class PointerLogits(torch.nn.Module):
    """The logits of actions that point at things, made from these things.

    Attributes:
        blocks: Where the things of each kind stand in an observation, and how many there are.
        num_things: How many things there are, of all kinds.
        combinations: The things that each combination has, one of each kind, counted through all
            kinds: int64 (combinations, kinds).

    Args:
        pointer: The actions.
        observation: Where the things are in an observation.
        size: How many numbers come from the hidden layers.
        width: How many numbers describe a combination of things.
    """

    def __init__(
        self, pointer: Pointer, observation: ObservationSpec, size: int, width: int
    ) -> None:
        super().__init__()
        self.blocks = [(observation.blocks[name], count) for name, count in pointer.things]
        counts = [count for _, count in self.blocks]
        self.num_things = sum(counts)
        firsts = np.cumsum([0, *counts[:-1]])
        self.combinations = np.indices(counts).reshape(len(counts), -1).T + firsts
        self.context = torch.nn.Linear(size, width)
        self.things = torch.nn.ModuleList(
            torch.nn.Linear(block.shape[-1], width, bias=False) for block, _ in self.blocks
        )
        self.choices = torch.nn.Linear(width, pointer.choices)
        level_logits(self.choices)

    def forward(
        self, latent: torch.Tensor, observations: torch.Tensor, chosen: torch.Tensor | None
    ) -> torch.Tensor:
        """Returns the logits of some rows, all of them if ``chosen`` is None.

        Args:
            latent: What the hidden layers say, float32 (rows, size).
            observations: float32 (rows, size).
            chosen: Which rows, int64 (n,).

        Returns:
            float32 (n, actions of the pointer).
        """
        if chosen is not None:
            latent = latent.index_select(0, chosen)
        rows, kinds, width = len(latent), len(self.blocks), self.context.out_features
        sums = self.context(latent).reshape(rows, *[1] * kinds, width)
        for place, (block, count) in enumerate(self.blocks):
            size = block.shape[-1]
            seen = observations[:, block.start : block.start + count * size]
            if chosen is not None:
                seen = seen.index_select(0, chosen)
            around = [count if other == place else 1 for other in range(kinds)]
            share = self.things[place](seen.reshape(rows, count, size))
            sums = sums + share.reshape(rows, *around, width)
        logits: torch.Tensor = self.choices(torch.relu(sums)).flatten(start_dim=1)
        return logits


class PointerHead(torch.nn.Module):
    """The logits of all actions: from the hidden layers, and from the things pointed at.

    Args:
        spec: What the game is.
        size: How many numbers come from the hidden layers.
        width: How many numbers describe a combination of things.
    """

    def __init__(self, spec: GameSpec, size: int, width: int) -> None:
        super().__init__()
        self.slices = [pointer.actions for pointer in spec.pointers]
        self.actions = torch.nn.Linear(size, spec.num_actions)
        self.pointers = torch.nn.ModuleList(
            PointerLogits(pointer, spec.observation, size, width) for pointer in spec.pointers
        )
        level_logits(self.actions)

    def forward(
        self, latent: torch.Tensor, observations: torch.Tensor, masks: torch.Tensor | None
    ) -> torch.Tensor:
        """Returns the logits.

        Args:
            latent: What the hidden layers say, float32 (n, size).
            observations: float32 (n, size).
            masks: What is legal, bool or int8 (n, actions). Where given, things are only looked at
                in positions where an action that points at them is legal: most have none.

        Returns:
            Logits, float32 (n, actions); those of illegal actions mean nothing.
        """
        logits: torch.Tensor = self.actions(latent)
        parts, reached = [], 0
        for place, pointer in zip(self.slices, self.pointers, strict=True):
            parts += [logits[:, reached : place.start]]
            if masks is None:
                parts += [logits[:, place] + pointer(latent, observations, None)]
            else:
                rows = masks[:, place].any(dim=1).nonzero().flatten()
                pointed = pointer(latent, observations, rows)
                parts += [logits[:, place].index_add(0, rows, pointed)]
            reached = place.stop
        return torch.cat([*parts, logits[:, reached:]], dim=1)


class SeatPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO with one network for policy and value, quick to draw actions.

    Args:
        *args: As ``MaskableActorCriticPolicy``.
        game: A game with the options of all; its spec says which actions point at things.
        pointer_width: How many numbers describe a combination of things that an action points at;
            at 0 logits come from the hidden layers alone.
        half_precision: Whether to compute the hidden layers in bfloat16 while learning.
        hint: A scripted policy whose hints stand behind the observations, none if empty. The
            network adds a number to the logit of the action that is hinted at; how large that is,
            and where the network knows better, is learned.
        hint_bias: That number at first.
        **options: As ``MaskableActorCriticPolicy``.
    """

    def __init__(
        self,
        *args: Any,
        game: Game,
        pointer_width: int,
        half_precision: bool = False,
        hint: str = "",
        hint_bias: float = 3.0,
        **options: Any,
    ) -> None:
        self.game, self.pointer_width, self.half_precision = game, pointer_width, half_precision
        self.hint, self.initial_hint_bias = hint, hint_bias
        super().__init__(*args, **options)

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, list)
        self.mlp_extractor = SharedLayers(
            self.features_dim, self.net_arch, self.activation_fn, self.half_precision
        )

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        if self.pointer_width > 0 and self.game.spec.pointers:
            size = self.mlp_extractor.latent_dim_pi
            self.action_net = PointerHead(self.game.spec, size, self.pointer_width)
        if self.hint:
            self.hint_bias = torch.nn.Parameter(torch.tensor([self.initial_hint_bias]))
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        own = ("game", "pointer_width", "half_precision", "hint")
        theirs = super()._get_constructor_parameters()
        ours = {name: getattr(self, name) for name in own}
        return {**theirs, **ours, "hint_bias": self.initial_hint_bias}

    def twin(self) -> Self:
        """Returns a network of the same shape that only plays, to be given some weights."""
        with torch.random.fork_rng():  # a run that is resumed makes it anew, and draws no more
            network = type(self)(**self._get_constructor_parameters())
        network.set_training_mode(False)
        return network

    @property
    def is_plain(self) -> bool:
        """Whether it computes what a file with its tensors does, and nothing else."""
        return (
            type(self) is SeatPolicy
            and type(self.mlp_extractor) is SharedLayers
            and type(self.features_extractor) is FlattenExtractor
            and self.activation_fn is torch.nn.ReLU
        )

    def get_distribution(  # type: ignore[override]
        self, obs: torch.Tensor, action_masks: Array | None = None
    ) -> MaskableDistribution:
        """Returns the distribution over all actions, as its parent does."""
        logits, _ = self.logits_and_values(obs, None)
        distribution = self.action_dist.proba_distribution(logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Returns values, log-probabilities of the actions, and entropies, as its parent does."""
        distribution = self.get_distribution(obs, action_masks)
        return self.predict_values(obs), distribution.log_prob(actions), distribution.entropy()

    def logits_and_values(
        self, observations: torch.Tensor, masks: torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what the network thinks of actions, and of the position.

        Args:
            observations: float32 (n, size).
            masks: What is legal, bool or int8 (n, actions). Where given, the logits of illegal
                actions mean nothing.

        Returns:
            Logits, float32 (n, actions), and values, float32 (n, 1).
        """
        for_policy, for_value = self.mlp_extractor(self.extract_features(observations))
        if isinstance(self.action_net, PointerHead):
            logits = self.action_net(for_policy, observations, masks)
        else:
            logits = self.action_net(for_policy)
        if self.hint:
            logits = logits + self.hint_bias * observations[:, -logits.shape[1] :]
        return logits, self.value_net(for_value)

    def forward(
        self,
        obs: torch.Tensor,
        deterministic: bool = False,
        action_masks: Array | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Chooses actions, as its parent does.

        Args:
            obs: float32 (n, size).
            deterministic: Whether to take the most likely action instead of drawing one.
            action_masks: What is legal, int8 (n, actions).

        Returns:
            Actions, int64 (n,), values, float32 (n, 1), and the log-probabilities of the actions,
            float32 (n,).
        """
        if deterministic or action_masks is None:
            distribution = self.get_distribution(obs, action_masks)
            chosen = distribution.get_actions(deterministic=deterministic)
            return chosen, self.predict_values(obs), distribution.log_prob(chosen)
        logits, values = self.logits_and_values(obs, torch.from_numpy(action_masks))
        count = len(logits)
        actions, log_probs = np.empty(count, np.int64), np.empty(count, np.float32)
        uniforms = np.random.random(count)
        draw_actions(logits.detach().numpy(), action_masks, uniforms, actions, log_probs)
        return torch.from_numpy(actions), values, torch.from_numpy(log_probs)
