"""The action space of La Fabrique à rêves, and words for moves both ways.

The action number of a dream is a place in the order of its writer's mind (M4): what it means
depends on the position. :func:`move_key` says it once and for all, and :class:`Words` in words.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS, Lexicon
from dreamfactory_env.games.fabrique_a_reves.minds import list_of, place_in_list
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_RESERVOIRS,
    MAX_VIALS,
    TOOL_WORDS,
    TOOLS,
    Params,
    Phase,
    State,
    Tool,
)

# The action space: one number for every answer to every question.
TAKE = 0  # + 5 * reservoir + vial
BROOM = TAKE + MAX_RESERVOIRS * MAX_VIALS
TOKEN = BROOM + 1  # + 5 * (tool - 1) + vial: doubt, dust, dust+2, spill, quill
PASS = TOKEN + MAX_VIALS * (TOOLS - 1)
WORD = PASS + 1  # + dream by the labels (M4), or + place among the quill's words
NONE = WORD + MOST_DREAMS
ACTIONS = NONE + 1

# The keys of moves: actions mean the same everywhere but those that name words.
WRITE_KEY = 1 << 8  # + place among the quill's words
DREAM_KEY = 1 << 16  # * (vial + 1) + row of the word, or
NO_DREAM = DREAM_KEY - 1


@jit
def move_key(s: State, t: Params, action: int) -> int:
    """Returns what a legal action means now."""
    if s.phase == Phase.QUILL:
        return WRITE_KEY + action - WORD
    if s.phase == Phase.DREAMS:
        key = DREAM_KEY * (int(s.asked) + 1)
        if action == NONE:
            return key + NO_DREAM
        dream = int(s.order[action - WORD])
        return key + int(t.dream_words[list_of(s, dream), place_in_list(s, dream)])
    return int(action)


class Words(dict[int, str]):
    """The words of move keys with a lexicon, made when they are first asked for."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self.lexicon = lexicon

    def __missing__(self, key: int) -> str:
        self[key] = self._words(key)
        return self[key]

    def _words(self, key: int) -> str:
        if key >= DREAM_KEY:
            vial, row = divmod(key, DREAM_KEY)
            return f"dream {vial} {'none' if row == NO_DREAM else self.lexicon.words[row].name}"
        if key >= WRITE_KEY:
            return f"write {self.lexicon.quill[key - WRITE_KEY]}"
        if key < BROOM:
            reservoir, vial = divmod(key, MAX_VIALS)
            return f"take {reservoir + 1} into {vial + 1}"
        if key == BROOM:
            return "broom"
        if key == PASS:
            return "pass"
        tool, vial = divmod(key - TOKEN, MAX_VIALS)
        word = TOOL_WORDS[tool + 1]
        return f"{word} {vial + 1}" if tool + 1 >= Tool.SPILL else f"{word} on {vial + 1}"
