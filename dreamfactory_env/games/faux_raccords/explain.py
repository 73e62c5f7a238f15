"""An observation of Faux Raccords in words, read from its numbers alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.actions import slot_words
from dreamfactory_env.games.faux_raccords.components import HAZARD_KINDS, MEMBERS
from dreamfactory_env.games.faux_raccords.observation_spec import (
    BAD_HINTS,
    CLAPS_BY_SEAT,
    CUT_CALLED,
    CUT_CARD,
    CUT_CHOSEN,
    FACE,
    FACE_SEEN,
    GOOD_HINTS,
    HAND_SIZE,
    IS_CHOSEN,
    IS_FACE_UP,
    IS_SEEN,
    IS_THERE,
    PLACE_OF_SLOT,
)
from dreamfactory_env.games.faux_raccords.state import (
    CARD_WORDS,
    CARDS,
    CLAPS,
    MAX_PLAYERS,
    SLOTS,
    VALUES,
    Mode,
    Phase,
)
from dreamfactory_env.games.observation_spec import ObservationSpec
from dreamfactory_env.utils.errors import OptionError


def explain(
    observation: Array, spec: ObservationSpec, mode: Mode, symbols: Sequence[str], title: str
) -> str:
    """Returns what an observation says, in words; seat 0 is the player who sees it.

    Args:
        observation: The numbers, shape (spec.size,).
        spec: Its blocks.
        mode: The mode of the game.
        symbols: The symbols, in the order of their numbers.
        title: What the first line begins with.

    Raises:
        OptionError: It does not have the right shape.
    """
    observation = np.asarray(observation)
    if observation.shape != (spec.size,):
        raise OptionError(f"an observation has the shape ({spec.size},), not {observation.shape}")
    block = {name: spec.block(observation, name) for name in spec.blocks}
    players = 2 + _index(block["players"])
    phase = Phase(_index(block["phase"])).name.lower().replace("_", " ")
    turn, to_move = _index(block["turn"]), _index(block["to_move"])
    lines = [f"{title}, {players} players; turn of seat {turn}, seat {to_move} decides: {phase}"]
    for moods in block["moods"]:
        if moods.any():
            lines.append(
                f"genre: {' and '.join(symbols[k] for k in np.flatnonzero(moods).tolist())}"
            )
    lines.append(f"hand: {_cards(block['hand'])}")
    if block["pending"][0]:
        lines.append(f"chosen: {_card(block['pending'][1:], symbols)}")
    if block["hint"].any():
        lines.append(f"hint that is being placed: {('good', 'bad')[_index(block['hint'])]}")
    lines += [_seat(seat, block) for seat in range(players)]
    lines.append(
        f"pile: {_number(block['pile'][0] * CARDS)}; bin: {_number(block['bin'][0] * CARDS)}"
    )
    lines.append(f"Cut: {_cut(block['cut'], symbols)}")
    lines.append(f"hazards: {_hazards(block)}")
    lines += [f"in the editor's hand: {_lying(row, symbols)}" for row in block["taken"] if row[0]]
    return "\n".join([*lines, *_film(block, mode, symbols)])


def _seat(seat: int, block: dict[str, Array]) -> str:
    cards, claps, has_hint, has_passed = block["seats"][seat]
    words = f"seat {seat}: {_number(cards * HAND_SIZE)} in hand, {_number(claps * CLAPS)} Claps"
    words += ", a hint" if has_hint else ""
    words += ", has chosen what to pass" if has_passed else ""
    if seat and "sure_hands" in block and block["sure_hands"][seat - 1].any():
        words += f", surely {_cards(block['sure_hands'][seat - 1])}"
    return words


def _film(block: dict[str, Array], mode: Mode, symbols: Sequence[str]) -> list[str]:
    """Returns a line for each card of the Film that is described."""
    lengths = [_number(length) for length in block["lengths"] * 16]
    shown = " and ".join(lengths) if mode == Mode.SHORTS else lengths[0]
    lines = [f"Film: {shown}"]
    film = block["film"].reshape(-1, block["film"].shape[-1])
    sure = block["sure_film"].reshape(len(film), -1) if "sure_film" in block else None
    for slot in range(SLOTS):
        place = int(PLACE_OF_SLOT[mode, slot])
        if place >= 0 and film[place, IS_THERE]:
            words = _lying(film[place], symbols)
            if sure is not None and sure[place, 0] and not film[place, IS_SEEN]:
                words += f", surely {_face(sure[place, 1:], symbols)}"
            lines.append(f"  {slot_words(mode, slot)}: {words}")
    return lines


def _lying(row: Array, symbols: Sequence[str]) -> str:
    """Returns a card of the Film with all that lies on it."""
    words = ["face up" if row[IS_FACE_UP] else "face down"]
    if row[IS_SEEN]:
        words.append(_face(row[FACE_SEEN : FACE_SEEN + FACE], symbols))
    claps = np.flatnonzero(row[CLAPS_BY_SEAT : CLAPS_BY_SEAT + MAX_PLAYERS])
    words += [f"Clap of seat {seat}" for seat in claps]
    for at, kind in ((GOOD_HINTS, "good"), (BAD_HINTS, "bad")):
        if row[at]:
            words.append(f"{_number(row[at] * MAX_PLAYERS)} {kind} hints")
    return ", ".join([*words, "chosen"] if row[IS_CHOSEN] else words)


def _cut(cut: Array, symbols: Sequence[str]) -> str:
    words = []
    for row in cut[cut[:, 0] > 0]:
        marks = " (called)" * bool(row[CUT_CALLED]) + " (chosen)" * bool(row[CUT_CHOSEN])
        words.append(_card(row[CUT_CARD:], symbols) + marks)
    return ", ".join(words) or "-"


def _hazards(block: dict[str, Array]) -> str:
    done = [HAZARD_KINDS[_index(row)] for row in block["hazards_happened"] if row.any()]
    words = [f"{int(block['hazards_waiting'].sum())} face down", *done]
    if block["hazard"].any():
        words.append(f"now {HAZARD_KINDS[_index(block['hazard'])]}")
    return ", ".join(words)


def _face(numbers: Array, symbols: Sequence[str]) -> str:
    return f"{_number(numbers[0] * VALUES)} {symbols[_index(numbers[1:FACE])]}"


def _card(numbers: Array, symbols: Sequence[str]) -> str:
    return f"{_face(numbers, symbols)} {MEMBERS[_index(numbers[FACE:])]}"


def _cards(numbers: Array) -> str:
    return ", ".join(CARD_WORDS[card] for card in np.flatnonzero(numbers)) or "-"


def _index(numbers: Array) -> int:
    return int(np.argmax(numbers))


def _number(value: float) -> str:
    return str(round(float(value)))
