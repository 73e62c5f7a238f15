"""Faux Raccords as a picture: the whole table, drawn from a view with pygame and no window."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dreamfactory_env.games.drawing import Area, mix, shortened
from dreamfactory_env.games.faux_raccords.picture_film import draw_film
from dreamfactory_env.games.faux_raccords.picture_pieces import (
    BACK,
    BACK_EDGE,
    BACKGROUND,
    FAINT,
    GAP,
    GOLD,
    HUGE,
    INK,
    LARGE,
    PAPER,
    PAPER_EDGE,
    QUIET,
    SMALL,
    TableCanvas,
)
from dreamfactory_env.games.faux_raccords.picture_side import draw_player, draw_side, draw_strip
from dreamfactory_env.games.faux_raccords.text import DOES
from dreamfactory_env.games.faux_raccords.view_types import TableView

WIDTH, HEIGHT = 1280, 800
HEADLINE = Area(16, 8, 1248, 34)
FILM = Area(16, 48, 952, 494)
SIDE = Area(976, 48, 288, 494)
STRIP = Area(16, 548, 1248, 94)
PLAYERS = Area(16, 648, 1248, 128)
LEGEND = Area(16, 780, 1248, 18)


def draw(view: TableView) -> NDArray[np.uint8]:
    """Draws the table.

    Args:
        view: What is known: a card that the viewer does not see is a back.

    Returns:
        The picture, uint8, shape (HEIGHT, WIDTH, 3).

    Raises:
        OptionError: pygame is not installed.
    """
    canvas = TableCanvas(WIDTH, HEIGHT, BACKGROUND)
    _headline(canvas, view)
    draw_film(canvas, view, FILM)
    draw_side(canvas, view, SIDE)
    draw_strip(canvas, view, STRIP)
    for seat, area in enumerate(PLAYERS.columns(len(view["players"]), GAP)):
        draw_player(canvas, view, seat, area)
    _legend(canvas)
    return canvas.pixels()


def _headline(canvas: TableCanvas, view: TableView) -> None:
    y = HEADLINE.middle[1]
    x, over = HEADLINE.x, view["phase"] == "over"
    title = f"{view['title']}  ·  {view['options']['mode']}"
    room = canvas.text(title, LARGE, FAINT, (HEADLINE.right, y), "midright")
    if over and view["result"]:
        won = bool(view["result"]["winners"])
        words = f"{'Won' if won else 'Lost'}: score {view['result']['score']} of 100"
        x += canvas.text(words, HUGE, GOLD if won else INK, (x, y)) + 28
    seat = view["turn"] if view["to_move"] is None else view["to_move"]
    canvas.seat(seat, Area(x, y - 12, 26, 24))
    words = f"Player {seat} {DOES[view['phase']]}"
    if over and view["result"] and view["result"]["ending"] != "end":
        words = f"Player {seat} has no card left"
    elif seat != view["turn"]:
        words += f", in the turn of player {view['turn']}"
    size = LARGE if over else HUGE
    canvas.text(shortened(words, size, HEADLINE.right - room - x - 60), size, INK, (x + 36, y))


def _legend(canvas: TableCanvas) -> None:
    """Says what grounds, tokens and frames mean."""
    x, y = LEGEND.x, LEGEND.middle[1]
    grounds = (
        (PAPER, PAPER_EDGE, "face up"),
        (BACK, BACK_EDGE, "face down; a value is seen by the viewer, a faint one remembered"),
        (BACKGROUND, GOLD, "chosen"),
        (BACKGROUND, mix(GOLD, BACKGROUND, 0.55), "may be chosen"),
    )
    for fill, edge, words in grounds:
        canvas.box(Area(x, y - 8, 22, 16), fill, edge, 2)
        x += canvas.text(words, SMALL, QUIET, (x + 29, y)) + 50
    canvas.clap(0, (x + 9, y - 1), 18)
    x += canvas.text("Clap", SMALL, QUIET, (x + 25, y)) + 48
    for good, words in ((True, "good hint"), (False, "bad hint")):
        canvas.hint(1, good, Area(x, y - 9, 18, 18))
        x += canvas.text(words, SMALL, QUIET, (x + 25, y)) + 46
