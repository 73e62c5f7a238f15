from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from dreamfactory_env.arena import run_tournament
from dreamfactory_env.arena.config import Tournament
from tests.viewer.browser import Server, browser, quiet_page


def test_a_cell_of_a_tournament_leads_to_its_games(tmp_path: Path) -> None:
    policies = ("random", "greedy", "expert")
    folder = tmp_path / "ladder"
    options = {"components": "tiny"}
    tournament = Tournament(policies, players=2, deals=6, records=True, options=options)
    report = run_tournament(tournament, folder, processes=1)
    assert report is not None
    assert "before" in report
    with browser() as chromium, Server("view", folder, "--port", "0", cwd=tmp_path) as server:
        page = quiet_page(chromium, viewport={"width": 360, "height": 800})
        page.goto(server.links[0])
        page.set_default_timeout(60_000)
        names = report["before"]["policies"]
        cell = page.locator(".rs-matrix tbody tr").nth(0).locator("td").nth(1)
        found = report["before"]["cells"][0][1]
        assert found is not None
        expect(cell).to_have_text(f"{100 * found['value']:.1f} %", timeout=60_000)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        cell.locator("button").click()
        rows = page.locator("table.games tbody tr")
        rows.first.wait_for()
        for row in rows.all():
            for name in names[:2]:
                expect(row).to_contain_text(name)
        assert page.complaints == []  # type: ignore[attr-defined]
