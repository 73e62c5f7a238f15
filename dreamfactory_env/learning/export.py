"""From a trained model of stable-baselines3 to a file that plays anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game
from dreamfactory_env.learning.policy import PointerHead, SeatPolicy
from dreamfactory_env.policies.network import NetworkPolicy, write_network
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import fits_into


def export(
    model: MaskablePPO, game: Game, path: Path, facts: Mapping[str, str], half: bool = False
) -> None:
    """Writes the network of a model as a file for :class:`NetworkPolicy`.

    The value goes with it where it shares the hidden layers with the policy, as a
    :class:`SeatPolicy` has it.

    Args:
        model: Its policy has ReLU between the layers, such as ``MlpPolicy`` can have.
        game: A game with the options that it plays.
        path: Where to; its name ends with ``.safetensors``.
        facts: What else the header says, such as how it was trained.
        half: Whether to write numbers as float16, in a file of half the size.

    Raises:
        OptionError: The network is made of something else.
    """
    hint = model.policy.hint if isinstance(model.policy, SeatPolicy) else ""
    write_network(path, game, tensors_of(model.policy), facts, hint, half)


def tensors_of(policy: MaskableActorCriticPolicy) -> dict[str, Array]:
    """Returns what a policy network is made of, named as in a file: its own weights, not copies.

    Raises:
        OptionError: The network is made of something that files do not know.
    """
    tensors: dict[str, Array] = {}
    hidden = 0
    for module in policy.mlp_extractor.policy_net:
        if isinstance(module, torch.nn.Linear):
            tensors |= _named(f"hidden.{hidden}", module)
            hidden += 1
        elif not isinstance(module, torch.nn.ReLU):
            raise OptionError(f"a {type(module).__name__} cannot be exported, only Linear and ReLU")
    actions = policy.action_net
    if isinstance(actions, PointerHead):
        tensors |= _named("actions", actions.actions) | _named("pointers", actions.pointers)
    else:
        assert isinstance(actions, torch.nn.Linear)
        tensors |= _named("actions", actions)
    if isinstance(policy, SeatPolicy) and policy.hint:
        tensors["trust"] = policy.hint_bias.detach().numpy()  # as the format has it
    if isinstance(policy, SeatPolicy):
        tensors |= _named("value", policy.value_net)
    return tensors


def start_from(model: MaskablePPO, agent: NetworkPolicy, foresees: str = "") -> None:
    """Gives a model the weights of an agent.

    The model may be wider than the agent, in its hidden layers and its pointers. It says the same
    at first: what its further units say counts nothing until it has learned to make use of them.

    The value of the model stays as it is where the agent has none, or one of another reward.

    Args:
        model: The model.
        agent: The agent.
        foresees: What the model is paid, as an agent says it of its value.

    Raises:
        OptionError: The agent is made of something else.
    """
    weights = tensors_of(model.policy)
    given = agent.tensors
    if not agent.has_value or agent.foresees != foresees:
        weights, given = (
            {name: tensor for name, tensor in tensors.items() if "value." not in name}
            for tensors in (weights, dict(given))
        )
    for name in sorted(weights.keys() | given.keys()):
        theirs, own = (
            tensors[name].shape if name in tensors else None for tensors in (given, weights)
        )
        if theirs is None or own is None or not fits_into(theirs, own):
            raise OptionError(f"the agent's {name} has the shape {theirs}, not {own}")
    for name, weight in weights.items():
        old = given[name]
        weight[: len(old)] = 0  # these are the weights of the model themselves
        weight[tuple(slice(size) for size in old.shape)] = old


def _named(part: str, module: torch.nn.Module) -> dict[str, Array]:
    """Returns the weights of a module, the name of the part before their own."""
    weights = module.state_dict()
    return {f"{part}.{name}": weight.detach().numpy() for name, weight in weights.items()}
