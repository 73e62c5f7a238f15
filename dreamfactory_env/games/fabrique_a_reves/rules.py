"""The rules of La Fabrique à rêves, R6 to R16: what is legal, what a move does, what comes next.

Plain functions over one :class:`State` and the :class:`Params`. They change the state in place;
:func:`apply` trusts that its action is among those that ``legal.legal`` lists. After the deal the
game is determined.

Numbers that a sum could carry out of their narrow field are read through ``int()``: compiled code
widens by itself, NumPy, which runs the uncompiled code, does not.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.fabrique_a_reves.actions import BROOM, NONE, PASS, TOKEN, WORD
from dreamfactory_env.games.fabrique_a_reves.lexicon import VIAL
from dreamfactory_env.games.fabrique_a_reves.minds import allow_all, forbid_family, write_order
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_VIALS,
    NO_WORD,
    NOBODY,
    NOTHING,
    NOWHERE,
    RESERVOIRS_OF_MODE,
    VIALS_OF_MODE,
    Params,
    Phase,
    State,
    Tool,
)

#: The thought of the first word of the quill (M1) in a lexicon with so many cards is twice that.
SIDES = 2


@jit
def apply(s: State, t: Params, action: int) -> None:
    """Plays a legal action of the player to move, and all that follows up to the next question."""
    answer = int(action)
    if s.phase == Phase.THOUGHTS:
        take_turn(s, t, answer)
    elif s.phase == Phase.QUILL:
        put_word(s, t, SIDES * int(t.cards) + answer - WORD, int(s.asked))
        s.asked = NOWHERE
        end_turn(s, t)
    else:
        dream(s, t, NOTHING if answer == NONE else int(s.order[answer - WORD]))


# ---------------------------------------------------------------------------- thoughts


@jit
def take_turn(s: State, t: Params, action: int) -> None:
    """Plays one of the actions of a turn (R7 to R13)."""
    if action < BROOM:
        reservoir, vial = action // MAX_VIALS, action % MAX_VIALS
        word = top_word(s, t, reservoir)
        s.taken[reservoir] = int(s.taken[reservoir]) + 1
        put_word(s, t, word, vial)
    elif action == BROOM:
        sweep(s, t)
    elif action == PASS:
        s.passed = int(s.passed) | 1 << int(s.to_move)
    else:
        tool, vial = (action - TOKEN) // MAX_VIALS + 1, (action - TOKEN) % MAX_VIALS
        s.tools = int(s.tools) & ~(1 << tool)
        s.tokens[vial] = tool
        if tool == Tool.SPILL:
            spill(s, t, vial)
        elif tool == Tool.QUILL:
            s.asked = vial
            s.phase = Phase.QUILL
            return
    end_turn(s, t)


@jit
def cards_in(s: State, t: Params, reservoir: int) -> int:
    """Returns how many cards lie in a reservoir (R3: the larger first)."""
    count = RESERVOIRS_OF_MODE[int(s.mode)]
    return (int(t.cards) - reservoir + count - 1) // count - int(s.taken[reservoir])


@jit
def top_word(s: State, t: Params, reservoir: int) -> int:
    """Returns the thought on top of a reservoir, NO_WORD if it is empty."""
    count = RESERVOIRS_OF_MODE[int(s.mode)]
    at = reservoir + count * int(s.taken[reservoir])
    return int(s.dealt[at]) if at < t.cards else NO_WORD


@jit
def put_word(s: State, t: Params, thought: int, vial: int) -> None:
    """Puts a word into a vial for the player to move."""
    at = int(s.filled[vial])
    s.words[vial, at] = thought
    s.placed_by[vial, at] = s.to_move
    s.filled[vial] = at + 1
    forbid_family(s, t, thought)


@jit
def sweep(s: State, t: Params) -> None:
    """Discards the top card of every reservoir (R9)."""
    s.tools = int(s.tools) & ~(1 << Tool.BROOM)
    for reservoir in range(RESERVOIRS_OF_MODE[int(s.mode)]):
        if cards_in(s, t, reservoir) > 0:
            s.taken[reservoir] = int(s.taken[reservoir]) + 1


@jit
def spill(s: State, t: Params, vial: int) -> None:
    """Discards all words of a vial, which forbid nothing any more (R11, R16)."""
    s.filled[vial] = 0
    for k in range(VIAL):
        s.words[vial, k] = NO_WORD
        s.placed_by[vial, k] = NOBODY
    allow_all(s)
    for other in range(VIALS_OF_MODE[int(s.mode)]):
        for k in range(int(s.filled[other])):
            forbid_family(s, t, int(s.words[other, k]))


@jit
def all_full(s: State) -> bool:
    """Tells whether every vial holds three words."""
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        if s.filled[vial] < VIAL:
            return False
    return True


@jit
def end_turn(s: State, t: Params) -> None:
    """Lets the next player go on who has not passed; dreams begin if thoughts are over (R14)."""
    s.phase = Phase.THOUGHTS
    if all_full(s) or int(s.passed) == (1 << int(s.players)) - 1:
        s.phase = Phase.DREAMS
        begin_slate(s, t, int(s.first_player))
        return
    seat = int(s.to_move)
    while True:
        seat = (seat + 1) % int(s.players)
        if not int(s.passed) >> seat & 1:
            break
    s.to_move = seat


# ---------------------------------------------------------------------------- dreams


@jit
def begin_slate(s: State, t: Params, seat: int) -> None:
    """Asks a player for the dreams of all vials (R15)."""
    s.to_move = seat
    ask(s, t, 0)


@jit
def ask(s: State, t: Params, vial: int) -> None:
    """Asks the player to move for a dream."""
    s.asked = vial
    s.proposal = 0
    write_order(s, t, int(s.to_move), vial)


@jit
def proposals(s: State, vial: int) -> int:
    """Returns how many dreams each player writes for a vial (R15)."""
    return 2 if s.tokens[vial] == Tool.DOUBT else 1


@jit
def dream(s: State, t: Params, written: int) -> None:
    """Writes a dream, or NOTHING, on the slate of the player to move; asks for the next one."""
    seat, vial = int(s.to_move), int(s.asked)
    s.slates[seat, vial, s.proposal] = written
    if int(s.proposal) + 1 < proposals(s, vial):
        s.proposal = int(s.proposal) + 1
    elif vial + 1 < VIALS_OF_MODE[int(s.mode)]:
        ask(s, t, vial + 1)
    else:
        seat = (seat + 1) % int(s.players)
        if seat == s.first_player:
            s.asked = NOWHERE
            s.phase = Phase.OVER
        else:
            begin_slate(s, t, seat)
