"""An observation of La Fabrique à rêves in words, read from its numbers alone."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.lexicon import MAX_PLAYERS, MIN_PLAYERS, VIAL
from dreamfactory_env.games.fabrique_a_reves.observation_spec import (
    ASSOCIATION,
    BEST,
    CARDS_LEFT,
    COUNT,
    IS_THERE,
    LEAD,
    PLACED_BY,
    POINTS,
    TOKEN,
)
from dreamfactory_env.games.fabrique_a_reves.state import TOOL_WORDS, TOOLS, Mode, Phase
from dreamfactory_env.games.observation_spec import ObservationSpec
from dreamfactory_env.utils.errors import OptionError

#: How many moves, words and dreams are named, the best of each.
NAMED = 3


def explain(observation: Array, spec: ObservationSpec) -> str:
    """Returns what an observation says, in words; seat 0 is the player who sees it.

    Args:
        observation: The numbers, shape (spec.size,).
        spec: Its blocks.

    Raises:
        OptionError: It does not have the right shape.
    """
    observation = np.asarray(observation)
    if observation.shape != (spec.size,):
        raise OptionError(f"an observation has the shape ({spec.size},), not {observation.shape}")
    block = {name: spec.block(observation, name) for name in spec.blocks}
    mode = Mode(_index(block["mode"])).name.lower()
    phase = Phase(_index(block["phase"])).name.lower()
    players = MIN_PLAYERS + _index(block["players"])
    level = f", level {_index(block['level'])}" if block["level"].any() else ""
    aim, noise = _whole(block["aim"][0] * POINTS), _whole(block["noise"][0] * ASSOCIATION)
    lines = [f"{mode}{level}, {players} players, aim {aim}, noise {noise}: {phase}"]
    to_move = f"seat {_index(block['to_move'])} decides; " if block["to_move"].any() else ""
    passed = [f"seat {seat}" for seat in np.flatnonzero(block["passed"])]
    lines.append(f"{to_move}seat {_index(block['first'])} began; passed: {_listed(passed)}")
    lines.append(f"tools: {_listed([TOOL_WORDS[k] for k in np.flatnonzero(block['tools'])])}")
    left = [_whole(row[1] * CARDS_LEFT) for row in block["reservoirs"]]
    lines.append(f"cards in the reservoirs: {' '.join(left)}")
    for number, row in enumerate(block["vials"], 1):
        if row[IS_THERE]:
            lines.append(f"vial {number}: {_vial(row)}{_slate(block['slate'][number - 1])}")
    return "\n".join([*lines, *_choices(block)])


def _vial(row: Array) -> str:
    """Returns what lies in a vial and on it, and what the player thinks of it."""
    count = _index(row[COUNT : COUNT + VIAL + 1])
    placed = row[PLACED_BY:].reshape(VIAL, MAX_PLAYERS)[:count]
    words = [f"{count} words"]
    if count:
        words[0] += f" of the seats {', '.join(str(_index(seats)) for seats in placed)}"
        words.append(f"best {_sum(row[BEST])}, lead {_sum(row[LEAD])}")
    tokens = row[TOKEN : TOKEN + TOOLS - 1]
    if tokens.any():
        words.append(TOOL_WORDS[1 + _index(tokens)])
    return "; ".join(words)


def _slate(row: Array) -> str:
    if not row[0]:
        return ""
    return f"; {'written' if row[0] == 1 else 'half written'}, {_sum(row[1])}"


def _choices(block: dict[str, Array]) -> list[str]:
    """Returns the best moves, words or dreams that can be chosen, by their numbers."""
    lines = []
    best = block["moves"][..., 0]
    for at in np.argsort(-best, axis=None, kind="stable")[:NAMED].tolist():
        reservoir, vial = divmod(at, best.shape[1])
        move = block["moves"][reservoir, vial]
        if move.any():
            stays = ", its best dream stays" if move[2] else ""
            lines.append(
                f"reservoir {reservoir + 1} into vial {vial + 1}: best {_sum(move[0])}, "
                f"lead {_sum(move[1])}{stays}"
            )
    for at in np.argsort(-block["quill"][:, 0], kind="stable")[:NAMED].tolist():
        if block["quill"][at].any():
            found = block["quill"][at]
            lines.append(f"word {at} of the quill: best {_sum(found[0])}, lead {_sum(found[1])}")
    for at in np.flatnonzero(block["dreams"][:, 0])[:NAMED].tolist():
        row = block["dreams"][at]
        words = " ".join(_sum(number) for number in row[1 : 1 + VIAL])
        lines.append(f"dream {at}: {words}; at another vial {_sum(row[-1])}")
    return lines


def _index(numbers: Array) -> int:
    return int(np.argmax(numbers))


def _sum(number: float) -> str:
    return _whole(number * ASSOCIATION)


def _whole(number: float) -> str:
    return f"{round(float(number))}"


def _listed(words: list[str]) -> str:
    return ", ".join(words) or "-"
