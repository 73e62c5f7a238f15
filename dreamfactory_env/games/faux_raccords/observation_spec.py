"""The observation of Faux Raccords as numbers in named blocks: what each of them means.

Everything is told from the player's own seat: seat 0 of a block is the player, then the others
clockwise; seats that nobody has are zero. The blocks are the same for 2 to 4 players. How many
places of the Film are described depends on the mode; with the option ``memory`` there are blocks
for what the player is sure of (F26). What the player cannot know is not in it.

Lines are described up to a length that no Film which can still be won by a few moves exceeds;
``lengths`` tells of longer ones.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.faux_raccords.geometry import LEVELS, SIDE
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    HAZARDS,
    LINE_B,
    MAX_CUT,
    MAX_HAZARDS,
    MAX_PLAYERS,
    MAX_TAKEN,
    MOODS,
    SLOTS,
    SYMBOLS,
    WIDTH,
    Member,
    Memory,
    Mode,
    Phase,
)
from dreamfactory_env.games.observation_spec import Block, ObservationSpec

# What numbers are divided by, so that usual ones are about 1 or less.
HAND_SIZE, LINE_LENGTH = 8.0, 16.0
#: Places of the Film that are described in each mode.
PLACES = (24, 24, 32, 16, 16, 15)
LINE_OF_SHORTS = 16

# The numbers of a card: its value, and one for each symbol; then one for each member.
FACE = 1 + SYMBOLS
CARD = FACE + len(Member)
# The numbers of a place, by where they begin.
IS_THERE, IS_FACE_UP, IS_SEEN, FACE_SEEN = 0, 1, 2, 3
FITS_GENRE = FACE_SEEN + FACE
CLAPS_BY_SEAT = FITS_GENRE + 1
GOOD_HINTS, BAD_HINTS = CLAPS_BY_SEAT + MAX_PLAYERS, CLAPS_BY_SEAT + MAX_PLAYERS + 1
IS_CHOSEN = BAD_HINTS + 1
PLACE = IS_CHOSEN + 1
# The numbers of a card of the Cut, of a seat, and of a place whose card the player is sure of.
CUT_CHOSEN, CUT_CALLED, CUT_CARD = 1, 2, 3
IN_CUT = CUT_CARD + CARD
SEAT = 4
SURE_PLACE = 1 + FACE

_SYMBOLS = "1 for its symbol (the six moods, neutral, joker)"
_FACE = f"its value / 28, {_SYMBOLS}"
_CARD = f"{_FACE}, 1 for its member (manager, editor, star, producer, script)"
_PLACE = (
    f"a card lies there; face up; the player sees it, and then {_FACE}, and 1 if it counts for the "
    "genre; a Clap of each seat; good hints / 4, bad hints / 4; chosen for what is being done"
)


def _common_blocks() -> list[Block]:
    seats = (MAX_PLAYERS,)
    return [
        Block("phase", (len(Phase),), 0, 1, "1 for what is asked, in the order of ``Phase``"),
        Block("players", (MAX_PLAYERS - 1,), 0, 1, "1 for the number of players, 2 to 4"),
        Block("to_move", seats, 0, 1, "1 for the seat of the player to move"),
        Block("turn", seats, 0, 1, "1 for the seat whose turn it is"),
        Block("moods", (2, MOODS), 0, 1, "1 for the moods of line A and line B, or of the Film"),
        Block("hand", (CARDS, 1), 0, 1, "1 for the cards in hand: 1 to 28, 1b, 10b, 19b, 28b"),
        Block(
            "pending",
            (1 + CARD,),
            0,
            1,
            "1 if a card of the hand, or the one that another player shows, is chosen and not put "
            f"or passed yet; {_CARD}",
        ),
        Block(
            "seats",
            (MAX_PLAYERS, SEAT),
            0,
            CARDS / HAND_SIZE,
            "each seat: cards in hand / 8, Claps in reserve / 3, has its hint, has chosen a card "
            "to pass",
        ),
        Block("hint", (2,), 0, 1, "1 for the hint that is being placed: good, bad"),
        Block("pile", (1,), 0, 1, "cards in the draw pile / 32"),
        Block("bin", (1,), 0, 1, "cards in the bin / 32"),
        Block("lengths", (2,), 0, CARDS / LINE_LENGTH, "cards in line A or the Film, in B, / 16"),
        Block(
            "cut",
            (MAX_CUT, IN_CUT),
            0,
            1,
            f"each card of the Cut: is there, chosen by the star, called in this turn, {_CARD}",
        ),
        Block("hazards_waiting", (MAX_HAZARDS,), 0, 1, "1 for each that has not happened"),
        Block(
            "hazards_happened",
            (MAX_HAZARDS, HAZARDS),
            0,
            1,
            "each that has happened: 1 for what it does, in the order of ``Hazard``",
        ),
        Block("hazard", (HAZARDS,), 0, 1, "1 for the hazard that is being done, likewise"),
        Block("taken", (MAX_TAKEN, PLACE), 0, 1, f"each card in the editor's hand: {_PLACE}"),
    ]


_COMMON = ObservationSpec(_common_blocks())
_AT = _COMMON.start
AT_PHASE, AT_PLAYERS, AT_TO_MOVE, AT_TURN = (
    _AT("phase"),
    _AT("players"),
    _AT("to_move"),
    _AT("turn"),
)
AT_MOODS, AT_HAND, AT_PENDING, AT_SEATS = _AT("moods"), _AT("hand"), _AT("pending"), _AT("seats")
AT_HINT, AT_PILE, AT_BIN, AT_LENGTHS = _AT("hint"), _AT("pile"), _AT("bin"), _AT("lengths")
AT_CUT, AT_WAITING = _AT("cut"), _AT("hazards_waiting")
AT_HAPPENED, AT_HAZARD, AT_TAKEN = _AT("hazards_happened"), _AT("hazard"), _AT("taken")
#: The places of the Film come behind all that is the same in all modes.
AT_FILM = _COMMON.size


@cache
def observation_spec(mode: Mode, memory: Memory) -> ObservationSpec:
    """Returns what an observation is made of."""
    places = PLACES[mode]
    shape = (2, LINE_OF_SHORTS) if mode == Mode.SHORTS else (places,)
    order = {
        Mode.SERIES: "row by row",
        Mode.ARCS: "1/1, 1/2 and so on to 4/4",
        Mode.STUDIO: "level by level from below",
    }.get(mode, f"the first {shape[-1]} of a line")
    blocks = _common_blocks()
    blocks.append(
        Block("film", (*shape, PLACE), 0, 1, f"each place of the Film, {order}: {_PLACE}")
    )
    if memory == Memory.PERFECT:
        sure = f"the player is sure of its card, {_FACE}"
        others = MAX_PLAYERS - 1
        blocks += [
            Block("sure_film", (*shape, SURE_PLACE), 0, 1, f"each place of the Film: {sure}"),
            Block("sure_taken", (MAX_TAKEN, SURE_PLACE), 0, 1, f"in the editor's hand: {sure}"),
            Block("sure_hands", (others, CARDS), 0, 1, "each other seat: 1 for cards sure in hand"),
            Block("sure_bin", (CARDS,), 0, 1, "1 for the cards that are surely in the bin"),
        ]
    return ObservationSpec(blocks)


def _place_of_slot() -> Array:
    """Returns which place describes a slot in each mode, -1 for none; int8 (modes, SLOTS)."""
    places = np.full((len(Mode), SLOTS), -1, np.int8)
    for mode in (Mode.TUTORIAL, Mode.FEATURE):
        places[mode, : PLACES[mode]] = range(PLACES[mode])
    for line in range(2):
        start = line * LINE_B
        first = line * LINE_OF_SHORTS
        places[Mode.SHORTS, start : start + LINE_OF_SHORTS] = range(first, first + LINE_OF_SHORTS)
    for row in range(SIDE):
        numbers = range(row * SIDE, (row + 1) * SIDE)
        for mode, slot in ((Mode.SERIES, row * WIDTH), (Mode.ARCS, (row + 1) * WIDTH + 1)):
            places[mode, slot : slot + SIDE] = numbers
    first = 0
    for level in range(LEVELS):
        size = LEVELS - level
        slot = level * WIDTH + 1
        places[Mode.STUDIO, slot : slot + size] = range(first, first + size)
        first += size
    return places


PLACE_OF_SLOT = _place_of_slot()
