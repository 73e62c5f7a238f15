"""What a notebook shows of a game: the table as a picture, or as text where there is no pygame."""

from __future__ import annotations

import io
import sys
from html import unescape
from typing import Any

import numpy as np
import pygame
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.drawing import encode_png
from tests.toy_game import SignalGame

GAMES = [DreamFactory(3, seed=1), SignalGame(2, seed=1)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_a_notebook_shows_the_whole_table_as_a_picture(game: Any) -> None:
    png = game._repr_png_()
    shown = pygame.surfarray.array3d(pygame.image.load(io.BytesIO(png), "table.png"))
    assert np.array_equal(shown.swapaxes(0, 1), game.picture())
    assert game._repr_html_() is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_a_notebook_shows_text_without_pygame(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    assert game._repr_png_() is None
    page = game._repr_html_()
    assert unescape(page.removeprefix("<pre>").removesuffix("</pre>")) == str(game)


def test_the_text_of_a_notebook_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Marked(SignalGame):
        def __str__(self) -> str:
            return "<script>"

    monkeypatch.setitem(sys.modules, "pygame", None)
    assert Marked(2, seed=1)._repr_html_() == "<pre>&lt;script&gt;</pre>"


def test_a_picture_is_written_as_it_is() -> None:
    picture = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    loaded = pygame.image.load(io.BytesIO(encode_png(picture)), "a.png")
    assert np.array_equal(pygame.surfarray.array3d(loaded).swapaxes(0, 1), picture)
