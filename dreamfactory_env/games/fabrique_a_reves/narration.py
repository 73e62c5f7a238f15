"""A game of La Fabrique à rêves narrated line by line, made from views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dreamfactory_env.games.fabrique_a_reves.phrases import mode_name, say, tool_name
from dreamfactory_env.games.fabrique_a_reves.state import TOOL_WORDS
from dreamfactory_env.games.fabrique_a_reves.text import headline, theme_lines, vial_result
from dreamfactory_env.games.fabrique_a_reves.view_types import TableView
from dreamfactory_env.games.game import Game, Line

#: Styles of the lines, in the terms of a terminal.
HEADING, QUIET = "bold magenta", "dim"
SEATS = ["bright_red", "bright_blue", "bright_green", "bright_magenta", "bright_cyan"]


def narrate(game: Game, moves: Iterator[int], viewer: int | None) -> Iterator[Line]:
    """Plays actions in a game, and says what a viewer learns of it; None sees everything."""
    before = cast(TableView, game.view(viewer))
    yield from opening(before)
    for action in moves:
        game.play(action)
        after = cast(TableView, game.view(viewer))
        yield from move(before, after)
        before = after
    if game.over:
        yield from ending(before)


def opening(view: TableView) -> Iterator[Line]:
    """Says what is played, and which words lie there."""
    options = view["options"]
    language = options["language"]
    mode = mode_name(language, options["mode"])
    said = say(language, "headline", mode=mode, players=options["players"], aim=view["aim"])
    yield Line(f"{view['title']}, {said}", HEADING)
    for theme in theme_lines(view):
        yield Line(f"  {theme}")
    tops = [reservoir["top"] for reservoir in view["reservoirs"]]
    yield Line(f"  {', '.join(top['shown'] for top in tops if top)}")
    yield Line(f"  {say(language, 'begins', seat=view['first_player'])}")


def move(before: TableView, after: TableView) -> Iterator[Line]:
    """Says what was done between two views of the same viewer, one move apart."""
    seat = before["to_move"]
    assert seat is not None
    told = _told(before, after, seat)
    yield Line(f"    {told}", SEATS[seat])
    if after["phase"] == "dreams" and before["phase"] != "dreams":
        yield Line(say(after["options"]["language"], "phase dreams"), HEADING)


def _told(before: TableView, after: TableView, seat: int) -> str:
    """Returns what a player did, found by what has changed."""
    language = before["options"]["language"]
    if before["phase"] == "dreams":
        return _dream(before, after, seat)
    for old, new in zip(before["vials"], after["vials"], strict=True):
        number = new["number"]
        if old["token"] != new["token"]:
            assert new["token"] is not None
            tool = tool_name(language, new["token"])
            return say(language, "uses", seat=seat, tool=tool, vial=number)
        if len(new["words"]) > len(old["words"]):
            said = "writes" if before["phase"] == "quill" else "takes"
            word = new["words"][-1]["shown"]
            return say(language, said, seat=seat, word=word, vial=number)
    swept = TOOL_WORDS[0] in before["tools"] and TOOL_WORDS[0] not in after["tools"]
    return say(language, "sweeps" if swept else "passes", seat=seat)


def _dream(before: TableView, after: TableView, seat: int) -> str:
    """Returns that a player has written a dream, and which one to those who may know it now."""
    language = before["options"]["language"]
    vial = next(vial["number"] for vial in before["vials"] if vial["asked"])
    slate = after["players"][seat]["slate"]
    if slate is None or before["viewer"] not in (None, seat):
        return say(language, "dreams secretly", seat=seat, vial=vial)
    written = slate[vial - 1][-1]
    word = written["shown"] if written else say(language, "nothing")
    return say(language, "dreams of", seat=seat, vial=vial, word=word)


def ending(view: TableView) -> Iterator[Line]:
    """Says how the game has ended."""
    language = view["options"]["language"]
    yield Line(say(language, "phase waking"), HEADING)
    for vial in view["vials"]:
        name = say(language, "vial", number=vial["number"])
        yield Line(f"  {name}: {vial_result(view, vial['number'])}")
    yield Line(f"  {headline(view)}", HEADING)
