"""The observation of La Fabrique à rêves as numbers in named blocks: what each of them means.

Everything is told from the player's own seat and through the player's own mind: seat 0 of a block
is the player, then the others clockwise; seats that nobody has are zero. There are no words,
vectors or places in the list of dreams, only how close the player finds things to each other: of
numbers that mean the same to all, agents could make conventions that ignore what lies where. What
the player cannot know is not in it.

An association, or a sum of some, is divided by 128 and cut at 8 on both sides. *Best* is the
highest sum of a vial over the dreams that R16 does not forbid the player, *lead* what it is above
the second highest.
"""

from __future__ import annotations

from dreamfactory_env.games.fabrique_a_reves.lexicon import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOST_DREAMS,
    QUILL,
    VIAL,
)
from dreamfactory_env.games.fabrique_a_reves.state import (
    LEVELS,
    MAX_NOISE,
    MAX_RESERVOIRS,
    MAX_VIALS,
    TOOLS,
    Mode,
    Phase,
)
from dreamfactory_env.games.observation_spec import Block, ObservationSpec

# What numbers are divided by, so that usual ones are about 1 or less.
ASSOCIATION = 128.0
POINTS = 20.0
CARDS_LEFT = 32.0
#: Where associations and sums are cut, in the observation and before they are divided.
CUT, CUT_SUM = 8.0, 1024
#: How many dreams of a vial are told in thoughts.
LEADERS = 8

# The numbers of a vial, by where they begin.
IS_THERE = 0
COUNT = IS_THERE + 1  # one for each number of words
TOKEN = COUNT + VIAL + 1  # one for each tool but the broom
BEST = TOKEN + TOOLS - 1
LEAD = BEST + 1
PLACED_BY = LEAD + 1  # for each word one for each seat
VIAL_NUMBERS = PLACED_BY + VIAL * MAX_PLAYERS
# Of a move: best, lead, whether the best dream stays; of a leader: sum, then each reservoir.
MOVE_NUMBERS = 3
LEADER_NUMBERS = 1 + MAX_RESERVOIRS
# Of a dream: legal, association with each of the vial's words, highest sum at another vial.
DREAM_NUMBERS = 2 + VIAL

_SEATS = (MAX_PLAYERS,)

OBSERVATION = ObservationSpec(
    [
        Block("phase", (len(Phase),), 0, 1, "1 for what is decided: thoughts, quill, dreams, over"),
        Block("mode", (len(Mode),), 0, 1, "1 for the mode, in the order of ``Mode``"),
        Block("level", (LEVELS,), 0, 1, "1 for the level of the themes, 0 to 3; none on Sunday"),
        Block(
            "players",
            (MAX_PLAYERS - MIN_PLAYERS + 1,),
            0,
            1,
            "1 for the number of players, 2 to 5",
        ),
        Block("aim", (1,), 0, 1, "the points that are asked for / 20"),
        Block("noise", (1,), 0, MAX_NOISE / ASSOCIATION, "how much minds differ / 128 (M2)"),
        Block("to_move", _SEATS, 0, 1, "1 for the seat of the player to move"),
        Block("first", _SEATS, 0, 1, "1 for the seat of the first player"),
        Block("passed", _SEATS, 0, 1, "1 for each seat that has passed"),
        Block(
            "tools",
            (TOOLS,),
            0,
            1,
            "1 for each tool still to be used: broom, doubt, dust, dust+2, spill, quill",
        ),
        Block(
            "vials",
            (MAX_VIALS, VIAL_NUMBERS),
            -CUT,
            CUT,
            "each vial: is there; 1 for how many words it holds, 0 to 3; 1 for its token (doubt, "
            "dust, dust+2, spill, quill); best and lead; for each of its three words 1 for the "
            "seat that put it there",
        ),
        Block(
            "reservoirs",
            (MAX_RESERVOIRS, 2),
            0,
            2,
            "each reservoir: is not empty, cards left / 32",
        ),
        Block(
            "moves",
            (MAX_RESERVOIRS, MAX_VIALS, MOVE_NUMBERS),
            -CUT,
            CUT,
            "in thoughts, each reservoir whose word can go into each vial: the vial's best and "
            "lead with it, and 1 if its best dream is still a best one",
        ),
        Block(
            "leaders",
            (MAX_VIALS, LEADERS, LEADER_NUMBERS),
            -CUT,
            CUT,
            "in thoughts, the eight best dreams of each vial with a word that are not forbidden: "
            "its sum, its association with the word on top of each reservoir",
        ),
        Block(
            "quill",
            (QUILL, 2),
            -CUT,
            CUT,
            "to whoever has to write, for each word of the quill by its action: best and lead of "
            "the vial with it",
        ),
        Block(
            "dreams",
            (MOST_DREAMS, DREAM_NUMBERS),
            -CUT,
            CUT,
            "to whoever has to dream, for each dream by its action: legal; its association with "
            "each of the vial's words; its highest sum at another vial",
        ),
        Block(
            "slate",
            (MAX_VIALS, 2),
            -CUT,
            CUT,
            "each vial on the own slate: how much of it is decided, 0 to 1 (one half between two "
            "proposals); the highest sum of what is written there",
        ),
    ]
)

_AT = OBSERVATION.start
AT_PHASE, AT_MODE, AT_LEVEL, AT_PLAYERS = _AT("phase"), _AT("mode"), _AT("level"), _AT("players")
AT_AIM, AT_NOISE, AT_TO_MOVE, AT_FIRST = _AT("aim"), _AT("noise"), _AT("to_move"), _AT("first")
AT_PASSED, AT_TOOLS, AT_VIALS = _AT("passed"), _AT("tools"), _AT("vials")
AT_RESERVOIRS, AT_MOVES, AT_LEADERS = _AT("reservoirs"), _AT("moves"), _AT("leaders")
AT_QUILL, AT_DREAMS, AT_SLATE = _AT("quill"), _AT("dreams"), _AT("slate")
