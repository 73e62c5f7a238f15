"""What is wanted and what may go wrong, the Cut and the hands, as parts of the picture."""

from __future__ import annotations

from dreamfactory_env.games.drawing import Area, shortened, text
from dreamfactory_env.games.faux_raccords.picture_pieces import (
    BACK,
    BACK_EDGE,
    BACKGROUND,
    BAD,
    CARD_SIZE,
    DARK,
    EDGE,
    FAINT,
    GAP,
    GOLD,
    GOOD,
    HAND_SIZE,
    HUGE,
    INK,
    LINE,
    NORMAL,
    PANEL,
    QUIET,
    SEATS,
    SMALL,
    WELL,
    TableCanvas,
    symbol_colour,
)
from dreamfactory_env.games.faux_raccords.text import ASKED
from dreamfactory_env.games.faux_raccords.view_types import (
    CardView,
    HazardView,
    PlayerView,
    TableView,
)

HAZARD = 68  # the height of one
CHIP_ROWS = 3  # rows of a hand that has too many cards to show them whole


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


# ---------------------------------------------------------------------------- aims and hazards


def draw_side(canvas: TableCanvas, view: TableView, area: Area) -> None:
    """Draws what is wanted, the genres, the hazards; at the end which conditions are met."""
    canvas.box(area, PANEL)
    x, y, width = area.x + GAP + 2, area.y + 18, area.w - 2 * GAP - 4
    canvas.text("Wanted", NORMAL, INK, (x, y))
    for line in wrapped(ASKED[view["options"]["mode"]], SMALL, width, 3):
        y += 17
        canvas.text(line, SMALL, QUIET, (x, y))
    y += 14
    for number, genre in enumerate(view["genres"]):
        for k, mood in enumerate(genre["moods"]):
            canvas.symbol(mood, Area(x + 27 * k, y, 24, 24))
        line = f"{'AB'[number]}: " if len(view["genres"]) > 1 else ""
        name = f"{line}{genre['name'] or ' and '.join(genre['moods'])}"
        needed, at = f"{genre['needed']} cards", (area.right - 10, y + 12)
        count = canvas.text(needed, SMALL, GOLD, at, "midright")
        room = width - 60 - count - 8
        canvas.text(shortened(name, SMALL, room), SMALL, INK, (x + 60, y + 12))
        y += 30
    y += 6
    if view["result"]:
        y = _conditions(canvas, view["result"]["conditions"], x, y)
    if view["hazards"]:
        canvas.text("Hazards", NORMAL, INK, (x, y + 10))
        y += 24
    for hazard in view["hazards"]:
        _hazard(canvas, hazard, Area(x - 2, y, width + 4, HAZARD))
        y += HAZARD + 5


def _conditions(canvas: TableCanvas, conditions: dict[str, bool], x: int, y: int) -> int:
    """Writes the conditions side by side, in two columns; returns where it goes on below."""
    for k, (word, met) in enumerate(conditions.items()):
        at = (x + 8 + 130 * (k % 2), y + 10 + 22 * (k // 2))
        canvas.drawn("yes" if met else "no", 14, GOOD if met else BAD, at)
        canvas.text(word, SMALL, INK, (at[0] + 14, at[1]))
    return y + 22 * ((len(conditions) + 1) // 2) + 8


def _hazard(canvas: TableCanvas, hazard: HazardView, area: Area) -> None:
    done = hazard["happened"] and not hazard["now"]
    canvas.box(area, WELL, GOLD if hazard["now"] else WELL if done else LINE, 2)
    x, y, width = area.x + 8, area.y + 13, area.w - 16
    ink = GOLD if hazard["now"] else QUIET if done else INK
    name = hazard["name"] or "face down"
    due = hazard["due"].replace("all four sides of", "around")
    room = canvas.text(due, SMALL, QUIET, (x + width, y), "midright")
    canvas.text(shortened(name, SMALL, width - room - 8), SMALL, ink, (x, y))
    for k, line in enumerate(wrapped(hazard["effect"] or "", SMALL - 2, width, 3)):
        canvas.text(line, SMALL - 2, INK if hazard["now"] else QUIET, (x, y + 17 + 14 * k))


# ---------------------------------------------------------------------------- Cut, pile and bin


def draw_strip(canvas: TableCanvas, view: TableView, area: Area) -> None:
    """Draws the Cut, the pile, the bin, and the cards in the editor's hand."""
    canvas.box(area, PANEL)
    w, h = CARD_SIZE
    y = area.y + (area.h - h) // 2
    canvas.text("Cut", NORMAL, INK, (area.x + GAP, area.middle[1]))
    for k in range(6 if len(view["cut"]["cards"]) > 5 else 5):
        spot = Area(area.x + 46 + k * (w + 5), y, w, h)
        if k < len(view["cut"]["cards"]):
            _cut_card(canvas, view, view["cut"]["cards"][k], spot)
        else:
            canvas.box(spot, WELL, LINE)
    x = area.x + 46 + 6 * (w + 5) + 8
    for name, count in (("pile", view["pile"]), ("bin", view["bin"])):
        spot = Area(x, y, 62, h)
        canvas.box(spot, BACK if count else WELL, BACK_EDGE if count else LINE, EDGE)
        canvas.text(str(count), HUGE, INK if count else FAINT, (spot.middle[0], y + 33), "center")
        canvas.text(name, SMALL, QUIET, (spot.middle[0], y + 62), "center")
        x += 68
    x += 8
    if view["taken"]:
        width = canvas.text("editor", SMALL, QUIET, (x, area.middle[1])) + 8
        for k, card in enumerate(view["taken"]):
            spot = Area(x + width + k * (w + 10), y, w, h)
            canvas.film_card(card, spot, asked=k == 0 and view["phase"] == "put")
    elif view["hint"]:
        seat = view["to_move"] or 0
        canvas.hint(seat, view["hint"] == "good", Area(x, area.middle[1] - 12, 24, 24))
        canvas.text(f"a {view['hint']} hint", SMALL, INK, (x + 32, area.middle[1]))


def _cut_card(canvas: TableCanvas, view: TableView, card: CardView, spot: Area) -> None:
    cut = view["cut"]
    if cut["chosen"] == card["card"]:
        canvas.box(Area(spot.x - 2, spot.y - 4, spot.w + 4, spot.h + 8), GOLD)
    canvas.face(card, spot)
    if cut["called"] == card["card"]:
        canvas.label("called", Area(spot.right - 54, spot.bottom - 22, 50, 18), GOLD, DARK, SMALL)


# ---------------------------------------------------------------------------- hands


def draw_player(canvas: TableCanvas, view: TableView, seat: int, area: Area) -> None:
    """Draws what a player has: Claps and hint in reserve, and the hand."""
    player = view["players"][seat]
    active = seat == view["to_move"]
    canvas.box(area, PANEL, SEATS[seat] if active else PANEL, 2)
    x, y = area.x + GAP, area.y + 18
    canvas.seat(seat, Area(x, y - 11, 24, 22))
    x += 32 + canvas.text(f"Player {seat}", NORMAL, INK, (x + 32, y))
    words = "to move" if active else "turn" if seat == view["turn"] else ""
    canvas.text(words, SMALL, GOLD, (x + 10, y))
    right = area.right - GAP
    if player["hint_left"]:
        canvas.box(Area(right - 20, y - 10, 20, 20), WELL, SEATS[seat], 2)
        canvas.text("±", NORMAL, INK, (right - 10, y), "center")
    for k in range(player["claps_left"]):
        canvas.clap(seat, (right - 36 - 24 * k, y), 20)
    room = Area(area.x + GAP, area.y + 35, area.w - 2 * GAP, area.h - 40)
    _hand(canvas, player, room)


def _hand(canvas: TableCanvas, player: PlayerView, room: Area) -> None:
    """Draws a hand; its cards whole if there is room, else small."""
    cards: list[CardView | None] = list(player["hand"] or player["sure"])
    cards += [None] * (player["count"] - len(cards))
    w, h = HAND_SIZE
    whole = len(cards) * (w + 4) - 4 <= room.w
    chosen = player["pending"]["card"] if player["pending"] else None
    in_row = -(-len(cards) // CHIP_ROWS)
    for k, card in enumerate(cards):
        if whole:
            spot = Area(room.x + k * (w + 4), room.y, w, h)
        else:
            width = min((room.w + 4) // in_row, 60)
            row, column = divmod(k, in_row)
            spot = Area(room.x + column * width, room.y + row * 30, width - 4, 27)
        if card and card["card"] == chosen:
            canvas.box(Area(spot.x - 3, spot.y - 3, spot.w + 6, spot.h + 6), GOLD)
        _hand_card(canvas, card, spot, player["hand"] is None, whole)
    if not cards:
        canvas.text("no card", SMALL, FAINT, room.middle, "center")
    if player["has_passed"] and not chosen:
        canvas.label("chosen", Area(room.x + 4, room.bottom - 24, 56, 18), GOLD, DARK, SMALL)


def _hand_card(
    canvas: TableCanvas, card: CardView | None, spot: Area, sure: bool, whole: bool
) -> None:
    if whole and card:
        canvas.face(card, spot, up=not sure, sure=sure)
    elif whole:
        canvas.back(spot)
    else:
        _chip(canvas, card, spot, sure)


def _chip(canvas: TableCanvas, card: CardView | None, spot: Area, sure: bool) -> None:
    """Draws a small card: its value on the colour of its symbol."""
    if card is None:
        canvas.box(spot, BACK, BACK_EDGE)
        canvas.text("?", NORMAL, QUIET, spot.middle, "center")
        return
    canvas.symbol(card["symbol"], spot, 0.6 if sure else 1.0)
    canvas.box(Area(spot.x + 2, spot.y + 2, spot.w - 4, spot.h - 4), BACKGROUND)
    canvas.text(card["card"], NORMAL, symbol_colour(card["symbol"]), spot.middle, "center")
