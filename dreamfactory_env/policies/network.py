"""Trained networks from files: they play without torch, and loading one runs nothing from it.

A file is safetensors. Its header says what it was made for; the tensors, float32 or in half the
bytes float16, are those of a network that goes from an observation to a number for each action:

- ``hidden.0.weight`` (out, in) and ``hidden.0.bias`` (out,), ``hidden.1.weight`` …, each followed
  by max(0, x); ``actions.weight`` and ``actions.bias`` give a logit for every action.
- Where there is a tensor ``pointers.0.context.weight``, actions that point at things are judged
  by these things, too (see :class:`~dreamfactory_env.games.observation_spec.Pointer`): to what the
  hidden layers say, through ``context.weight`` (width, in) and ``context.bias``, each thing adds
  its own share, through ``things.0.weight`` (width, size of its description), ``things.1.weight``
  …; max(0, x) of the sum goes through ``choices.weight`` (choices, width) and ``choices.bias``.
- Where the header names a hint policy (under the key ``adviser``), that scripted policy is asked
  first: the network's input ends with a 1 for the action that it would play (see
  :func:`with_hints`), and the tensor ``trust`` (1,), the hint bias, is added to its logit.
- Where there are tensors ``value.weight`` (1, in) and ``value.bias`` (1,), they make of what the
  hidden layers say the return that its player can expect; the header says of which reward (under
  the key ``value``).
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
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.policies.policy import Policy, Views, digest_of
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.files import atomic_write

FORMAT = "dreamfactory-network/1"
SUFFIX = ".safetensors"
#: What the numbers of a file can be; it is computed with float32.
FLOATS = (np.float32, np.float16)
#: The key of the header that names the hint policy, as the format has it.
HINT_KEY = "adviser"
#: The key of the header that says what the value foresees: a reward of the game.
VALUE_KEY = "value"


def header_of(game: Game) -> dict[str, str]:
    """Returns what a file for a game must say of itself."""
    labels = game.spec.sizes.action_labels
    return {
        "format": FORMAT,
        "game": game.spec.name,
        "version": game.spec.version,
        "observation": game.spec.observation.fingerprint(),
        "actions": " ".join(filter(None, [str(game.spec.num_actions), labels])),
        "pointers": ", ".join(pointer.described() for pointer in game.spec.pointers),
    }


def with_hints(observations: Array, hints: Array, actions: int) -> Array:
    """Returns observations with hints: behind each observation a number for every action.

    Args:
        observations: float32 (n, size).
        hints: The action that the hint policy would play in each, int64 (n,).
        actions: How many actions there are.

    Returns:
        float32 (n, size + actions): 1 for the action of the hint, 0 for all others.
    """
    rows, size = observations.shape
    seen = np.zeros((rows, size + actions), np.float32)
    seen[:, :size] = observations
    seen[np.arange(rows), size + hints] = 1
    return seen


def hinted_observations(hint: ScriptedPolicy | None, views: Views) -> Array:
    """Returns the input of a network: observations, and behind them hints if it observes any."""
    if hint is None:
        return views.observations
    return with_hints(views.observations, hint.act_batch(views), views.spec.num_actions)


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


def hint_fact(game: Game, name: str) -> str:
    """Returns what a header says of a hint policy: its name, and a hash of its constants."""
    return f"{name} {ScriptedPolicy(game, name).fingerprint()}"


def expected_facts(game: Game, facts: Mapping[str, str]) -> dict[str, str]:
    """Returns what the header of a file must say to be played here, by what it says."""
    expected = header_of(game)
    if HINT_KEY in facts:
        name = facts[HINT_KEY].partition(" ")[0]
        known = " or ".join(game.scripted)
        expected[HINT_KEY] = hint_fact(game, name) if name in game.scripted else known
    return expected


def write_network(
    path: Path,
    game: Game,
    tensors: Mapping[str, Array],
    facts: Mapping[str, str],
    hint: str = "",
    half: bool = False,
) -> None:
    """Writes a network that plays a game.

    Args:
        path: Where to; its name ends with ``.safetensors``.
        game: A game with the options that it plays.
        tensors: What it is made of, by name.
        facts: What else its header says, such as how it was trained; all texts.
        hint: The scripted policy whose hints it observes; none if empty.
        half: Whether to write numbers as float16, in a file of half the size.

    Raises:
        OSError: The file cannot be written; what was there before is untouched.
    """
    facts = {**facts, **header_of(game)}
    if hint:
        facts[HINT_KEY] = hint_fact(game, hint)
    dtype = np.float16 if half else np.float32
    numbers = {name: np.ascontiguousarray(array, dtype) for name, array in tensors.items()}
    atomic_write(path, _in_order(save(numbers, metadata=facts)))


def _in_order(data: bytes) -> bytes:
    """Returns a safetensors file with its header sorted: as it comes, its order is random."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8:start]), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)  # tensors begin at multiples of 8
    return len(header).to_bytes(8, "little") + header + data[start:]


def expected_shapes(
    game: Game, tensors: Mapping[str, Array], observes_hint: bool
) -> dict[str, tuple[int, ...]]:
    """Returns the tensors that a network must have, by the sizes of its hidden layers."""
    shapes: dict[str, tuple[int, ...]] = {"trust": (1,)} if observes_hint else {}
    size = game.spec.observation.size + game.spec.num_actions * observes_hint
    for number in range(sum(name.startswith("hidden.") for name in tensors) // 2):
        out = len(tensors.get(f"hidden.{number}.bias", ()))
        shapes[f"hidden.{number}.weight"], shapes[f"hidden.{number}.bias"] = (out, size), (out,)
        size = out
    shapes["actions.weight"], shapes["actions.bias"] = (
        (game.spec.num_actions, size),
        (game.spec.num_actions,),
    )
    if any(name.startswith("value.") for name in tensors):
        shapes["value.weight"], shapes["value.bias"] = (1, size), (1,)
    if not any(name.startswith("pointers.") for name in tensors):
        return shapes
    for number, pointer in enumerate(game.spec.pointers):
        part = f"pointers.{number}"
        width = len(tensors.get(f"{part}.context.bias", ()))
        shapes[f"{part}.context.weight"] = (width, size)
        shapes[f"{part}.context.bias"] = (width,)
        for place, (name, _) in enumerate(pointer.things):
            shapes[f"{part}.things.{place}.weight"] = (
                width,
                game.spec.observation.blocks[name].shape[-1],
            )
        shapes[f"{part}.choices.weight"] = (pointer.choices, width)
        shapes[f"{part}.choices.bias"] = (pointer.choices,)
    return shapes


class NumpyNetwork:
    """A network in NumPy, which needs no torch; with few rows it is also several times faster.

    Attributes:
        tensors: What it is made of, by the names that a file has.
        layers: The sizes of its hidden layers.
        width: How many numbers describe the things that an action points at; 0 if it looks at none.

    Args:
        spec: What the game is.
        tensors: float32 arrays of the shapes of :func:`expected_shapes`; they are not copied.
        observes_hint: Whether its input ends with a hint.
    """

    def __init__(
        self, spec: GameSpec, tensors: Mapping[str, Array], observes_hint: bool = False
    ) -> None:
        self.spec, self.tensors, self.observes_hint = spec, tensors, observes_hint
        hidden = sum(name.startswith("hidden.") for name in tensors) // 2
        self.layers = [len(tensors[f"hidden.{number}.bias"]) for number in range(hidden)]
        self.width = len(tensors.get("pointers.0.context.bias", ()))

    def logits(self, observations: Array) -> Array:
        """Returns a number for every action, legal or not.

        Args:
            observations: What is seen, float32 (n, size); with hints, if it observes any,
                :func:`with_hints`.

        Returns:
            float32 (n, actions).
        """
        latent = self._latent(observations)
        logits = self._layer("actions", latent)
        if self.width > 0:
            for number, pointer in enumerate(self.spec.pointers):
                logits[:, pointer.actions] += self._pointed(number, pointer, latent, observations)
        if self.observes_hint:
            logits += self.tensors["trust"] * observations[:, -self.spec.num_actions :]
        return logits

    @property
    def has_value(self) -> bool:
        """Whether it has a value, and not a policy alone."""
        return "value.weight" in self.tensors

    def values(self, observations: Array) -> Array:
        """Returns the return that the player to move can expect in each row, float32 (n,).

        Args:
            observations: As in :meth:`logits`.

        Raises:
            OptionError: It has no value.
        """
        if not self.has_value:
            raise OptionError("the network has no value: its file holds a policy alone")
        return self._layer("value", self._latent(observations))[:, 0]

    def _latent(self, observations: Array) -> Array:
        """Returns what the hidden layers say, float32 (n, size)."""
        latent = observations
        for number in range(len(self.layers)):
            latent = np.maximum(self._layer(f"hidden.{number}", latent), 0)
        return latent

    def _layer(self, name: str, values: Array) -> Array:
        out: Array = values @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]
        return out

    def _pointed(self, number: int, pointer: Pointer, values: Array, observations: Array) -> Array:
        """Returns how much the things that a pointer's actions point at add to their logits."""
        rows, things = len(values), pointer.things
        sums = self._layer(f"pointers.{number}.context", values)
        sums = sums.reshape(rows, *[1] * len(things), -1)
        for place, (name, count) in enumerate(things):
            weight = self.tensors[f"pointers.{number}.things.{place}.weight"]
            start, size = self.spec.observation.start(name), weight.shape[1]
            seen = observations[:, start : start + count * size].reshape(rows, count, size)
            around = [count if other == place else 1 for other in range(len(things))]
            sums = sums + (seen @ weight.T).reshape(rows, *around, -1)
        return self._layer(f"pointers.{number}.choices", np.maximum(sums, 0)).reshape(rows, -1)

    def best(self, observations: Array, masks: Array) -> Array:
        """Returns the legal action with the highest logit in each row, int64 (n,).

        Args:
            observations: As in :meth:`logits`.
            masks: What is legal, int8 (n, actions).
        """
        logits = np.where(masks, self.logits(observations), -np.inf)
        best: Array = logits.argmax(axis=1)
        return best


class NetworkPolicy(Policy, NumpyNetwork):
    """A network from a file; it plays the action with the highest logit.

    Attributes:
        facts: What the header of the file says.
        hint: The name of the scripted policy whose hints it observes; empty for none.
        layers: The sizes of its hidden layers.
        width: How many numbers describe the things that an action points at; 0 if it looks at none.
        foresees: The reward whose returns its value foresees, as the header says; empty if it has
            no value.

    Args:
        game: A game with the options that it is to play.
        path: The file.

    Raises:
        OptionError: It cannot be read, or is for another game, version, observation or hint policy.
    """

    def __init__(self, game: Game, path: str | Path) -> None:
        try:
            with safe_open(str(path), "numpy") as file:
                self.facts: dict[str, str] = file.metadata() or {}
                tensors: dict[str, Array] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            self._fingerprint = digest_of(Path(path).read_bytes())
        except (OSError, SafetensorError, ValueError) as error:  # more dimensions than arrays have
            raise OptionError(f"{path} cannot be read as safetensors: {error}") from error
        for key, expected in expected_facts(game, self.facts).items():
            found = self.facts.get(key)
            if found != expected:
                raise OptionError(f"{path}: its {key} is {found!r}, not {expected!r}")
        self.hint = self.facts.get(HINT_KEY, "").partition(" ")[0]
        self._hint_policy = ScriptedPolicy(game, self.hint) if self.hint else None
        shapes = expected_shapes(game, tensors, bool(self.hint))
        for name, shape in shapes.items():
            if name not in tensors:
                raise OptionError(f"{path}: the tensor {name!r} is missing")
            if tensors[name].shape != shape:
                found = tensors[name].shape
                raise OptionError(f"{path}: {name} has the shape {found}: {shape} would fit")
            if tensors[name].dtype not in FLOATS or not np.isfinite(tensors[name]).all():
                raise OptionError(f"{path}: {name} must be finite numbers of the type float32")
            if 0 in shape:
                raise OptionError(f"{path}: {name} is empty")
            tensors[name] = tensors[name].astype(np.float32, copy=False)
        NumpyNetwork.__init__(self, game.spec, tensors, bool(self.hint))
        self.foresees = self.facts.get(VALUE_KEY, "") if self.has_value else ""

    def act_batch(self, views: Views) -> Array:
        """Returns the legal action of each game with the highest logit, int64 (n,)."""
        return self.best(hinted_observations(self._hint_policy, views), views.masks)

    def probabilities(self, views: Views) -> Array:
        """Returns how likely each action was in training, 0 if it is not legal.

        It plays the likeliest; the others tell how sure it is.

        Returns:
            float64 (n, actions); each row sums to 1.
        """
        logits = self.logits(hinted_observations(self._hint_policy, views)).astype(np.float64)
        logits[views.masks == 0] = -np.inf
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: Array = odds / odds.sum(axis=1, keepdims=True)
        return shares

    def expected_returns(self, views: Views) -> Array:
        """Returns the return that the player to move can expect in each view, float32 (n,).

        Raises:
            OptionError: It has no value.
        """
        return self.values(hinted_observations(self._hint_policy, views))

    def fingerprint(self) -> str:
        """Returns a hash of the file."""
        return self._fingerprint
