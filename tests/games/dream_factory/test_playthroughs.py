"""The golden playthroughs are what the engine plays today."""

from __future__ import annotations

import random

import pytest

from tests.games.dream_factory.playthroughs import (
    FOLDER,
    PLAYTHROUGHS,
    Playthrough,
    file_of,
    text_of,
)
from tests.games.dream_factory.styles import STYLES

NAMES = [playthrough.name for playthrough in PLAYTHROUGHS]


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=NAMES)
def test_the_game_is_still_the_same(playthrough: Playthrough) -> None:
    # `make golden` writes them anew, for a change that is meant to change games.
    assert text_of(playthrough) == file_of(playthrough).read_text("utf-8")


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=NAMES)
def test_the_game_shows_what_its_name_says(playthrough: Playthrough) -> None:
    game = playthrough.game()
    rng = random.Random(playthrough.seed)
    while not game.over:
        game.play(STYLES[playthrough.style](game.legal(), rng))
    assert playthrough.shows(game)


def test_a_dozen_games_and_no_file_without_one() -> None:
    assert len(PLAYTHROUGHS) >= 12
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(NAMES)
