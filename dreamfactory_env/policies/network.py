"""Trained networks from files: they play without torch, and loading one runs nothing from it.

A file is safetensors. Its header says what it was made for; the tensors are those of a network that
goes from an observation to a number for each action:

- ``hidden.0.weight`` (out, in) and ``hidden.0.bias`` (out,), ``hidden.1.weight`` …, each followed
  by max(0, x); ``actions.weight`` and ``actions.bias`` rate all actions by what comes out.
- Where there is a tensor ``pointers.0.context.weight``, actions that point at things are rated by
  these things, too (see :class:`~dreamfactory_env.observing.Pointer`): to what the hidden layers
  say, through ``context.weight`` (width, in) and ``context.bias``, each thing adds its own share,
  through ``things.0.weight`` (width, size of its description), ``things.1.weight`` …; max(0, x) of
  the sum goes through ``choices.weight`` (choices, width) and ``choices.bias``.
- Where the header names an ``adviser``, a scripted policy is asked first: what the network sees
  ends with a 1 for the action that it advises (see :func:`with_advice`), and ``trust`` (1,) is
  added to the rating of that action.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.observation_spec import Pointer
from dreamfactory_env.policies.policy import Policy, Views, digest_of
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write

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
        "pointers": ", ".join(pointer.described() for pointer in kind.pointers),
    }


def with_advice(observations: Array, advice: Array, actions: int) -> Array:
    """Returns what somebody sees who hears advice: behind each observation a number per action.

    Args:
        observations: float32 (n, layout.size).
        advice: The action that is advised in each, int64 (n,).
        actions: How many actions there are.

    Returns:
        float32 (n, layout.size + actions): 1 for the action that is advised, 0 for all others.
    """
    rows, size = observations.shape
    seen = np.zeros((rows, size + actions), np.float32)
    seen[:, :size] = observations
    seen[np.arange(rows), size + advice] = 1
    return seen


def seen_with(adviser: ScriptedPolicy | None, views: Views) -> Array:
    """Returns what is seen in some views: observations, and behind them advice if there is any."""
    if adviser is None:
        return views.observations
    return with_advice(views.observations, adviser.act_batch(views), views.kind.actions)


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


def adviser_fact(kind: type[Game], name: str) -> str:
    """Returns what a header says of an adviser: its name, and a hash of its constants."""
    return f"{name} {ScriptedPolicy(kind, name).fingerprint()}"


def wanted_facts(kind: type[Game], facts: Mapping[str, str]) -> dict[str, str]:
    """Returns what the header of a file must say to be played here, by what it says."""
    wanted = header_of(kind)
    if "adviser" in facts:
        name = facts["adviser"].partition(" ")[0]
        known = " or ".join(kind.scripted)
        wanted["adviser"] = adviser_fact(kind, name) if name in kind.scripted else known
    return wanted


def write_network(
    path: Path,
    kind: type[Game],
    tensors: Mapping[str, Array],
    facts: Mapping[str, str],
    adviser: str = "",
) -> None:
    """Writes a network that plays a game.

    Args:
        path: Where to; its name ends with ``.safetensors``.
        kind: Which game it plays.
        tensors: What it is made of, by name.
        facts: What else its header says, such as how it was trained; all texts.
        adviser: The scripted policy whose advice it hears; none if empty.

    Raises:
        OSError: The file cannot be written; what was there before is untouched.
    """
    facts = {**facts, **header_of(kind)}
    if adviser:
        facts["adviser"] = adviser_fact(kind, adviser)
    numbers = {name: np.ascontiguousarray(array, np.float32) for name, array in tensors.items()}
    atomic_write(path, _in_order(save(numbers, metadata=facts)))


def _in_order(data: bytes) -> bytes:
    """Returns a safetensors file with its header sorted: as it comes, its order is random."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8:start]), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)  # tensors begin at multiples of 8
    return len(header).to_bytes(8, "little") + header + data[start:]


def wanted_shapes(
    kind: type[Game], tensors: Mapping[str, Array], hears: bool
) -> dict[str, tuple[int, ...]]:
    """Returns the tensors that a network must have, by the sizes of its hidden layers."""
    shapes: dict[str, tuple[int, ...]] = {"trust": (1,)} if hears else {}
    size = kind.layout.size + kind.actions * hears
    for number in range(sum(name.startswith("hidden.") for name in tensors) // 2):
        out = len(tensors.get(f"hidden.{number}.bias", ()))
        shapes[f"hidden.{number}.weight"], shapes[f"hidden.{number}.bias"] = (out, size), (out,)
        size = out
    shapes["actions.weight"], shapes["actions.bias"] = (kind.actions, size), (kind.actions,)
    if not any(name.startswith("pointers.") for name in tensors):
        return shapes
    for number, pointer in enumerate(kind.pointers):
        part = f"pointers.{number}"
        width = len(tensors.get(f"{part}.context.bias", ()))
        shapes[f"{part}.context.weight"] = (width, size)
        shapes[f"{part}.context.bias"] = (width,)
        for place, (name, _) in enumerate(pointer.things):
            shapes[f"{part}.things.{place}.weight"] = (width, kind.layout.blocks[name].shape[-1])
        shapes[f"{part}.choices.weight"] = (pointer.choices, width)
        shapes[f"{part}.choices.bias"] = (pointer.choices,)
    return shapes


class NetworkPolicy(Policy):
    """A network from a file; it plays the action that it rates highest.

    Attributes:
        facts: What the header of the file says.
        adviser: The name of the scripted policy whose advice it hears; empty for none.
        layers: The sizes of its hidden layers.
        width: How many numbers describe the things that an action points at; 0 if it looks at none.

    Args:
        kind: Which game it is to play.
        path: The file.

    Raises:
        OptionError: It cannot be read, or is for another game, version, observation or adviser.
    """

    def __init__(self, kind: type[Game], path: str | Path) -> None:
        try:
            with safe_open(str(path), "numpy") as file:
                self.facts: dict[str, str] = file.metadata() or {}
                tensors: dict[str, Array] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            self._fingerprint = digest_of(Path(path).read_bytes())
        except (OSError, SafetensorError) as error:
            raise OptionError(f"{path} cannot be read as safetensors: {error}") from error
        for key, wanted in wanted_facts(kind, self.facts).items():
            found = self.facts.get(key)
            if found != wanted:
                raise OptionError(f"{path}: its {key} is {found!r}, not {wanted!r}")
        self.adviser = self.facts.get("adviser", "").partition(" ")[0]
        self._adviser = ScriptedPolicy(kind, self.adviser) if self.adviser else None
        shapes = wanted_shapes(kind, tensors, bool(self.adviser))
        for name, shape in shapes.items():
            if name not in tensors:
                raise OptionError(f"{path}: the tensor {name!r} is missing")
            if tensors[name].shape != shape:
                found = tensors[name].shape
                raise OptionError(f"{path}: {name} has the shape {found}: {shape} would fit")
            if tensors[name].dtype != np.float32 or not np.isfinite(tensors[name]).all():
                raise OptionError(f"{path}: {name} must be finite numbers of the type float32")
            if 0 in shape:
                raise OptionError(f"{path}: {name} is empty")
        self.kind = kind
        self.tensors = tensors
        hidden = sum(name.startswith("hidden.") for name in shapes) // 2
        self.layers = [len(tensors[f"hidden.{number}.bias"]) for number in range(hidden)]
        self.width = len(tensors.get("pointers.0.context.bias", ()))

    def ratings(self, observations: Array) -> Array:
        """Returns a number for every action, legal or not.

        Args:
            observations: What is seen, float32 (n, size); if there is an adviser,
                :func:`with_advice`.

        Returns:
            float32 (n, actions).
        """
        values = observations
        for number in range(len(self.layers)):
            values = np.maximum(self._layer(f"hidden.{number}", values), 0)
        rated = self._layer("actions", values)
        if self.width > 0:
            for number, pointer in enumerate(self.kind.pointers):
                rated[:, pointer.actions] += self._pointed(number, pointer, values, observations)
        if self.adviser:
            rated += self.tensors["trust"] * observations[:, -self.kind.actions :]
        return rated

    def _layer(self, name: str, values: Array) -> Array:
        out: Array = values @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]
        return out

    def _pointed(self, number: int, pointer: Pointer, values: Array, observations: Array) -> Array:
        """Returns how much the things that a pointer's actions point at add to their ratings."""
        rows, things = len(values), pointer.things
        sums = self._layer(f"pointers.{number}.context", values)
        sums = sums.reshape(rows, *[1] * len(things), -1)
        for place, (name, count) in enumerate(things):
            weight = self.tensors[f"pointers.{number}.things.{place}.weight"]
            start, size = self.kind.layout.start(name), weight.shape[1]
            seen = observations[:, start : start + count * size].reshape(rows, count, size)
            around = [count if other == place else 1 for other in range(len(things))]
            sums = sums + (seen @ weight.T).reshape(rows, *around, -1)
        return self._layer(f"pointers.{number}.choices", np.maximum(sums, 0)).reshape(rows, -1)

    def best(self, observations: Array, masks: Array) -> Array:
        """Returns the legal action that the network rates highest in each row, int64 (n,).

        Args:
            observations: As in :meth:`ratings`.
            masks: What is legal, int8 (n, actions).
        """
        rated = np.where(masks, self.ratings(observations), -np.inf)
        best: Array = rated.argmax(axis=1)
        return best

    def act_batch(self, views: Views) -> Array:
        """Returns the legal action of each game that the network rates highest, int64 (n,)."""
        return self.best(seen_with(self._adviser, views), views.masks)

    def fingerprint(self) -> str:
        """Returns a hash of the file."""
        return self._fingerprint
