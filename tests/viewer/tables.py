"""Positions of random games as a page gets them, and a page that draws them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, Route

from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game
from tests.paths import ROOT
from tests.viewer.browser import quiet_page

ADDRESS = "http://table.test"
STATIC = ROOT / "dreamfactory_env" / "viewer" / "static"
KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
#: The page forbids what the served page forbids.
POLICY = "default-src 'self'"
#: A random player who ends a game only seldom sees more of it.
HASTY = ("end", "pass", "no effect")


class Position(NamedTuple):
    """A position of a game, and the move that has led to it."""

    game: Game
    last: dict[str, Any] | None


def random_game(name: str, players: int, seed: int, **options: Any) -> Iterator[Position]:
    """Plays a game at random and gives its positions; each is played on, so look at once."""
    game = GAMES[name](players=players, seed=seed, **options)
    rng = random.Random(seed)
    last = None
    while True:
        yield Position(game, last)
        legal = game.legal_actions()
        if not legal:
            return
        patient = [words for words in legal if words not in HASTY]
        words = rng.choice(patient if patient and rng.random() < 0.97 else list(legal))
        last = {"seat": game.to_move, "action": legal[words], "words": words}
        game.play(legal[words])


def last_of(name: str, players: int, seed: int, **options: Any) -> Position:
    """Returns the end of a random game."""
    *_, end = random_game(name, players, seed, **options)
    return end


def table_page(browser: Browser, scheme: str = "light") -> Page:
    """Returns a page that can import the drawings, and complains as the served page would."""
    page = quiet_page(
        browser, color_scheme=scheme, viewport={"width": 1400, "height": 1000}, bypass_csp=False
    )
    page.route("**/*", _answer)
    page.goto(f"{ADDRESS}/")
    return page


def _answer(route: Route) -> None:
    path = route.request.url.removeprefix(ADDRESS)
    if path == "/":
        links = "".join(f'<link rel="stylesheet" href="/games/{name}/table.css">' for name in GAMES)
        style = '<link rel="stylesheet" href="/static/style.css">'
        body = f'<!doctype html><html lang="en"><head><title>table</title>{style}{links}</head>'
        headers = {"Content-Security-Policy": POLICY}
        text = f'{body}<body><div id="place"></div></body></html>'
        route.fulfill(body=text, content_type="text/html", headers=headers)
        return
    file = _file_at(path)
    if file is None or not file.is_file():
        route.fulfill(status=404)
        return
    route.fulfill(body=file.read_text("utf-8"), content_type=KINDS[file.suffix])


def _file_at(path: str) -> Path | None:
    """Returns the file of an address, as the server has it."""
    match path.strip("/").split("/"):
        case ["static", name]:
            return STATIC / name
        case ["games", game, name]:
            page = GAMES[game].page
            return None if page is None else page / name
        case ["checks.js"]:
            return Path(__file__).with_name("table_checks.js")
    return None
