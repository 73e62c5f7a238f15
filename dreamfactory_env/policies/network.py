"""Trained networks from files: they play without torch, and loading one runs nothing from it.

A file is safetensors. Its header says what it was made for; the tensors are the layers of a network
that goes from an observation to a number for each action: ``hidden.0.weight`` (out, in) and
``hidden.0.bias`` (out,), ``hidden.1.weight`` …, each followed by max(0, x), and ``actions.weight``,
``actions.bias``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from dreamfactory_env.errors import OptionError
from dreamfactory_env.games.game import Game
from dreamfactory_env.layout import Array
from dreamfactory_env.policies.policy import Policy, Views, digest_of

FORMAT = "dreamfactory-network/1"
SUFFIX = ".safetensors"


def header_of(kind: type[Game]) -> dict[str, str]:
    """Returns what a file for a game must say of itself."""
    return {
        "format": FORMAT,
        "game": kind.name,
        "version": kind.version,
        "observation": kind.layout.fingerprint(),
        "actions": str(kind.actions),
    }


def read_header(path: str | Path) -> tuple[dict[str, str], dict[str, tuple[int, ...]]]:
    """Returns what a file says of itself, and the shape of each of its tensors.

    Raises:
        OptionError: It cannot be read.
    """
    try:
        with safe_open(str(path), "numpy") as file:
            names = list(file.keys())
            shapes = {name: tuple(file.get_slice(name).get_shape()) for name in names}
            return file.metadata() or {}, shapes
    except (OSError, SafetensorError) as error:
        raise OptionError(f"{path} cannot be read as safetensors: {error}") from error


def write_network(
    path: Path, kind: type[Game], layers: list[tuple[Array, Array]], facts: Mapping[str, str]
) -> None:
    """Writes a network that plays a game.

    Args:
        path: Where to; its name ends with ``.safetensors``.
        kind: Which game it plays.
        layers: Weights (out, in) and biases (out,) of each layer, the actions' last.
        facts: What else its header says, such as how it was trained; all texts.
    """
    tensors = {}
    for number, (weight, bias) in enumerate(layers):
        name = "actions" if number == len(layers) - 1 else f"hidden.{number}"
        tensors[f"{name}.weight"] = np.ascontiguousarray(weight, np.float32)
        tensors[f"{name}.bias"] = np.ascontiguousarray(bias, np.float32)
    save_file(tensors, path, metadata={**facts, **header_of(kind)})


class NetworkPolicy(Policy):
    """A network from a file; it plays the action that it rates highest.

    Attributes:
        facts: What the header of the file says.

    Args:
        kind: Which game it is to play.
        path: The file.

    Raises:
        OptionError: It cannot be read, or is for another game, version or observation.
    """

    def __init__(self, kind: type[Game], path: str | Path) -> None:
        try:
            with safe_open(str(path), "numpy") as file:
                self.facts: dict[str, str] = file.metadata() or {}
                tensors: dict[str, Array] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            self._fingerprint = digest_of(Path(path).read_bytes())
        except (OSError, SafetensorError) as error:
            raise OptionError(f"{path} cannot be read as safetensors: {error}") from error
        for key, wanted in header_of(kind).items():
            found = self.facts.get(key)
            if found != wanted:
                raise OptionError(f"{path}: its {key} is {found!r}, not {wanted!r}")
        hidden = sum(name.startswith("hidden.") for name in tensors) // 2
        names = [*(f"hidden.{number}" for number in range(hidden)), "actions"]
        try:
            self.layers = [(tensors[f"{n}.weight"], tensors[f"{n}.bias"]) for n in names]
        except KeyError as error:
            raise OptionError(f"{path}: the tensor {error} is missing") from error
        self._check_shapes(path, kind)

    def _check_shapes(self, path: str | Path, kind: type[Game]) -> None:
        size: Any = kind.layout.size
        for number, (weight, bias) in enumerate(self.layers):
            out = kind.actions if number == len(self.layers) - 1 else len(bias)
            if weight.shape != (out, size) or bias.shape != (out,):
                found = f"{weight.shape} and {bias.shape}"
                raise OptionError(f"{path}: layer {number} has the shapes {found}: they do not fit")
            size = out

    def ratings(self, observations: Array) -> Array:
        """Returns a number for every action, float32 (n, actions); legal or not."""
        values = observations
        for weight, bias in self.layers[:-1]:
            values = np.maximum(values @ weight.T + bias, 0)
        weight, bias = self.layers[-1]
        rated: Array = values @ weight.T + bias
        return rated

    def best(self, observations: Array, masks: Array) -> Array:
        """Returns the legal action that the network rates highest in each row, int64 (n,)."""
        rated = np.where(masks, self.ratings(observations), -np.inf)
        best: Array = rated.argmax(axis=1)
        return best

    def act_batch(self, views: Views) -> Array:
        """Returns the legal action of each game that the network rates highest, int64 (n,)."""
        return self.best(views.observations, views.masks)

    def fingerprint(self) -> str:
        """Returns a hash of the file."""
        return self._fingerprint
