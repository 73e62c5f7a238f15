"""Games watched in a real browser: to the end, by keys, as a file, on a phone, and hostile ones."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.viewer import GamePage, game_html
from dreamfactory_env.viewer.analysis_routes import routes
from dreamfactory_env.viewer.app import Site
from dreamfactory_env.viewer.difference import difference
from dreamfactory_env.viewer.library import Library
from dreamfactory_env.viewer.tables import Tables
from dreamfactory_env.viewer.workers import Workers
from tests.viewer.browser import quiet_page
from tests.viewer.games import record_of
from tests.viewer.running import running

KINDS = ["dream factory, 2", "faux raccords, series", "fabrique"]
TOKEN = "token-of-the-library"
SCRIPT = "</script><script>window.hurt=1</script><img src=x onerror='window.hurt=1'>"


def hostile_record() -> dict[str, Any]:
    names = [f"{SCRIPT}{'A' * 5000}", "\u202e\x1b[2J" + "é" * 3000]
    return {**record_of("dream factory, 2"), "agents": names}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, workers: Workers) -> Iterator[str]:
    path = tmp_path_factory.mktemp("watch") / "games.jsonl"
    with RecordWriter(path) as writer:
        for kind in KINDS:
            writer.write(record_of(kind))
        writer.write(hostile_record())
        writer.write({**record_of("fabrique"), "game": SCRIPT})
    with path.open("ab") as file:
        file.write(SCRIPT.encode() + b"\n")
    library = Library([path])
    library.wait()
    site = Site(library, Tables(), TOKEN)
    site.more = routes(site, workers)
    with running(site) as found:
        yield found


def opened(browser: Browser, address: str, where: str = "", **context: Any) -> Page:
    page = quiet_page(browser, **context)
    page.goto(f"{address}/#token={TOKEN}{where}")
    return page


def close(page: Page) -> None:
    assert page.complaints == []  # type: ignore[attr-defined]
    assert page.evaluate("() => window.hurt") is None
    page.context.close()


def at(page: Page, frame: int) -> None:
    page.wait_for_selector(f".table[data-at='{frame}'] svg")


def numbers(page: Page) -> list[int]:
    return [int(each) for each in re.findall(r"-?\d+", page.locator(".caption").inner_text())]


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_stepped_through_to_its_end(kind: str, browser: Browser, address: str) -> None:
    record = record_of(kind)
    last = len(record["moves"])
    page = opened(browser, address, f"&game={KINDS.index(kind) + 1}")
    at(page, 0)
    page.wait_for_selector(f".log li:nth-child({last + 1}) button")
    for frame in range(1, 6):
        page.keyboard.press("ArrowRight")
        at(page, frame)
    page.keyboard.press("End")
    at(page, last)
    result = record["result"]
    found = numbers(page)
    if kind.startswith("dream"):
        assert [number for number in found if number in result["scores"]] == result["scores"]
    else:
        assert result.get("points", result.get("score")) in found
    assert "aria-current" in page.locator(".log li:last-child").inner_html()
    close(page)


def test_a_page_with_a_whole_game_is_small_on_the_wire(browser: Browser, address: str) -> None:
    """All that a browser is sent for a game that it has never seen."""
    page = quiet_page(browser)
    loaded: list[Request] = []
    page.on("requestfinished", lambda request: loaded.append(request))
    page.goto(f"{address}/#token={TOKEN}&game=1")
    page.wait_for_selector(f".log li:nth-child({len(record_of(KINDS[0])['moves']) + 1}) button")
    page.wait_for_load_state("networkidle")
    names = {request.url.removeprefix(address).split("?")[0] for request in loaded}
    assert names >= {"/", "/static/page.js", "/games/dream_factory/drawing.js", "/api/games/1"}
    assert sum(request.sizes()["responseBodySize"] for request in loaded) < 120_000
    close(page)


def test_both_languages_put_differences_back_alike(browser: Browser, address: str) -> None:
    rng = random.Random(5)

    def plain(depth: int) -> Any:
        kind = rng.randrange(6 if depth else 4)
        if kind == 4:
            return [plain(depth - 1) for _ in range(rng.randrange(4))]
        if kind == 5:
            keys = rng.sample(["a", "b", "__proto__", "constructor", "é"], rng.randrange(4))
            return {key: plain(depth - 1) for key in keys}
        return rng.choice([None, True, 0, 1, "", "x", "__proto__"])

    cases = []
    for _ in range(3000):
        old = plain(4)
        new = json.loads(json.dumps(old)) if rng.random() < 0.5 else plain(4)
        if isinstance(new, dict) and new:
            new[rng.choice(list(new))] = plain(2)
        cases.append([json.dumps(old), json.dumps(difference(old, new)), json.dumps(new)])
    page = opened(browser, address)
    wrong = page.evaluate(
        """async (cases) => {
          const { changed } = await import("/static/difference.js");
          const texts = (each) => JSON.stringify(JSON.parse(each));
          return cases.filter(([old, changes, now]) => {
            const before = JSON.parse(old);
            const found = JSON.stringify(changed(before, JSON.parse(changes)));
            return found !== texts(now) || JSON.stringify(before) !== texts(old);
          });
        }""",
        cases,
    )
    assert wrong == []
    close(page)


def test_keys_slider_moves_chart_and_links_go_through_a_game(
    browser: Browser, address: str
) -> None:
    record = record_of(KINDS[0])
    last = len(record["moves"])
    page = opened(browser, address, "&game=1&move=57")
    at(page, 57)
    page.wait_for_selector(f".log li:nth-child({last + 1}) button")
    for key, frame in (("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("End", last)):
        page.keyboard.press(key)
        at(page, frame)
    page.keyboard.press("Home")
    page.keyboard.press("r")
    page.wait_for_selector(".log [aria-current] .heading:has-text('Round 2')")
    page.keyboard.press("Shift+R")
    at(page, 0)
    page.get_by_label("Next decision of").select_option("1")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("d")
    place = int(page.locator(".table").get_attribute("data-at") or 0)
    assert record["moves"][place][0] == 1
    page.locator(".log li:nth-child(31) button").click()
    at(page, 30)
    box = page.locator(".chart svg").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 20)
    at(page, last)
    page.locator(".slider").focus()
    page.keyboard.press("Home")
    at(page, 0)
    page.wait_for_url(re.compile("#game=1&move=0$"))
    page.locator("h1").click()
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector(".table:not([data-at='0'])")
    page.get_by_role("button", name="Pause").click()
    # One seat's view, by key; what is hidden is hidden, and the address says so.
    page.keyboard.press("v")
    expect(page.locator("select.viewer")).to_have_value("0")
    page.wait_for_url(re.compile("&view=0$"))
    page.reload()
    page.wait_for_selector(".table svg")
    expect(page.locator("select.viewer")).to_have_value("0")
    page.get_by_role("link", name="All games").click()
    page.wait_for_selector("table.games")
    close(page)


#: Counts what moves on a page.
COUNTING = """window.moved = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  window.moved += 1;
  return animate.apply(this, how);
};"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_game_plays_by_itself_and_things_move_unless_somebody_does_not_want_that(
    motion: str, browser: Browser, address: str
) -> None:
    page = quiet_page(browser, reduced_motion=motion)
    page.add_init_script(COUNTING)
    page.goto(f"{address}/#token={TOKEN}&game=1&move=3")
    at(page, 3)
    page.wait_for_selector(".log [aria-current]")
    assert page.get_by_label("Speed").locator("option").count() == 5
    page.get_by_label("Speed").select_option("8")
    page.locator(".table").click(position={"x": 3, "y": 3})
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_function("() => Number(document.querySelector('.table').dataset.at) >= 20")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert (page.evaluate("() => window.moved") > 0) == (motion == "no-preference")
    close(page)


def test_the_list_is_filtered_and_sorted(browser: Browser, address: str) -> None:
    page = opened(browser, address)
    rows = page.locator("table.games tbody tr")
    expect(rows).to_have_count(6)
    page.locator("select[name=game]").select_option(label="La Fabrique à rêves")
    expect(rows).to_have_count(1)
    team = record_of("fabrique")["result"]["points"]
    expect(rows.first.locator(".col-points")).to_have_text(str(team))
    page.get_by_role("button", name="Clear").click()
    expect(rows).to_have_count(6)
    page.get_by_label("Somebody called").fill("greedy")
    expect(rows).to_have_count(1)
    page.get_by_label("Somebody called").fill("nobody at all")
    expect(page.locator("table.games")).to_contain_text("No game is like that.")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Moves", exact=True).click()
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Moves")
    expect(rows.first.locator(".col-moves")).to_have_text(
        str(len(record_of("dream factory, 2")["moves"]))
    )
    rows.first.locator(".col-game").click()
    page.wait_for_selector(".table svg")
    close(page)


def test_hostile_records_are_shown_safely_or_refused(browser: Browser, address: str) -> None:
    page = opened(browser, address)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.wait_for_selector("table.games tbody tr")
    assert page.locator("table.games img").count() == 0
    page.goto(f"{address}/#game=4&move=9999")
    at(page, len(record_of("dream factory, 2")["moves"]))
    assert page.locator("main img").count() == 0
    for number, words in ((5, "unknown game"), (6, "not a JSON object"), (77, "there are games")):
        page.goto(f"{address}/#game={number}")
        expect(page.locator(".problem")).to_contain_text(words)
    complaints: list[str] = page.complaints  # type: ignore[attr-defined]
    assert all("400" in each for each in complaints)
    complaints.clear()
    close(page)


# ---------------------------------------------------------------------------- one file


@pytest.mark.parametrize("record", [*map(record_of, KINDS), hostile_record()], ids=[*KINDS, "evil"])
def test_an_exported_game_needs_nothing(
    record: dict[str, Any], browser: Browser, tmp_path: Path
) -> None:
    path = GamePage(record).save(tmp_path / "game.html")
    page = quiet_page(browser)
    page.context.set_offline(True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    at(page, 0)
    page.keyboard.press("End")
    at(page, len(record["moves"]))
    page.keyboard.press("v")
    expect(page.locator("select.viewer")).to_have_value("0")
    at(page, len(record["moves"]))
    assert all(url.startswith(("file:", "data:")) for url in asked)
    assert asked.count(path.as_uri()) == 1
    close(page)


def test_a_link_into_an_exported_game_names_a_move_and_a_view(
    browser: Browser, tmp_path: Path
) -> None:
    record = record_of("dream factory, 2")
    path = GamePage(record).save(tmp_path / "game.html")
    page = quiet_page(browser)
    page.goto(f"{path.as_uri()}#move=30&view=0")
    at(page, 30)
    expect(page.locator("select.viewer")).to_have_value("0")
    assert page.url.endswith("#move=30&view=0")
    page.keyboard.press("v")
    page.wait_for_url("**/game.html#move=30&view=1")
    page.goto("about:blank")
    page.goto(f"{path.as_uri()}#move=30&view=9")  # there is nobody
    at(page, 30)
    expect(page.locator("select.viewer")).to_have_value("")
    alone = tmp_path / "alone.html"
    alone.write_text(game_html(record, viewers=False), "utf-8")
    page.goto(f"{alone.as_uri()}#move=3&view=1")
    at(page, 3)
    assert page.url.endswith("#move=3")
    close(page)


def test_the_page_of_a_notebook_reaches_nothing(browser: Browser) -> None:
    page = quiet_page(browser)
    page.set_content(GamePage(record_of("fabrique"))._repr_html_())
    frame = page.frame_locator("iframe")
    expect(frame.locator(".table svg")).to_be_visible()
    assert page.locator("iframe").get_attribute("sandbox") == "allow-scripts"
    page.context.close()


def test_an_export_has_no_script_but_its_own() -> None:
    text = game_html(hostile_record())
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


@pytest.mark.parametrize(
    ("kind", "words", "rule"),
    [
        ("fabrique", "A vial", "you put words into vials"),
        ("fabrique, french", "Une fiole", "vous remplissez des fioles de mots"),
    ],
)
def test_help_says_what_each_thing_is_in_the_language_of_the_game(
    kind: str, words: str, rule: str, browser: Browser, tmp_path: Path
) -> None:
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        writer.write(record_of(kind))
    with running(Site(Library([tmp_path / "games.jsonl"]), Tables(), TOKEN)) as address:
        page = quiet_page(browser)
        page.goto(f"{address}/#token={TOKEN}&game=1&move=1")
        page.locator(".table [data-kind='vial'] > text").first.hover()
        expect(page.locator(".tip")).to_be_visible()
        expect(page.locator(".tip")).to_contain_text(words)
        page.mouse.move(0, 0)
        expect(page.locator(".tip")).to_be_hidden()
        page.get_by_role("button", name="Rules").click()
        expect(page.locator("dialog .rules li").filter(has_text=words).first).to_be_visible()
        expect(page.locator("dialog .rules p").first).to_contain_text(rule)
        page.context.close()
