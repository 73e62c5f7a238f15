"""The table as a picture: what it shows, what it hides, and that it always can be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.games.fabrique_a_reves.picture import (
    HEIGHT,
    PLAYERS,
    RESERVOIRS,
    THEMES,
    TOOLS,
    VIALS,
    WIDTH,
)
from dreamfactory_env.games.fabrique_a_reves.picture_pieces import ICONS, TOKENS, fitting, wrapped
from dreamfactory_env.games.fabrique_a_reves.state import TOOL_WORDS
from tests.games.fabrique_a_reves.positions import PHASES, of_every_phase, positions
from tests.games.fabrique_a_reves.staging import SOME, play, staged


def same(first: FabriqueAReves, second: FabriqueAReves, seat: int | None = None) -> bool:
    return bool(np.array_equal(first.picture(seat), second.picture(seat)))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_picture_has_its_shape_and_is_the_same_every_time(phase: str, language: str) -> None:
    game = of_every_phase(language)[phase]
    before = game.save()
    for seat in (None, 0, game.players - 1):
        drawn = game.picture(seat)
        assert drawn.shape == (HEIGHT, WIDTH, 3)
        assert drawn.dtype == np.uint8
        assert drawn.tobytes() == game.copy().picture(seat).tobytes()
    assert game.save() == before


@pytest.mark.parametrize("phase", PHASES)
def test_both_languages_look_different(phase: str) -> None:
    assert not same(of_every_phase("en")[phase], of_every_phase("fr")[phase], 0)


@pytest.mark.parametrize(("mode", "players"), SOME)
def test_what_a_player_cannot_know_is_not_in_the_picture(mode: str, players: int) -> None:
    games = positions(mode, players)
    for number, game in enumerate(games[::9]):
        seat = number % players
        assert same(game, game.resample_hidden(seat, number), seat)


def test_slates_of_others_are_hidden_and_the_own_one_is_not() -> None:
    game = of_every_phase()["dreams"]
    seat = game.to_move
    assert seat is not None
    other = game.copy()
    written = int(game.state.slates[seat, 0, 0])
    other.state.slates[seat, 0, 0] = (written + 1) % len(game.dreams())
    assert not same(game, other, seat)
    assert same(game, other, (seat + 1) % 3)


@pytest.mark.parametrize(
    ("moves", "changed"),
    [
        (("take 1 into 1",), [RESERVOIRS, VIALS]),
        (("broom",), [RESERVOIRS, TOOLS]),
        (("doubt on 2",), [TOOLS, VIALS]),
    ],
)
def test_a_move_changes_what_it_should(moves: tuple[str, ...], changed: list[object]) -> None:
    game = staged(players=2)
    before, after = game.picture(), play(game, *moves).picture()
    for area in (THEMES, TOOLS, RESERVOIRS, VIALS):
        part = (slice(area.y, area.bottom), slice(area.x, area.right))
        assert np.array_equal(before[part], after[part]) == (area not in changed)
    assert before[PLAYERS.y :].tobytes() != after[PLAYERS.y :].tobytes()  # whose turn it is


def test_every_tool_has_an_icon_and_a_colour() -> None:
    assert set(ICONS) == set(TOKENS) == set(TOOL_WORDS)


def test_long_words_get_a_smaller_font_and_long_texts_lines() -> None:
    assert fitting("sun", 100) > fitting("kaleidoscope at night", 100)
    lines = wrapped("one two three four five six seven eight", 18, 80, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
