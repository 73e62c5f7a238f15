"""The state of a game of La Fabrique à rêves: one record of fixed size, and what its numbers mean.

Reservoirs, vials and seats are numbered from 0 here, from 1 in the words of moves but for seats.

A *thought* is the number of a word that can lie in a vial (M1): the sides of card k are 2k and
2k + 1, then come the words of the quill. A *dream* is a place in the game's list (R2), a number
below 128. What lies in reservoir r of R, counted from its top at the start, is
``dealt[r]``, ``dealt[r + R]``, ``dealt[r + 2 R]`` and so on.

The options are in the state, so that the tables of a lexicon, several megabytes, are the same for
all games with it: :class:`Params` has nothing else.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from dreamfactory_env.engine.structs import I8, I32, U64, Array, record_dtype
from dreamfactory_env.games.fabrique_a_reves.lexicon import (
    CARDS,
    MAX_PLAYERS,
    MOST_DREAMS,
    QUILL,
    THEMES,
    VIAL,
)

# The engine's limits. The shapes below are made of them.
MAX_VIALS = 5
MAX_RESERVOIRS = 8
THOUGHTS = 2 * CARDS + QUILL
MAX_THEMES = sum(THEMES.values())
LEVELS = len(THEMES)
#: The row of the dreams without a theme, behind those of all themes.
FREE = MAX_THEMES
DREAM_LISTS = MAX_THEMES + 1
#: How many dreams each of two themes brings (R2).
HALF = 64
#: Proposals for one vial: two at the flask of doubt.
PROPOSALS = 2
MAX_NOISE = 255

# Marks, where a number stands for "none".
NO_WORD = NO_TOKEN = NO_THEME = NO_LEVEL = NOBODY = NOWHERE = -1
#: In a slate: not decided yet, and decided to write nothing.
NOT_YET, NOTHING = -1, -2
NO_SEED = 2**64 - 1  # the set-up was given, not dealt from a seed


class Mode(IntEnum):
    """The modes of the game: base game, the seven challenges, the variant."""

    BASE = 0
    MONDAY = 1
    TUESDAY = 2
    WEDNESDAY = 3
    THURSDAY = 4
    FRIDAY = 5
    SATURDAY = 6
    SUNDAY = 7
    VARIANT = 8


class Tool(IntEnum):
    """The tools, in the order of records; all but the broom lie on a vial once they are used."""

    BROOM = 0
    DOUBT = 1
    DUST = 2
    DUST_2 = 3
    SPILL = 4
    QUILL = 5


class Phase(IntEnum):
    """What the player to move decides."""

    THOUGHTS = 0
    QUILL = 1  # which word to write
    DREAMS = 2
    OVER = 3


class Labels(IntEnum):
    """What the action number of a dream means (M4)."""

    MIND = 0
    LIST = 1


def _tools(*tools: Tool) -> int:
    return sum(1 << tool for tool in tools)


_BASE = _tools(Tool.BROOM, Tool.DOUBT, Tool.DUST)
_SPILL = _BASE | _tools(Tool.SPILL)
_QUILL = _SPILL | _tools(Tool.QUILL)
_ALL = _QUILL | _tools(Tool.DUST_2)

# What a mode says, in the order of Mode.
#: Sets of tools; the variant says its own.
TOOLS_OF_MODE = (_BASE, _BASE, _SPILL, _SPILL, _QUILL, _QUILL, _ALL, _ALL, 0)
#: The level of the themes; base and variant say their own, and Sunday has none.
LEVEL_OF_MODE = (NO_LEVEL, 1, 1, 2, 2, 1, 3, NO_LEVEL, NO_LEVEL)
AIMS = (10, 5, 7, 8, 10, 13, 14, 16, 10)
VIALS_OF_MODE = (5, 5, 5, 4, 5, 5, 5, 5, 5)
RESERVOIRS_OF_MODE = (8, 6, 8, 8, 8, 8, 8, 8, 8)
#: How many tools the variant is played with.
TOOLS_OF_VARIANT = 3

TOOL_WORDS = ("broom", "doubt", "dust", "dust+2", "spill", "quill")
TOOLS = len(TOOL_WORDS)

PerSeat = Annotated[Array, "i1", (MAX_PLAYERS,)]
PerVial = Annotated[Array, "i1", (MAX_VIALS,)]


class State:
    """One game. Seats are numbered from 0, clockwise."""

    # where the set-up came from
    seed: U64  # the seed it was dealt from, or NO_SEED
    minds: Annotated[Array, "u8", (MAX_PLAYERS,)]  # the number of each seat's mind (M2)
    # options
    players: I8
    mode: I8
    level: I8  # of the themes, or NO_LEVEL
    labels: I8
    same_minds: I8  # 1 if all minds are the same (M3)
    noise: I32
    in_play: I8  # a set of tools; empty before the deal if they are drawn
    # whose turn it is, and for what
    phase: I8
    to_move: I8
    first_player: I8
    passed: I8  # a set of seats
    asked: I8  # the vial for which a word is written or dreamt, or NOWHERE
    proposal: I8  # which proposal for it
    redrawn: I8  # 1 if something that was drawn in the set-up is not known any more
    # the table
    tools: I8  # a set of tools that can still be used
    themes: Annotated[Array, "i1", (2,)]  # as drawn, or NO_THEME
    dealt: Annotated[Array, "i2", (CARDS,)]  # the thought that is up on each card, see above
    taken: Annotated[Array, "i1", (MAX_RESERVOIRS,)]  # cards that have left each reservoir
    filled: PerVial  # how many words are in each vial
    words: Annotated[Array, "i2", (MAX_VIALS, VIAL)]  # these, in their order, then NO_WORD
    placed_by: Annotated[Array, "i1", (MAX_VIALS, VIAL)]  # who put each there, or NOBODY
    tokens: PerVial  # the tool on each vial, or NO_TOKEN
    # dreams
    dreams: I32  # how long the game's list is
    split: I32  # how many of them are of the first theme
    second: Annotated[Array, "i1", (HALF,)]  # places in the second theme of those behind (R2)
    allowed: Annotated[Array, "i1", (MOST_DREAMS,)]  # 1 for dreams that no word forbids (R16)
    order: Annotated[Array, "i1", (MOST_DREAMS,)]  # dreams by action, for whoever dreams (M4)
    slates: Annotated[Array, "i1", (MAX_PLAYERS, MAX_VIALS, PROPOSALS)]  # or NOT_YET or NOTHING


STATE = record_dtype(State)


class Params:
    """What a lexicon says, as numbers."""

    associations: Annotated[Array, "i2", (DREAM_LISTS, THOUGHTS, MOST_DREAMS)]  # M1
    forbids: Annotated[Array, "i1", (DREAM_LISTS, THOUGHTS, MOST_DREAMS)]  # 1: one family (R16)
    forbids_some: Annotated[Array, "i1", (DREAM_LISTS, THOUGHTS)]  # 1: it forbids some dream
    dream_words: Annotated[Array, "i2", (DREAM_LISTS, MOST_DREAMS)]  # rows of words, or NO_WORD
    sizes: Annotated[Array, "i2", (DREAM_LISTS,)]  # how many dreams each list has
    levels: Annotated[Array, "i1", (LEVELS, MAX_THEMES)]  # the themes of each level
    level_sizes: Annotated[Array, "i1", (LEVELS,)]  # how many these are
    points: Annotated[Array, "i1", (MAX_PLAYERS + 1, MAX_PLAYERS + 1, VIAL + 1)]  # R18
    cards: I32
    quill: I32  # how many words can be written


PARAMS = record_dtype(Params)
