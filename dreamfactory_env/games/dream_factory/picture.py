"""Dream Factory as a picture: the whole table, drawn from a view with pygame and no window."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dreamfactory_env.games.drawing import Area, shortened
from dreamfactory_env.games.dream_factory.picture_focus import draw_focus
from dreamfactory_env.games.dream_factory.picture_pieces import (
    BACK,
    BACK_EDGE,
    BACKGROUND,
    CARD,
    FAINT,
    GAP,
    GENRES,
    GOLD,
    HUGE,
    INK,
    KINDS,
    LARGE,
    LINE,
    NORMAL,
    PANEL,
    QUIET,
    SEATS,
    SMALL,
    TOKEN,
    TOKEN_EDGE,
    WELL,
    TableCanvas,
)
from dreamfactory_env.games.dream_factory.picture_studio import draw_studio
from dreamfactory_env.games.dream_factory.view_types import AwardView, TableView

WIDTH, HEIGHT = 1280, 800
HEADLINE = Area(16, 10, 1248, 34)
BOARD = Area(16, 50, 952, 126)
FOCUS = Area(976, 50, 288, 126)
TOKENS = Area(70, 184, 898, 24)
AWARDS = Area(70, 214, 898, 38)
TABLE = Area(976, 184, 288, 68)
STUDIOS = Area(16, 260, 1248, 508)
LEGEND = Area(16, 776, 1248, 18)
LOT_TILE, LOT_ROW = (32, 44), 3  # a tile on a location, and how many lie side by side
SHORT_NAMES = {"worst film": "worst", "best director": "director"}
DOES = {"studio": "chooses a studio", "auction": "bids or passes", "party": "chooses a tile"}
DOES |= {"placing": "places or discards a tile", "over": "won"}


def draw(view: TableView) -> NDArray[np.uint8]:
    """Draws the table.

    Args:
        view: What is known: money that is hidden from the viewer is a question mark. Tiles that lie
            face down are never shown.

    Returns:
        The picture, uint8, shape (HEIGHT, WIDTH, 3).

    Raises:
        OptionError: pygame is not installed.
    """
    canvas = TableCanvas(WIDTH, HEIGHT, BACKGROUND)
    _headline(canvas, view)
    for index, area in enumerate(BOARD.columns(len(view["locations"]), GAP)):
        _location(canvas, view, index, area)
    draw_focus(canvas, view, FOCUS)
    _tokens(canvas, view)
    _awards(canvas, view)
    _pile_and_pot(canvas, view)
    for seat, area in enumerate(STUDIOS.columns(len(view["players"]), GAP)):
        draw_studio(canvas, view, seat, area)
    _legend(canvas)
    return canvas.pixels()


def _headline(canvas: TableCanvas, view: TableView) -> None:
    y = HEADLINE.middle[1]
    where = {"studio": "Before round 1", "over": "The game is over"}.get(view["phase"], "")
    if view["location"] is not None:
        place = view["locations"][view["location"]]["name"]
        where = f"Round {view['round']} of {view['rounds']}  ·  {place}"
    where = shortened(where, HUGE, HEADLINE.w // 2)
    x = HEADLINE.x + canvas.text(where, HUGE, INK, (HEADLINE.x, y)) + 28
    active = view["winners"] if view["to_move"] is None else [view["to_move"]]
    for seat in active:
        canvas.seat(seat, Area(x, y - 12, 26, 24))
        x += 32
    who = "Player " + " and ".join(map(str, active))
    canvas.text(f"{who} {DOES[view['phase']]}", LARGE, INK, (x + 2, y))
    canvas.text(view["title"], LARGE, FAINT, (HEADLINE.right, y), "midright")


def _location(canvas: TableCanvas, view: TableView, index: int, area: Area) -> None:
    """Draws a location; nothing lies there before the first round, or once it was visited."""
    location, now = view["locations"][index], view["location"]
    here, to_come = index == now, now is not None and index > now
    canvas.box(area, CARD if here else PANEL, GOLD if here else LINE if to_come else PANEL, 2)
    name = shortened(location["name"], NORMAL, area.w - 2 * GAP)
    ink = GOLD if here else INK if to_come else FAINT
    canvas.text(name, NORMAL, ink, (area.middle[0], area.y + 16), "center")
    count = location["count"] if now is not None else 0
    (w, h), gap = LOT_TILE, 3
    for k in range(count):
        row, column = divmod(k, LOT_ROW)
        width = min(count - row * LOT_ROW, LOT_ROW) * (w + gap) - gap
        y = area.y + 29 + (h + gap) * row + (0 if count > LOT_ROW else (h + gap) // 2)
        spot = Area(area.middle[0] - width // 2 + column * (w + gap), y, w, h)
        if location["face_up"] and location["tiles"]:
            canvas.tile(location["tiles"][k], spot)
        else:
            canvas.box(spot, BACK, BACK_EDGE)
            canvas.text("?", LARGE, QUIET, spot.middle, "center")


def _tokens(canvas: TableCanvas, view: TableView) -> None:
    """Draws the value tokens, bright while they are free."""
    canvas.text("tokens", SMALL, QUIET, (BOARD.x, TOKENS.middle[1]))
    tokens = view["tokens"]
    for token, area in zip(tokens, TOKENS.columns(len(tokens), 3), strict=True):
        canvas.box(area, *((TOKEN, TOKEN_EDGE) if token["free"] else (WELL, PANEL)))
        ink = GOLD if token["free"] else LINE
        canvas.text(token["token"], SMALL, ink, area.middle, "center")


def _awards(canvas: TableCanvas, view: TableView) -> None:
    """Draws the eleven awards with those who have won them."""
    canvas.text("awards", SMALL, QUIET, (BOARD.x, AWARDS.middle[1]))
    for award, area in zip(view["awards"], AWARDS.columns(len(view["awards"]), 4), strict=True):
        _award(canvas, award, area)


def _award(canvas: TableCanvas, award: AwardView, area: Area) -> None:
    player = award["player"]
    ink = FAINT if player is None else SEATS[player]
    canvas.box(area, PANEL if player is None else CARD, LINE if player is None else ink)
    x, y = area.x + 6, area.y + 12
    name = award["award"]
    first, _, last = name.rpartition(" ")
    if last in GENRES:
        width = canvas.text(first, SMALL, INK, (x, y))
        canvas.genre(last, (x + width + 4, y))
    else:
        canvas.text(SHORT_NAMES.get(name, name.removeprefix("best film ")), SMALL, INK, (x, y))
    canvas.text(str(award["points"]), SMALL, GOLD, (area.right - 6, y), "midright")
    holder = "open" if award["open"] else "nobody"
    if player is not None:
        holder = award["film"] or f"Player {player}"
    canvas.text(shortened(holder, SMALL, area.w - 12), SMALL, ink, (x, y + 16))


def _pile_and_pot(canvas: TableCanvas, view: TableView) -> None:
    """Draws the pile with its top film, and the money in the middle."""
    canvas.box(TABLE, PANEL)
    x, y, right = TABLE.x + GAP, TABLE.y + 13, TABLE.right - GAP
    canvas.text(f"Pile: {view['pile']['left']} left", SMALL, QUIET, (x, y))
    width = canvas.text(f"{view['pot']} in the middle", SMALL, QUIET, (right, y), "midright")
    canvas.symbol("coin", 12, GOLD, (right - width - 12, y))
    film = view["pile"]["top"]
    if film:
        canvas.film_title(film, Area(x, y + 11, right - x, 18), False)
        for k, space in enumerate(film["spaces"]):
            canvas.space(space, Area(x + 22 + 30 * k, y + 31, 26, 18))


def _legend(canvas: TableCanvas) -> None:
    """Says what icons and colours mean."""
    x, y = LEGEND.x, LEGEND.middle[1]
    entries = [(kind, ink, kind) for kind, ink in KINDS.items()]
    entries += [("", GENRES[genre], genre) for genre in GENRES]
    entries += [("star", QUIET, "printed stars"), ("star", GOLD, "stars so far")]
    for symbol, ink, words in entries:
        if symbol:
            canvas.symbol(symbol, 14, ink, (x + 8, y))
        else:
            canvas.genre(words, (x, y))
        x += canvas.text(words, SMALL, QUIET, (x + 22, y)) + 40
