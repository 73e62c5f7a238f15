"""Positions for tests of hazards: features in which a hazard is due."""

from __future__ import annotations

from typing import Any

from tests.games.faux_raccords.rule_staging import MakeGame, Table

HINT = {"no hint", "hint good", "hint bad"}
FILM = ["20", "21", "22", "23", "24", "25", "26", "27"]


def numbers(last: int, *without: int) -> set[str]:
    return {str(number) for number in range(1, last + 1) if number not in without}


def bins(*cards: str) -> set[str]:
    return {f"bin {card}" for card in cards}


def placed(make_game: MakeGame, hazard: str, players: int = 3, **chosen: Any) -> Table:
    """Returns a feature in which a hazard is due: seats 0 and 1 have placed 2 and 5, 10 cards.

    Seat 0 also holds 3 and 4, seat 1 also 6 and 7; the pile begins with 8.
    """
    given = {"hands": [["2", "3", "4"], ["5", "6", "7"]], "film": FILM, "deck": ["8"], **chosen}
    game = make_game("feature", players, hazards=[hazard], **given)
    return game.turn("place 2", "at 1").turn("place 5", "at 10")


def shown(make_game: MakeGame, hazard: str, **chosen: Any) -> Table:
    """Returns a feature of three in which a hazard is due: 3 and 9 have shown 4 and 6."""
    given = {"hands": [["3", "4", "1"], ["9", "6", "7"]], "film": FILM, "deck": ["8"], **chosen}
    game = make_game("feature", 3, hazards=[hazard], **given)
    return game.turn("call 3", "show 4", "at 1").turn("call 9", "show 6", "at 10")


def without_pile(make_game: MakeGame, hazard: str, cards: int) -> Table:
    """Returns a feature of two with 10 cards and no pile, the hazard due on the turn of seat 1.

    Args:
        make_game: Makes the game.
        hazard: What is due.
        cards: How many cards each has kept, from 0 to 2; the last ones placed are 2 and 5.
    """
    keep = [["2", "3", "4"][: cards + 1], ["5", "6", "7"][: cards + 1]]
    game = make_game("feature", hands=keep, film=FILM, hazards=[hazard])
    for _ in range(len(game.setup["deck"]) + 2 * (2 - cards)):
        game.idle(keep=keep[game.to_move or 0])
    return game.turn("place 2", "at 1").turn("place 5", "at 10")


def left_is_empty(make_game: MakeGame, hazard: str) -> Table:
    """Returns a feature of two: a hazard is due on the turn of seat 0, and seat 1 has no card."""
    hands = [["2", "3", "7"], ["1", "4", "5"]]
    game = make_game("feature", hands=hands, film=FILM, hazards=[hazard])
    for producer in ("1", "4"):  # seat 0 gets two cards more
        game.turn("place 3", "at 1").turn(f"call {producer}", "give 1", "to player 0")
    for _ in range(len(game.setup["deck"]) - 4 + 5):
        game.idle(keep=["2", "5"])
    return game.turn("place 5", "at 1").turn("place 2", "at 1")
