"""The action space of Faux Raccords, and words for moves both ways.

An action number says which card, which place of the Film or which player; what is done with it
depends on the phase. :func:`move_key` joins both, and :class:`Words` turns that into words.
"""

from __future__ import annotations

from functools import cache

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.faux_raccords.state import (
    CARD_WORDS,
    CARDS,
    LINE_B,
    MAX_PLAYERS,
    SLOTS,
    WIDTH,
    Mode,
    Params,
    Phase,
    State,
)

# The action space: one number for every answer to every question.
PLACE = 0  # + card
CALL = PLACE + CARDS  # + card
VIEW = CALL + CARDS  # + card
END = VIEW + CARDS
SLOT = END + 1  # + slot of the Film: all questions that a place answers
CARD = SLOT + SLOTS  # + card: all other questions that a card answers
NO_EFFECT = CARD + CARDS
ENOUGH = NO_EFFECT + 1
NO_HINT = ENOUGH + 1
HINT_GOOD = NO_HINT + 1
HINT_BAD = HINT_GOOD + 1
PLAYER = HINT_BAD + 1  # + seats clockwise from the player to move
ACTIONS = PLAYER + MAX_PLAYERS

#: The words before a place or a card, by what is asked.
SLOT_WORDS = {
    Phase.PLACE: "at",
    Phase.LOOK: "look at",
    Phase.MOVE_CLAP: "move clap from",
    Phase.TAKE: "take",
    Phase.TAKE_MORE: "take",
    Phase.PUT: "put at",
    Phase.SWAP_FOR: "for",
    Phase.GIVE: "give",
    Phase.SHOW_AT: "at",
    Phase.HINT_ON: "on",
    Phase.TAKE_CLAP: "take clap from",
    Phase.LOSE: "lose",
    Phase.CLASH: "clash",
    Phase.CLASH_WITH: "with",
    Phase.RESHOOT: "reshoot",
    Phase.COVER: "cover",
}
CARD_VERBS = {
    Phase.REUSE: "reuse",
    Phase.SWAP: "swap",
    Phase.SHOW: "show",
    Phase.PASS: "pass",
    Phase.BIN: "bin",
}
PLAIN_WORDS = {
    END: "end",
    NO_EFFECT: "no effect",
    ENOUGH: "enough",
    NO_HINT: "no hint",
    HINT_GOOD: "hint good",
    HINT_BAD: "hint bad",
}


@jit
def move_key(s: State, t: Params, action: int) -> int:
    """Returns what a legal action means now: the phase, and the action with the seat that it is.

    Actions for players are counted from the player to move, their keys by seat.
    """
    if action >= PLAYER:
        action = PLAYER + (int(s.to_move) + action - PLAYER) % int(s.players)
    return int(s.phase) * 256 + int(action)


def is_secret(key: int) -> bool:
    """Tells whether only the mover may know which card a move names (F25)."""
    phase, action = key >> 8, key & 255
    return phase in (Phase.PASS, Phase.BIN) or action < CALL or VIEW <= action < END


def slot_words(mode: int, slot: int) -> str:
    """Returns the name of a place of the Film (F6 to F9)."""
    if mode < Mode.SHORTS:
        return str(slot + 1)
    if mode == Mode.SHORTS:
        return f"A{slot + 1}" if slot < LINE_B else f"B{slot - LINE_B + 1}"
    row, column = divmod(slot, WIDTH)
    if mode == Mode.SERIES:
        return f"{row + 1}/{column + 1}"
    return f"{row}/{column}" if mode == Mode.ARCS else f"{row + 1}/{column}"


@cache
def slots_by_words(mode: int) -> dict[str, int]:
    """Returns the places of a mode by their names."""
    return {slot_words(mode, slot): slot for slot in range(SLOTS)}


class Words(dict[int, str]):
    """The words of move keys in a mode, made when they are first asked for: ``words[key]``."""

    def __init__(self, mode: int) -> None:
        super().__init__()
        self.mode = mode

    def __missing__(self, key: int) -> str:
        phase, action = Phase(key >> 8), key & 255
        self[key] = self._words(phase, action)
        return self[key]

    def _words(self, phase: Phase, action: int) -> str:
        if action in PLAIN_WORDS:
            return PLAIN_WORDS[action]
        if action >= PLAYER:
            return f"to player {action - PLAYER}"
        if action >= CARD:
            return f"{CARD_VERBS[phase]} {CARD_WORDS[action - CARD]}"
        if action >= SLOT:
            return f"{SLOT_WORDS[phase]} {slot_words(self.mode, action - SLOT)}"
        verb = ("place", "call", "view with")[action // CARDS]
        return f"{verb} {CARD_WORDS[action % CARDS]}"
