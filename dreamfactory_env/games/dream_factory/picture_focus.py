"""What is being decided, as a part of the picture of the table."""

from __future__ import annotations

from typing import NamedTuple

from dreamfactory_env.games.drawing import Area
from dreamfactory_env.games.dream_factory.picture_pieces import (
    CARD,
    FAINT,
    GAP,
    GOLD,
    HUGE,
    INK,
    LINE,
    NORMAL,
    PANEL,
    QUIET,
    SMALL,
    TableCanvas,
)
from dreamfactory_env.games.dream_factory.view_types import (
    AuctionView,
    PartyView,
    StudioView,
    TableView,
)

HAND_TILE = (56, 78)


class _Entry(NamedTuple):
    """A box that says how a player stands, or a studio."""

    seat: int | None
    large: str
    small: str
    active: bool  # it is the player's turn
    out: bool


def draw_focus(canvas: TableCanvas, view: TableView, area: Area) -> None:
    """Draws bids, the order of a party, the tiles in hand, studios to choose, or final points."""
    canvas.box(area, PANEL)
    title, entries = _entries(view)
    canvas.text(title, NORMAL, INK, (area.x + GAP, area.y + 16))
    room = Area(area.x + GAP, area.y + 31, area.w - 2 * GAP, area.h - 39)
    for k, box in enumerate(room.columns(len(entries), 4)) if entries else ():
        _draw_entry(canvas, entries[k], box)
    _draw_hand(canvas, view, room)


def _draw_entry(canvas: TableCanvas, entry: _Entry, area: Area) -> None:
    x = area.middle[0]
    canvas.box(area, PANEL if entry.out else CARD, GOLD if entry.active else LINE)
    if entry.seat is not None:
        canvas.seat(entry.seat, Area(x - 13, area.y + 7, 26, 20), entry.out)
    canvas.text(entry.large, HUGE, FAINT if entry.out else INK, (x, area.y + 47), "center")
    canvas.text(entry.small, SMALL, QUIET, (x, area.bottom - 14), "center")


def _draw_hand(canvas: TableCanvas, view: TableView, room: Area) -> None:
    """Draws the tiles in hand, and at a party those who choose after."""
    w, h = HAND_TILE
    hand = [tile for tile in view["hand"] if tile is not None]
    for k, tile in enumerate(hand):
        canvas.tile(tile, Area(room.x + k * (w + GAP), room.y + 4, w, h))
    if hand and view["party"]:
        later = view["party"]["order"][view["party"]["turn"] + 1 :]
        x, y = room.right - 30 * len(later) + 4, room.middle[1]
        canvas.text("then" if later else "", SMALL, QUIET, (x - 8, y), "midright")
        for k, seat in enumerate(later):
            canvas.seat(seat, Area(x + 30 * k, y - 10, 26, 20))


def _entries(view: TableView) -> tuple[str, list[_Entry]]:
    """Returns the title of the phase and a box for each player, or for each studio."""
    seats = range(len(view["players"]))
    if view["phase"] == "studio":
        return "Studios to choose from", [_studio(studio) for studio in view["studios"]]
    if view["auction"]:
        high = view["auction"]["high_bid"]
        title = "Auction: no bid yet" if high is None else f"Auction: highest bid {high}"
        return title, [_bidder(view["auction"], seat, seat == view["to_move"]) for seat in seats]
    if view["phase"] == "placing":
        return f"In the hand of player {view['to_move']}", []
    if view["party"]:
        return "Party: the order of choosing", [_picker(view["party"], turn) for turn in seats]
    return "Final points", [_final(view, seat) for seat in seats]


def _studio(studio: StudioView) -> _Entry:
    taken = studio["player"] is not None
    word = "taken" if taken else "free"
    return _Entry(studio["player"], str(studio["number"]), word, active=False, out=taken)


def _bidder(auction: AuctionView, seat: int, active: bool) -> _Entry:
    bid, out = auction["bids"][seat], auction["passed"][seat]
    word = "passed" if out else "to bid" if active else ""
    if bid is not None and bid == auction["high_bid"]:
        word = "highest"
    return _Entry(seat, "–" if bid is None else str(bid), word, active, out)


def _picker(party: PartyView, turn: int) -> _Entry:
    now = party["turn"]
    word = "done" if turn < now else "picks" if turn == now else ""
    return _Entry(party["order"][turn], f"{turn + 1}.", word, turn == now, turn < now)


def _final(view: TableView, seat: int) -> _Entry:
    won = seat in view["winners"]
    points = str(view["players"][seat]["points"])
    return _Entry(seat, points, "winner" if won else "", active=won, out=False)
