"""Two people at two browsers: what each of them hears, down to the last byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.tables import Table
from dreamfactory_env.viewer.timeline import Timeline
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.browser import quiet_page
from tests.viewer.games import record_of
from tests.viewer.test_games_in_play import begun, shared_future
from tests.viewer.test_playing import served, until_mine

#: Keeps everything that the server tells a page: all of it is JSON.
HEARING = """window.heard = [];
const parse = JSON.parse;
JSON.parse = (text) => { window.heard.push(text); return parse(text); };"""


def heard(page: Page) -> tuple[list[dict[str, Any]], str]:
    """Returns what a page was told, without who was there when, and all of it as a text."""
    texts: list[str] = page.evaluate("() => window.heard")
    news = [each for each in map(json.loads, texts) if each.get("frames")]
    for each in news:
        del each["state"]["present"]
    return news, "\n".join(texts)


def play(browser: Browser, links: list[str], table: Table, actions: list[int]) -> list[Page]:
    """Lets two people click moves, each at a browser of their own; returns the pages."""
    pages = []
    for link in links:
        pages.append(quiet_page(browser))
        pages[-1].add_init_script(HEARING)
        pages[-1].goto(link)
        pages[-1].wait_for_selector(".table svg")
    for number, action in enumerate(actions, 1):
        mover = pages[table.game.to_move or 0]
        until_mine(mover)
        mover.locator(f"button.move[data-action='{action}']").click()
        for page in pages:
            page.wait_for_selector(f".table[data-at='{number}']")
    return pages


@pytest.mark.parametrize("kind", ["dream factory, 2", "faux raccords, studio", "fabrique, french"])
def test_a_browser_hears_nothing_that_is_hidden_from_its_seat(
    kind: str,
    browser: Browser,
    tmp_path: Path,
    workers: Workers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same moves at two tables that one seat cannot tell apart, but the other can."""
    monkeypatch.setattr(Table, "save", lambda *_: None)  # a redrawn game has no deal to record
    timeline, seat = Timeline.of(record_of(kind)), 0
    pairs = []
    for frame in range(1, len(timeline) - 1, max(len(timeline) // 13, 1)):
        game = timeline.at(frame)
        redrawn = game.resample_hidden(seat, 9)
        pairs.append((game, redrawn, shared_future(game, redrawn, seat)[:5]))
    game, redrawn, actions = max(pairs, key=lambda pair: len(pair[2]))
    assert actions
    tables = [
        begun(each, tmp_path / f"{k}.jsonl", PERSON, PERSON)
        for k, each in enumerate((game, redrawn))
    ]
    found = []
    with served(workers, *tables) as link:
        for table in tables:
            pages = play(browser, [link(table, 0), link(table, 1)], table, actions)
            found.append([heard(page) for page in pages])
            for page in pages:
                assert page.complaints == []  # type: ignore[attr-defined]
                page.context.close()
    (mine, text), (mine_there, _) = found[0][seat], found[1][seat]
    assert len(mine) == len(actions) + 1
    assert mine == mine_there
    assert str(timeline.start.seed) not in text
    if kind != "dream factory, 2":  # where both know the same
        assert found[0][1 - seat][0] != found[1][1 - seat][0]
