"""La Fabrique à rêves as a picture: the whole table, drawn from a view without a window."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dreamfactory_env.games.drawing import Area, mix, shortened
from dreamfactory_env.games.fabrique_a_reves.phrases import mode_name, say, tool_name
from dreamfactory_env.games.fabrique_a_reves.picture_pieces import (
    BACKGROUND,
    BAD,
    EDGE,
    FAINT,
    GAP,
    GOLD,
    GOOD,
    HUGE,
    INK,
    LARGE,
    LINE,
    NORMAL,
    PANEL,
    QUIET,
    SEATS,
    SMALL,
    TOKENS,
    WELL,
    TableCanvas,
    wrapped,
)
from dreamfactory_env.games.fabrique_a_reves.text import headline, vial_result
from dreamfactory_env.games.fabrique_a_reves.view_types import PlayerView, TableView, VialView

WIDTH, HEIGHT = 1280, 800
HEADLINE = Area(16, 8, 1248, 34)
THEMES = Area(16, 48, 872, 92)
TOOLS = Area(896, 48, 368, 92)
RESERVOIRS = Area(16, 148, 1248, 122)
VIALS = Area(16, 278, 1248, 300)
PLAYERS = Area(16, 586, 1248, 206)

CARD = 52  # the height of a word in a vial


def draw(view: TableView) -> NDArray[np.uint8]:
    """Draws the table.

    Args:
        view: What is known.

    Returns:
        The picture, uint8, shape (HEIGHT, WIDTH, 3).

    Raises:
        OptionError: pygame is not installed.
    """
    canvas = TableCanvas(WIDTH, HEIGHT, BACKGROUND)
    _headline(canvas, view)
    _themes(canvas, view)
    _tools(canvas, view)
    _reservoirs(canvas, view)
    for vial, area in zip(view["vials"], VIALS.columns(len(view["vials"]), GAP), strict=True):
        _vial(canvas, view, vial, area)
    for seat, area in enumerate(PLAYERS.columns(len(view["players"]), GAP)):
        _player(canvas, view, seat, area)
    return canvas.pixels()


def _language(view: TableView) -> str:
    return view["options"]["language"]


def _headline(canvas: TableCanvas, view: TableView) -> None:
    y, x = HEADLINE.middle[1], HEADLINE.x
    title = f"{view['title']}  ·  {mode_name(_language(view), view['options']['mode'])}"
    room = canvas.text(title, LARGE, FAINT, (HEADLINE.right, y), "midright")
    seat, ink = view["to_move"], INK
    if seat is not None:
        canvas.seat(seat, Area(x, y - 12, 26, 24))
        x += 36
    elif view["result"]:
        ink = GOLD if view["result"]["winners"] else INK
    words = headline(view)
    width = HEADLINE.right - room - x - 24
    canvas.text(shortened(words, LARGE, width), LARGE, ink, (x, y))


def _themes(canvas: TableCanvas, view: TableView) -> None:
    """Draws the themes of the night side by side."""
    language = _language(view)
    canvas.box(THEMES, PANEL)
    inner = Area(THEMES.x + 12, THEMES.y, THEMES.w - 24, THEMES.h)
    if not view["themes"]:
        canvas.text(say(language, "no theme"), LARGE, QUIET, inner.middle, "center")
        return
    for theme, area in zip(view["themes"], inner.columns(len(view["themes"]), 24), strict=True):
        canvas.text(shortened(theme["title"], LARGE, area.w), LARGE, GOLD, (area.x, area.y + 20))
        lines = wrapped(theme["about"], SMALL, area.w, 3)
        canvas.lines(lines, SMALL, QUIET, area.x, area.y + 44)


def _tools(canvas: TableCanvas, view: TableView) -> None:
    """Draws the tools in play, those that were used fainter."""
    language = _language(view)
    canvas.box(TOOLS, PANEL)
    names = [*view["tools"], *view["used"]]
    columns = Area(TOOLS.x + 12, TOOLS.y + 8, TOOLS.w - 16, TOOLS.h - 12).columns(2, GAP)
    for number, tool in enumerate(names):
        area = columns[number % 2]
        y = area.y + 26 * (number // 2)
        left = tool in view["tools"]
        canvas.token(tool, Area(area.x, y, 22, 22), 1.0 if left else 0.3)
        shown = shortened(tool_name(language, tool), SMALL, area.w - 32)
        canvas.text(shown, SMALL, INK if left else FAINT, (area.x + 30, y + 11))


def _reservoirs(canvas: TableCanvas, view: TableView) -> None:
    canvas.box(RESERVOIRS, PANEL)
    inner = Area(RESERVOIRS.x + 10, RESERVOIRS.y + 8, RESERVOIRS.w - 20, RESERVOIRS.h - 16)
    areas = inner.columns(len(view["reservoirs"]), GAP)
    for reservoir, area in zip(view["reservoirs"], areas, strict=True):
        y = area.y + 9
        canvas.text(str(reservoir["number"]), NORMAL, QUIET, (area.x + 2, y))
        canvas.text(str(reservoir["left"]), SMALL, FAINT, (area.right - 2, y), "midright")
        card = Area(area.x, area.y + 24, area.w, area.h - 26)
        if reservoir["top"] is None:
            canvas.box(card, WELL, LINE)
            words = say(_language(view), "empty")
            canvas.text(words, SMALL, FAINT, card.middle, "center")
            continue
        takes = f"take {reservoir['number']} "
        if any(words.startswith(takes) for words in view["legal"]):
            around = Area(card.x - 2, card.y - 2, card.w + 4, card.h + 4)
            canvas.box(around, mix(GOLD, BACKGROUND, 0.55))
        canvas.word(reservoir["top"]["shown"], card)


# ---------------------------------------------------------------------------- vials


def _vial(canvas: TableCanvas, view: TableView, vial: VialView, area: Area) -> None:
    """Draws a vial: its words, its token, and what the viewer thinks of it or what it scored."""
    language = _language(view)
    canvas.box(area, PANEL, GOLD if vial["asked"] else LINE, EDGE)
    x, y = area.x + 10, area.y + 18
    canvas.text(say(language, "vial", number=vial["number"]), NORMAL, INK, (x, y))
    if vial["token"]:
        tool, right = vial["token"], area.right - 10
        canvas.token(tool, Area(right - 24, y - 12, 24, 24))
        room = area.w - 60 - 70
        name = shortened(tool_name(language, tool), SMALL, room)
        canvas.text(name, SMALL, TOKENS[tool], (right - 32, y), "midright")
    for k in range(3):
        spot = Area(x, area.y + 36 + k * (CARD + 6), area.w - 20, CARD)
        if k < len(vial["words"]):
            word = vial["words"][k]
            canvas.word(word["shown"], spot, seat=word["player"], drawn=word["written"])
        else:
            canvas.box(spot, WELL, LINE)
    below = Area(x, area.y + 36 + 3 * (CARD + 6) + 4, area.w - 20, 80)
    if view["result"] is not None:
        _score(canvas, view, vial, below)
    else:
        for k, dream in enumerate(vial["closest"]):
            at = below.y + 12 + 24 * k
            wide = canvas.text(str(dream["sum"]), SMALL, FAINT, (below.right, at), "midright")
            shown = shortened(dream["shown"], SMALL, below.w - wide - 10)
            canvas.text(shown, SMALL, QUIET if k else INK, (below.x, at))


def _score(canvas: TableCanvas, view: TableView, vial: VialView, area: Area) -> None:
    """Writes what a vial has scored, and for what."""
    result = view["result"]
    assert result is not None
    points = result["vials"][vial["number"] - 1]["points"]
    canvas.text(str(points), HUGE, GOOD if points else BAD, (area.x, area.y + 18))
    lines = wrapped(vial_result(view, vial["number"]), SMALL, area.w - 34, 4)
    canvas.lines(lines, SMALL, QUIET, area.x + 34, area.y + 10)


# ---------------------------------------------------------------------------- players


def _player(canvas: TableCanvas, view: TableView, seat: int, area: Area) -> None:
    """Draws a player: whether it has passed, and its slate as far as the viewer may read it."""
    language, player = _language(view), view["players"][seat]
    active = seat == view["to_move"]
    canvas.box(area, PANEL, SEATS[seat] if active else PANEL, EDGE)
    x, y = area.x + GAP, area.y + 18
    canvas.seat(seat, Area(x, y - 11, 24, 22))
    name = say(language, "you") if view["viewer"] == seat else say(language, "player", seat=seat)
    x += 34 + canvas.text(name, NORMAL, INK, (x + 34, y))
    facts = []
    if view["first_player"] == seat:
        facts.append(say(language, "began"))
    if player["passed"]:
        facts.append(say(language, "passed"))
    words = shortened(", ".join(facts), SMALL, area.right - x - 20)
    canvas.text(words, SMALL, QUIET, (x + 10, y))
    _slate(canvas, view, player, Area(area.x + GAP, area.y + 38, area.w - 2 * GAP, area.h - 46))


def _slate(canvas: TableCanvas, view: TableView, player: PlayerView, area: Area) -> None:
    """Draws a slate: a line for each vial, marked where it was part of what scored."""
    language = _language(view)
    decided = player["decided"]
    for number in range(1, len(view["vials"]) + 1):
        doubted = view["vials"][number - 1]["token"] == "doubt"
        line = Area(area.x, area.y + (number - 1) * 32, area.w, 28)
        canvas.box(line, WELL, LINE)
        canvas.text(str(number), SMALL, FAINT, (line.x + 8, line.middle[1]))
        if player["slate"] is None:
            asked = 2 if doubted else 1
            hidden, decided = min(decided, asked), decided - min(decided, asked)
            canvas.text("• " * hidden, NORMAL, QUIET, (line.x + 28, line.middle[1]))
            continue
        written = player["slate"][number - 1]
        words = " / ".join(w["shown"] if w else say(language, "nothing") for w in written)
        ink = INK
        if view["result"] is not None:
            scored = view["result"]["vials"][number - 1]["dream"]
            matched = scored is not None and any(w and w["word"] == scored for w in written)
            ink = GOOD if matched else QUIET
        shown = shortened(words, SMALL, line.w - 36)
        canvas.text(shown, SMALL, ink, (line.x + 28, line.middle[1]))
