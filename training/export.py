"""From a trained model of stable-baselines3 to a file that plays anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from dreamfactory_env.errors import OptionError
from dreamfactory_env.games.game import Game
from dreamfactory_env.layout import Array
from dreamfactory_env.policies.network import write_network


def export(model: MaskablePPO, kind: type[Game], path: Path, facts: Mapping[str, str]) -> None:
    """Writes the policy network of a model as a file for :class:`NetworkPolicy`.

    Args:
        model: Its policy is an ``MlpPolicy`` with ReLU between the layers.
        kind: Which game it plays.
        path: Where to; its name ends with ``.safetensors``.
        facts: What else the header says, such as how it was trained.

    Raises:
        OptionError: The network is made of something else.
    """
    layers: list[tuple[Array, Array]] = []
    for module in model.policy.mlp_extractor.policy_net:
        if isinstance(module, torch.nn.Linear):
            layers.append(_numbers(module))
        elif not isinstance(module, torch.nn.ReLU):
            raise OptionError(f"a {type(module).__name__} cannot be exported, only Linear and ReLU")
    assert isinstance(model.policy.action_net, torch.nn.Linear)
    layers.append(_numbers(model.policy.action_net))
    write_network(path, kind, layers, facts)


def _numbers(module: torch.nn.Linear) -> tuple[Array, Array]:
    return module.weight.detach().numpy(), module.bias.detach().numpy()
