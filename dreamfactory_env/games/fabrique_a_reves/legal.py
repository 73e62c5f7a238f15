"""What is legal in La Fabrique à rêves: the answers to each question, R7 to R16 of the rules."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.actions import BROOM, NONE, PASS, TAKE, TOKEN, WORD
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS, VIAL
from dreamfactory_env.games.fabrique_a_reves.rules import cards_in
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_VIALS,
    NO_TOKEN,
    PROPOSALS,
    RESERVOIRS_OF_MODE,
    VIALS_OF_MODE,
    Params,
    Phase,
    State,
    Tool,
)


@jit
def legal(s: State, t: Params, out: Array) -> int:
    """Lists the legal actions of the player to move.

    Args:
        s: The game.
        t: The lexicon.
        out: Where the actions are written, in rising order; int32, shape (ACTIONS,).

    Returns:
        How many there are; 0 when the game is over.
    """
    if s.phase == Phase.THOUGHTS:
        return legal_turns(s, t, out)
    if s.phase == Phase.DREAMS:
        return legal_dreams(s, out)
    if s.phase == Phase.QUILL:
        for place in range(int(t.quill)):
            out[place] = WORD + place
        return int(t.quill)
    return 0


@jit
def legal_turns(s: State, t: Params, out: Array) -> int:
    """Lists the actions of a turn (R7 to R13)."""
    vials = VIALS_OF_MODE[int(s.mode)]
    count = 0
    for reservoir in range(RESERVOIRS_OF_MODE[int(s.mode)]):
        if cards_in(s, t, reservoir) > 0:
            for vial in range(vials):
                if s.filled[vial] < VIAL:
                    out[count] = TAKE + reservoir * MAX_VIALS + vial
                    count += 1
    count = list_tools(s, t, vials, out, count)
    if count == 0 or may_pass(s, vials):
        out[count] = PASS
        count += 1
    return count


@jit
def may_pass(s: State, vials: int) -> bool:
    """Tells whether every vial holds a word (R13)."""
    for vial in range(vials):
        if s.filled[vial] == 0:
            return False
    return True


@jit
def list_tools(s: State, t: Params, vials: int, out: Array, count: int) -> int:
    """Lists the uses of tools from ``out[count]`` on (R8 to R12); returns the count after it."""
    if int(s.tools) >> Tool.BROOM & 1 and has_cards(s, t):
        out[count] = BROOM
        count += 1
    for tool in range(Tool.DOUBT, Tool.QUILL + 1):
        if int(s.tools) >> tool & 1:
            for vial in range(vials):
                if takes_token(s, vial, tool):
                    out[count] = TOKEN + (tool - 1) * MAX_VIALS + vial
                    count += 1
    return count


@jit
def has_cards(s: State, t: Params) -> bool:
    """Tells whether a reservoir is not empty (R9)."""
    for reservoir in range(RESERVOIRS_OF_MODE[int(s.mode)]):
        if cards_in(s, t, reservoir) > 0:
            return True
    return False


@jit
def takes_token(s: State, vial: int, tool: int) -> bool:
    """Tells whether a tool can be used on a vial (R8, R11, R12)."""
    if s.tokens[vial] != NO_TOKEN:
        return False
    if tool == Tool.SPILL:
        return bool(s.filled[vial] > 0)
    return bool(tool != Tool.QUILL or s.filled[vial] < VIAL)


@jit
def write_free(s: State, seat: int, out: Array) -> None:
    """Writes 1 for each dream that a player may write, else 0 (R16); int8 (128,)."""
    for dream in range(int(s.dreams)):
        out[dream] = s.allowed[dream]
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        for k in range(PROPOSALS):
            written = int(s.slates[seat, vial, k])
            if written >= 0:
                out[written] = 0


@jit
def legal_dreams(s: State, out: Array) -> int:
    """Lists the dreams that the player to move may write (R16)."""
    free = np.empty(MOST_DREAMS, np.int8)
    write_free(s, int(s.to_move), free)
    count = 0
    for place in range(int(s.dreams)):
        if free[s.order[place]] == 1:
            out[count] = WORD + place
            count += 1
    if count == 0 or s.proposal == 1:
        out[count] = NONE
        count += 1
    return count
