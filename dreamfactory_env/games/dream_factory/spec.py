"""What Dream Factory declares of itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dreamfactory_env.games.dream_factory.legal import ACTIONS, DISCARD, PICK, PLACE
from dreamfactory_env.games.dream_factory.observation_spec import OBSERVATION_SPEC
from dreamfactory_env.games.dream_factory.options import OPTIONS, Options
from dreamfactory_env.games.dream_factory.scoring import GRAND_AWARD, SMALL_AWARD
from dreamfactory_env.games.dream_factory.scripted import SCRIPTED
from dreamfactory_env.games.dream_factory.state import (
    BEST_OF_GENRE,
    FILM_AWARDS,
    MAX_HAND,
    MAX_LOT,
    MAX_PLAYERS,
    SPACES,
    STUDIO_FILMS,
)
from dreamfactory_env.games.observation_spec import Pointer
from dreamfactory_env.games.spec import GameSpec, Sizes, Utility

SCORE_SCALE = 50.0


def max_length(options: Options) -> int:
    """Returns a number of moves that no game with these options exceeds.

    In an auction each bid is above the one before and at most all the money there is, and all but
    one pass. Each tile won or picked is placed or discarded once, and at a party each player picks
    once.
    """
    t: Any = options.components.params[0]
    players = options.players
    auctions = int(t.rounds) * int((t.is_party[: t.locations] == 0).sum())
    parties = int(t.rounds) * int(t.is_party[: t.locations].sum())
    bids = players * int(t.money[players]) + 1
    tiles = int(t.rounds) * (int(t.round_size[players]) + 1)
    studios = players if options.choose_studio else 0
    return auctions * (bids + players - 1) + parties * players + tiles + studios


def score_range(options: Options) -> tuple[float, float]:
    """Returns the least and the most that the reward ``score`` can be: nobody has all, or one."""
    t: Any = options.components.params[0]
    points = options.players * int(t.money[options.players]) + int(t.token_value.sum())
    points += SMALL_AWARD * BEST_OF_GENRE + GRAND_AWARD * (FILM_AWARDS - BEST_OF_GENRE + 1)
    mean = points / options.players
    return -mean / SCORE_SCALE, (points - mean) / SCORE_SCALE


@lru_cache(maxsize=64)
def _sizes(options: Options) -> Sizes:
    return Sizes(
        num_actions=ACTIONS,
        observation=OBSERVATION_SPEC,
        max_length=max_length(options),
        score_scale=SCORE_SCALE,
        score_range=score_range(options),
    )


def sizes_of(values: Mapping[str, Any]) -> Sizes:
    """Returns the sizes of games with these options."""
    return _sizes(Options(**values))


SPEC = GameSpec(
    name="dream_factory",
    title="Dream Factory",
    version="v0",
    min_players=2,
    max_players=MAX_PLAYERS,
    default_players=4,
    utility=Utility.ZERO_SUM,
    scripted=SCRIPTED,
    sizes_of=sizes_of,
    options=OPTIONS,
    pointers=(
        Pointer(PICK, (("lot", MAX_LOT),)),
        Pointer(PLACE, (("hand", MAX_HAND), ("films", STUDIO_FILMS)), SPACES),
        Pointer(DISCARD, (("hand", MAX_HAND),)),
    ),
)
