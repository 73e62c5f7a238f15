"""The golden playthroughs are what the engine plays today."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.games.dream_factory.playthroughs import PLAYTHROUGHS, WITH_POSITIONS, Playthrough
from tests.games.playthroughs import Position, text_of, with_hashes

NAMES = [playthrough.name for playthrough in PLAYTHROUGHS]


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=NAMES)
def test_the_game_is_still_the_same(playthrough: Playthrough) -> None:
    # `make golden` writes them anew, for a change that is meant to change games.
    text = text_of(playthrough, playthrough.name in WITH_POSITIONS)
    assert text == playthrough.file.read_text("utf-8")


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=NAMES)
def test_the_game_shows_what_its_name_says(playthrough: Playthrough) -> None:
    game = playthrough.game()
    rng = random.Random(playthrough.seed)
    while not game.over:
        game.play(playthrough.choose(game.legal(), rng))
    assert playthrough.shows(game)


def test_a_line_a_move_tells_where_a_game_differs() -> None:
    position = Position("[0] Somewhere", [12, 12], "player 0: pass (action 0)")
    moved = replace(position, move="player 1: bid 3 (action 4)")
    scored = replace(position, points=[12, 15])
    seen = replace(position, text="[0] Elsewhere")
    head, _, first, second, third, fourth = with_hashes(
        "# head\n", [position, moved, scored, seen]
    ).splitlines()
    digest = first.split()[1]
    assert head == "# head"
    assert first == f"[0] {digest} points 12 12; player 0: pass (action 0)"
    assert second == f"[1] {digest} player 1: bid 3 (action 4)"
    assert third == f"[2] {digest} points 12 15; player 0: pass (action 0)"
    assert fourth.split()[1] != digest


def test_a_dozen_games_and_no_file_without_one() -> None:
    assert len(PLAYTHROUGHS) >= 12
    assert {path.stem for path in PLAYTHROUGHS[0].file.parent.glob("*.txt")} == set(NAMES)
    assert set(WITH_POSITIONS) < set(NAMES)
