"""The shapes of a Film (F6 to F10): what touches what, where cards go, which may leave.

All functions are of sets of slots, see ``state``. Rows are eight slots wide, of which no mode uses
more than six: a neighbour beyond the edge of a row is a slot where no card ever lies.
"""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.games.faux_raccords.bits import count_bits
from dreamfactory_env.games.faux_raccords.state import LINE_B, WIDTH, Mode

#: Cards of a whole losange and of a whole pyramid.
LOSANGE, PYRAMID = 16, 15
SIDE = 4  # of the grid and of the losange
LEVELS = 5  # of the pyramid; level k has LEVELS + 1 - k cards


def _block(rows: range, columns: range) -> int:
    """Returns the slots of some rows and columns, both from 0."""
    return sum(1 << (row * WIDTH + column) for row in rows for column in columns)


#: The grid of `series`.
GRID = _block(range(SIDE), range(SIDE))
#: Where the hazards of `series` lie, in their order: 2/2, 2/3, 3/2, 3/3.
HAZARD_SLOTS = (WIDTH + 1, WIDTH + 2, 2 * WIDTH + 1, 2 * WIDTH + 2)
#: The names with which a card is put in `arcs`: 0 to 4, twice; its least and greatest coordinates.
FRAME = _block(range(SIDE + 1), range(SIDE + 1))
LEAST_X, MOST_X = _block(range(1), range(WIDTH)), _block(range(SIDE, SIDE + 1), range(WIDTH))
LEAST_Y = _block(range(SIDE + 1), range(1))
MOST_Y = _block(range(SIDE + 1), range(SIDE, SIDE + 1))
FIRST_X, FIRST_Y = LEAST_X << WIDTH, _block(range(SIDE + 1), range(1, 2))
#: The first level of `studio`, with 1/0; all slots of index 1.
LEVEL_1 = _block(range(1), range(LEVELS + 1))
ROW = _block(range(1), range(WIDTH))
FIRST_INDEX = _block(range(LEVELS), range(1, 2))
#: The first card of an empty losange and of an empty pyramid: 1/1 of each.
ARCS_ORIGIN, STUDIO_ORIGIN = 1 << (WIDTH + 1), 1 << 1
#: The first place of a line, and of both lines.
ONE_LINE, TWO_LINES = 1, 1 | 1 << LINE_B


@jit
def touching(mode: int, slots: int) -> int:
    """Returns the slots that touch some of a set (F6 to F9); some may be beyond the Film."""
    near = slots << 1 | slots >> 1
    if mode >= Mode.SERIES:
        near |= slots << WIDTH | slots >> WIDTH
        if mode != Mode.SERIES:
            near |= slots << (WIDTH - 1) | slots >> (WIDTH - 1)
    return near


@jit
def is_whole(mode: int, slots: int) -> bool:
    """Tells whether cards make a whole Film (F10): one piece, and no support is missing."""
    if mode == Mode.ARCS:
        return is_one_piece(slots)
    if mode == Mode.STUDIO:
        return is_pyramid(slots)
    return True


@jit
def is_one_piece(slots: int) -> bool:
    """Tells whether cards of `arcs` are connected."""
    reached = slots & -slots
    while True:
        grown = (reached | touching(Mode.ARCS, reached)) & slots
        if grown == reached:
            return reached == slots
        reached = grown


@jit
def is_pyramid(slots: int) -> bool:
    """Tells whether cards of `studio` rest on two others each, on a first level in one piece."""
    if slots >> WIDTH & ~(slots & slots >> 1):
        return False
    level = slots & ROW
    return level & (level + (level & -level)) == 0 and count_bits(level) <= LEVELS


@jit
def open_places(mode: int, slots: int) -> int:
    """Returns where one more card can be put beside those that lie there, as F6, F8 and F9 say.

    In a Film that is whole it is whole afterwards, too. Where hazards lie in `series` is not known
    here.
    """
    if mode == Mode.ARCS:
        return arcs_places(slots)
    if mode == Mode.STUDIO:
        return studio_places(slots)
    if mode == Mode.SERIES:
        return GRID & ~slots
    return slots << 1 | (TWO_LINES if mode == Mode.SHORTS else ONE_LINE)


@jit
def arcs_places(slots: int) -> int:
    """Returns the slots beside the cards of a losange that keep it within four by four (F8)."""
    if slots == 0:
        return ARCS_ORIGIN
    places = touching(Mode.ARCS, slots) & FRAME & ~slots
    if slots & MOST_X:
        places &= ~LEAST_X
    if slots & MOST_Y:
        places &= ~LEAST_Y
    return places


@jit
def studio_places(slots: int) -> int:
    """Returns the slots on two cards of a pyramid, and those of its first level (F9)."""
    if slots == 0:
        return STUDIO_ORIGIN
    places = (slots & slots >> 1) << WIDTH
    if count_bits(slots & ROW) < LEVELS:
        places |= touching(Mode.STUDIO, slots) & LEVEL_1
    return places & ~slots


@jit
def anchored(mode: int, slots: int) -> int:
    """Returns cards with one just put in their new slots: the least coordinates count as 1."""
    if mode == Mode.ARCS and slots & LEAST_X:
        slots <<= WIDTH
    if slots & LEAST_Y:
        slots <<= 1
    return slots


@jit
def mending_places(mode: int, slots: int, cards: int) -> int:
    """Returns where an editor can put the first of some taken cards (F16).

    Only where the Film is whole after the last of them: for the first of two there must be a place
    for the second that makes it so. If it is whole before the second one there always is: neither
    losange nor pyramid has more cards than were there before.

    Args:
        mode: ARCS or STUDIO.
        slots: The cards that lie there.
        cards: How many are to be put, 1 or 2.
    """
    places = open_places(mode, slots)
    if is_whole(mode, slots):
        return places
    mending = 0
    while places != 0:
        place = places & -places
        places ^= place
        after = anchored(mode, slots | place)
        if is_whole(mode, after) or (cards > 1 and can_be_mended(mode, after)):
            mending |= place
    return mending


@jit
def can_be_mended(mode: int, slots: int) -> bool:
    """Tells whether one more card can make a Film whole."""
    places = open_places(mode, slots)
    while places != 0:
        place = places & -places
        places ^= place
        if is_whole(mode, slots | place):
            return True
    return False


@jit
def cards_that_may_leave(mode: int, slots: int) -> int:
    """Returns the cards without which the Film is still whole (F10)."""
    if mode < Mode.ARCS:
        return slots
    leaving = 0
    left = slots
    while left != 0:
        card = left & -left
        left ^= card
        if is_whole(mode, slots ^ card):
            leaving |= card
    return leaving


@jit
def gap_shift(mode: int, slots: int) -> int:
    """Returns by how much cards of `arcs` and `studio` move down so that the least becomes 1."""
    shift = 0
    if slots == 0 or mode < Mode.ARCS:
        return shift
    if mode == Mode.ARCS:
        while slots & FIRST_X == 0:
            slots >>= WIDTH
            shift += WIDTH
    first = FIRST_Y if mode == Mode.ARCS else FIRST_INDEX
    while slots & first == 0:
        slots >>= 1
        shift += 1
    return shift


@jit
def from_slot_on(slots: int, slot: int) -> int:
    """Returns the slots of a set in the line of a slot, from that slot on."""
    end = -1 << LINE_B
    line = end if slot >= LINE_B else ~end
    return slots & line & -(1 << slot)


@jit
def with_gap(slots: int, slot: int) -> int:
    """Returns a set in which the members of a line from a slot on have moved up by one."""
    behind = from_slot_on(slots, slot)
    return slots ^ behind | behind << 1


@jit
def without_gap(slots: int, slot: int) -> int:
    """Returns a set without a slot of a line, in which all behind it have moved down by one."""
    behind = from_slot_on(slots, slot)
    return slots ^ behind | (behind & ~(1 << slot)) >> 1
