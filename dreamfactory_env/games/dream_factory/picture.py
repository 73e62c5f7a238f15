"""Dream Factory as a picture: the whole table, drawn with pygame and without a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dreamfactory_env.games import drawing
from dreamfactory_env.games.drawing import Area, Colour, Point, load_pygame, palette
from dreamfactory_env.games.dream_factory import hidden, scoring
from dreamfactory_env.games.dream_factory.state import (
    BEST_OF_GENRE,
    BEST_OF_ROUND,
    FILM_AWARDS,
    NO_BID,
    NOTHING,
)

if TYPE_CHECKING:
    from pygame import Surface

    from dreamfactory_env.games.dream_factory.game import DreamFactory, Film

#: A box that tells how a player stands: seat, large and small words, on turn or not, out or not.
Entry = tuple[int, str, str, bool, bool]


# ---------------------------------------------------------------------------- the look of it

WIDTH, HEIGHT = 1280, 800
GAP = 8
HEADLINE = Area(16, 10, 1248, 34)
BOARD = Area(16, 50, 952, 126)
FOCUS = Area(976, 50, 288, 126)
TOKENS = Area(70, 184, 898, 24)
AWARDS = Area(70, 214, 898, 38)
TABLE = Area(976, 184, 288, 68)
STUDIOS = Area(16, 260, 1248, 508)
LEGEND = Area(16, 776, 1248, 18)
LOT_TILE, LOT_ROW = (32, 44), 3  # a tile on a location, and how many lie side by side
HAND_TILE = (56, 78)
HEADER, TITLE = 58, 22  # heights of the head of a studio and of the title line of a film
#: By the number of players: a space of a film, and the height of a line for a finished film.
SPACE_SIZE = {2: (56, 106), 3: (58, 48), 4: (42, 48), 5: (32, 48)}
FINISHED_LINE = {2: 44, 3: 30, 4: 30, 5: 30}
PRODUCTION = 382  # with two players finished films lie beside those in production, this wide
SMALL, NORMAL, LARGE, HUGE = 18, 21, 26, 34  # sizes of the font
AWARD_NAMES = [*["first"] * 3, "round 1", "round 2", "round 3", *["best"] * 3, "worst", "director"]
DOES = {"studio": "chooses a studio", "auction": "bids or passes", "party": "chooses a tile"}
DOES |= {"placing": "places or discards a tile", "over": "won"}


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


def draw(game: DreamFactory, viewer: int | None = None) -> NDArray[np.uint8]:
    """Draws the table of a game.

    Args:
        game: The game.
        viewer: The seat that looks: money that is hidden from it is a question mark. None sees
            all money. Tiles that lie face down are never shown.

    Returns:
        The picture, uint8, shape (HEIGHT, WIDTH, 3).

    Raises:
        OptionError: There is no such seat, or pygame is not installed.
    """
    seat = None if viewer is None else game.check_seat(viewer)
    pygame = load_pygame()
    surface = pygame.Surface((WIDTH, HEIGHT), 0, 32)
    _Table(game, seat, surface).draw()
    pixels = bytearray(pygame.image.tobytes(surface, "RGB"))
    return np.frombuffer(pixels, np.uint8).reshape(HEIGHT, WIDTH, 3)


class _Table:
    """A game, the surface on which it is drawn, and what can be put there."""

    def __init__(self, game: DreamFactory, viewer: int | None, surface: Surface) -> None:
        self.game, self.state, self.surface = game, game.state, surface
        self.players, self.components = game.players, game.options.components
        self.location = int(game.state.location) if game.phase not in ("studio", "over") else 99
        self.busy = game.winners() if game.to_move is None else [game.to_move]
        self.scores = game.scores()
        self.sees = [
            viewer is None or bool(hidden.sees_money(game.state, viewer, seat))
            for seat in range(game.players)
        ]

    def draw(self) -> None:
        self.surface.fill(BACKGROUND)
        self.headline()
        for index, area in enumerate(BOARD.columns(len(self.components.locations), GAP)):
            self.place(index, area)
        self.focus()
        self.tokens()
        self.awards()
        self.table()
        for seat, area in enumerate(STUDIOS.columns(self.players, GAP)):
            self.studio(seat, area)
        self.legend()

    def text(self, text: str, size: int, ink: Colour, at: Point, side: str = "midleft") -> int:
        """Writes a text with one of its sides at a point; returns its width."""
        image = drawing.text(text, size, ink)
        self.surface.blit(image, image.get_rect(**{side: at}))
        return image.get_width()

    def box(self, area: Area, fill: Colour, edge: Colour | None = None, thick: int = 1) -> None:
        self.surface.blit(drawing.box(area.w, area.h, fill, edge or fill, thick), area[:2])

    def icon(self, name: str, size: int, ink: Colour, middle: Point) -> None:
        at = (middle[0] - size // 2, middle[1] - size // 2)
        self.surface.blit(drawing.icon(ICONS[name], size, ink), at)

    def label(self, text: str, area: Area, fill: Colour, ink: Colour, size: int = SMALL) -> None:
        self.box(area, fill)
        self.text(text, size, ink, area.middle, "center")

    def seat(self, seat: int, area: Area, out: bool = False) -> None:
        fill = drawing.mix(SEATS[seat], PANEL, 0.4) if out else SEATS[seat]
        self.label(str(seat), area, fill, DARK, NORMAL)

    def genre(self, genre: str, at: Point) -> None:
        self.label(genre[0].upper(), Area(at[0], at[1] - 8, 16, 16), GENRES[genre], DARK)

    def tile(self, words: str, area: Area, edge: Colour | None = None) -> None:
        """Draws a tile given in words, such as ``actor 2``."""
        kind, stars = words.split()
        self.box(area, KINDS[kind], edge, 3)
        x, size = area.middle[0], min(area.w * 5 // 8, area.h * 3 // 8)
        self.icon(kind, size, DARK, (x, area.y + area.h * 3 // 8))
        font, y = (NORMAL, area.bottom - 12) if area.h < 60 else (LARGE, area.bottom - 18)
        self.text(stars.replace("-", "−"), font, DARK, (x - 2, y), "midright")
        self.icon("star", font // 2 + 1, DARK, (x + font // 4, y))

    def space(self, kind: str, tile: str, area: Area) -> None:
        """Draws a space of a film with its top tile, framed in the colour of the space."""
        if tile != "-":
            self.tile(tile, area, drawing.mix(KINDS[kind], INK if kind == "blank" else DARK, 0.6))
            return
        self.box(area, WELL, drawing.mix(KINDS[kind], WELL, 0.45))
        self.icon(
            kind, min(area.w, area.h + 6) // 2, drawing.mix(KINDS[kind], WELL, 0.6), area.middle
        )

    # ------------------------------------------------------------------ the board

    def headline(self) -> None:
        game, y = self.game, HEADLINE.middle[1]
        number, rounds = int(self.state.round_number) + 1, self.components.rounds
        where = f"Round {number} of {rounds}  ·  {game.location}"
        where = {"studio": "Before round 1", "over": "The game is over"}.get(game.phase, where)
        where = drawing.shortened(where, HUGE, HEADLINE.w // 2)
        x = HEADLINE.x + self.text(where, HUGE, INK, (HEADLINE.x, y)) + 28
        for seat in self.busy:
            self.seat(seat, Area(x, y - 12, 26, 24))
            x += 32
        who = "Player " + " and ".join(map(str, self.busy))
        self.text(f"{who} {DOES[game.phase]}", LARGE, INK, (x + 2, y))
        self.text(game.title, LARGE, FAINT, (HEADLINE.right, y), "midright")

    def place(self, index: int, area: Area) -> None:
        """Draws a location; nothing lies there any more once it has been visited."""
        here, to_come = index == self.location, index > self.location
        self.box(area, CARD if here else PANEL, GOLD if here else LINE if to_come else PANEL, 2)
        name = drawing.shortened(self.components.locations[index].name, NORMAL, area.w - 2 * GAP)
        ink = GOLD if here else INK if to_come else FAINT
        self.text(name, NORMAL, ink, (area.middle[0], area.y + 16), "center")
        tiles: list[str] | None = self.game.lot if here else []
        if to_come:
            tiles = self.game.lot_of(int(self.state.round_number), index)
        count = self.players if tiles is None else len(tiles)
        (w, h), gap = LOT_TILE, 3
        for k in range(count):
            row, column = divmod(k, LOT_ROW)
            width = min(count - row * LOT_ROW, LOT_ROW) * (w + gap) - gap
            y = area.y + 29 + (h + gap) * row + (0 if count > LOT_ROW else (h + gap) // 2)
            spot = Area(area.middle[0] - width // 2 + column * (w + gap), y, w, h)
            if tiles is None:
                self.box(spot, BACK, BACK_EDGE)
                self.text("?", LARGE, QUIET, spot.middle, "center")
            else:
                self.tile(tiles[k], spot)

    # ------------------------------------------------------------------ what is being decided

    def focus(self) -> None:
        self.box(FOCUS, PANEL)
        title, entries = self.entries()
        self.text(title, NORMAL, INK, (FOCUS.x + GAP, FOCUS.y + 16))
        room = Area(FOCUS.x + GAP, FOCUS.y + 31, FOCUS.w - 2 * GAP, FOCUS.h - 39)
        for k, area in enumerate(room.columns(len(entries), 4)) if entries else ():
            seat, large, small, active, out = entries[k]
            x = area.middle[0]
            self.box(area, PANEL if out else CARD, GOLD if active else LINE)
            if seat != NOTHING:
                self.seat(seat, Area(x - 13, area.y + 7, 26, 20), out)
            self.text(large, HUGE, FAINT if out else INK, (x, area.y + 47), "center")
            self.text(small, SMALL, QUIET, (x, area.bottom - 14), "center")
        self.hand(room)

    def entries(self) -> tuple[str, list[Entry]]:
        """Returns the title of the phase and a box for each player, or for each studio."""
        phase, seats = self.game.phase, range(self.players)
        if phase == "studio":
            return "Studios to choose from", [
                self.free(k + 1) for k in range(self.components.players)
            ]
        if phase == "auction":
            high = int(self.state.high_bid)
            title = "Auction: no bid yet" if high == NO_BID else f"Auction: highest bid {high}"
            return title, [self.bidder(seat, high) for seat in seats]
        if phase == "party":
            return "Party: the order of choosing", [self.guest(turn) for turn in seats]
        if phase == "placing":
            return f"In the hand of player {self.game.to_move}", []
        won = dict.fromkeys(self.busy, "winner")
        points = [(k, str(self.scores[k]), won.get(k, ""), k in won, False) for k in seats]
        return "Final points", points

    def free(self, number: int) -> Entry:
        taken = np.flatnonzero(self.state.studio == number).tolist()
        seat, word = (taken[0], "taken") if taken else (NOTHING, "free")
        return seat, str(number), word, False, bool(taken)

    def bidder(self, seat: int, high: int) -> Entry:
        bid, out = int(self.state.bids[seat]), bool(self.state.passed[seat])
        asked = seat in self.busy
        word = "passed" if out else "to bid" if asked else ""
        word = "highest" if bid == high != NO_BID else word
        return seat, "–" if bid == NO_BID else str(bid), word, asked, out

    def guest(self, turn: int) -> Entry:
        seat, now = int(self.state.party_order[turn]), int(self.state.party_turn)
        word = "done" if turn < now else "picks" if turn == now else ""
        return seat, f"{turn + 1}.", word, turn == now, turn < now

    def hand(self, room: Area) -> None:
        """Draws the tiles in hand, and at a party those who choose after."""
        w, h = HAND_TILE
        hand = self.game.hand
        for k, tile in enumerate(hand):
            self.tile(tile, Area(room.x + k * (w + GAP), room.y + 4, w, h))
        if hand and self.game.tables[0].is_party[self.location]:
            later = self.state.party_order[int(self.state.party_turn) + 1 : self.players]
            x, y = room.right - 30 * len(later) + 4, room.middle[1]
            self.text("then" if len(later) else "", SMALL, QUIET, (x - 8, y), "midright")
            for k, seat in enumerate(later.tolist()):
                self.seat(seat, Area(x + 30 * k, y - 10, 26, 20))

    # ------------------------------------------------------------------ tokens, awards, pile

    def tokens(self) -> None:
        """Draws the value tokens, bright while they are free."""
        self.text("tokens", SMALL, QUIET, (BOARD.x, TOKENS.middle[1]))
        words = self.components.tokens
        for k, area in enumerate(TOKENS.columns(len(words), 3)):
            free = int(self.state.free_tokens) >> k & 1
            self.box(area, *((TOKEN, TOKEN_EDGE) if free else (WELL, PANEL)))
            self.text(words[k], SMALL, GOLD if free else LINE, area.middle, "center")

    def awards(self) -> None:
        """Draws the eleven awards with those who have won them."""
        self.text("awards", SMALL, QUIET, (BOARD.x, AWARDS.middle[1]))
        for k, area in enumerate(AWARDS.columns(len(AWARD_NAMES), 4)):
            film = int(self.state.awards[k]) if k < FILM_AWARDS else NOTHING
            owner = int(self.state.best_director) if k == FILM_AWARDS else NOTHING
            holder = f"Player {owner}" if owner != NOTHING else self.not_given(k)
            if film != NOTHING:
                owner, holder = int(self.state.owner[film]), self.components.screenplays[film].title
            given = owner != NOTHING
            ink = SEATS[owner] if given else FAINT
            self.box(area, CARD if given else PANEL, ink if given else LINE)
            x, y = area.x + 6, area.y + 12
            width = self.text(AWARD_NAMES[k], SMALL, INK, (x, y))
            if AWARD_NAMES[k] in ("first", "best"):
                self.genre(list(GENRES)[k % 3], (x + width + 4, y))
            points = str(scoring.award_points(k))
            self.text(points, SMALL, GOLD, (area.right - 6, y), "midright")
            self.text(drawing.shortened(holder, SMALL, area.w - 12), SMALL, ink, (x, y + 16))

    def not_given(self, award: int) -> str:
        rounds = range(BEST_OF_ROUND, min(BEST_OF_ROUND + self.state.round_number, BEST_OF_GENRE))
        return "nobody" if self.game.over or award in rounds else "open"

    def table(self) -> None:
        """Draws the pile with its top film, and the money in the middle."""
        self.box(TABLE, PANEL)
        x, y, right = TABLE.x + GAP, TABLE.y + 13, TABLE.right - GAP
        taken, pot = int(self.state.pile_taken), int(self.state.pot)
        size = int(self.game.tables[0].pile_size)
        self.text(f"Pile: {size - taken} left", SMALL, QUIET, (x, y))
        width = self.text(f"{pot} in the middle", SMALL, QUIET, (right, y), "midright")
        self.icon("coin", 12, GOLD, (right - width - 12, y))
        if taken < size:
            film = self.game.film(int(self.state.pile[taken]))
            self.title(film, Area(x, y + 11, right - x, 18), False)
            for k, space in enumerate(film.spaces):
                self.space(space.split("#")[0], "-", Area(x + 22 + 30 * k, y + 31, 26, 18))

    # ------------------------------------------------------------------ studios

    def studio(self, seat: int, area: Area) -> None:
        """Draws all that lies in front of a player."""
        self.box(area, PANEL, SEATS[seat] if seat in self.busy else PANEL, 2)
        x, y, width = area.x + GAP, area.y + HEADER, area.w - 2 * GAP
        self.head(seat, Area(x, area.y + GAP, width, HEADER - GAP))
        beside = self.players == 2
        height = TITLE + SPACE_SIZE[self.players][1] + 12
        for film in self.state.in_production[seat].tolist():
            self.production(film, Area(x, y, PRODUCTION if beside else width, height))
            y += height + 6
        left, top = (x + PRODUCTION + GAP, area.y + HEADER) if beside else (x, y + 2)
        films = [film for film in self.game.finished() if self.state.owner[film] == seat]
        line = min(FINISHED_LINE[self.players], (area.bottom - GAP - top) // max(len(films), 1))
        for k, film in enumerate(films):
            self.finished(film, Area(left, top + k * line, x + width - left, line - 3))

    def head(self, seat: int, area: Area) -> None:
        """Draws the name of a player, the first player's marker, money, points and red tiles."""
        x, y = area.x, area.y + 12
        self.seat(seat, Area(x, area.y, 26, 24))
        width = self.text(f"Player {seat}", LARGE, INK, (x + 34, y))
        number = int(self.state.studio[seat])
        studio = f"studio {number}" if number else "no studio"
        self.text(studio, SMALL, QUIET, (x + width + 44, y + 1))
        if self.state.first_player == seat:
            self.label("first", Area(area.right - 42, area.y + 2, 42, 20), INK, DARK)
        money, red, sees = self.game.money[seat], int(self.state.red[seat]), self.sees[seat]
        points = str(self.scores[seat]) if sees else f"{self.scores[seat] - money} + ?"
        for icon, ink, value, unit in (
            ("coin", GOLD, str(money) if sees else "?", ""),
            ("medal", GOLD, points, "points"),
            ("actor", KINDS["actor"], str(red), "red"),
        ):
            self.icon(icon, 16, ink, (x + 8, y + 25))
            x += self.text(value, NORMAL, INK, (x + 20, y + 25)) + 24
            x += self.text(unit, SMALL, QUIET, (x, y + 25)) + 10

    def title(self, film: Film, area: Area, total: bool) -> None:
        """Writes the title line of a film: genre, title, printed stars, stars so far."""
        x, y = area.right, area.middle[1]
        counts = [(film.stars, 15, NORMAL, GOLD)] if total else []
        for stars, size, font, ink in [*counts, (film.printed, 11, SMALL, QUIET)]:
            self.icon("star", size, ink, (x - size // 2, y))
            x -= size + 4
            x -= self.text(str(stars), font, ink, (x, y), "midright") + 8
        self.genre(film.genre, (area.x, y))
        shown = drawing.shortened(film.title, NORMAL, x - area.x - 22)
        self.text(shown, NORMAL, INK, (area.x + 22, y))

    def production(self, number: int, area: Area) -> None:
        """Draws a film in production with all its spaces, the guest star's at the right."""
        if number == NOTHING:
            self.box(area, PANEL, LINE)
            self.text("no screenplay", SMALL, FAINT, area.middle, "center")
            return
        film, (w, h) = self.game.film(number), SPACE_SIZE[self.players]
        self.box(area, CARD)
        self.title(film, Area(area.x + 6, area.y + 4, area.w - 12, TITLE - 4), True)
        for k, (space, tile) in enumerate(film.spaces.items()):
            kind = space.split("#")[0]
            x = area.right - 6 - w if kind == "guest" else area.x + 6 + k * (w + 4)
            self.space(kind, tile, Area(x, area.y + TITLE + 5, w, h))

    def finished(self, number: int, area: Area) -> None:
        """Draws a finished film: token, genre, title, awards; in two lines if there is room."""
        film = self.game.film(number)
        self.box(area, WELL)
        self.label(film.token or "–", Area(area.x, area.y, 36, area.h), GOLD, DARK, NORMAL)
        x, y, right = area.x + 42, area.middle[1], area.right - 4
        awards = np.flatnonzero(self.state.awards == number).tolist()
        lift = 10 if awards and area.h >= 40 else 0
        for k, award in enumerate(awards):
            left = x + 22 + 20 * k if lift else right - 20 * (k + 1) + 2
            medal = Area(left, y + lift - 8, 18, 16)
            self.label(str(scoring.award_points(award)), medal, MEDAL, INK)
        right -= 0 if lift else 20 * len(awards)
        self.genre(film.genre, (x, y - lift))
        self.text(
            drawing.shortened(film.title, NORMAL, right - x - 24), NORMAL, INK, (x + 22, y - lift)
        )

    def legend(self) -> None:
        """Tells what icons and colours mean."""
        x, y = LEGEND.x, LEGEND.middle[1]
        entries = [(kind, ink, kind) for kind, ink in KINDS.items()]
        entries += [("", GENRES[genre], genre) for genre in GENRES]
        entries += [("star", QUIET, "printed stars"), ("star", GOLD, "stars so far")]
        for icon, ink, words in entries:
            if icon:
                self.icon(icon, 14, ink, (x + 8, y))
            else:
                self.genre(words, (x, y))
            x += self.text(words, SMALL, QUIET, (x + 22, y)) + 40
