"""The golden playthroughs are what the engine plays today."""

from __future__ import annotations

import json

import pytest

from tests.games.fabrique_a_reves.playthroughs import PLAYTHROUGHS, WITH_POSITIONS, Playthrough
from tests.games.fabrique_a_reves.staging import OPTIONS
from tests.games.fabrique_a_reves.trace import ALL, trace
from tests.games.playthroughs import text_of

NAMES = [playthrough.name for playthrough in PLAYTHROUGHS]


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=NAMES)
def test_the_game_is_still_the_same(playthrough: Playthrough) -> None:
    # `make golden` writes them anew, for a change that is meant to change games.
    text = text_of(playthrough, playthrough.name in WITH_POSITIONS)
    assert text == playthrough.file.read_text("utf-8")


def test_every_mode_and_number_of_players_is_there_and_no_file_without_one() -> None:
    played = [(p.options["mode"], p.options["players"]) for p in PLAYTHROUGHS]
    assert played == OPTIONS
    assert {path.stem for path in PLAYTHROUGHS[0].file.parent.glob("*.txt")} == set(NAMES)
    assert set(WITH_POSITIONS) < set(NAMES)


def test_the_same_seed_is_the_same_game_on_every_machine() -> None:
    golden = json.loads(PLAYTHROUGHS[0].file.with_name("hashes.json").read_text("utf-8"))
    assert {json.dumps(options): trace(options, 2, 0) for options in ALL} == golden
