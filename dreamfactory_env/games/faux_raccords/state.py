"""The state of a game of Faux Raccords: one record of fixed size, and what its numbers mean.

A *card* is a number from 0: the values 1 to 28 in their order, then the second 1, 10, 19 and 28.
A set of cards is one number with a bit for each.

A *slot* is a place of the Film, a number below 64, and its name in moves depends on the mode alone.
A set of slots is one number with a bit for each. What lies on a card (that it is face up, Claps,
hints) is kept by slot, so that it moves as the card does.

    lines             slot 0 is the first card of line A, slot 32 the first of line B
    series            row / column      slot = (row - 1) * 8 + column - 1
    arcs              x / y             slot = x * 8 + y
    studio            level / index     slot = (level - 1) * 8 + index

In `arcs` and `studio` the least coordinates of the cards that lie there are always 1 (F8, F9): what
would change that moves all slots.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import numpy as np

from dreamfactory_env.engine.structs import (
    I8,
    I64,
    U64,
    Array,
    Between,
    record_dtype,
    record_ranges,
)

# The engine's limits. The shapes below are made of them.
MAX_PLAYERS = 4
CARDS = 32
VALUES = 28
DOUBLED = (1, 10, 19, 28)
HAND = 3  # cards dealt to each player
CLAPS = 3  # of each player
MAX_CUT = 6  # five, and the card called in this turn (F11)
CUT_LIMIT = 5
SLOTS = 64
LINE_B = 32  # the first slot of the second line
WIDTH = 8  # slots of a row in the modes that are no lines
HAZARDS = 10
MAX_HAZARDS = 4  # that are used in a game
MOODS = 6
MAX_MOODS = 4  # that are used in a game
SYMBOLS = 8
NEUTRAL, JOKER = 6, 7  # the symbols behind the moods
MAX_TAKEN = 2  # cards that an editor takes (F16)

# Marks, where a number stands for "none".
NO_CARD = NOWHERE = NOBODY = NOTHING = -1
#: Where a hint lies whose card is in the editor's hand: this, plus the place in ``State.taken``.
TAKEN = SLOTS
NO_SEED = 2**64 - 1  # the set-up was given, not dealt from a seed

#: The value of each card.
VALUE = np.array([*range(1, VALUES + 1), *DOUBLED], np.int8)
CARD_WORDS = [*(str(value) for value in range(1, VALUES + 1)), *(f"{v}b" for v in DOUBLED)]


class Mode(IntEnum):
    """The modes of the game; the first three have lines."""

    TUTORIAL = 0
    FEATURE = 1
    SHORTS = 2
    SERIES = 3
    ARCS = 4
    STUDIO = 5


class Member(IntEnum):
    """Members of the production, each with an effect (F16)."""

    MANAGER = 0
    EDITOR = 1
    STAR = 2
    PRODUCER = 3
    SCRIPT = 4


class Hazard(IntEnum):
    """What a hazard does (F19)."""

    POWER_CUT = 0
    LOST_REEL = 1
    EGO_CLASH = 2
    RESHOOT = 3
    BUDGET_CUT = 4
    WALK_OUT = 5
    WRONG_HANDS = 6
    CENSORED = 7
    SPILLED_COFFEE = 8
    EARLY_DEADLINE = 9


class Phase(IntEnum):
    """What the player to move decides."""

    ACTION = 0
    PLACE = 1  # where to put the card of `place`
    LOOK = 2  # which card to look at
    MOVE_CLAP = 3
    REUSE = 4  # manager
    TAKE = 5  # editor: the first card, a second one, where each goes
    TAKE_MORE = 6
    PUT = 7
    SWAP = 8  # star: the card of the Cut, and the one of the Film
    SWAP_FOR = 9
    GIVE = 10  # producer: the card, and who gets it
    GIVE_TO = 11
    SHOW = 12  # script supervisor: the card, and where it goes
    SHOW_AT = 13
    HINT = 14
    HINT_ON = 15
    TAKE_CLAP = 16  # power cut
    LOSE = 17  # lost reel
    CLASH = 18  # ego clash: the first card, and the other one
    CLASH_WITH = 19
    RESHOOT = 20
    PASS = 21  # wrong hands
    COVER = 22  # censored
    BIN = 23  # early deadline, and whatever cannot be done (F20)
    OVER = 24


class Ending(IntEnum):
    """How a game has ended (F21)."""

    NONE = 0
    END = 1
    EMPTY_HAND = 2


class Memory(IntEnum):
    """What observations tell besides what is seen now (F26)."""

    NONE = 0
    PERFECT = 1


# Fields by what their numbers are: a saved state keeps to these ranges.
SetOfCards = Annotated[I64, Between(0, 2**CARDS - 1)]
SetOfSlots = Annotated[I64, Between(-(2 ** (SLOTS - 1)), 2 ** (SLOTS - 1) - 1)]  # any set
SetsBySeat = Annotated[Array, "i8", (MAX_PLAYERS,)]
PerPlayer = Annotated[Array, "i1", (MAX_PLAYERS,)]
Seat = Annotated[I8, Between(0, MAX_PLAYERS - 1)]
Cards = Between(NO_CARD, CARDS - 1)
SetOfSeats = Between(0, 2**MAX_PLAYERS - 1)


class State:
    """One game. Seats are numbered from 0, clockwise."""

    # where the set-up came from
    seed: U64  # the seed it was dealt from, or NO_SEED
    # sets of cards
    hands: Annotated[SetsBySeat, Between(0, 2**CARDS - 1)]
    sure: Annotated[SetsBySeat, Between(0, 2**CARDS - 1)]  # of what, by memory (F26), or empty
    binned: SetOfCards
    # sets of slots
    occupied: SetOfSlots
    face_up: SetOfSlots
    # where each player's Claps lie
    claps: Annotated[SetsBySeat, Between(-(2 ** (SLOTS - 1)), 2 ** (SLOTS - 1) - 1)]
    # options
    players: Annotated[I8, Between(2, MAX_PLAYERS)]
    # whose turn it is, and for what
    phase: Annotated[I8, Between(min(Phase), max(Phase))]
    to_move: Seat
    turn: Seat  # whose turn it is; hazards ask others, too
    first_player: Seat
    ending: Annotated[I8, Between(min(Ending), max(Ending))]
    # what was chosen and is not done yet
    pending: Annotated[I8, Cards]  # the card of `place` and `show`, still in hand (F25), or NO_CARD
    # a slot: of the card that gets a Clap, of `give`, of `clash`; or NOWHERE
    chosen: Annotated[I8, Between(NOWHERE, SLOTS - 1)]
    swapped: Annotated[I8, Between(NOWHERE, MAX_CUT - 1)]  # the place in the Cut, or NOWHERE
    called: Annotated[I8, Cards]  # the card called in this turn, or NO_CARD
    passing: Annotated[PerPlayer, Cards]  # the card that each has chosen to pass, or NO_CARD
    taken: Annotated[Array, "i1", (MAX_TAKEN,), Cards]  # cards in the editor's hand, or NO_CARD
    taken_face_up: Annotated[Array, "i1", (MAX_TAKEN,), Between(0, 1)]
    taken_claps: Annotated[Array, "i1", (MAX_TAKEN,), SetOfSeats]
    # hints
    hints_left: Annotated[I8, SetOfSeats]
    # where the hint of each lies, TAKEN + k in the editor's hand, or NOWHERE
    hint_slot: Annotated[PerPlayer, Between(NOWHERE, TAKEN + MAX_TAKEN - 1)]
    hint_good: Annotated[PerPlayer, Between(0, 1)]  # 1 for good, 0 for bad
    # cards
    film: Annotated[Array, "i1", (SLOTS,), Cards]  # the card in each slot, or NO_CARD
    cut: Annotated[Array, "i1", (MAX_CUT,), Cards]  # the row, NO_CARD behind its end
    cut_size: Annotated[I8, Between(0, MAX_CUT)]
    # what was drawn (F2): hands, Film, draw pile, removed cards; NO_CARD in a game that was redrawn
    dealt: Annotated[Array, "i1", (CARDS,), Cards]
    drawn: Annotated[I8, Between(0, CARDS)]  # where the top of the draw pile stands in it
    pile_end: Annotated[I8, Between(0, CARDS)]  # where the draw pile ends
    # hazards and moods: in the order of F3, then NOTHING
    hazards: Annotated[Array, "i1", (MAX_HAZARDS,), Between(NOTHING, HAZARDS - 1)]
    happened: Annotated[I8, Between(0, 2**MAX_HAZARDS - 1)]  # a set of places in this order
    # the place of the hazard that is being done, or NOTHING
    hazard: Annotated[I8, Between(NOTHING, MAX_HAZARDS - 1)]
    # two for each line that has some, then NOTHING
    moods: Annotated[Array, "i1", (MAX_MOODS,), Between(NOTHING, MOODS - 1)]
    # the graded score of the Film that was dealt; 0 in a game that was redrawn
    start_score: Annotated[I8, Between(0, 100)]


STATE, RANGES = record_dtype(State), record_ranges(State)


class Params:
    """The options besides players, and what the component file says, as numbers."""

    mode: I8
    memory: I8
    symbol: Annotated[Array, "i1", (CARDS,)]  # a mood, NEUTRAL or JOKER
    member: Annotated[Array, "i1", (CARDS,)]
    hazard: Annotated[Array, "i1", (HAZARDS,)]  # what each of the file's hazards does


PARAMS = record_dtype(Params)
