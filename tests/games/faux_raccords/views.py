"""What the engine shows a seat, in the words of the referee, so that the two can be compared."""

from __future__ import annotations

from typing import Any


def engine_sees(game: Any, seat: int) -> dict[str, Any]:
    """Returns what the engine shows a seat, as ``Referee.sees`` says it, but for what was said.

    Args:
        game: A game of the engine, with ``memory="perfect"``.
        seat: Who looks.
    """
    view = game.view(seat)
    film, players = view["film"], view["players"]
    return {
        "hand": sorted(card["card"] for card in players[seat]["hand"]),
        "film": {each["place"]: _name(each["card"]) for each in film},
        "face_up": [each["place"] for each in film if each["face_up"]],
        "claps": [
            [each["place"] for each in film if player in each["claps"]]
            for player in range(len(players))
        ],
        "reserves": [player["claps_left"] for player in players],
        "hints": {each["place"]: _hints(each) for each in film if each["hints"]},
        "hint_left": [player["hint_left"] for player in players],
        "taken": [
            {
                "card": _name(each["card"]),
                "face_up": each["face_up"],
                "claps": each["claps"],
                "hints": _hints(each),
            }
            for each in view["taken"]
        ],
        "cut": [card["card"] for card in view["cut"]["cards"]],
        "hand_sizes": [player["count"] for player in players],
        "pile": view["pile"],
        "bin": view["bin"],
        "moods": [genre["moods"] for genre in view["genres"]],
        "hazards": [hazard["name"] for hazard in view["hazards"]],
        "turn": view["turn"],
        "to_move": view["to_move"],
    }


def engine_sure_of(game: Any, seat: int) -> dict[str, str]:
    """Returns the cards that a seat is sure of by memory, as ``Referee.sure_of`` says it.

    Args:
        game: A game of the engine, with ``memory="perfect"``.
        seat: Who remembers.
    """
    view = game.view(seat)
    where = {_name(each["sure"]): f"film {each['place']}" for each in view["film"]}
    where |= {_name(each["sure"]): "taken" for each in view["taken"]}
    for number, player in enumerate(view["players"]):
        known = player["hand"] if number == seat else player["sure"]
        where |= {card["card"]: f"hand {number}" for card in known}
    where |= {card["card"]: "bin" for card in view["bin_cards"]}
    return {card: where[card] for card in sorted(card for card in where if card is not None)}


def _name(card: dict[str, Any] | None) -> str | None:
    return None if card is None else str(card["card"])


def _hints(laid: dict[str, Any]) -> list[tuple[int, str]]:
    return sorted((hint["player"], "good" if hint["good"] else "bad") for hint in laid["hints"])
