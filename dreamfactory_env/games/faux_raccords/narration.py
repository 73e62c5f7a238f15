"""A game of Faux Raccords narrated line by line, made from views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dreamfactory_env.games.faux_raccords.text import (
    ASKED,
    action_to_string,
    card_words,
    in_words,
    outcome_words,
)
from dreamfactory_env.games.faux_raccords.view_types import CardView, TableView
from dreamfactory_env.games.game import Game, Line

#: Styles of the lines, in the terms of a terminal.
HEADING, HAZARD, LEARNT, QUIET = "bold magenta", "bold yellow", "cyan", "dim"
SEATS = ["bright_red", "bright_blue", "bright_green", "bright_magenta"]

#: Words of moves that are told otherwise: first the words as they begin, then what is said.
TOLD = (
    ("place ", "places {}"),
    ("call ", "calls {}"),
    ("view with ", "bins {} to look at the Film"),
    ("end", "says that the Film is finished"),
    ("at ", "puts it at {}"),
    ("look at ", "looks at {}"),
    ("move clap from ", "moves the Clap of {}"),
    ("no effect", "lets the effect be"),
    ("reuse ", "reuses {}, which goes to the bin"),
    ("take clap from ", "takes the Clap of {} back"),
    ("take ", "takes {}"),
    ("enough", "takes no second card"),
    ("put at ", "puts it at {}"),
    ("swap ", "swaps {} of the Cut"),
    ("for ", "… for the card at {}"),
    ("give ", "gives the card at {}"),
    ("to player ", "… to player {}"),
    ("show ", "shows {}"),
    ("no hint", "gives no hint"),
    ("hint ", "gives the hint: {}"),
    ("on ", "lays it on {}"),
    ("lose ", "loses the card at {}"),
    ("clash ", "lets the card at {} clash"),
    ("with ", "… with the card at {}"),
    ("reshoot ", "shoots the card at {} again"),
    ("pass ", "passes {} on"),
    ("cover ", "turns the card at {} face down"),
    ("bin ", "bins {}"),
)
#: Those that name a card, and those that name a place to which a card goes.
OF_CARDS = ("place ", "call ", "view with ", "reuse ", "swap ", "show ", "pass ", "bin ")
TO_A_PLACE = ("at ", "put at ")


def narrate(game: Game, moves: Iterator[int], viewer: int | None) -> Iterator[Line]:
    """Plays actions in a game, and says what a viewer learns of it; None sees everything."""
    before = cast(TableView, game.view(viewer))
    yield from opening(before)
    for action in moves:
        game.play(action)
        after = cast(TableView, game.view(viewer))
        yield from move(before, action, after)
        before = after
    if game.over:
        yield from ending(before)


def opening(view: TableView) -> Iterator[Line]:
    """Says what is played, what is wanted, and which cards the viewer holds."""
    options = view["options"]
    yield Line(
        f"{view['title']}, {options['mode']}, {options['players']} players; "
        f"player {view['first_player']} begins.",
        HEADING,
    )
    yield Line(f"  wanted: {ASKED[options['mode']]}")
    for genre in view["genres"]:
        name = f" ({genre['name']})" if genre["name"] else ""
        yield Line(f"  {genre['needed']} cards of {' and '.join(genre['moods'])}{name}")
    for seat, player in enumerate(view["players"]):
        cards = player["hand"]
        held = in_words([card_words(card) for card in cards]) if cards else "a hidden hand"
        yield Line(f"  player {seat}: {held}", SEATS[seat])
    yield from _turn(view)


def _turn(view: TableView) -> Iterator[Line]:
    """Says whose turn begins."""
    if view["phase"] == "action":
        film = f"{len(view['film'])} cards in the Film, {view['pile']} in the pile"
        yield Line(f"Turn of player {view['turn']}: {film}", HEADING)


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
    quiet = words in ("no hint", "no effect")
    told = _told(before, words, after)
    told = f"      {told}" if told.startswith("…") else f"    player {seat} {told}"
    yield Line(told, QUIET if quiet else SEATS[seat])
    if before["phase"] == "swap for":
        row = [card["card"] for card in before["cut"]["cards"]]
        for card in after["cut"]["cards"]:
            if card["card"] not in row:
                yield Line(f"    → it is {card_words(card)}", LEARNT)
    yield from _learnt(before, after)
    for old, new in zip(before["hazards"], after["hazards"], strict=True):
        if new["happened"] and not old["happened"]:
            effect = f": {new['effect']}" if new["effect"] else ""
            yield Line(f"    ! {new['due']}, {new['name']}{effect}", HAZARD)
    if (before["phase"], before["turn"]) != ("action", after["turn"]):
        yield from _turn(after)


def _told(before: TableView, words: str, after: TableView) -> str:
    """Returns what a player does, as a sentence goes on after its name."""
    start, told = next(entry for entry in TOLD if words.startswith(entry[0]))
    what = words.removeprefix(start)
    if start in OF_CARDS:
        cards = [*before["cut"]["cards"], *after["cut"]["cards"]]
        for player in (*before["players"], *after["players"]):
            cards += [*(player["hand"] or ()), *filter(None, [player["pending"]])]
        face = "member" if start in ("call ", "reuse ") else "symbol"
        shown = {card["card"]: card[face] for card in cards}  # type: ignore[literal-required]
    else:
        seen = {
            card["place"] or "": card["card"] for card in before["film"] if start not in TO_A_PLACE
        }
        shown = {place: f"{face['card']} {face['symbol']}" for place, face in seen.items() if face}
    return told.format(f"{what} ({shown[what]})" if what in shown else what)


def _learnt(before: TableView, after: TableView) -> Iterator[Line]:
    """Says which cards the viewer sees now and did not see before."""
    if after["viewer"] is None or after["phase"] == "over":
        return
    cards = [*before["cut"]["cards"], *after["cut"]["cards"], *_hand(before)]
    cards += [card["card"] for card in (*before["film"], *before["taken"]) if card["card"]]
    cards += [player["pending"] for player in before["players"] if player["pending"]]
    seen = {card["card"] for card in cards}
    for lying in after["film"]:
        if lying["card"] and lying["card"]["card"] not in seen:
            face = f"{lying['card']['card']} {lying['card']['symbol']}"
            yield Line(f"    → at {lying['place']} lies {face}", LEARNT)
    for card in _hand(after):
        if card["card"] not in seen:
            yield Line(f"    → you get {card_words(card)}", LEARNT)


def _hand(view: TableView) -> list[CardView]:
    assert view["viewer"] is not None
    return view["players"][view["viewer"]]["hand"] or []


def ending(view: TableView) -> Iterator[Line]:
    """Says how the game has ended."""
    result = view["result"]
    assert result is not None
    yield Line("The end", HEADING)
    film = ", ".join(f"{place}: {card}" for place, card in result["film"].items())
    yield Line(f"  the Film: {film or '-'}")
    for condition, met in result["conditions"].items():
        yield Line(f"  {condition}: {'yes' if met else 'no'}")
    yield Line(f"  {outcome_words(view)}", HEADING)
