"""Every screen, light and dark, on a phone and on a desk: what axe finds, and what is too wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.viewer.analysis_routes import routes
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.library import Library
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.results import results_of
from dreamfactory_env.viewer.tables import Manners, Table, Tables
from dreamfactory_env.viewer.workers import Workers
from tests.paths import ROOT
from tests.viewer.browser import quiet_page
from tests.viewer.games import game_of, record_of
from tests.viewer.running import running

KINDS = ["dream factory, 2", "faux raccords, series", "fabrique"]
BENCHMARKS = [
    ROOT / "docs" / game / "benchmark.json" for game in ("dream_factory", "faux_raccords")
]
#: Shows a page, and gives a screen with a name to be looked at.
Look = Callable[[str], None]


@pytest.fixture(params=[("light", 360), ("dark", 1280)], ids=["phone", "desk"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    scheme, width = request.param
    page = quiet_page(browser, color_scheme=scheme, viewport={"width": width, "height": 800})
    yield page
    assert page.complaints == []  # type: ignore[attr-defined]
    page.context.close()


@pytest.fixture
def look(page: Page) -> Iterator[Look]:
    """Looks at a screen; at the end says what is wrong with any."""
    wrong: list[str] = []

    def look(name: str) -> None:
        for each in Axe().run(page).response["violations"]:
            for node in each["nodes"][:2]:
                told = f"{node['html'][:200]} {node['failureSummary'][:300]}"
                wrong.append(f"{name}: {each['id']}: {each['help']}: {told}")
        wide = page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth")
        if wide > 0:
            wrong.append(f"{name}: {wide} pixels too wide")

    yield look
    assert not wrong, "\n".join(wrong)


def test_games_are_watched(page: Page, look: Look, tmp_path: Path, workers: Workers) -> None:
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        for kind in KINDS:
            writer.write(record_of(kind))
    site = Site(Library([tmp_path / "games.jsonl"]), Tables(), "token")
    site.more = routes(site, workers)
    with running(site) as address:
        page.goto(f"{address}/#token=token")
        page.wait_for_selector("table.games tbody td")
        look("list")
        for number, kind in enumerate(KINDS, 1):
            page.goto(f"{address}/#game={number}&move=12")
            page.wait_for_selector(".table[data-at='12'] svg")
            page.wait_for_selector(".log [aria-current]")
            look(kind)
        page.get_by_role("button", name="Rules").click()
        page.wait_for_selector("dialog .rules")
        look("rules")


@pytest.mark.parametrize("kind", KINDS)
def test_games_are_played(
    kind: str, page: Page, look: Look, tmp_path: Path, workers: Workers
) -> None:
    start, record = game_of(kind), record_of(kind)
    people = [PERSON] * start.players
    begun = Table.begin(start, people, tmp_path / "begun.jsonl", Manners(True, False, 0.0))
    with RecordWriter(tmp_path / "over.jsonl") as writer:
        writer.write({**record, "agents": people})
    over = Table.resume(tmp_path / "over.jsonl", 0.0)
    site = Site(None, Tables(workers), "x")
    for table in (begun, over):
        site.tables.add(table)
    with running(site) as address:
        page.goto(f"{address}/#seat={begun.tokens[start.to_move or 0]}")
        page.wait_for_selector(".status.mine")
        look("play")
        page.keyboard.press("?")
        look("keys")
        page.keyboard.press("Escape")
        page.goto(f"{address}/#seat={over.tokens[0]}")
        page.get_by_role("button", name="Show all").click()
        look("end")


def test_results_are_read(page: Page, look: Look, tmp_path: Path) -> None:
    results: Any = [results_of(path) for path in BENCHMARKS]
    with running(Site(Library([]), Tables(), "token", results=results)) as address:
        page.goto(f"{address}/#token=token&results=1")
        page.wait_for_selector(".rs-matrix")
        look("results")


def test_a_link_without_a_token_is_told_of(page: Page, look: Look) -> None:
    with running(Site(Library([]), Tables(), "token")) as address:
        page.goto(address)
        page.wait_for_selector(".problem")
        look("no token")
