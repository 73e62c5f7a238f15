"""The pieces of Dream Factory as they look in a picture: tiles, spaces, seats, title lines."""

from __future__ import annotations

from dreamfactory_env.games.drawing import (
    Area,
    Canvas,
    Colour,
    Point,
    mix,
    palette,
    shortened,
    text,
)
from dreamfactory_env.games.dream_factory.view_types import FilmView, SpaceView

GAP, TILE_EDGE = 8, 3
SMALL, NORMAL, LARGE, HUGE = 18, 21, 26, 34  # sizes of the font

BACKGROUND, PANEL, CARD, WELL = (24, 26, 30), (36, 39, 45), (47, 51, 58), (29, 31, 36)
LINE, FAINT, QUIET, INK = (66, 71, 80), (104, 110, 120), (158, 164, 174), (236, 238, 242)
DARK, GOLD, BACK, BACK_EDGE = (26, 27, 30), (236, 194, 92), (74, 80, 94), (123, 127, 138)
TOKEN, TOKEN_EDGE, MEDAL = (76, 70, 54), (146, 124, 71), (101, 88, 56)
SEATS = list(palette("0 e8685e 1 62a0f0 2 70c476 3 e4e060 4 cc80d8").values())
KINDS = palette("director e2b852 actor d8584c camera 5c96d6 music 70b66a effects a07ad0")
KINDS |= palette("agency bec4cc guest e27098 blank 787e88")
GENRES = palette("drama 7874dc adventure e0883e entertainment 3aac9c")

#: What is drawn on tiles, on a grid of 16 by 16: circles (x, y, radius) and polygons (x, y, …).
ICONS = {
    "director": "1 6 6 6 14 2 14 14 6 10 1 10 | 3.4 10 6 10 7 15 4.4 15",
    "actor": "8 4.6 3.6 | 1.5 15 2.2 11.4 5 9.3 11 9.3 13.8 11.4 14.5 15",
    "camera": "1 7 11 7 11 14 1 14 | 11.8 9.6 15.4 7.2 15.4 14 11.8 11.6 | 3.6 3.8 2.7 | 9 3.8 2.7",
    "music": "4.2 12.4 2.7 | 11.6 11 2.7 | 5.4 3 14.3 1.4 14.3 11 12.8 11 12.8 5 7 6 7 12 5.4 12",
    "effects": "9.6 0.8 2.8 9 7.2 9 5.6 15.4 13.2 6.4 8.6 6.4",
    "agency": "1 5 15 5 15 9 1 9 | 1 10 15 10 15 14 1 14 | 5 5 5 2 11 2 11 5 10 5 10 3 6 3 6 5",
    "guest": "2.2 11.4 1 4 5 7.6 8 2 11 7.6 15 4 13.8 11.4 | 2.4 12.4 13.6 12.4 13.6 14.4 2.4 14.4",
    "blank": "3 8 1.4 | 8 8 1.4 | 13 8 1.4",
    "coin": "8 8 7",
    "medal": "8 10.4 5 | 2.6 0.6 6 0.6 9 6 6 8 | 13.4 0.6 10 0.6 7 6 10 8",
    "star": "8 0.7 10 5.7 15.4 6.1 11.2 9.6 12.6 14.8 8 11.9 3.4 14.8 4.8 9.6 0.6 6.1 6 5.7",
}


class TableCanvas(Canvas):
    """A canvas that knows the pieces of the game."""

    def symbol(self, name: str, size: int, ink: Colour, middle: Point) -> None:
        """Draws one of the icons around a point."""
        self.icon(ICONS[name], size, ink, middle)

    def seat(self, seat: int, area: Area, out: bool = False) -> None:
        """Draws the number of a player in the player's colour, faint if the player is out."""
        fill = mix(SEATS[seat], PANEL, 0.4) if out else SEATS[seat]
        self.label(str(seat), area, fill, DARK, NORMAL)

    def genre(self, genre: str, at: Point) -> None:
        """Draws the first letter of a genre in its colour."""
        self.label(genre[0].upper(), Area(at[0], at[1] - 8, 16, 16), GENRES[genre], DARK, SMALL)

    def tile(self, words: str, area: Area, edge: Colour | None = None) -> None:
        """Draws a tile given in words, such as ``actor 2``."""
        kind, stars = words.split()
        self.box(area, KINDS[kind], edge, TILE_EDGE)
        x, size = area.middle[0], min(area.w * 5 // 8, area.h * 3 // 8)
        self.symbol(kind, size, DARK, (x, area.y + area.h * 3 // 8))
        font, y = (NORMAL, area.bottom - 12) if area.h < 60 else (LARGE, area.bottom - 18)
        self._stars(stars.replace("-", "−"), font, (x, y), area.w - 2 * TILE_EDGE)

    def _stars(self, number: str, font: int, middle: Point, room: int) -> None:
        """Writes a number and a star around a point, in a small font if the room is narrow."""
        if text(number, font, DARK).get_width() + 3 + font // 2 > room:
            font = SMALL
        width, star = text(number, font, DARK).get_width() + 2, font // 2 + 1
        left = middle[0] - (width + star) // 2
        self.text(number, font, DARK, (left, middle[1]))
        self.symbol("star", star, DARK, (left + width + star // 2, middle[1]))

    def space(self, space: SpaceView, area: Area) -> None:
        """Draws a space of a film with its top tile, framed in the colour of the space."""
        kind, tile = space["kind"], space["tile"]
        if tile is not None:
            self.tile(tile, area, mix(KINDS[kind], INK if kind == "blank" else DARK, 0.6))
            return
        self.box(area, WELL, mix(KINDS[kind], WELL, 0.45))
        size = min(area.w, area.h + 6) // 2
        self.symbol(kind, size, mix(KINDS[kind], WELL, 0.6), area.middle)

    def film_title(self, film: FilmView, area: Area, with_stars: bool) -> None:
        """Writes the title line of a film: genre, title, printed stars, stars so far."""
        x, y = area.right, area.middle[1]
        counts = [(film["stars"], 15, NORMAL, GOLD)] if with_stars else []
        for stars, size, font, ink in [*counts, (film["printed"], 11, SMALL, QUIET)]:
            self.symbol("star", size, ink, (x - size // 2, y))
            x -= size + 4
            x -= self.text(str(stars), font, ink, (x, y), "midright") + 8
        self.genre(film["genre"], (area.x, y))
        title = shortened(film["title"], NORMAL, x - area.x - 22)
        self.text(title, NORMAL, INK, (area.x + 22, y))
