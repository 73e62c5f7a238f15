"""What Faux Raccords declares of itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dreamfactory_env.games.faux_raccords.actions import ACTIONS, CALL, PLACE, VIEW
from dreamfactory_env.games.faux_raccords.observation_spec import observation_spec
from dreamfactory_env.games.faux_raccords.options import OPTIONS
from dreamfactory_env.games.faux_raccords.scoring import WON
from dreamfactory_env.games.faux_raccords.scripted import SCRIPTED
from dreamfactory_env.games.faux_raccords.setup import CARDS_OF_MODE, REMOVED, film_size
from dreamfactory_env.games.faux_raccords.state import CARDS, MAX_PLAYERS, Memory, Mode
from dreamfactory_env.games.observation_spec import Pointer
from dreamfactory_env.games.spec import GameSpec, Sizes, Utility, all_variants


def max_length(mode: Mode, players: int) -> int:
    """Returns a number of moves that no game exceeds (F27).

    Cut and bin together never lose a card, and every call and view adds one: at most as many as
    there are cards. Hands get cards from set-up and pile, and at most one from the producer of a
    call; every turn costs one: places and views are at most the cards that do not begin in the
    Film. With the question for a hint a place or view is 4 decisions, a call is 6; each `reuse` is
    one, at most as many as there are cards. Then there are a hint for each player, at most four
    hazards that ask each player once, and an `end`.
    """
    cards = CARDS_OF_MODE[mode] - REMOVED[mode]
    return 4 * (cards - film_size(mode, players)) + 7 * cards + 5 * players + 1


@lru_cache(maxsize=64)
def _sizes(players: int, mode: str, memory: str) -> Sizes:
    number = Mode[mode.upper()]
    return Sizes(
        num_actions=ACTIONS,
        observation=observation_spec(number, Memory[memory.upper()]),
        max_length=max_length(number, players),
        score_scale=float(WON),
        score_range=(0.0, 1.0),
    )


def sizes_of(values: Mapping[str, Any]) -> Sizes:
    """Returns the sizes of games with these options."""
    return _sizes(values["players"], values["mode"], values["memory"])


SPEC = GameSpec(
    name="faux_raccords",
    title="Faux Raccords",
    version="v0",
    min_players=2,
    max_players=MAX_PLAYERS,
    utility=Utility.SHARED,
    scripted=SCRIPTED,
    sizes_of=sizes_of,
    options=OPTIONS,
    # A card of the hand to place, to call or to view with: when to do which is the same for all.
    pointers=tuple(Pointer(first, (("hand", CARDS),)) for first in (PLACE, CALL, VIEW)),
    variants=all_variants(OPTIONS, "mode", "memory"),
)
