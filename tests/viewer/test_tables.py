"""The tables of the games, drawn in a real browser from real views."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from dreamfactory_env import DreamFactory
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.fabrique_a_reves.phrases import MODES as MODE_NAMES
from dreamfactory_env.games.fabrique_a_reves.phrases import TOOLS
from dreamfactory_env.games.faux_raccords.state import Phase
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.viewer.timeline import Timeline
from tests.viewer.browser import browser
from tests.viewer.tables import Position, last_of, random_game, table_page

NAMES = ["Vincent", "Jules", "Butch", "Fabienne", "Mia"]
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> " + "very long " * 400
WIDTHS = (360, 900, 1400)
MODES = {
    "faux_raccords": ("tutorial", "feature", "shorts", "series", "arcs", "studio"),
    "fabrique_a_reves": (
        *("base", "monday", "tuesday", "wednesday", "thursday", "friday"),
        *("saturday", "sunday", "variant"),
    ),
}
#: All modes and player counts: name, players, options.
GAMES_PLAYED: list[tuple[str, int, dict[str, Any]]] = [
    *(
        ("dream_factory", players, {"edition": edition, "choose_studio": players != 3})
        for players in (2, 3, 4, 5)
        for edition in ("dream_factory", "traumfabrik")
    ),
    *(
        ("faux_raccords", players, {"mode": mode, "memory": ("none", "perfect")[players % 2]})
        for mode in MODES["faux_raccords"]
        for players in (2, 3, 4)
    ),
    *(
        ("fabrique_a_reves", 2 + k % 4, {"mode": mode, "language": ("en", "fr")[k // 4 % 2]})
        for k, mode in enumerate(MODES["fabrique_a_reves"] * 2)
    ),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Page:
    return table_page(chromium)


def call(page: Page, function: str, *arguments: Any) -> Any:
    """Calls a function of table_checks.js."""
    # As one text: the driver takes long for data with many parts.
    code = "async ([name, given]) => (await import('/checks.js'))[name](...JSON.parse(given))"
    return page.evaluate(code, [function, json.dumps(arguments)])


def of_module(page: Page, name: str, code: str, *arguments: Any, file: str = "table.js") -> Any:
    """Runs code with a module of a game's page as ``m`` and further arguments as ``a``."""
    loaded = "const [m, a] = [await import(file), JSON.parse(given)];"
    body = f"async ([file, given]) => {{ {loaded} return {code}; }}"
    return page.evaluate(body, [f"/games/{name}/{file}", json.dumps(arguments)])


def frame_of(position: Position, seat: int | None, width: int) -> dict[str, Any]:
    context = {"names": NAMES, "last": position.last, "width": width}
    return {"view": position.game.view(seat), "context": context}


@pytest.mark.parametrize(("name", "players", "options"), GAMES_PLAYED)
def test_every_legal_action_can_be_clicked_and_no_two_are_the_same(
    page: Page, name: str, players: int, options: dict[str, Any]
) -> None:
    frames = []
    for k, position in enumerate(random_game(name, players, 11 + players, **options)):
        seat = position.game.to_move
        if k % 12 == 5:  # everybody's view, or that of somebody else
            seat = None if seat is None or k % 24 == 5 else (seat + 1) % players
        if name != "dream_factory" or k % 3 == 0:  # its games are long, and much alike
            frames.append(frame_of(position, seat, WIDTHS[k % 4 % 3]))
    assert len(frames) > 15
    assert call(page, "wrongs", name, frames) == []
    assert page.complaints == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "players", "options"), GAMES_PLAYED[::5])
def test_things_come_from_where_they_were(
    page: Page, name: str, players: int, options: dict[str, Any]
) -> None:
    frames: list[dict[str, Any]] = []
    viewer = None if players == 3 else 0
    for position in random_game(name, players, 31, **options):
        frame = frame_of(position, viewer, 900)
        if frames:
            frame["context"]["previous"] = frames[-1]["view"]
        frames.append(frame)
    assert call(page, "wrongs", name, frames[:80]) == []
    assert any(call(page, "came_from_elsewhere", name, frame) for frame in frames[1:80:4])


def test_the_games_played_here_come_to_every_question() -> None:
    seen = {
        position.game.phase
        for name, players, options in GAMES_PLAYED
        if name == "faux_raccords"
        for position in random_game(name, players, 11 + players, **options)
    }
    assert seen == {phase.name.lower().replace("_", " ") for phase in Phase}


def test_a_drawing_without_what_is_to_be_clicked_is_found(page: Page) -> None:
    placing = next(
        position
        for position in random_game("dream_factory", 3, 1)
        if position.game.phase == "placing"
    )
    frame = frame_of(placing, placing.game.to_move, 900)
    frame["view"]["hand"] = []
    wrong = call(page, "wrongs", "dream_factory", [frame])
    assert any("there is no hand-0" in words for words in wrong)


# ---------------------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("name", list(GAMES))
def test_a_drawing_is_the_same_whatever_its_viewer_cannot_see(page: Page, name: str) -> None:
    for k, position in enumerate(random_game(name, 3, 5)):
        if k % 9 != 4 or position.game.over:
            continue
        game = position.game
        drawn = call(page, "markup", name, game.view(1))
        call(page, "markup", name, game.view())  # what everybody's view shows leaves no trace
        other = game.resample_hidden(1, seed=k)
        assert call(page, "markup", name, other.view(1)) == drawn


# ---------------------------------------------------------------------------- hostile texts


def hostile(value: Any) -> Any:
    """Returns data with every free text in it made hostile, and all else as it is."""
    if isinstance(value, dict):
        free = ("title", "about", "shown", "effect", "due")
        return {
            key: f"{text}{HOSTILE}" if key in free and isinstance(text, str) else hostile(text)
            for key, text in value.items()
        }
    return [hostile(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", list(GAMES))
def test_hostile_texts_are_cut_and_stay_texts(page: Page, name: str, width: int) -> None:
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    positions = list(random_game(name, 4, 3))
    for position in (positions[0], positions[-1]):
        view = hostile(position.game.view())
        context = {"names": [HOSTILE] * 4, "last": position.last, "width": width}
        assert call(page, "overflowing", name, view, context) == []
        drawn = call(page, "markup", name, view, context)
        assert "<script" not in drawn
        assert "<img" not in drawn
        assert "&lt;script&gt;" in drawn
        assert len(drawn) < 700_000
    assert asked == []
    assert page.complaints == []  # type: ignore[attr-defined]


# ---------------------------------------------------------------------------- looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", list(GAMES))
def test_texts_stay_inside_and_stand_out(chromium: Browser, name: str, scheme: str) -> None:
    page = table_page(chromium, scheme)
    positions = [(p.game.copy(), p.last) for p in random_game(name, 4, 8)]
    for k, width in enumerate(WIDTHS):
        game, last = positions[(len(positions) - 1) * (k + 1) // 3]
        context = {"names": NAMES, "last": last, "width": width}
        view = game.view(game.to_move)
        assert call(page, "overflowing", name, view, context) == []
        assert call(page, "faint", name, view, context) == []
    page.context.close()


def test_a_faint_text_is_found(page: Page) -> None:
    page.add_style_tag(url="/static/style.css")
    page.evaluate(
        "() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('.t-ink { fill: #999 }');"
        " window.kept = document.adoptedStyleSheets;"
        " document.adoptedStyleSheets = [...window.kept, sheet]; }"
    )
    view = last_of("dream_factory", 2, 1).game.view()
    found = call(page, "faint", "dream_factory", view, {"width": 900})
    page.evaluate("() => { document.adoptedStyleSheets = window.kept; }")
    assert any("t-ink" in words for words in found)


# ---------------------------------------------------------------------------- the end


@pytest.mark.parametrize(("name", "players", "options"), GAMES_PLAYED[::3])
def test_the_end_is_told_with_parts_that_are_there(
    page: Page, name: str, players: int, options: dict[str, Any]
) -> None:
    end = last_of(name, players, 20 + players, **options)
    view = end.game.view(0)
    told = of_module(page, name, "m.ending(a[0], {names: a[1]})", view, NAMES)
    drawn = call(page, "markup", name, view)
    assert len(told) > 2
    for item in told:
        assert item["text"]
        assert item["parts"]
        for part in item["parts"]:
            assert f'data-part="{part}"' in drawn
    values = of_module(page, name, "m.score(a[0]).values", view)
    if name == "dream_factory":
        assert values == end.game.scores()
        sums = [
            re.search(r"(\d+) for films \+ (\d+) .* \+ (\d+) money = (\d+)", item["text"])
            for item in told
        ]
        found = [[int(number) for number in each.groups()] for each in sums if each]
        assert sorted(total for *_, total in found) == sorted(end.game.scores())
        assert all(films + awards + money == total for films, awards, money, total in found)
    elif name == "faux_raccords":
        assert values == [len(view["film"])]
        assert f"score {view['result']['score']} of 100" in told[-1]["text"]
    else:
        assert values == [view["result"]["points"]]


def test_before_the_end_nothing_is_told_of_it(page: Page) -> None:
    for name, game in GAMES.items():
        assert of_module(page, name, "m.ending(a[0])", game(seed=1).view(0)) == []


def test_who_leads_at_the_end_is_who_gets_the_award(page: Page) -> None:
    given = 0
    for seed in range(12):
        view = last_of("dream_factory", 2 + seed % 4, seed).game.view()
        for award in view["awards"]:
            if award["points"] == 10:
                code = "m.leader(a[0], a[1])"
                lead = of_module(page, "dream_factory", code, view, award["award"], file="board.js")
                assert (lead and lead["seat"]) == award["player"], (seed, award)
                assert (lead and lead["film"]) == award["film"], (seed, award)
                given += award["player"] is not None
    assert given > 20


@pytest.mark.parametrize("mode", MODES["faux_raccords"])
def test_cards_that_break_a_condition_are_those_that_the_rules_find(page: Page, mode: str) -> None:
    for seed in range(4):
        view = last_of("faux_raccords", 3, seed, mode=mode).game.view()
        for condition, met in view["result"]["conditions"].items():
            if condition in ("size", "genre"):
                continue
            code = "m.concerned(a[0], a[1]).length"
            wrong = of_module(page, "faux_raccords", code, view, condition, file="shapes.js")
            assert (wrong == 0) == met, (mode, seed, condition)
        if "genre" in view["result"]["conditions"]:
            code = "m.concerned(a[0], 'genre').length"
            count = of_module(page, "faux_raccords", code, view, file="shapes.js")
            assert count == sum(view["result"]["genre"])


# ---------------------------------------------------------------------------- words


def test_tools_and_modes_are_called_as_elsewhere(page: Page) -> None:
    for language in ("en", "fr"):
        for mode, words in MODE_NAMES[language].items():
            view = {"options": {"language": language, "mode": mode}}
            code = "m.modeName(a[0])"
            found = of_module(page, "fabrique_a_reves", code, view, file="phrases.js")
            assert found == words
        for tool, words in TOOLS[language].items():
            view = {"options": {"language": language}}
            code = "m.toolName(a[0], a[1])"
            found = of_module(page, "fabrique_a_reves", code, view, tool, file="phrases.js")
            assert found == words


def test_a_table_in_french_has_no_english(page: Page) -> None:
    for position in random_game("fabrique_a_reves", 3, 2, mode="thursday", language="fr"):
        view = json.loads(json.dumps(position.game.view(position.game.to_move)))
        drawn = call(page, "markup", "fabrique_a_reves", view)
        texts = " ".join(re.findall(r"<(?:text|title)[^>]*>([^<]*)<", drawn))
        assert not re.search(r"\b(vial|player|dreams?|left|tools|points of)\b", texts, re.I), texts


def test_a_word_that_is_as_large_as_there_is_room_is_not_cut(page: Page) -> None:
    cut = page.evaluate(
        """async (words) => {
          const { text, widthOf } = await import("/static/svg.js");
          const rooms = Array.from({ length: 400 }, (_, k) => 20 + k / 7);
          const style = { weight: 700 };
          const size = (word, room) => room / widthOf(word, { ...style, size: 1 });
          const shown = (word, room) =>
            text(0, 0, word, { ...style, room, size: size(word, room) });
          const isCut = (word) => rooms.some((room) => shown(word, room).textContent !== word);
          return words.filter(isCut);
        }""",
        ["storm", "century", "telephone", "smoke", "La Fabrique à rêves"],
    )
    assert cut == []


def test_points_at_the_end_stand_beside_their_bars(page: Page) -> None:
    record = next(iter(simulate(DreamFactory(2), ["expert", "greedy"], games=1, seed=7)))
    assert max(record["result"]["scores"]) >= 100
    view = Timeline.of(record).at(len(record["moves"])).view()
    for width in WIDTHS:
        rooms = of_module(
            page,
            "dream_factory",
            """(() => {
              const svg = m.draw(a[0], { names: ["Vincent", "Jules"], width: a[1] });
              document.getElementById("place").replaceChildren(svg);
              const places = (row, what) =>
                [...row.querySelectorAll(what)].map((each) => each.getBoundingClientRect());
              return [...svg.querySelectorAll("[data-kind=final]")].map(
                (row) => places(row, "text").at(-1).left - places(row, ".df-bar").at(-1).right,
              );
            })()""",
            view,
            width,
        )
        assert len(rooms) == 2
        assert min(rooms) > 0, width
