"""The pieces of La Fabrique à rêves as they look in a picture: words, tokens, seats, texts."""

from __future__ import annotations

from dreamfactory_env.games.drawing import (
    Area,
    Canvas,
    Colour,
    mix,
    palette,
    shortened,
    text,
)

GAP, EDGE = 8, 2
SMALL, NORMAL, LARGE, HUGE = 18, 21, 26, 34  # sizes of the font

BACKGROUND, PANEL, WELL = (22, 24, 42), (34, 37, 60), (27, 30, 50)
LINE, FAINT, QUIET, INK = (70, 75, 108), (120, 126, 156), (168, 174, 198), (238, 240, 248)
DARK, GOLD = (24, 25, 38), (240, 202, 104)
PAPER, PAPER_EDGE, PAPER_QUIET = (236, 232, 222), (252, 249, 240), (98, 94, 104)
GOOD, BAD = (122, 204, 132), (232, 110, 104)
SEATS = list(palette("0 ea7466 1 6aa6f4 2 78ca80 3 e6dc66 4 c08ae8").values())
TOKENS = palette("doubt 8f7ae6 dust f0ca68 dust+2 f29a4a spill 58b6d8 quill 7fce8c broom c49a6c")

#: What is drawn, on a grid of 16 by 16: circles (x, y, radius) and polygons (x, y, …).
ICONS = {
    "broom": "11.6 0.6 13.6 1.8 8.8 9 7 7.8 | 5 7.4 10.4 10.8 7 15.4 1 15.4",
    "doubt": "6 1 10 1 10 5.6 14 13.4 12.8 15.2 3.2 15.2 2 13.4 6 5.6",
    "dust": "8 0.7 10 5.7 15.4 6.1 11.2 9.6 12.6 14.8 8 11.9 3.4 14.8 4.8 9.6 0.6 6.1 6 5.7",
    "dust+2": "5 1 6.4 4.8 10.4 5.1 7.3 7.6 8.4 11.5 5 9.3 1.6 11.5 2.7 7.6 -0.4 5.1 3.6 4.8 "
    "| 12 7 13 9.6 15.8 9.8 13.6 11.6 14.3 14.4 12 12.9 9.7 14.4 10.4 11.6 8.2 9.8 11 9.6",
    "spill": "1 8 6 3 11 8 6 13 | 11 9 15 11.5 15.4 13.4 12.4 12.4",
    "quill": "14.6 1 9.8 2 4.6 7.6 2.6 13 1 15.4 3.8 13.8 9 12 13.6 6.4",
}


class TableCanvas(Canvas):
    """A canvas that knows the pieces of the game."""

    def seat(self, seat: int, area: Area) -> None:
        """Draws the number of a player in the player's colour."""
        self.label(str(seat), area, SEATS[seat], DARK, NORMAL)

    def token(self, tool: str, area: Area, strong: float = 1.0) -> None:
        """Draws a tool on its colour; fainter if it was used."""
        self.box(area, mix(TOKENS[tool], PANEL, strong))
        self.icon(ICONS[tool], min(area.w, area.h) - 6, DARK, area.middle)

    def word(self, words: str, area: Area, *, seat: int | None = None, drawn: bool = False) -> None:
        """Draws a thought on its card.

        Args:
            words: The word.
            area: Where.
            seat: Who put it there, in the corner; nobody if None.
            drawn: Whether it was written with the quill.
        """
        self.box(area, mix(PAPER, TOKENS["quill"], 0.75) if drawn else PAPER, PAPER_EDGE, EDGE)
        room = area.w - 12 - (22 if seat is not None else 0)
        size = fitting(words, room)
        middle = (area.x + 6 + room // 2, area.middle[1])
        self.text(shortened(words, size, room), size, DARK, middle, "center")
        if seat is not None:
            self.label(
                str(seat), Area(area.right - 24, area.y + 4, 19, 19), SEATS[seat], DARK, SMALL
            )

    def lines(self, lines: list[str], size: int, ink: Colour, x: int, y: int) -> int:
        """Writes lines below each other; returns where it goes on."""
        for line in lines:
            self.text(line, size, ink, (x, y))
            y += size
        return y


def fitting(words: str, width: int) -> int:
    """Returns the largest size of the font with which a word has room; the smallest if none."""
    for size in (LARGE, NORMAL, SMALL):
        if text(words, size, INK).get_width() <= width:
            return size
    return SMALL - 2


def wrapped(words: str, size: int, width: int, most: int) -> list[str]:
    """Returns a text as lines that are not wider than the room, the last one cut if need be."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if text(longer, size, INK).get_width() <= width or not lines[-1] or len(lines) == most:
            lines[-1] = longer
        else:
            lines.append(word)
    return [shortened(line, size, width) for line in lines]
