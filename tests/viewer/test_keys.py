"""Whole games played with the keys of a real browser, and with nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dreamfactory_env import DreamFactory, FabriqueAReves, FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.format import replay
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.tables import Table
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.browser import quiet_page
from tests.viewer.test_playing import PATIENCE, QUICK, served

GAMES: dict[str, tuple[Game, str]] = {
    "dream factory": (DreamFactory(2, seed=4), "greedy"),
    "faux raccords": (FauxRaccords(2, mode="tutorial", seed=4), "random"),
    "fabrique": (FabriqueAReves(2, seed=4), "nearest"),
}
#: What has the focus: a part of the table, a button of a move, the field to find one, or nothing.
FOCUS = """() => {
  const it = document.activeElement;
  if (it.matches(".table .can")) return "part";
  if (it.matches("button.move")) return "button";
  return it.matches(".moves input") ? "field" : "";
}"""
MINE_OR_OVER = ".status.mine, .ending .told-end"


def play_on(page: Page, rng: random.Random) -> None:
    """Goes to something that can be played by Tab, to another one by arrows, and chooses it."""
    presses = 0
    while not (focus := page.evaluate(FOCUS)):
        if not page.locator(".status.mine").count():
            return  # the move before is on its way
        page.keyboard.press("Tab")
        presses += 1
        assert presses < 200, "nothing that can be played is reached by Tab"
    if focus == "part":
        for _ in range(rng.randrange(4)):
            page.keyboard.press("ArrowRight")
    elif focus == "field":
        page.keyboard.type("e")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("kind", GAMES)
def test_a_whole_game_is_played_by_keys_alone(
    kind: str, browser: Browser, tmp_path: Path, workers: Workers
) -> None:
    start, policy = GAMES[kind]
    path, seat = tmp_path / "game.jsonl", start.to_move or 0
    agents = [PERSON if each == seat else policy for each in range(start.players)]
    table = Table.begin(start, agents, path, QUICK)
    rng = random.Random(1)
    with served(workers, table) as link:
        page = quiet_page(browser)
        page.goto(link(table, seat))
        while True:
            page.wait_for_selector(MINE_OR_OVER, timeout=PATIENCE)
            if page.locator(".ending .told-end").count():
                break
            play_on(page, rng)
        # What is given at the end is told one by one, by keys, too.
        following = page.get_by_role("button", name="Next", exact=True)
        while following.is_visible():
            while not following.evaluate("each => each === document.activeElement"):
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        expect(page.locator(".told-end li").last).to_be_visible()
        assert page.complaints == []  # type: ignore[attr-defined]
        page.context.close()
    (record,) = read_records(path)
    assert replay(record).over
