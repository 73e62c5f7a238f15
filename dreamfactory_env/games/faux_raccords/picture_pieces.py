"""The pieces of Faux Raccords as they look in a picture: cards, Claps, hints, seats."""

from __future__ import annotations

from collections.abc import Sequence

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
from dreamfactory_env.games.faux_raccords.view_types import CardView, FilmCardView

GAP, EDGE = 8, 2
SMALL, NORMAL, LARGE, HUGE = 18, 21, 26, 34  # sizes of the font
CARD_SIZE = (112, 82)  # of the Film and of the Cut
HAND_SIZE = (69, 88)
HIGH = 110  # from here on a card has room for larger things

BACKGROUND, PANEL, WELL = (24, 26, 30), (36, 39, 45), (29, 31, 36)
LINE, FAINT, QUIET, INK = (66, 71, 80), (118, 124, 134), (164, 170, 180), (236, 238, 242)
DARK, GOLD = (26, 27, 30), (236, 194, 92)
PAPER, PAPER_EDGE, PAPER_QUIET = (234, 228, 214), (250, 246, 236), (92, 88, 80)
BACK, BACK_EDGE = (62, 68, 84), (112, 118, 136)
GOOD, BAD = (112, 196, 118), (232, 104, 94)
SEATS = list(palette("0 e8685e 1 62a0f0 2 70c476 3 e4e060").values())
SYMBOLS = palette("love ee7aa0 laughter ecc644 drama 7c90f2 fear 8ab45c action e8863a")
SYMBOLS |= palette("mystery b184e0 neutral a6acb6 joker 3cc0ae")
#: Colours of symbols that a component file calls otherwise.
OTHER_SYMBOLS = list(SYMBOLS.values())

#: What is drawn, on a grid of 16 by 16: circles (x, y, radius) and polygons (x, y, …).
ICONS = {
    "love": "4.8 5.4 3.8 | 11.2 5.4 3.8 | 1.5 7.2 14.5 7.2 8 15",
    "laughter": "1 7 15 7 13.4 11.6 8 14.6 2.6 11.6 | 4.6 3.4 1.8 | 11.4 3.4 1.8",
    "drama": "8 10.3 4.8 | 8 0.6 12.3 8.4 3.7 8.4",
    "fear": "8 6.2 5.6 | 2.4 6 13.6 6 13.6 15.4 10.8 12.8 8 15.4 5.2 12.8 2.4 15.4",
    "action": "9.6 0.8 2.8 9 7.2 9 5.6 15.4 13.2 6.4 8.6 6.4",
    "mystery": "4.4 8 4 | 7 6.8 15.6 6.8 15.6 9.2 7 9.2 | 10 8 12 8 12 12.4 10 12.4 "
    "| 13.2 8 15.2 8 15.2 11.4 13.2 11.4",
    "neutral": "8 8 5.4",
    "joker": "8 0.7 10 5.7 15.4 6.1 11.2 9.6 12.6 14.8 8 11.9 3.4 14.8 4.8 9.6 0.6 6.1 6 5.7",
    "clap": "1 6.6 15 6.6 15 15 1 15 | 0.8 3 14.4 0.4 15 3.4 1.4 6",
    "down": "2 3 14 3 8 14",
    "yes": "1 8.6 3 6.6 6.4 10 13 3 15 5 6.4 14",
    "no": "2 4 4 2 8 6 12 2 14 4 10 8 14 12 12 14 8 10 4 14 2 12 6 8",
}


class TableCanvas(Canvas):
    """A canvas that knows the pieces of the game."""

    def drawn(self, name: str, size: int, ink: Colour, middle: Point) -> None:
        """Draws one of the icons around a point."""
        self.icon(ICONS[name], size, ink, middle)

    def seat(self, seat: int, area: Area) -> None:
        """Draws the number of a player in the player's colour."""
        self.label(str(seat), area, SEATS[seat], DARK, NORMAL)

    def symbol(self, symbol: str, area: Area, strong: float = 1.0) -> None:
        """Draws a symbol on its colour; one that has no icon by its first letter."""
        self.box(area, mix(symbol_colour(symbol), BACK, strong))
        if symbol in ICONS:
            self.drawn(symbol, min(area.w, area.h) - 6, DARK, area.middle)
        else:
            self.text(symbol[0].upper(), SMALL, DARK, area.middle, "center")

    def clap(self, seat: int, middle: Point, size: int = 18) -> None:
        """Draws a Clap with the number of its player."""
        self.drawn("clap", size, SEATS[seat], middle)
        self.text(str(seat), SMALL - 2, DARK, (middle[0], middle[1] + size // 6), "center")

    def hint(self, seat: int, good: bool, area: Area) -> None:
        """Draws a hint: a plus or a minus in its colour, framed in that of the player."""
        self.box(area, WELL, SEATS[seat], 2)
        self.text("+" if good else "−", LARGE, GOOD if good else BAD, area.middle, "center")

    # ------------------------------------------------------------------ cards

    def back(self, area: Area, words: str = "?") -> None:
        """Draws a card that nobody sees here."""
        self.box(area, BACK, BACK_EDGE, EDGE)
        self.text(words, HUGE, QUIET, area.middle, "center")

    def face(self, card: CardView, area: Area, up: bool = True, sure: bool = False) -> None:
        """Draws what a card shows.

        Args:
            card: The card.
            area: Where.
            up: Whether it is face up; else its ground is that of a back.
            sure: Whether it is not seen but remembered: fainter.
        """
        fill, edge = (PAPER, PAPER_EDGE) if up else (BACK, BACK_EDGE)
        ink, quiet = (DARK, PAPER_QUIET) if up else (QUIET if sure else INK, QUIET)
        self.box(area, fill, edge, EDGE)
        high = area.h >= HIGH
        x, y = area.x + 7, area.y + (46 if high else 38)
        font, size = (HUGE, 30 if high else 22) if area.w >= CARD_SIZE[0] else (LARGE, 20)
        self.text(card["card"], font, ink, (x, area.y + (22 if high else 17)))
        icon = Area(area.right - 6 - size, area.y + 6, size, size)
        self.symbol(card["symbol"], icon, 0.5 if sure else 1.0)
        for k, words in enumerate((card["symbol"], card["member"])):
            size = SMALL if text(words, SMALL, ink).get_width() <= area.w - 12 else SMALL - 2
            shown = shortened(words, size, area.w - 12)
            self.text(shown, size, (ink, quiet)[k], (x, y + (18 if high else 15) * k))

    def film_card(self, card: FilmCardView, area: Area, asked: bool) -> None:
        """Draws a card of the Film with all that lies on it.

        Args:
            card: The card.
            area: Where.
            asked: Whether the viewer may choose it now.
        """
        if card["chosen"] or asked:
            around = Area(area.x - 4, area.y - 4, area.w + 8, area.h + 8)
            self.box(around, GOLD if card["chosen"] else mix(GOLD, BACKGROUND, 0.55))
        shown = card["card"] or card["sure"]
        if shown:
            self.face(shown, area, card["face_up"], sure=not card["card"])
        else:
            self.back(area)
        self.row_of_claps(card["claps"], area)
        wide = 20 if len(card["hints"]) <= 2 else 44 // len(card["hints"])
        for k, hint in enumerate(reversed(card["hints"])):
            spot = Area(area.right - 4 - wide * (k + 1), area.bottom - 26 - 22, wide - 1, 20)
            self.hint(hint["player"], hint["good"], spot)

    def row_of_claps(self, seats: Sequence[int], area: Area) -> None:
        """Draws Claps at the bottom of a card, from its right."""
        for k, seat in enumerate(reversed(seats)):
            self.clap(seat, (area.right - 14 - 21 * k, area.bottom - 13), 20)


def symbol_colour(symbol: str) -> Colour:
    """Returns the colour of a symbol, also of one that only a component file knows."""
    if symbol in SYMBOLS:
        return SYMBOLS[symbol]
    return OTHER_SYMBOLS[sum(map(ord, symbol)) % len(OTHER_SYMBOLS)]
