"""What lies in front of a player, as a part of the picture of the table."""

from __future__ import annotations

from dreamfactory_env.games.drawing import Area, shortened
from dreamfactory_env.games.dream_factory.picture_pieces import (
    CARD,
    DARK,
    FAINT,
    GAP,
    GOLD,
    INK,
    KINDS,
    LARGE,
    LINE,
    MEDAL,
    NORMAL,
    PANEL,
    QUIET,
    SEATS,
    SMALL,
    WELL,
    TableCanvas,
)
from dreamfactory_env.games.dream_factory.view_types import FilmView, PlayerView, TableView

HEADER, TITLE = 58, 22  # heights of the head of a studio and of the title line of a film
#: By the number of players: a space of a film, and the height of a line for a finished film.
SPACE_SIZE = {2: (56, 106), 3: (58, 48), 4: (42, 48), 5: (32, 48)}
FINISHED_LINE = {2: 44, 3: 30, 4: 30, 5: 30}
PRODUCTION = 382  # with two players finished films lie beside those in production, this wide


def draw_studio(canvas: TableCanvas, view: TableView, seat: int, area: Area) -> None:
    """Draws all that lies in front of a player."""
    player, players = view["players"][seat], len(view["players"])
    active = seat == view["to_move"] or seat in view["winners"]
    canvas.box(area, PANEL, SEATS[seat] if active else PANEL, 2)
    x, y, width = area.x + GAP, area.y + HEADER, area.w - 2 * GAP
    head = Area(x, area.y + GAP, width, HEADER - GAP)
    _head(canvas, player, seat, head)
    if view["first_player"] == seat:
        marker = Area(head.right - 42, head.y + 2, 42, 20)
        canvas.label("first", marker, INK, DARK, SMALL)
    beside = players == 2
    height = TITLE + SPACE_SIZE[players][1] + 12
    for film in player["production"]:
        slot = Area(x, y, PRODUCTION if beside else width, height)
        _production(canvas, film, slot, SPACE_SIZE[players])
        y += height + 6
    left, top = (x + PRODUCTION + GAP, area.y + HEADER) if beside else (x, y + 2)
    films = player["finished"]
    line = min(FINISHED_LINE[players], (area.bottom - GAP - top) // max(len(films), 1))
    points = {award["award"]: award["points"] for award in view["awards"]}
    for k, film in enumerate(films):
        medals = [points[award] for award in film["awards"]]
        _finished(canvas, film, medals, Area(left, top + k * line, x + width - left, line - 3))


def _head(canvas: TableCanvas, player: PlayerView, seat: int, area: Area) -> None:
    """Draws the name of a player, money, points and red tiles."""
    x, y = area.x, area.y + 12
    canvas.seat(seat, Area(x, area.y, 26, 24))
    width = canvas.text(f"Player {seat}", LARGE, INK, (x + 34, y))
    studio = f"studio {player['studio']}" if player["studio"] else "no studio"
    canvas.text(studio, SMALL, QUIET, (x + width + 44, y + 1))
    money, points = str(player["money"]), str(player["points"])
    if player["money"] is None:
        money, points = "?", f"{player['points_without_money']} + ?"
    for symbol, ink, value, unit in (
        ("coin", GOLD, money, ""),
        ("medal", GOLD, points, "points"),
        ("actor", KINDS["actor"], str(player["red"]), "red"),
    ):
        canvas.symbol(symbol, 16, ink, (x + 8, y + 25))
        x += canvas.text(value, NORMAL, INK, (x + 20, y + 25)) + 24
        x += canvas.text(unit, SMALL, QUIET, (x, y + 25)) + 10


def _production(
    canvas: TableCanvas, film: FilmView | None, area: Area, size: tuple[int, int]
) -> None:
    """Draws a film in production with all its spaces, the guest star's at the right."""
    if film is None:
        canvas.box(area, PANEL, LINE)
        canvas.text("no screenplay", SMALL, FAINT, area.middle, "center")
        return
    w, h = size
    canvas.box(area, CARD)
    canvas.film_title(film, Area(area.x + 6, area.y + 4, area.w - 12, TITLE - 4), True)
    for k, space in enumerate(film["spaces"]):
        x = area.right - 6 - w if space["kind"] == "guest" else area.x + 6 + k * (w + 4)
        canvas.space(space, Area(x, area.y + TITLE + 5, w, h))


def _finished(canvas: TableCanvas, film: FilmView, medals: list[int], area: Area) -> None:
    """Draws a finished film: token, genre, title, awards; in two lines if there is room."""
    canvas.box(area, WELL)
    canvas.label(film["token"] or "–", Area(area.x, area.y, 36, area.h), GOLD, DARK, NORMAL)
    x, y, right = area.x + 42, area.middle[1], area.right - 4
    lift = 10 if medals and area.h >= 40 else 0
    for k, points in enumerate(medals):
        left = x + 22 + 20 * k if lift else right - 20 * (k + 1) + 2
        canvas.label(str(points), Area(left, y + lift - 8, 18, 16), MEDAL, INK, SMALL)
    right -= 0 if lift else 20 * len(medals)
    canvas.genre(film["genre"], (x, y - lift))
    title = shortened(film["title"], NORMAL, right - x - 24)
    canvas.text(title, NORMAL, INK, (x + 22, y - lift))
