"""The table as a picture: what it shows, what it hides, and that it always can be drawn."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache

import numpy as np
import pygame
import pytest

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import drawing
from dreamfactory_env.games.dream_factory import picture
from dreamfactory_env.games.dream_factory.picture import HEIGHT, STUDIOS, WIDTH
from dreamfactory_env.games.dream_factory.picture_pieces import (
    CARD,
    GAP,
    INK,
    KINDS,
    NORMAL,
    TILE_EDGE,
    TableCanvas,
)
from dreamfactory_env.games.dream_factory.picture_studio import SPACE_SIZE
from dreamfactory_env.games.dream_factory.state import (
    BEST_OF_GENRE,
    BEST_OF_ROUND,
    FIRST_FILM,
    NOTHING,
    PILE,
    SCREENPLAYS,
    WORST_FILM,
)
from dreamfactory_env.games.dream_factory.view import table_view
from tests.games.dream_factory.staging import film_number, give, lay, stacked
from tests.games.dream_factory.styles import STYLES

PHASES = ["studio", "auction", "party", "placing", "over"]


def draw(game: DreamFactory, viewer: int | None = None) -> Array:
    """Draws the table as a viewer sees it."""
    return picture.draw(table_view(game, viewer))


def positions(
    players: int, seed: int, style: str = "thrifty", **options: object
) -> list[DreamFactory]:
    """Returns every position of a game."""
    game = DreamFactory(players, seed=seed, **options)  # type: ignore[arg-type]
    rng = random.Random(seed)
    found = [game.copy()]
    while not game.over:
        game.play(STYLES[style](game.legal(), rng))
        found.append(game.copy())
    return found


@cache
def some_positions(players: int) -> dict[str, DreamFactory]:
    """Returns a late position of every phase."""
    return {game.phase: game for game in positions(players, 11, choose_studio=True)}


def same(first: DreamFactory, second: DreamFactory, viewer: int | None = None) -> bool:
    return bool(np.array_equal(draw(first, viewer), draw(second, viewer)))


# ---------------------------------------------------------------------------- the picture


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_picture_has_its_shape_and_is_the_same_every_time(players: int, phase: str) -> None:
    game = some_positions(players)[phase]
    for viewer in (None, 0, players - 1):
        drawn = draw(game, viewer)
        assert drawn.shape == (HEIGHT, WIDTH, 3)
        assert drawn.dtype == np.uint8
        assert drawn.flags.writeable
        assert drawn.flags.c_contiguous
        assert len(np.unique(drawn)) > 50
        assert drawn.tobytes() == draw(game.copy(), viewer).tobytes()


def test_what_was_drawn_before_does_not_matter() -> None:
    game = some_positions(4)["placing"]
    before = draw(game)
    for kept in (drawing.text, drawing.shortened, drawing.box, drawing.icon):
        kept.cache_clear()
    assert np.array_equal(draw(game), before)


def test_a_picture_is_nobody_elses() -> None:
    game = DreamFactory(3, seed=1)
    first = draw(game)
    first[:] = 0
    assert draw(game).any()


def test_drawing_changes_nothing() -> None:
    for game in some_positions(3).values():
        before = game.save()
        draw(game)
        draw(game, 0)
        assert game.save() == before


def test_pygame_may_be_shut_down_between_pictures() -> None:
    game = DreamFactory(2, seed=1)
    before = draw(game)
    pygame.quit()
    assert np.array_equal(draw(game), before)
    pygame.font.quit()
    pygame.font.init()
    assert draw(game.play("bid 7")).shape == before.shape


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_games_can_be_drawn(players: int, style: str) -> None:
    edition = "traumfabrik" if players % 2 else "dream_factory"
    games = positions(players, 7, style, edition=edition, choose_studio=players > 3)
    for number, game in enumerate(games):
        draw(game, None if number % 2 else number % players)


# ---------------------------------------------------------------------------- what is shown

CHANGES: dict[str, Callable[[DreamFactory], object]] = {
    "round": lambda g: g.state.__setattr__("round_number", 1),
    "location": lambda g: g.state.__setattr__("location", 2),
    "to move": lambda g: g.state.__setattr__("to_move", 2),
    "first player": lambda g: g.state.__setattr__("first_player", 3),
    "bid": lambda g: g.play("bid 2"),
    "pass": lambda g: g.play("pass"),
    "lot": lambda g: g.state.lot.__setitem__(0, 12),
    "tile to come": lambda g: g.state.deck.__setitem__(0, 12 if g.state.deck[0] != 12 else 13),
    "hand": lambda g: give(g, 1, "actor 2"),
    "money": lambda g: g.state.money.__setitem__(1, 3),
    "middle": lambda g: g.state.__setattr__("pot", 2),
    "pile": lambda g: g.state.__setattr__("pile_taken", 1),
    "no pile": lambda g: g.state.__setattr__("pile_taken", PILE),
    "tokens": lambda g: g.state.__setattr__("free_tokens", 7),
    "award": lambda g: g.state.awards.__setitem__(3, film_number(g, "Vertigo")),
    "best director": lambda g: g.state.__setattr__("best_director", 0),
    "studio": lambda g: g.state.studio.__setitem__(0, 5),
    "red tiles": lambda g: g.state.red.__setitem__(2, 4),
    "tile on a film": lambda g: lay(g, "Vertigo", music="music 1"),
    "guest star": lambda g: lay(g, "Vertigo", guest="guest -1"),
    "no screenplay": lambda g: g.state.in_production.__setitem__((0, 1), NOTHING),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_lies_open_is_seen(change: str) -> None:
    before = stacked(players=4, hidden_money="never")
    after = before.copy()
    CHANGES[change](after)
    for viewer in (None, 0, 3):
        assert not same(before, after, viewer)


def test_an_agency_does_not_hide_the_kind_of_its_space() -> None:
    game = lay(stacked(players=2), "Vertigo", camera="agency 1")
    other = lay(stacked(players=2), "Vertigo", music="agency 1")
    assert not same(game, other)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_eye_that_looks_decides_whose_money_is_shown(players: int) -> None:
    game = DreamFactory(players, seed=2)
    richer = game.copy()
    richer.state.money[1] += 1
    assert same(game, richer, 0)
    assert not same(game, richer, 1)
    assert not same(game, richer)


# ---------------------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("hidden_money", ["rule", "never", "always"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_a_player_cannot_know_is_not_in_the_picture(players: int, hidden_money: str) -> None:
    games = positions(players, 5, hidden_money=hidden_money, choose_studio=True)
    redrawn = 0
    for number, game in enumerate(games[:: max(len(games) // 25, 1)]):
        viewer = number % players
        other = game.resample_hidden(viewer, number)
        redrawn += other != game
        assert same(game, other, viewer)
    assert redrawn > 10


# ---------------------------------------------------------------------------- room for everything


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("count", [7, 10])
def test_as_many_films_as_one_player_can_finish_stay_in_their_studio(
    players: int, count: int
) -> None:
    game = DreamFactory(players, seed=1)
    crowded = game.copy()
    s = crowded.state
    mine = [film for film in range(SCREENPLAYS) if s.owner[film] in (0, -1)]
    s.finished[:count] = mine[:count]
    s.finished_count = count
    s.owner[mine[:count]] = 0
    s.rank[mine[:count]] = range(count)
    genre = int(game.params[0].genre[mine[0]])  # all the awards that one film can win
    s.awards[[FIRST_FILM + genre, BEST_OF_GENRE + genre, WORST_FILM]] = mine[0]
    s.awards[BEST_OF_ROUND:BEST_OF_GENRE] = mine[0]
    changed = np.argwhere((draw(crowded) != draw(game)).any(axis=2))
    studio = STUDIOS.columns(players, GAP)[0]
    below = changed[changed[:, 0] >= STUDIOS.y]
    assert below[:, 0].max() < studio.bottom
    assert below[:, 1].max() < studio.right


@pytest.mark.parametrize("stars", ["-1", "1", "4", "10"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_stars_of_a_tile_stay_within_its_edge(players: int, stars: str) -> None:
    area = drawing.Area(20, 20, *SPACE_SIZE[players])
    canvas = TableCanvas(area.w + 40, area.h + 40, CARD)
    canvas.tile(f"actor {stars}", area, INK)
    tile, empty = canvas.pixels(), TableCanvas(area.w + 40, area.h + 40, CARD)
    empty.box(area, KINDS["actor"], INK, TILE_EDGE)
    drawn = np.argwhere((tile != empty.pixels()).any(axis=2))
    assert drawn[:, 1].min() >= area.x + TILE_EDGE
    assert drawn[:, 1].max() < area.right - TILE_EDGE
    assert drawn[:, 0].max() < area.bottom - TILE_EDGE
    stars_only = drawn[drawn[:, 0] > area.y + area.h // 2, 1]  # the number and the star
    assert abs((stars_only.min() + stars_only.max()) / 2 - area.middle[0]) <= 2


@pytest.mark.parametrize("text", ["Harvey", "All Quiet on the Western Front", "M", "…"])
@pytest.mark.parametrize("width", [20, 60, 200])
def test_long_titles_end_with_an_ellipsis(text: str, width: int) -> None:
    shown = drawing.shortened(text, NORMAL, width)
    room = drawing.text(shown, NORMAL, INK).get_width()
    assert room <= width
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


# ---------------------------------------------------------------------------- wrong use


@pytest.mark.parametrize("viewer", [-1, 3, True, "0", 1.5])
def test_a_seat_that_there_is_not_is_refused(viewer: int) -> None:
    with pytest.raises(OptionError, match="there are players 0 to 2"):
        DreamFactory(3, seed=1).picture(viewer)


def test_missing_pygame_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(OptionError, match=r"pip install 'dreamfactory-env\[render\]'"):
        draw(DreamFactory(2, seed=1))


def test_the_package_and_this_module_do_not_need_pygame() -> None:
    code = """
import sys
sys.modules["pygame"] = None
import dreamfactory_env
import dreamfactory_env.games.dream_factory.picture
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_pygame_says_nothing_when_it_is_loaded() -> None:
    code = """
from dreamfactory_env import DreamFactory
DreamFactory(2, seed=1).picture(0)
"""
    env = {k: v for k, v in os.environ.items() if k != "PYGAME_HIDE_SUPPORT_PROMPT"}
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, check=True, stdout=subprocess.PIPE, env=env).stdout == b""
