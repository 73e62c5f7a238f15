"""The usual network computed by hand, forwards and backwards.

Autograd learns from any network, in some three hundred operations a batch; with batches of a few
hundred decisions most of them are overhead, during which nobody else can use Python. The network
of linear layers, ReLU and pointers that files know needs a few dozen, and nearly all of their time
is matrix products, which hold no lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array

if TYPE_CHECKING:
    from dreamfactory_env.learning.policy import PointerLogits, SeatPolicy


#: A training that has diverged is noticed by its weights.
DIVERGING = np.errstate(over="ignore", invalid="ignore")


@jit
def used_columns(observations: Array) -> Array:
    """Tells which columns are not 0 in all rows.

    With fewer players than a game can have, or in a part of it, many columns are.

    Args:
        observations: float32 (n, size).

    Returns:
        bool (size,).
    """
    size = observations.shape[1]
    left, count = np.arange(size), size
    for row in range(len(observations)):
        place = 0
        while place < count:
            if observations[row, left[place]] != 0:
                count -= 1
                left[place] = left[count]
            else:
                place += 1
    used = np.ones(size, np.bool_)
    used[left[:count]] = False
    return used


@jit
def take_columns(values: Array, rows: Array, columns: Array) -> Array:
    """Returns some columns of some rows, float32 (rows, columns).

    Args:
        values: float32 (n, size).
        rows: int64 (rows,).
        columns: int64 (columns,).
    """
    taken = np.empty((len(rows), len(columns)), np.float32)
    for place in range(len(rows)):
        row = rows[place]
        for column in range(len(columns)):
            taken[place, column] = values[row, columns[column]]
    return taken


@jit
def put_columns(values: Array, columns: Array, size: int) -> Array:
    """Returns values in their columns, with 0 in all others: float32 (n, size).

    Args:
        values: float32 (n, columns).
        columns: int64 (columns,).
        size: How many columns there are in all.
    """
    spread = np.zeros((len(values), size), np.float32)
    for row in range(len(values)):
        for place in range(len(columns)):
            spread[row, columns[place]] = values[row, place]
    return spread


@jit
def combine(context: Array, shares: Array, combinations: Array) -> Array:
    """Adds up what the hidden layers and the things of each combination say, and takes max(0, x).

    Args:
        context: What the hidden layers say, float32 (n, width).
        shares: What each thing says, float32 (n, things, width).
        combinations: Which things each combination is made of, int64 (combinations, kinds).

    Returns:
        float32 (n, combinations, width).
    """
    count, width = context.shape
    hidden = np.empty((count, len(combinations), width), np.float32)
    nothing = np.float32(0)
    for row in range(count):
        for place in range(len(combinations)):
            sums = hidden[row, place]
            sums[:] = context[row]
            for kind in range(combinations.shape[1]):
                share = shares[row, combinations[place, kind]]
                for number in range(width):
                    sums[number] += share[number]
            for number in range(width):
                total = sums[number]
                sums[number] = total if total > nothing else nothing  # max() is not vectorised
    return hidden


@jit
def part_again(
    hidden: Array, to_hidden: Array, things: int, combinations: Array
) -> tuple[Array, Array]:
    """Goes back through :func:`combine`.

    Args:
        hidden: What it has returned, float32 (n, combinations, width).
        to_hidden: The gradient of that, float32 (n, combinations, width); overwritten.
        things: How many things there are.
        combinations: Which things each combination is made of, int64 (combinations, kinds).

    Returns:
        The gradients of the context, float32 (n, width), and of the shares, float32
        (n, things, width).
    """
    count, _, width = hidden.shape
    to_context = np.zeros((count, width), np.float32)
    to_shares = np.zeros((count, things, width), np.float32)
    nothing = np.float32(0)
    for row in range(count):
        for place in range(len(combinations)):
            out, to_sums, to_all = hidden[row, place], to_hidden[row, place], to_context[row]
            for number in range(width):
                to_sums[number] = to_sums[number] if out[number] > nothing else nothing
                to_all[number] += to_sums[number]
            for kind in range(combinations.shape[1]):
                to_share = to_shares[row, combinations[place, kind]]
                for number in range(width):
                    to_share[number] += to_sums[number]
    return to_context, to_shares


class Pointed(NamedTuple):
    """What a pointer has computed in some positions.

    Attributes:
        rows: Which, int64 (p,).
        latent: What it was given by the hidden layers, float32 (p, size).
        seen: What it was shown of each kind of thing, float32 (p × things, size of one).
        hidden: What each combination of things came to, float32 (p, combinations, width).
    """

    rows: Array
    latent: Array
    seen: list[Array]
    hidden: Array


class Outputs(NamedTuple):
    """What a network says, and what it has computed on the way.

    Attributes:
        logits: float32 (n, actions).
        values: float32 (n, 1).
        layers: What went into each hidden layer, and what came out of the last one.
        pointed: What each pointer has computed.
    """

    logits: Array
    values: Array
    layers: list[Array]
    pointed: list[Pointed]


class PlainNetwork:
    """The network of a policy that is plain; it has the policy's own weights, no copies.

    Attributes:
        columns: The columns of observations that it is given, int64 (columns,); all if None.

    Args:
        policy: The policy.
        used: Which columns are not 0 in all observations that it will get, bool (size,). If given,
            it is to be given no others, but for a few that it asks for: :attr:`columns`.
    """

    def __init__(self, policy: SeatPolicy, used: Array | None = None) -> None:
        self._arrays = {name: weight.detach().numpy() for name, weight in policy.named_parameters()}
        layers = policy.mlp_extractor.policy_net
        linear = (place for place, part in enumerate(layers) if isinstance(part, torch.nn.Linear))
        self._hidden = [f"mlp_extractor.policy_net.{place}" for place in linear]
        head = policy.action_net
        self._pointers: list[PointerLogits] = list(getattr(head, "pointers", []))
        self._slices: list[slice] = getattr(head, "slices", [])
        self._actions = "action_net.actions" if self._pointers else "action_net"
        self.columns: Array | None = None
        self._starts = [[block.start for block, _ in pointer.blocks] for pointer in self._pointers]
        if used is not None and self._hidden:
            self._leave_out(~used)

    def _leave_out(self, unused: Array) -> None:
        """Leaves out columns, but for those of things that pointers look at, and of hints."""
        for pointer in self._pointers:
            for block, count in pointer.blocks:
                unused[block.start : block.start + count * block.shape[-1]] = False
        if "hint_bias" in self._arrays:
            unused[-len(self._arrays[f"{self._actions}.bias"]) :] = False
        self.columns = np.flatnonzero(~unused)
        self._starts = [np.searchsorted(self.columns, first).tolist() for first in self._starts]

    # ------------------------------------------------------------------ forwards

    @DIVERGING
    def forward(self, observations: Array, masks: Array | None) -> Outputs:
        """Returns what the network says.

        Args:
            observations: float32 (n, size), or of the columns that it is given.
            masks: What is legal, bool or int8 (n, actions). Where given, things are only looked at
                in positions where an action that points at them is legal.
        """
        layers = [observations]
        for place, name in enumerate(self._hidden):
            out = self._linear(name, layers[-1], self.columns if place == 0 else None)
            layers.append(np.maximum(out, 0, out=out))
        latent = layers[-1]
        logits = self._linear(self._actions, latent)
        pointed = []
        for number, actions in enumerate(self._slices):
            rows = np.arange(len(latent))
            if masks is not None:
                rows = np.flatnonzero(masks[:, actions].any(axis=1))
            found = self._point(number, rows, latent, observations)
            pointed.append(found)
            combined = found.hidden.reshape(-1, found.hidden.shape[2])
            more = self._linear(f"action_net.pointers.{number}.choices", combined)
            logits[rows, actions] += more.reshape(len(rows), actions.stop - actions.start)
        if "hint_bias" in self._arrays:
            logits += self._arrays["hint_bias"] * observations[:, -logits.shape[1] :]
        return Outputs(logits, self._linear("value_net", latent), layers, pointed)

    def _linear(self, name: str, values: Array, columns: Array | None = None) -> Array:
        weight = self._arrays[f"{name}.weight"]
        if columns is not None:
            weight = take_columns(weight, np.arange(len(weight)), columns)
        out: Array = values @ weight.T
        out += self._arrays[f"{name}.bias"]
        return out

    def _point(self, number: int, rows: Array, latent: Array, observations: Array) -> Pointed:
        """Looks at the things of a pointer in some positions."""
        pointer = self._pointers[number]
        chosen, seen, reached = latent[rows], [], 0
        context = self._linear(f"action_net.pointers.{number}.context", chosen)
        shares = np.empty((len(rows), pointer.num_things, context.shape[1]), np.float32)
        for place, (block, count) in enumerate(pointer.blocks):
            start, size = self._starts[number][place], block.shape[-1]
            things = observations[:, start : start + count * size][rows]
            seen.append(things.reshape(len(rows) * count, size))
            share = seen[-1] @ self._arrays[_things(number, place)].T
            shares[:, reached : reached + count] = share.reshape(len(rows), count, shares.shape[2])
            reached += count
        return Pointed(rows, chosen, seen, combine(context, shares, pointer.combinations))

    # ------------------------------------------------------------------ backwards

    @DIVERGING
    def backward(self, outputs: Outputs, to_logits: Array, to_values: Array) -> list[Array]:
        """Returns the gradient of each weight, in the order of the policy's parameters.

        Args:
            outputs: What :meth:`forward` has returned.
            to_logits: The gradient of the logits, float32 (n, actions).
            to_values: The gradient of the values, float32 (n, 1).
        """
        found: dict[str, Array] = {}
        latent = outputs.layers[-1]
        back = self._back(found, self._actions, latent, to_logits)
        back += self._back(found, "value_net", latent, to_values)
        for number, (actions, pointed) in enumerate(
            zip(self._slices, outputs.pointed, strict=True)
        ):
            back[pointed.rows] += self._back_from(
                found, number, pointed, to_logits[pointed.rows, actions]
            )
        if "hint_bias" in self._arrays:
            hints = outputs.layers[0][:, -to_logits.shape[1] :]
            found["hint_bias"] = np.vdot(to_logits, hints).reshape(1)
        for place in range(len(self._hidden) - 1, -1, -1):
            values, out = outputs.layers[place : place + 2]
            back *= out > 0
            back = self._back(found, self._hidden[place], values, back, onwards=place > 0)
        if self.columns is not None:
            name = f"{self._hidden[0]}.weight"
            found[name] = put_columns(found[name], self.columns, self._arrays[name].shape[1])
        return [found[name] for name in self._arrays]

    def _back(
        self, found: dict[str, Array], name: str, values: Array, back: Array, onwards: bool = True
    ) -> Array:
        """Goes back through a linear layer; returns the gradient of what went into it."""
        found[f"{name}.weight"] = back.T @ values
        found[f"{name}.bias"] = back.sum(axis=0)
        if not onwards:
            return back
        weight = self._arrays[f"{name}.weight"]
        # A product with one row takes a tenth of the time this way.
        onward: Array = back * weight if len(weight) == 1 else back @ weight
        return onward

    def _back_from(
        self, found: dict[str, Array], number: int, pointed: Pointed, back: Array
    ) -> Array:
        """Goes back through a pointer; returns the gradient of what the hidden layers said."""
        pointer, hidden = self._pointers[number], pointed.hidden
        part, width = f"action_net.pointers.{number}", hidden.shape[-1]
        combined = hidden.reshape(-1, width)
        back = back.reshape(-1, len(self._arrays[f"{part}.choices.bias"]))
        to_hidden = self._back(found, f"{part}.choices", combined, back).reshape(hidden.shape)
        to_context, to_shares = part_again(
            hidden, to_hidden, pointer.num_things, pointer.combinations
        )
        reached = 0
        for place, (seen, (_, count)) in enumerate(zip(pointed.seen, pointer.blocks, strict=True)):
            share = to_shares[:, reached : reached + count].reshape(-1, width)
            found[_things(number, place)] = share.T @ seen
            reached += count
        return self._back(found, f"{part}.context", pointed.latent, to_context)


def _things(number: int, place: int) -> str:
    return f"action_net.pointers.{number}.things.{place}.weight"
