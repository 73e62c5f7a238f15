"""A network compiled, for a few positions at a time: no call of NumPy for any of its layers.

Most numbers of an observation are 0, and so is half of what comes out of max(0, x). A loop that
adds the weights of the others takes 0.02 ms for a position where a dozen calls of NumPy take
0.25 ms; with some fifty positions at once matrix products catch up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.spec import GameSpec

#: The fields of a pointer, and of a kind of things that it looks at, in their tables.
FIRST, CHOICES, WIDTH, CONTEXT, CHOOSING, FIRST_KIND, KINDS = range(7)
START, COUNT, SIZE, SHARE = range(4)


class Arranged(NamedTuple):
    """A network as compiled code takes it.

    Attributes:
        weights: All of them, float32, as :class:`CompiledNetwork` arranges them.
        layers: How many numbers go into the hidden layers, and come out of each, int64.
        pointers: The fields of each pointer, int64 (pointers, fields).
        kinds: The fields of each kind of things of all pointers, int64 (kinds, fields).
        observes_hint: Whether an observation ends with a hint.
    """

    weights: Array
    layers: Array
    pointers: Array
    kinds: Array
    observes_hint: bool


@jit
def add_layer(weights: Array, start: int, values: Array, out: Array) -> int:
    """Adds to ``out`` what a layer without a bias makes of some values; returns where it ends.

    Args:
        weights: All weights, float32; those of the layer are (values, out).
        start: Where they begin.
        values: float32 (values,).
        out: float32 (out,).
    """
    width, end = len(out), start + len(values) * len(out)
    rows = weights[start:end].reshape(len(values), width)
    for number in range(len(values)):
        value = values[number]
        if value != 0:
            for place in range(width):  # to slice each row would take longer than its sums
                out[place] += value * rows[number, place]
    return end


@jit
def layer(weights: Array, start: int, values: Array, out: Array) -> int:
    """Puts into ``out`` what a layer with a bias makes of some values; returns where it ends.

    Args:
        weights: All weights, float32; those of the layer are (values, out), its bias behind them.
        start: Where they begin.
        values: float32 (values,).
        out: float32 (out,).
    """
    bias = start + len(values) * len(out)
    out[:] = weights[bias : bias + len(out)]
    add_layer(weights, start, values, out)
    return bias + len(out)


@jit
def add_pointed(
    network: Arranged,
    pointer: Array,
    latent: Array,
    observation: Array,
    mask: Array,
    room: Array,
    logits: Array,
) -> None:
    """Adds to the logits of a pointer's legal actions what the things say that they point at.

    Args:
        network: The network.
        pointer: Its fields, int64.
        latent: What the hidden layers say, float32 (size,).
        observation: float32 (size,).
        mask: What is legal, int8 (actions,).
        room: For what each thing says, and two sums, float32 (things + 2, width) or more.
        logits: float32 (actions,).
    """
    weights, choices, width = network.weights, pointer[CHOICES], pointer[WIDTH]
    context, hidden, shares = room[0, :width], room[1, :width], room[2:]
    mine = network.kinds[pointer[FIRST_KIND] : pointer[FIRST_KIND] + pointer[KINDS]]
    layer(weights, pointer[CONTEXT], latent, context)
    combinations, reached = 1, 0
    for kind in mine:
        combinations *= kind[COUNT]
        for thing in range(kind[COUNT]):
            share = shares[reached, :width]
            share[:] = 0
            begin = kind[START] + thing * kind[SIZE]
            add_layer(weights, kind[SHARE], observation[begin : begin + kind[SIZE]], share)
            reached += 1
    bias = pointer[CHOOSING] + choices * width
    for combination in range(combinations):
        action = pointer[FIRST] + combination * choices
        if not mask[action : action + choices].any():
            continue
        hidden[:] = context
        left, above = combination, reached
        for place in range(len(mine) - 1, -1, -1):  # the last kind changes fastest
            above -= mine[place, COUNT]
            share = shares[above + left % mine[place, COUNT], :width]
            left //= mine[place, COUNT]
            for number in range(width):
                hidden[number] += share[number]
        for choice in range(choices):
            if mask[action + choice]:
                begin, total = pointer[CHOOSING] + choice * width, weights[bias + choice]
                for number in range(width):
                    total += max(hidden[number], np.float32(0)) * weights[begin + number]
                logits[action + choice] += total


@jit
def forward(
    network: Arranged, observations: Array, masks: Array, logits: Array, values: Array
) -> None:
    """Computes what a network says of some positions.

    Args:
        network: The network.
        observations: float32 (n, size).
        masks: What is legal, int8 (n, actions).
        logits: Where they go, float32 (n, actions).
        values: Where they go, float32 (n, 1).
    """
    weights, layers, num_actions = network.weights, network.layers, masks.shape[1]
    widest = layers[1:].max() if len(layers) > 1 else 0
    now, after = np.empty(widest, np.float32), np.empty(widest, np.float32)
    width = 0
    for pointer in network.pointers:
        width = max(width, pointer[WIDTH])
    room = np.zeros((2 + network.kinds[:, COUNT].sum(), width), np.float32)
    for row in range(len(observations)):
        observation, mask, start = observations[row], masks[row], 0
        latent = observation
        for number in range(1, len(layers)):
            out = (now if number % 2 else after)[: layers[number]]
            start = layer(weights, start, latent, out)
            for place in range(len(out)):
                out[place] = max(out[place], np.float32(0))
            latent = out
        start = layer(weights, start, latent, logits[row])
        start = layer(weights, start, latent, values[row])
        for pointer in network.pointers:
            count = pointer[CHOICES]
            for kind in range(pointer[FIRST_KIND], pointer[FIRST_KIND] + pointer[KINDS]):
                count *= network.kinds[kind, COUNT]
            if mask[pointer[FIRST] : pointer[FIRST] + count].any():
                add_pointed(network, pointer, latent, observation, mask, room, logits[row])
        if network.observes_hint:
            hints = observation[len(observation) - num_actions :]
            for action in range(num_actions):
                logits[row, action] += weights[start] * hints[action]


class CompiledNetwork:
    """A network that is quick with a few positions; it has a copy of the weights.

    Attributes:
        arranged: The network for compiled code.

    Args:
        spec: What the game is.
        tensors: What it is made of, as :class:`~dreamfactory_env.policies.network.NumpyNetwork` has
            it; ``value.weight`` (1, in) and ``value.bias`` (1,) besides, if it has a value.
        observes_hint: Whether its input ends with a hint.
    """

    def __init__(
        self, spec: GameSpec, tensors: Mapping[str, Array], observes_hint: bool = False
    ) -> None:
        hidden = sum(name.startswith("hidden.") for name in tensors) // 2
        size = spec.observation.size + spec.num_actions * observes_hint
        layers = [size, *(len(tensors[f"hidden.{number}.bias"]) for number in range(hidden))]
        no_value = {"value.weight": np.zeros((1, layers[-1])), "value.bias": np.zeros(1)}
        tensors = {**no_value, **tensors}
        parts: list[Array] = []
        for name in [*(f"hidden.{number}" for number in range(hidden)), "actions", "value"]:
            parts += [tensors[f"{name}.weight"].T, tensors[f"{name}.bias"]]
        parts += [tensors["trust"]] if observes_hint else []
        pointers: list[tuple[int, ...]] = []
        kinds: list[tuple[int, ...]] = []
        looks = any(name.startswith("pointers.") for name in tensors)
        for number, pointer in enumerate(spec.pointers if looks else ()):
            part, first_kind = f"pointers.{number}", len(kinds)
            context = sum(array.size for array in parts)
            parts += [tensors[f"{part}.context.weight"].T, tensors[f"{part}.context.bias"]]
            for place, (name, count) in enumerate(pointer.things):
                things = tensors[f"{part}.things.{place}.weight"]
                share = sum(array.size for array in parts)
                kinds.append((spec.observation.start(name), count, things.shape[1], share))
                parts.append(things.T)
            choosing = sum(array.size for array in parts)
            parts += [tensors[f"{part}.choices.weight"], tensors[f"{part}.choices.bias"]]
            width = len(tensors[f"{part}.context.bias"])
            fields = (pointer.first, pointer.choices, width, context, choosing)
            pointers.append((*fields, first_kind, len(pointer.things)))
        self.arranged = Arranged(
            np.concatenate([array.ravel() for array in parts]).astype(np.float32),
            np.array(layers, np.int64),
            np.array(pointers, np.int64).reshape(-1, 7),
            np.array(kinds, np.int64).reshape(-1, 4),
            observes_hint,
        )

    def logits_and_values(self, observations: Array, masks: Array) -> tuple[Array, Array]:
        """Returns what the network says of some positions.

        Args:
            observations: float32 (n, size).
            masks: What is legal, bool or int8 (n, actions).

        Returns:
            Logits, float32 (n, actions), those of illegal actions meaning nothing, and values,
            float32 (n, 1), 0 if it has none.
        """
        logits = np.empty(masks.shape, np.float32)
        values = np.empty((len(masks), 1), np.float32)
        # The same types at all times: others would be compiled anew.
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        forward(self.arranged, seen, legal.view(np.int8), logits, values)
        return logits, values
