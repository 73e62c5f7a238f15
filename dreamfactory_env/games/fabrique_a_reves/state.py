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

from dreamfactory_env.engine.rng import SEED_BITS
from dreamfactory_env.engine.structs import (
    I8,
    I32,
    U64,
    Array,
    Between,
    record_dtype,
    record_ranges,
)
from dreamfactory_env.games.fabrique_a_reves.lexicon import (
    CARDS,
    MAX_PLAYERS,
    MIN_PLAYERS,
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
#: Minds have numbers from 0 up to this (M2).
MOST_MIND = int(SEED_BITS)

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
#: The most cards in one reservoir (R3).
MOST_IN_RESERVOIR = -(-CARDS // min(RESERVOIRS_OF_MODE))
#: How many tools the variant is played with.
TOOLS_OF_VARIANT = 3

TOOL_WORDS = ("broom", "doubt", "dust", "dust+2", "spill", "quill")
TOOLS = len(TOOL_WORDS)

# Fields by what their numbers are: a saved state keeps to these ranges.
PerVial = Annotated[Array, "i1", (MAX_VIALS,)]
Seat = Annotated[I8, Between(0, MAX_PLAYERS - 1)]
SetOfTools = Annotated[I8, Between(0, 2**TOOLS - 1)]
Flag = Annotated[I8, Between(0, 1)]
Count = Annotated[I32, Between(0, MOST_DREAMS)]
ByDream = Annotated[Array, "i1", (MOST_DREAMS,)]


class State:
    """One game. Seats are numbered from 0, clockwise."""

    # where the set-up came from
    seed: U64  # the seed it was dealt from, or NO_SEED
    # the number of each seat's mind (M2)
    minds: Annotated[Array, "u8", (MAX_PLAYERS,), Between(0, MOST_MIND)]
    # options
    players: Annotated[I8, Between(MIN_PLAYERS, MAX_PLAYERS)]
    mode: Annotated[I8, Between(min(Mode), max(Mode))]
    level: Annotated[I8, Between(NO_LEVEL, LEVELS - 1)]  # of the themes, or NO_LEVEL
    labels: Annotated[I8, Between(min(Labels), max(Labels))]
    same_minds: Flag  # 1 if all minds are the same (M3)
    noise: Annotated[I32, Between(0, MAX_NOISE)]
    in_play: SetOfTools  # empty before the deal if they are drawn
    # whose turn it is, and for what
    phase: Annotated[I8, Between(min(Phase), max(Phase))]
    to_move: Seat
    first_player: Seat
    passed: Annotated[I8, Between(0, 2**MAX_PLAYERS - 1)]  # a set of seats
    # the vial for which a word is written or dreamt, or NOWHERE
    asked: Annotated[I8, Between(NOWHERE, MAX_VIALS - 1)]
    proposal: Annotated[I8, Between(0, PROPOSALS - 1)]  # which proposal for it
    redrawn: Flag  # 1 if something that was drawn in the set-up is not known any more
    # the table
    tools: SetOfTools  # that can still be used
    themes: Annotated[Array, "i1", (2,), Between(NO_THEME, MAX_THEMES - 1)]  # as drawn, or NO_THEME
    # the thought that is up on each card, see above
    dealt: Annotated[Array, "i2", (CARDS,), Between(0, 2 * CARDS - 1)]
    # cards that have left each reservoir
    taken: Annotated[Array, "i1", (MAX_RESERVOIRS,), Between(0, MOST_IN_RESERVOIR)]
    filled: Annotated[PerVial, Between(0, VIAL)]  # how many words are in each vial
    # these, in their order, then NO_WORD
    words: Annotated[Array, "i2", (MAX_VIALS, VIAL), Between(NO_WORD, THOUGHTS - 1)]
    # who put each there, or NOBODY
    placed_by: Annotated[Array, "i1", (MAX_VIALS, VIAL), Between(NOBODY, MAX_PLAYERS - 1)]
    tokens: Annotated[PerVial, Between(NO_TOKEN, TOOLS - 1)]  # the tool on each vial, or NO_TOKEN
    # dreams
    dreams: Count  # how long the game's list is
    split: Count  # how many of them are of the first theme
    # places in the second theme of those behind (R2)
    second: Annotated[Array, "i1", (HALF,), Between(0, HALF - 1)]
    allowed: Annotated[ByDream, Between(0, 1)]  # 1 for dreams that no word forbids (R16)
    order: Annotated[ByDream, Between(0, MOST_DREAMS - 1)]  # by action, for whoever dreams (M4)
    # dreams, or NOT_YET or NOTHING
    slates: Annotated[
        Array, "i1", (MAX_PLAYERS, MAX_VIALS, PROPOSALS), Between(NOTHING, MOST_DREAMS - 1)
    ]


STATE, RANGES = record_dtype(State), record_ranges(State)


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
