"""La Fabrique à rêves as plain text, in the language of the game, made from a view."""

from __future__ import annotations

from dreamfactory_env.games.fabrique_a_reves.phrases import mode_name, say, scale_words, tool_name
from dreamfactory_env.games.fabrique_a_reves.view_types import (
    PlayerView,
    ReservoirView,
    TableView,
    VialView,
    WordView,
)


def board_and_moves(view: TableView) -> list[str]:
    """Returns the table as lines of text, and what the viewer may do if it is to move."""
    lines = board(view)
    if view["legal"]:
        moves = ", ".join(_move(view, words) for words in view["legal"])
        lines.append(f"  {say(_language(view), 'you may play', moves=moves)}")
    return lines


def _move(view: TableView, words: str) -> str:
    """Returns a legal move: its number, its words, and those of another language behind them."""
    shown = view["shown"].get(words)
    named = f" [{shown}]" if shown and not words.endswith(f" {shown}") else ""
    return f"{view['legal'][words]}: {words}{named}"


def board(view: TableView) -> list[str]:
    """Returns the table as lines of text.

    A word is followed by the seat that put it there, one that was written with the quill by ``*``.
    """
    language = _language(view)
    options = view["options"]
    mode = mode_name(language, options["mode"])
    lines = [
        say(language, "headline", mode=mode, players=options["players"], aim=view["aim"]),
        f"  {headline(view)}",
        *(f"  {theme}" for theme in theme_lines(view)),
        f"  {say(language, 'reservoirs')}:",
        *(f"    {_reservoir(language, reservoir)}" for reservoir in view["reservoirs"]),
        f"  {say(language, 'tools')}: {_tools(view)}",
        *(f"  {_vial(view, vial)}" for vial in view["vials"]),
    ]
    for seat, player in enumerate(view["players"]):
        lines.append(f"  {_player(view, seat, player)}")
    return lines


def _language(view: TableView) -> str:
    return view["options"]["language"]


def theme_lines(view: TableView) -> list[str]:
    """Returns the themes of the night, a line each."""
    language = _language(view)
    if not view["themes"]:
        return [say(language, "no theme")]
    return [
        say(language, "about", title=theme["title"], about=theme["about"])
        for theme in view["themes"]
    ]


def headline(view: TableView) -> str:
    """Returns who does what, or how the game has ended."""
    language, phase = _language(view), view["phase"]
    if phase == "over":
        result = view["result"]
        assert result is not None
        said = "won" if result["winners"] else "lost"
        scale = scale_words(language, result["scale"])
        return say(language, said, points=result["points"], aim=result["aim"], scale=scale)
    asked = [vial["number"] for vial in view["vials"] if vial["asked"]]
    second = " 2" if view["proposal"] == 2 else ""
    return say(language, phase + second, seat=view["to_move"], vial=asked[0] if asked else "")


def _reservoir(language: str, reservoir: ReservoirView) -> str:
    if reservoir["top"] is None:
        return f"{reservoir['number']}: {say(language, 'empty')}"
    left = say(language, "left", left=reservoir["left"])
    return f"{reservoir['number']}: {reservoir['top']['shown']} ({left})"


def _tools(view: TableView) -> str:
    language = _language(view)
    names = [tool_name(language, tool) for tool in view["tools"]]
    return ", ".join(names) or say(language, "none left")


def _vial(view: TableView, vial: VialView) -> str:
    language = _language(view)
    words = [
        f"{word['shown']}{'*' if word['written'] else ''} ({word['player']})"
        for word in vial["words"]
    ]
    line = f"{say(language, 'vial', number=vial['number'])}: {', '.join(words) or '-'}"
    if vial["token"]:
        line += f"; {tool_name(language, vial['token'])}"
    if view["result"] is not None:
        line += f"; {vial_result(view, vial['number'])}"
    elif vial["closest"]:
        closest = ", ".join(f"{dream['shown']} {dream['sum']}" for dream in vial["closest"])
        line += f"; {say(language, 'closest', words=closest)}"
    return line + (" <" if vial["asked"] else "")


def vial_result(view: TableView, number: int) -> str:
    """Returns what a vial has scored."""
    language, result = _language(view), view["result"]
    assert result is not None
    scored = result["vials"][number - 1]
    count = scored["points"]
    points = say(language, "scored 1" if count == 1 else "scored", points=count)
    if scored["dream"] is None:
        return f"{say(language, 'unequal')}, {points}"
    players = len(view["players"])
    shown = _in_language(view, number, scored["dream"])
    equal = say(language, "equal", group=scored["group"], players=players, dream=shown)
    return f"{equal}, {points}"


def _in_language(view: TableView, number: int, dream: str) -> str:
    """Returns a dream that somebody has written for a vial, in the language of the game."""
    for player in view["players"]:
        for written in (player["slate"] or [])[number - 1]:
            if written is not None and written["word"] == dream:
                return written["shown"]
    raise ValueError(f"nobody has written {dream!r}")


def _player(view: TableView, seat: int, player: PlayerView) -> str:
    language = _language(view)
    facts = []
    if view["first_player"] == seat:
        facts.append(say(language, "began"))
    if player["passed"]:
        facts.append(say(language, "passed"))
    if view["phase"] in ("dreams", "over"):
        doubt = any(vial["token"] == "doubt" for vial in view["vials"])
        asked = len(view["vials"]) + doubt
        facts.append(say(language, "decided", decided=player["decided"], asked=asked))
    if player["slate"] and player["decided"]:
        facts.append(slate_words(language, player["slate"]))
    name = say(language, "you") if view["viewer"] == seat else say(language, "player", seat=seat)
    return f"{name}: {'; '.join(facts) or '-'}"


def slate_words(language: str, slate: list[list[WordView | None]]) -> str:
    """Returns what stands on a slate, vial by vial."""
    parts = []
    for number, written in enumerate(slate, 1):
        if written:
            words = [dream["shown"] if dream else say(language, "nothing") for dream in written]
            parts.append(f"{number} {' / '.join(words)}")
    return ", ".join(parts)
