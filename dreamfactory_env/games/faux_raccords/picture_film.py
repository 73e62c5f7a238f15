"""The Film in the shape of its mode, as a part of the picture of the table."""

from __future__ import annotations

from dreamfactory_env.games.drawing import Area
from dreamfactory_env.games.faux_raccords.picture_pieces import (
    CARD_SIZE,
    FAINT,
    GOLD,
    LINE,
    PANEL,
    QUIET,
    SMALL,
    WELL,
    TableCanvas,
)
from dreamfactory_env.games.faux_raccords.shapes import (
    LINES_APART,
    ROW_OF_A_LINE,
    Spot,
    outline_of,
    spot_of,
)
from dreamfactory_env.games.faux_raccords.view_types import TableView

NAME = 15  # the height of the name of a place, above its card
#: What is asked where a place answers with a card put there, not with one that lies there.
PUTTING = ("place", "put", "show at")
#: The distance of two places that are 2 apart: side by side, and one below the other.
STEP = {"series": (150, 120), "arcs": (236, 98), "studio": (150, 98)}
#: The first and the last column and row in which a card can lie or be put.
EXTENT = {"series": (0, 6, 0, 6), "arcs": (-1, 6, -4, 4), "studio": (-2, 8, -8, 0)}
#: Cards of lines are higher if there are no more than two rows of them.
LINE_STEP, HIGH_STEP, HIGH_CARD = (117, 122), 176, 132
HAZARD_BACK, HAZARD_EDGE, HAZARD_INK = (72, 52, 40), (190, 120, 66), (240, 190, 140)


def draw_film(canvas: TableCanvas, view: TableView, area: Area) -> None:
    """Draws the Film, its empty places, and the places and cards that the viewer may choose."""
    canvas.box(area, PANEL)
    mode = view["options"]["mode"]
    layout = _Layout(view, area)
    asked = {words.split()[-1] for words in view["legal"] if words[-1].isdigit()}
    putting = view["phase"] in PUTTING
    if mode in ("tutorial", "feature", "shorts"):
        _lines(canvas, view, layout, asked if putting else set())
    else:
        _places(canvas, view, layout, asked if putting else set())
    for card in view["film"]:
        assert card["place"] is not None
        spot = layout.area(spot_of(mode, card["place"]))
        canvas.film_card(card, spot, not putting and card["place"] in asked and _asks_film(view))
        canvas.text(card["place"], SMALL, QUIET, (spot.x + 6, spot.y - NAME + 5))


def _asks_film(view: TableView) -> bool:
    """Tells whether the viewer chooses a card of the Film; other cards have numbers, too."""
    cards = ("action", "reuse", "swap", "show", "pass", "bin", "give to")
    return view["phase"] not in cards


class _Layout:
    """Where the spots of a Film lie in the picture."""

    def __init__(self, view: TableView, area: Area) -> None:
        mode = view["options"]["mode"]
        self.rows: dict[int, int] = {}
        self.card, self.step = CARD_SIZE, STEP.get(mode, LINE_STEP)
        if mode in EXTENT:
            left, right, top, bottom = EXTENT[mode]
        else:
            self._rows_of_lines(mode, [spot_of(mode, card["place"] or "") for card in view["film"]])
            left, right, top, bottom = 0, 2 * ROW_OF_A_LINE - 2, 0, 2 * len(self.rows) - 2
            self._size_lines(area)
        wide, high = self.step
        width = (right - left) * wide // 2 + self.card[0]
        height = (bottom - top) * high // 2 + self.card[1] + NAME
        self.x = area.x + (area.w - width) // 2 - left * wide // 2
        self.y = area.y + (area.h - height) // 2 - top * high // 2 + NAME

    def _size_lines(self, area: Area) -> None:
        """Makes cards as high as the rows of the lines allow."""
        wide, high = LINE_STEP
        card = CARD_SIZE[1]
        if len(self.rows) <= 2:
            high, card = HIGH_STEP, HIGH_CARD
        high = min(high, area.h // len(self.rows))
        self.step, self.card = (wide, high), (CARD_SIZE[0], min(card, high - NAME - 2))

    def _rows_of_lines(self, mode: str, spots: list[Spot]) -> None:
        """Numbers the rows of the lines from the top; each line has at least one."""
        shown = {spot.y for spot in spots} | {0}
        shown |= {LINES_APART} if mode == "shorts" else {2}
        self.rows = {y: 2 * number for number, y in enumerate(sorted(shown))}

    def area(self, spot: Spot) -> Area:
        """Returns where a card lies in the picture."""
        y = self.rows.get(spot.y, spot.y)
        return Area(self.x + spot.x * self.step[0] // 2, self.y + y * self.step[1] // 2, *self.card)


def _lines(canvas: TableCanvas, view: TableView, layout: _Layout, offered: set[str]) -> None:
    """Draws the places that are still empty, and a mark where a card can be put in between."""
    mode = view["options"]["mode"]
    names = [card["place"] or "" for card in view["film"]]
    for number, wanted in enumerate(view["aim"]["cards"]):
        letter = "AB"[number] if mode == "shorts" else ""
        lying = sum(name.startswith(letter) for name in names)
        for k in range(lying + 1, wanted + 1):
            at = layout.area(spot_of(mode, f"{letter}{k}"))
            canvas.box(at, WELL, LINE)
            canvas.text(f"{letter}{k}", SMALL, FAINT, at.middle, "center")
    for place in offered:
        spot = spot_of(mode, place)
        if spot.x == 0 and spot.y not in layout.rows:  # a row that would begin
            spot = Spot(2 * ROW_OF_A_LINE, spot.y - 2)
        at = layout.area(spot)
        canvas.drawn("down", 11, GOLD, (at.x - 2, at.y - 9))


def _places(canvas: TableCanvas, view: TableView, layout: _Layout, offered: set[str]) -> None:
    """Draws empty places: those of a grid, those offered, hazards that lie in the Film."""
    mode = view["options"]["mode"]
    lying = {spot_of(mode, card["place"] or "") for card in view["film"]}
    hazards = {spot_of(mode, h["place"]): h for h in view["hazards"] if h["place"]}
    names = {spot_of(mode, place): place for place in offered}
    for spot in {*outline_of(mode), *names} - lying:
        at = layout.area(spot)
        if spot in hazards:
            name = hazards[spot]["name"]
            canvas.box(at, HAZARD_BACK, HAZARD_EDGE, 2)
            canvas.text("hazard", SMALL, HAZARD_INK, (at.middle[0], at.middle[1] - 10), "center")
            canvas.text(name or "?", SMALL, HAZARD_INK, (at.middle[0], at.middle[1] + 8), "center")
        elif spot in names:
            canvas.box(at, WELL, GOLD)
            canvas.text(names[spot], SMALL, GOLD, at.middle, "center")
        else:
            canvas.box(at, WELL, LINE)
            if mode == "series":  # elsewhere a card may shift the names
                name = f"{spot.y // 2 + 1}/{spot.x // 2 + 1}"
                canvas.text(name, SMALL, FAINT, at.middle, "center")
