"""A game of Dream Factory narrated line by line, made from views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamfactory_env.games.dream_factory.text import (
    action_to_string,
    award_holder,
    in_words,
    winners,
)
from dreamfactory_env.games.dream_factory.view import table_view
from dreamfactory_env.games.dream_factory.view_types import FilmView, TableView
from dreamfactory_env.games.game import Line

if TYPE_CHECKING:
    from dreamfactory_env.games.dream_factory.game import DreamFactory

#: Styles of the lines, in the terms of a terminal.
HEADING, PLACE, FINISHED, AWARD, QUIET = "bold magenta", "bold cyan", "bold green", "yellow", "dim"
SEATS = ["bright_red", "bright_blue", "bright_green", "bright_yellow", "bright_magenta"]


def narrate(game: DreamFactory, moves: Iterator[int], viewer: int | None) -> Iterator[Line]:
    """Plays actions in a game, and says what a viewer learns of it; None sees everything."""
    before = table_view(game, viewer)
    yield from opening(before)
    for action in moves:
        game.play(action)
        after = table_view(game, viewer)
        yield from move(before, action, after)
        before = after
    if game.over:
        yield from ending(before)


def opening(view: TableView) -> Iterator[Line]:
    """Says who plays what, and where the game begins."""
    options = view["options"]
    players, how = options["players"], options["hidden_money"]
    hidden = how == "always" or (how == "rule" and players > 2)
    yield Line(
        f"{view['title']}, {players} players, edition {options['edition']}, "
        f"money {'hidden' if hidden else 'open'}; player {view['first_player']} is first.",
        HEADING,
    )
    for seat, player in enumerate(view["players"]):
        films = [film["title"] for film in (*player["production"], *player["finished"]) if film]
        studio = player["studio"]
        does = f"studio {studio}: {in_words(films)}" if studio else "chooses a studio"
        money = "hidden" if player["money"] is None else player["money"]
        yield Line(f"  player {seat}, money {money}, {does}", SEATS[seat])
    yield from _arrival(view)


def _arrival(view: TableView) -> Iterator[Line]:
    """Says to which location the game has come."""
    if view["location"] is None or view["phase"] == "placing":
        return
    if view["location"] == 0:
        yield Line(f"Round {view['round']}", HEADING)
    place, lot = view["locations"][view["location"]]["name"], in_words(view["lot"])
    if view["party"]:
        order = ", ".join(map(str, view["party"]["order"]))
        yield Line(f"  {place}: {lot}; picking: {order}", PLACE)
    else:
        yield Line(f"  {place}: {lot} for sale", PLACE)


def move(before: TableView, action: int, after: TableView) -> Iterator[Line]:
    """Says what a move was and what it brought about.

    Args:
        before: The view before the move.
        action: The action.
        after: The view of the same viewer after it.
    """
    seat = before["to_move"]
    assert seat is not None
    words = action_to_string(before, action)
    yield Line(f"    player {seat}: {words}", QUIET if words == "pass" else SEATS[seat])
    if before["auction"] and not after["auction"]:
        yield _sale(before, after)
    for title in after["finished"][len(before["finished"]) :]:
        film = _finished_film(after, title)
        token = f"takes token {film['token']}" if film["token"] else "finds no token"
        yield Line(f"    ★ {title} is finished with {film['stars']} stars, {token}", FINISHED)
    top = before["pile"]["top"]
    if top and after["pile"]["left"] < before["pile"]["left"]:
        yield Line(f"    → player {seat} takes {top['title']}")
    for award in after["awards"]:
        if award["player"] is not None and award not in before["awards"]:
            points = f"{award['points']} points"
            yield Line(f"    ★ {award['award']}: {award_holder(award)}, {points}", AWARD)
    if (before["round"], before["location"]) != (after["round"], after["location"]):
        yield from _arrival(after)


def _sale(before: TableView, after: TableView) -> Line:
    """Says who has won an auction, and what the others get of the price (D11, D12)."""
    assert before["auction"]
    price = before["auction"]["high_bid"] or 0
    share = (before["pot"] + price - after["pot"]) // (len(after["players"]) - 1)
    rest = f", leaving {after['pot']} in the middle" if after["pot"] else ""
    winner = after["to_move"]
    return Line(f"    → player {winner} wins for {price}; the others get {share} each{rest}")


def _finished_film(view: TableView, title: str) -> FilmView:
    films = (film for player in view["players"] for film in player["finished"])
    return next(film for film in films if film["title"] == title)


def ending(view: TableView) -> Iterator[Line]:
    """Says how the game has ended."""
    yield Line("The end", HEADING)
    players = list(enumerate(view["players"]))
    for seat, player in sorted(players, key=lambda entry: -(entry[1]["points"] or 0)):
        tokens = in_words([f"{film['title']} {film['token'] or 0}" for film in player["finished"]])
        points = f"{player['points']} points, {player['money']} of them money"
        yield Line(f"  player {seat}: {points}; {tokens}", SEATS[seat])
    yield Line(f"  won by {winners(view)}", HEADING)
