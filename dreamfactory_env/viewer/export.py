"""A game as one HTML file: table, moves and analysis inside, and nothing from any network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from functools import cached_property
from pathlib import Path
from typing import Any

from dreamfactory_env.games.game import Game
from dreamfactory_env.viewer.bundling import OUR, STATIC, bundle, source_of
from dreamfactory_env.viewer.timeline import Timeline, page_folder

#: How high a notebook shows a game, in pixels.
HEIGHT = 760

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="page"></div>
<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def game_html(
    record: dict[str, Any],
    analysis: dict[str, Any] | None = None,
    *,
    viewers: bool = True,
) -> str:
    """Returns a game as one HTML page that needs neither a server nor a network.

    Args:
        record: The game; it is verified.
        analysis: What a judge says of its decisions, see ``viewer.review``.
        viewers: Whether the page has every seat's view, too, besides the view of everything;
            without them it is smaller.

    Raises:
        GameError: The record is none of a game that this version plays.
    """
    timeline = Timeline.of(record)
    seats: list[int | None] = [None, *(range(timeline.start.players) if viewers else ())]
    timelines = {"" if seat is None else str(seat): timeline.whole(seat) for seat in seats}
    data = json.dumps(
        {"timelines": timelines, "analysis": analysis}, ensure_ascii=False, separators=(",", ":")
    )
    style, script = style_of(type(timeline.start)), script_of(type(timeline.start))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    names = ", ".join(timeline.header()["agents"])
    return _PAGE.format(
        policy=html.escape(policy),
        title=html.escape(f"{timeline.start.spec.title}: {names}"),
        style=style,
        script=script,
        # Nothing in the data can end the element that it stands in.
        data=_encodable(data).replace("<", "\\u003c"),
    )


def script_of(game_cls: type[Game]) -> str:
    """Returns the script of an exported page, with the drawing of its game."""
    source = source_of(page_folder(game_cls))
    return _inside(bundle(f"{OUR}exported.js", source), "script")


def style_of(game_cls: type[Game]) -> str:
    """Returns the style of an exported page, with that of its game."""
    folder = page_folder(game_cls)
    found = [*sorted(STATIC.glob("*.css"), reverse=True), *(folder.glob("*.css") if folder else ())]
    return _inside("\n".join(path.read_text("utf-8") for path in found), "style")


def _inside(text: str, element: str) -> str:
    """Returns a text that stands in an element, which it must not end."""
    assert f"</{element}" not in text.lower(), f"</{element} stands in a file of the page"
    return text


def _encodable(text: str) -> str:
    """Returns a text that UTF-8 can hold: JSON may have halves of characters."""
    return text.encode(errors="replace").decode()


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"sha256-{digest}"


class GamePage:
    """A game for a notebook, which shows it as a table to go through; or to be saved as a file.

    Args:
        record: The game, as ``read_records`` and ``make_record`` give it.
        analysis: What a judge says of its decisions.
    """

    def __init__(self, record: dict[str, Any], analysis: dict[str, Any] | None = None) -> None:
        self.record, self.analysis = record, analysis

    @cached_property
    def html(self) -> str:
        """The page."""
        return game_html(self.record, self.analysis)

    def save(self, path: str | Path) -> Path:
        """Writes the page to a file, and returns its path."""
        path = Path(path)
        path.write_text(self.html, "utf-8")
        return path

    def _repr_html_(self) -> str:
        """Returns the page for a notebook: in a frame of its own, which reaches nothing outside."""
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{HEIGHT}" '
            f'style="border:0" srcdoc="{html.escape(self.html)}"></iframe>'
        )
