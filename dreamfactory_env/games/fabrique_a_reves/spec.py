"""What La Fabrique à rêves declares of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dreamfactory_env.games.fabrique_a_reves.actions import ACTIONS, TAKE, TOKEN, WORD
from dreamfactory_env.games.fabrique_a_reves.lexicon import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOST_DREAMS,
    VIAL,
)
from dreamfactory_env.games.fabrique_a_reves.observation_spec import OBSERVATION
from dreamfactory_env.games.fabrique_a_reves.options import LABELS, MODES, OPTIONS, settled
from dreamfactory_env.games.fabrique_a_reves.scripted import SCRIPTED
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_RESERVOIRS,
    MAX_VIALS,
    TOOLS,
    VIALS_OF_MODE,
    Mode,
)
from dreamfactory_env.games.observation_spec import Pointer
from dreamfactory_env.games.spec import GameSpec, Sizes, Utility, Variant

#: What points are divided by in the reward ``score``: five vials that all fill and dream alike.
SCORE_SCALE = 20.0
#: Fairy dust of both kinds (R19).
MOST_DUST = 3


def max_length(vials: int, players: int) -> int:
    """Returns a number of moves that no game exceeds.

    Vials are filled by at most three words each, and one of them again after it was spilled; the
    quill needs a move more, and five tools one each; then everybody passes and fills a slate, with
    one proposal more at the flask of doubt.
    """
    return VIAL * vials + 10 + players + players * (vials + 1)


def sizes_of(values: Mapping[str, Any]) -> Sizes:
    """Returns the sizes of games with these options."""
    values = settled(values)
    vials = VIALS_OF_MODE[Mode[values["mode"].upper()]]
    most = values["lexicon"].most_points * vials + MOST_DUST
    return Sizes(
        num_actions=ACTIONS,
        observation=OBSERVATION,
        max_length=max_length(vials, values["players"]),
        score_scale=SCORE_SCALE,
        score_range=(0.0, most / SCORE_SCALE),
        action_labels="" if values["labels"] == LABELS[0] else f"by {values['labels']}",
    )


def _variants() -> tuple[Variant, ...]:
    """Returns the base game in all ways in which it is measured, then the other modes.

    Agents of the pool have learned in the base game with level 1: to them all themes of other
    levels are new.
    """
    of_base = [("level", 0), ("level", 2), ("level", 3)]
    of_base += [("noise", 0), ("noise", 12), ("noise", 48)]
    base, *others = ((("mode", mode),) for mode in MODES)
    measured = [(*base, option) for option in [*of_base, ("labels", "list")]]
    return (base, *measured, *others)


SPEC = GameSpec(
    name="fabrique_a_reves",
    title="La Fabrique à rêves",
    version="v0",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    utility=Utility.SHARED,
    scripted=SCRIPTED,
    sizes_of=sizes_of,
    options=OPTIONS,
    default_players=3,
    rollout="nearest",
    # What a word would do to a vial, the vial for a token, what a dream is like at its vial.
    pointers=(
        Pointer(TAKE, (("moves", MAX_RESERVOIRS * MAX_VIALS),)),
        *(Pointer(TOKEN + MAX_VIALS * k, (("vials", MAX_VIALS),)) for k in range(TOOLS - 1)),
        Pointer(WORD, (("dreams", MOST_DREAMS),)),
    ),
    variants=_variants(),
    shaping=False,  # points would tell what others have written
)
