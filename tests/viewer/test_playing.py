"""Games played in a real browser: by clicks, by keys, by two people, through a crash."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from dreamfactory_env import DreamFactory, FabriqueAReves, FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.files import RecordWriter, read_records
from dreamfactory_env.records.format import make_record, replay
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.people import PERSON
from dreamfactory_env.viewer.security import TOKEN
from dreamfactory_env.viewer.tables import Manners, Table, Tables
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.browser import Server, quiet_page
from tests.viewer.games import record_of
from tests.viewer.running import running

CLICKER = (Path(__file__).parent / "clicker.js").read_text("utf-8")
QUICK = Manners(pace=0.0)
#: In milliseconds; a machine may be busy.
PATIENCE = 300_000


@contextmanager
def served(workers: Workers, *tables: Table) -> Iterator[Callable[[Table, int], str]]:
    """Serves tables; gives what makes the link of a seat."""
    site = Site(None, Tables(workers), "x")
    for table in tables:
        site.tables.add(table)
    with running(site) as address:
        yield lambda table, seat: f"{address}/#seat={table.tokens[seat]}"


def at(page: Page) -> int:
    return int(page.locator(".table").get_attribute("data-at") or 0)


def until_after(page: Page, frame: int) -> None:
    page.wait_for_selector(f".table[data-at]:not([data-at='{frame}'])", timeout=PATIENCE)


def until_mine(page: Page) -> None:
    page.wait_for_selector(".status.mine", timeout=PATIENCE)


def finish(*pages: Page) -> list[dict[str, Any]]:
    """Clicks until the game is over; returns how it was clicked."""
    for number, page in enumerate(pages):
        page.wait_for_selector(".table svg")
        page.evaluate(CLICKER, 7 + number)
    for page in pages:
        page.wait_for_selector(".ending .told-end", timeout=PATIENCE)
    return [page.evaluate("() => window.clicks") for page in pages]


GAMES: dict[str, tuple[Callable[[], Game], str]] = {
    "dream factory, 2": (lambda: DreamFactory(2, seed=5), "greedy"),
    "dream factory, 4": (lambda: DreamFactory(4, seed=5), "greedy"),
    "dream factory, 5": (lambda: DreamFactory(5, seed=5, choose_studio=True), "random"),
    **{
        f"faux raccords, {mode}": (
            partial(FauxRaccords, players, mode=mode, seed=5),
            "random",
        )
        for mode, players in (
            *(("tutorial", 2), ("feature", 2), ("shorts", 3)),
            *(("series", 2), ("arcs", 4), ("studio", 2)),
        )
    },
    "fabrique": (lambda: FabriqueAReves(3, mode="saturday", seed=5), "nearest"),
}


@pytest.mark.parametrize("kind", GAMES)
def test_a_whole_game_is_played_by_clicking(
    kind: str, browser: Browser, tmp_path: Path, workers: Workers
) -> None:
    make, policy = GAMES[kind]
    start = make()
    path = tmp_path / "game.jsonl"
    seat = start.to_move or 0
    agents = [PERSON if each == seat else policy for each in range(start.players)]
    table = Table.begin(start, agents, path, QUICK)
    with served(workers, table) as link:
        page = quiet_page(browser)
        page.goto(link(table, seat))
        (clicks,) = finish(page)
        assert clicks["table"] > 0
        (record,) = read_records(path)
        game = replay(record)
        # What is given at the end is told one by one, and then the score.
        told = page.locator(".told-end li")
        expect(told).to_have_count(1)
        page.get_by_role("button", name="Show all").click()
        assert told.count() > 1
        everything = " ".join(told.all_text_contents())
        shown = game.scores() if not game.spec.shared else game.scores()[:1]
        if kind.startswith("dream"):
            for points in shown:
                assert f"= {points}." in everything
        # Everything can be looked at now.
        page.get_by_role("button", name="Look at the whole game").click()
        page.wait_for_selector(".watch .table[data-at='0']")
        page.keyboard.press("End")
        page.wait_for_selector(f".watch .table[data-at='{len(record['moves'])}']")
        page.get_by_role("button", name="Back to the game").click()
        page.wait_for_selector(".play .ending")
        assert page.complaints == []  # type: ignore[attr-defined]
        page.context.close()


def test_two_people_play_in_two_browsers(
    browser: Browser, tmp_path: Path, workers: Workers
) -> None:
    start = FabriqueAReves(2, seed=3)
    table = Table.begin(start, [PERSON, PERSON], tmp_path / "game.jsonl", QUICK)
    with served(workers, table) as link:
        pages = [quiet_page(browser) for _ in range(2)]
        for seat, page in enumerate(pages):
            page.goto(link(table, seat))
        expect(pages[0].locator(".who .away")).to_have_count(0)
        mover = start.to_move
        assert mover is not None
        until_mine(pages[mover])
        assert pages[1 - mover].locator(".can").count() == 0
        assert pages[1 - mover].locator("button.move").count() == 0
        finish(*pages)
        (record,) = read_records(table.path)
        replay(record)
        for page in pages:
            assert page.complaints == []  # type: ignore[attr-defined]
            page.context.close()


def placing_position(path: Path) -> tuple[Game, int]:
    """Writes a game of people up to a tile that can be placed; returns it and who places."""
    record = record_of("dream factory, 2")
    start = DreamFactory.from_config(record["config"], seed=record["seed"])
    game, actions = start.copy(), []
    for _, action, _ in record["moves"]:
        words = game.legal()
        if game.phase == "placing" and any(each.startswith("place") for each in words):
            break
        game.play(action)
        actions.append(action)
    with RecordWriter(path) as writer:
        writer.write(make_record(start, actions, [PERSON, PERSON]))
    assert game.to_move is not None
    return game, game.to_move


@pytest.mark.parametrize("how", ["drag", "click", "touch", "keys"])
def test_a_tile_is_placed(how: str, browser: Browser, tmp_path: Path, workers: Workers) -> None:
    path = tmp_path / "game.jsonl"
    _, seat = placing_position(path)
    table = Table.resume(path, 0.0)
    before = len(table.actions)
    with served(workers, table) as link:
        phone = {"viewport": {"width": 390, "height": 800}, "has_touch": True}
        tall = {"viewport": {"width": 1280, "height": 1700}}
        page = quiet_page(browser, **(phone if how == "touch" else tall))
        page.goto(link(table, seat))
        until_mine(page)
        hand = page.locator(".can[data-part^='hand']").first
        if how == "keys":
            for _ in range(60):
                page.keyboard.press("Tab")
                if page.evaluate("() => document.activeElement.dataset.part ?? ''"):
                    break
            page.keyboard.press("Enter")
            expect(page.locator(".status")).to_have_text("Now choose where.")
            page.keyboard.press("ArrowRight")
            assert page.evaluate("() => document.activeElement.classList.contains('can')")
            page.keyboard.press("Enter")
        else:
            hand.scroll_into_view_if_needed()
            if how == "drag":
                box = hand.bounding_box()
                assert box is not None
                page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                page.mouse.down()
                page.mouse.move(box["x"] + 40, box["y"] + 60, steps=4)
                goal = page.locator(".can[data-part^='space']").first.bounding_box()
                assert goal is not None
                page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2)
                page.mouse.up()
            else:
                act = "tap" if how == "touch" else "click"
                getattr(hand, act)()
                getattr(page.locator(".can[data-part^='space']").first, act)()
        until_after(page, before)
        assert table.record()["moves"][-1][2].startswith("place")
        assert page.complaints == []  # type: ignore[attr-defined]
        page.context.close()


def test_a_game_is_played_by_keys_alone_and_taken_back(
    browser: Browser, tmp_path: Path, workers: Workers
) -> None:
    start = DreamFactory(2, seed=1)
    manners = Manners(take_back=True, pace=0.0)
    table = Table.begin(start, [PERSON, "greedy"], tmp_path / "game.jsonl", manners)
    with served(workers, table) as link:
        page = quiet_page(browser)
        page.goto(link(table, 0))
        until_mine(page)
        frame = at(page)
        page.keyboard.press("p")
        until_after(page, frame)
        words = [move[2] for move in table.record()["moves"] if move[0] == 0]
        assert words[0] == "pass"
        until_mine(page)
        expect(page.locator(".told-now .sentence").last).to_contain_text("player 1")
        page.get_by_role("button", name="Take back").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f".table[data-at='{frame}']")
        until_mine(page)
        assert len(table.actions) == frame
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("Keys")
        page.keyboard.press("Escape")
        # The rules stand beside the table, where one plays on.
        page.get_by_role("button", name="Rules").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Auctions")
        page.keyboard.press("p")
        until_after(page, frame)
        expect(page.get_by_role("dialog")).to_contain_text("Auctions")
        page.get_by_role("button", name="Close").focus()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.complaints == []  # type: ignore[attr-defined]
        page.context.close()


def test_a_game_goes_on_after_the_server_was_killed_and_the_page_reloaded(
    browser: Browser, tmp_path: Path
) -> None:
    words = ("--players", "2", "--with", "greedy", "--pace", "0", "--seed", "5")
    server = Server("play", *words, "--port", "0", "--out", "game.jsonl", cwd=tmp_path)
    port = server.port
    page = quiet_page(browser)
    page.goto(server.links[0])
    for _ in range(3):
        until_mine(page)
        frame = at(page)
        page.locator("button.move").first.click()
        until_after(page, frame)
    until_mine(page)
    frame = at(page)
    server.kill()
    expect(page.locator(".problem")).to_contain_text("goes on by itself", timeout=PATIENCE)
    (record,) = read_records(tmp_path / "game.jsonl")
    assert len(record["moves"]) == frame
    resumed = ("--resume", "game.jsonl", "--pace", "0", "--port", port)
    with Server("play", *resumed, cwd=tmp_path) as again:
        assert again.links == server.links
        expect(page.locator(".problem")).to_have_count(0, timeout=PATIENCE)
        until_mine(page)
        assert at(page) == frame
        page.locator("button.move").first.click()
        until_after(page, frame)
        page.reload()
        until_mine(page)
        assert at(page) > frame
        refused = Server.said_by("play", "--resume", "game.jsonl", cwd=tmp_path)
        assert "is being written by" in refused
        page.context.close()
    (record,) = read_records(tmp_path / "game.jsonl")
    assert len(record["moves"]) > frame


@pytest.mark.parametrize(("language", "words"), [("en", "A reservoir"), ("fr", "Un réservoir")])
def test_what_has_the_focus_says_what_it_is(
    language: str, words: str, browser: Browser, tmp_path: Path, workers: Workers
) -> None:
    game = FabriqueAReves(2, language=language, seed=5)
    table = Table.begin(game, [PERSON, PERSON], tmp_path / "game.jsonl", QUICK)
    with served(workers, table) as link:
        page = quiet_page(browser)
        page.goto(link(table, game.to_move or 0))
        until_mine(page)
        thing = page.locator(".table .can[data-kind='reservoir']").first
        expect(page.locator(".tip")).to_be_hidden()
        thing.focus()
        expect(page.locator(".tip")).to_contain_text(words)
        expect(page.locator(".tip")).to_be_visible()
        page.evaluate("() => document.activeElement.blur()")
        expect(page.locator(".tip")).to_be_hidden()
        page.context.close()


@pytest.mark.parametrize("pace", [0.0, 1.5])
def test_a_policy_takes_at_least_its_pace(pace: float, tmp_path: Path) -> None:
    words = ("play", "--players", "3", "--with", "greedy", "--seed", "5", "--pace", str(pace))
    waits: list[float] = []
    with Server(*words, "--port", "0", cwd=tmp_path) as server:
        token = {TOKEN: server.links[0].split("seat=")[1]}
        with httpx.Client(base_url=server.links[0].split("#")[0], headers=token) as client:
            # A wait begins with the last question that did not show the move before, at the latest.
            frames, since, unseen = 0, time.monotonic(), time.monotonic()
            deadline = since + 120
            while len(waits) < 4 and time.monotonic() < deadline:
                asked = time.monotonic()
                found = client.get("/api/table?first=999999").json()
                view = found["frames"][-1]["view"]
                if found["state"]["frames"] > frames + 1:
                    waits.append(time.monotonic() - since)
                    frames, since = found["state"]["frames"] - 1, unseen
                unseen = asked
                if view["to_move"] != view["viewer"]:
                    time.sleep(0.03)
                    continue
                since = time.monotonic()
                move = {"action": next(iter(view["legal"].values())), "at": frames}
                played = client.post("/api/table/play", json={**move, "revision": 0})
                assert played.status_code == 200, played.text
                frames += 1
    assert len(waits) == 4
    if pace:
        assert min(waits) > pace - 0.2  # it is looked at every now and then
    else:
        assert min(waits) < 0.5


def test_a_slow_policy_blocks_no_click(browser: Browser, tmp_path: Path) -> None:
    """While one table waits for a search of a minute, another is played."""
    slow = DreamFactory(2, seed=1)
    quick = DreamFactory(2, seed=1)
    agents = ["mcts:60s", "mcts:60s"]
    agents[1 - (slow.to_move or 0)] = PERSON
    with Workers(2) as workers:
        tables = [
            Table.begin(slow, agents, tmp_path / "slow.jsonl", QUICK),
            Table.begin(quick, [PERSON, "greedy"], tmp_path / "quick.jsonl", QUICK),
        ]
        with served(workers, *tables) as link:
            page = quiet_page(browser)
            page.goto(link(tables[1], 0))
            begin = time.monotonic()
            for _ in range(4):
                until_mine(page)
                frame = at(page)
                page.locator("button.move").first.click()
                until_after(page, frame)
            assert time.monotonic() - begin < 50
            assert tables[0].actions == []
            page.context.close()
