from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from dreamfactory_env.records.files import RecordWriter
from dreamfactory_env.viewer.export import game_html
from tests.viewer.browser import Server, browser, quiet_page
from tests.viewer.games import record_of
from tests.viewer.judged_games import short_record, short_review
from tests.viewer.test_questions import position, run_code


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "review.html"
    path.write_text(game_html(short_record(), short_review().analysis), "utf-8")
    return path


def opened(chromium: Browser, file: Path, move: int, **context: Any) -> Page:
    """Opens the page of the review at a move, from the disk and without a network."""
    page = quiet_page(chromium, offline=True, **context)
    page.goto(f"{file.as_uri()}#move={move}")
    page.locator(".rv-body > *").first.wait_for()
    return page


def decisions() -> dict[int, dict[str, Any]]:
    return {int(key): found for key, found in short_review().analysis["decisions"].items()}


def first(verdict: str, start: int = 0) -> int:
    return next(k for k, found in decisions().items() if found["verdict"] == verdict and k >= start)


def complaints(page: Page) -> list[str]:
    found: list[str] = page.complaints  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("verdict", ["mistake", "fine", "forced"])
def test_the_page_shows_what_the_judge_has_said(
    chromium: Browser, file: Path, verdict: str
) -> None:
    number = first(verdict)
    found = decisions()[number]
    page = opened(chromium, file, number)
    said = page.locator(".rv-verdict")
    expect(said).to_contain_text(f"Played: {found['played']}")
    expect(page.locator(".rv-badge")).to_have_text(verdict.capitalize())
    if verdict == "mistake":
        expect(said).to_contain_text(f"The judge prefers {found['preferred']}.")
        expect(said).to_contain_text(f"+{found['difference']:.1f} ± {2 * found['se']:.1f} points")
        best = page.locator(".rv-moves tbody tr").first
        expect(best.locator("th")).to_have_text(found["preferred"])
        expect(best.locator(".rv-visits")).to_have_text(str(found["moves"][0]["visits"]))
        for name, words in found["scripted"].items():
            expect(page.locator(".rv-scripted")).to_contain_text(f"{name}{words}")
        page.locator(".rv-observation summary").click()
        expect(page.locator(".rv-observation pre")).to_have_text(found["observation"])
    assert complaints(page) == []


def test_every_number_has_a_sentence_that_says_what_it_is(chromium: Browser, file: Path) -> None:
    page = opened(chromium, file, first("mistake"))
    for part in page.locator(".rv-part").all():
        assert len(part.locator(".rv-about").first.text_content() or "") > 40
    rows = page.locator(".rv-totals tbody tr")
    for seat, total in enumerate(short_review().analysis["totals"]):
        expect(rows.nth(0).locator("td").nth(seat)).to_have_text(str(total["mistake"]))
        expect(rows.nth(1).locator("td").nth(seat)).to_have_text(f"{total['lost']:.1f}")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.locator(".rv-totals .rv-wide")
        assert wide.evaluate("each => each.scrollWidth - each.clientWidth") == 0


def test_next_mistake_goes_from_one_to_the_next(chromium: Browser, file: Path) -> None:
    page = opened(chromium, file, 0)
    mistakes = [k for k, found in decisions().items() if found["verdict"] == "mistake" and k > 0]
    button = page.locator(".rv-next")
    for number in mistakes[:3]:
        button.click()
        expect(page.locator(".rv-said")).to_contain_text(decisions()[number]["played"])
        expect(page.locator(".rv-badge")).to_have_text("Mistake")
    page = opened(chromium, file, mistakes[-1])
    page.locator(".rv-next").click()
    expect(page.locator(".rv-note")).to_have_text("There is no later mistake.")


def test_guess_first_shows_nothing_of_the_judge_before(chromium: Browser, file: Path) -> None:
    number = first("mistake", 1)
    found = decisions()[number]
    page = opened(chromium, file, 0)
    page.get_by_label("Guess first").check()
    page.locator("h1").click()  # in the box, keys are its own
    for _ in range(number):
        page.keyboard.press("ArrowRight")
    expect(page.locator("input.slider")).to_have_value(str(number))
    body = page.locator(".rv-body")
    choices = body.locator(".rv-choices button")
    by_number = sorted(found["moves"], key=lambda move: move["action"])
    assert choices.all_text_contents() == [move["words"] for move in by_number]
    # All choices look the same, and there is nothing else that says which one it is.
    assert len({choice.get_attribute("class") for choice in choices.all()}) == 1
    markup = body.inner_html()
    for word in ("rv-best", "rv-played", "rv-verdict", "rv-scripted", "visits", "★"):
        assert word not in markup
    assert markup.count(found["preferred"]) == sum(
        found["preferred"] in move["words"] for move in found["moves"]
    )
    other = next(move["words"] for move in by_number if move["words"] != found["preferred"])
    marks = page.locator(".verdict-mistake button")
    assert marks.count() > 0
    assert marks.first.evaluate("each => getComputedStyle(each).boxShadow") == "none"
    choices.get_by_text(other, exact=True).click()
    told = f"You would play {other}; the judge prefers {found['preferred']}."
    expect(page.locator(".rv-guess")).to_have_text(told)
    expect(page.locator(".rv-badge")).to_have_text("Mistake")


def drawn_to(page: Page) -> float:
    """Returns the last frame that the line over time reaches, drawn or hidden; -1 if none."""
    last = int(page.locator("input.slider").get_attribute("max") or 0)
    xs = page.locator(".chart .line").evaluate_all(
        "all => all.flatMap(each => Array.from(each.points, ({ x }) => x))"
    )
    return max(((x - 6) * last / 628 for x in xs), default=-1)


@pytest.mark.parametrize(
    ("view", "number", "known"),
    [
        ("0", 30, 29),  # the move before belongs to somebody else
        ("", 37, 36),  # it was forced
        ("", 12, 12),
    ],
)
def test_who_guesses_sees_no_line_beyond_what_is_known_before(
    chromium: Browser, file: Path, view: str, number: int, known: int
) -> None:
    """Its next step would tell how good the move was that is asked for."""
    page = opened(chromium, file, number)
    page.get_by_label("What the line shows").select_option("Chances to win")
    page.locator("select.viewer").select_option(view)
    page.get_by_label("Guess first").check()
    expect(page.locator(".rv-question")).to_be_visible()
    assert drawn_to(page) == pytest.approx(known, abs=0.01)
    page.locator("h1").click()  # in the box, keys are its own
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f".table[data-at='{number + 1}']")
    assert drawn_to(page) == pytest.approx(number + 1, abs=0.01)
    page.get_by_label("Guess first").uncheck()
    assert drawn_to(page) > number + 1


def test_the_line_of_a_long_game_ends_where_somebody_guesses(
    chromium: Browser, tmp_path: Path
) -> None:
    judged_nothing = {**short_review().analysis, "decisions": {}, "totals": []}
    record = record_of("dream factory, 5")
    file = tmp_path / "long.html"
    file.write_text(game_html(record, judged_nothing, viewers=False), "utf-8")
    page = opened(chromium, file, 200)
    expect(page.locator(".chart .line").first).to_be_attached()
    assert drawn_to(page) == pytest.approx(len(record["moves"]), abs=0.05)
    page.get_by_label("Guess first").check()
    assert drawn_to(page) == pytest.approx(200, abs=0.05)  # a tenth of a unit is less


def test_who_guesses_goes_on_guessing_in_another_view(chromium: Browser, file: Path) -> None:
    number = 12
    seat = decisions()[number]["seat"]
    page = opened(chromium, file, number)
    page.get_by_label("Guess first").check()
    question = page.locator(".rv-question")
    expect(question).to_be_visible()
    page.locator("h1").click()
    for view in ("0", "1", ""):
        page.keyboard.press("v")
        expect(page.locator("select.viewer")).to_have_value(view)
        expect(
            page.locator(".rv-empty" if view == str(1 - seat) else ".rv-question")
        ).to_be_visible()
        expect(page.get_by_label("Guess first")).to_be_checked()
        assert page.locator(".rv-verdict").count() == 0
        assert drawn_to(page) <= number + 0.01
    page.locator("select.viewer").select_option(str(seat))
    expect(question).to_be_visible()
    # What was guessed in one view is known in the next.
    page.locator(".rv-choices button").first.click()
    expect(page.locator(".rv-guess")).to_be_visible()
    page.locator("select.viewer").select_option("")
    expect(page.locator(".rv-guess")).to_be_visible()
    marks = page.locator(".verdict-mistake button")
    assert marks.first.evaluate("each => getComputedStyle(each).boxShadow") == "none"


def test_what_is_copied_makes_the_position(chromium: Browser, file: Path) -> None:
    page = opened(chromium, file, 7)
    page.locator(".rv-copy").click()
    code = page.locator(".rv-code").input_value()
    assert run_code(code) == position(short_record(), 7)


def test_a_seat_sees_only_its_own_decisions_judged(chromium: Browser, file: Path) -> None:
    number = first("mistake")
    seat = decisions()[number]["seat"]
    page = opened(chromium, file, number)
    page.locator("select.viewer").select_option(str(1 - seat))
    expect(page.locator(".rv-empty")).to_contain_text(f"Player {seat} decides here")
    assert page.locator(".rv-copy").count() == 0  # it would tell the seed
    page.locator("select.viewer").select_option(str(seat))
    expect(page.locator(".rv-badge")).to_have_text("Mistake")


@pytest.mark.parametrize(("scheme", "width"), [("dark", 360), ("light", 1400)])
def test_everybody_can_read_and_use_it(
    chromium: Browser, file: Path, scheme: Any, width: int
) -> None:
    size: Any = {"width": width, "height": 900}
    page = opened(chromium, file, first("mistake"), color_scheme=scheme, viewport=size)
    results = Axe().run(page, context=".rv")
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("Guess first").check()
    page.locator(".rv-question").wait_for()
    results = Axe().run(page, context=".rv")
    assert results.violations_count == 0, results.generate_report()


def test_a_server_judges_what_is_looked_at_by_two_at_once(
    chromium: Browser, tmp_path: Path
) -> None:
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        writer.write(short_record())
    words = ("view", "games.jsonl", "--game", "1", "--port", "0")
    with Server(*words, cwd=tmp_path) as server:
        page = quiet_page(chromium)
        page.goto(server.links[0])
        page.set_default_timeout(90_000)
        page.locator(".rv-judges select").first.select_option("pretrained")
        page.locator(".rv-p").first.wait_for()
        assert page.locator(".rv-empty").count() == 0
        page.locator(".rv-judges select").last.select_option("expert")
        expect(page.locator(".rv-column > h3")).to_have_text(["pretrained", "expert"])
        expect(page.locator(".rv-verdict")).to_have_count(2, timeout=90_000)
        page.keyboard.press("ArrowRight")  # what is looked at next is judged by itself
        move = short_record()["moves"][1][2]
        expect(page.locator(".rv-said").first).to_contain_text(move, timeout=90_000)
        page.locator(".rv-copy").click()
        assert run_code(page.locator(".rv-code").input_value()) == position(short_record(), 1)
        page.locator(".rv-judges select").last.select_option("greedy")
        expect(page.locator(".rv-verdict")).to_have_count(2, timeout=90_000)
        expect(page.locator(".rv-column > h3").last).to_have_text("greedy")
        expect(page.locator(".rv-code")).to_be_visible()  # another answer does not take it away
        page.keyboard.press("ArrowRight")
        expect(page.locator(".rv-code")).to_have_count(0)
        assert complaints(page) == []


def test_a_review_of_before_is_shown_with_its_records(chromium: Browser, tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        writer.write({**short_record(), "seed": None})
        writer.write(short_record())
    short_review().write(tmp_path / "judged.json")
    words = ("view", "games.jsonl", "judged.json", "--game", "2", "--port", "0")
    with Server(*words, cwd=tmp_path) as server:
        page = quiet_page(chromium)
        page.goto(server.links[0])
        page.locator(".verdict-mistake").first.wait_for()
        page.keyboard.press("m")
        mistake = first("mistake", 1)
        page.wait_for_selector(f".table[data-at='{mistake}']")
        expect(page.locator(".rv-badge")).to_have_text("Mistake")
        # The line shows the chances that the review has found after each move.
        page.get_by_label("What the line shows").select_option("Chances to win")
        names = short_record()["agents"]
        number = next(k for k, found in decisions().items() if k > mistake and found["chances"])
        page.locator(f".log li:nth-child({number + 2}) button").click()
        chances = [places[0] for places in decisions()[number]["chances"]]
        told = " · ".join(
            f"{name} {int(100 * share + 0.5)} %" for name, share in zip(names, chances, strict=True)
        )
        expect(page.locator(".caption")).to_contain_text(told)
        assert page.locator(".chart .line").count() == 2
        box = page.locator(".chart svg").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 20)
        page.wait_for_selector(f".table[data-at='{len(short_record()['moves'])}']")
        # A seat sees the chances of its own decisions alone.
        page.locator(f".log li:nth-child({number + 2}) button").click()
        seat = decisions()[number]["seat"]
        page.locator("select.viewer").select_option(str(seat))
        expect(page.locator(".caption")).to_contain_text(told)
        page.locator("select.viewer").select_option(str(1 - seat))
        expect(page.locator(".caption")).to_have_text("")
        # Of another game there is none, and the page says how one is made.
        page.goto(f"{server.links[0].split('#')[0]}#game=1")
        page.get_by_role("button", name="Next mistake").click()
        expect(page.get_by_role("dialog")).to_contain_text(
            "dreamfactory review games.jsonl --game 1\n"
            "dreamfactory view games.jsonl games-1-review.json"
        )
        assert page.locator(".line-choice").count() == 0
        assert complaints(page) == []


def test_an_export_has_the_review_that_is_named(chromium: Browser, tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        writer.write(short_record())
    short_review().write(tmp_path / "judged.json")
    Server.said_by("view", "games.jsonl", "judged.json", "--export", "game.html", cwd=tmp_path)
    page = opened(chromium, tmp_path / "game.html", first("mistake"))
    expect(page.locator(".rv-badge")).to_have_text("Mistake")
    alone = Server.said_by("view", "judged.json", cwd=tmp_path)
    assert "judged.json is a review; name the file of its game, too" in alone


def test_a_player_gets_hints_at_their_own_turns_only(chromium: Browser, tmp_path: Path) -> None:
    words = ("play", "--players", "2", "--with", "greedy", "--seed", "3", "--hints")
    with Server(*words, "--pace", "0", "--port", "0", cwd=tmp_path) as server:
        page = quiet_page(chromium)
        page.goto(server.links[0])
        page.set_default_timeout(90_000)
        page.locator(".rv-judges select").first.select_option("expert")
        said = page.locator(".rv-said")
        expect(said).to_contain_text("The judge prefers", timeout=90_000)
        assert page.locator(".rv-copy").count() == 0  # it would tell the seed
        before = page.locator(".rv-observation pre").text_content()
        page.locator(".moves button.move").first.click()
        page.wait_for_function(
            "before => { const now = document.querySelector('.rv-observation pre');"
            " return now && now.textContent !== before; }",
            arg=before,
        )
        assert complaints(page) == []
