"""Reports on narrow screens and terminals, with many policies and long names: nothing is cut."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.reports import style
from dreamfactory_env.arena.reports.charts import heatmap, intervals
from dreamfactory_env.arena.reports.columns import Column, print_columns, print_matrix
from dreamfactory_env.arena.reports.html import as_html
from dreamfactory_env.arena.reports.labelling import with_labels
from dreamfactory_env.arena.reports.terminal import print_report
from dreamfactory_env.arena.results import Result
from dreamfactory_env.games import new_game
from dreamfactory_env.policies import policy_named
from tests.arena.test_reports import plots_of
from tests.toy_game import SignalGame

NAMES = {
    "random": "random",
    "demo/agent.safetensors": "demo/agent",
    "runs/quick-1/agent.safetensors": "quick-1/agent",
    "my.players:CarefulBidder": "CarefulBidder",
    "runs/a_large_network_after_30000000_steps.safetensors": "a_large_…00000_steps",
    "mcts:2000": "mcts:2000",
    "a name of somebody's own, which is long": "a name o…ich is long",
    "short": "short",
}


def crowd(game: str, players: int, count: int, deals: int) -> Any:
    """Returns the report of games of so many policies, scripted ones by other names."""
    table = new_game(game, {"players": players})
    names = list(NAMES)[:count]
    custom = {
        name: policy_named(table.spec.ladder[place % len(table.spec.ladder)], table)
        for place, name in enumerate(names)
        if place
    }
    tournament = Tournament(tuple(names), players, deals, game=game, custom=custom)
    return make_report(Result.of(tournament, play_chunks(tournament)), dict.fromkeys(names, 1e6))


@pytest.fixture(
    params=[("dream_factory", 2, 2), ("dream_factory", 5, 8), ("toy", 2, 2), ("toy", 3, 8)]
)
def crowded(request: pytest.FixtureRequest, toy: type[SignalGame]) -> Any:
    """Returns the reports of both kinds of games, with few policies and with many."""
    game, players, count = request.param
    return crowd(game, players, count, deals=4)


def printed(report: Any, width: int) -> list[str]:
    """Returns the lines that a report prints."""
    console = Console(width=width, record=True, file=io.StringIO())
    print_report(report, console)
    return console.export_text().splitlines()


# ---------------------------------------------------------------------------- labels


def test_every_policy_is_called_by_its_label_and_named_once(crowded: Any) -> None:
    names = {row["name"]: NAMES[row["name"]] for row in crowded["policies"]}
    if len(names) == 2:
        names["demo/agent.safetensors"] = "agent"  # there is no other agent
    shown, full = with_labels(crowded)
    assert {row["name"] for row in shown["policies"]} == set(names.values())
    assert full == {label: name for name, label in names.items() if name != label}
    page, text = as_html(crowded), "\n".join(printed(crowded, 200))
    for label, name in full.items():
        assert f"<dt>{label}</dt><dd>{name}</dd>".replace("'", "&#x27;") in page
        assert page.count(name.replace("'", "&#x27;")) == 2  # here, and in what was asked for
        assert text.count(name) == 1
        assert f"{label} is {name}\n" in text
    assert [row["name"] for row in crowded["policies"]] == list(names), "the data keeps its names"


# ---------------------------------------------------------------------------- the terminal


@pytest.mark.parametrize("width", [80, 100])
def test_nothing_is_cut_on_a_terminal(crowded: Any, width: int) -> None:
    shown, full = with_labels(crowded)
    lines = [line for line in printed(crowded, width) if not line.endswith(tuple(full.values()))]
    assert max(map(cell_len, lines)) <= width
    text = "\n".join(lines)
    labels = [row["name"] for row in shown["policies"]]
    for label in labels:  # the end of a long one may stand below it, beside wide figures
        start = label[:12]
        assert re.search(rf"^(\d )?{re.escape(start)}.*  \S", text, re.MULTILINE), label
        text = text.replace(start, "")
    assert "…" not in text
    headings = ["decisions/s", "cross-play" if "utility" in crowded else "win rate"]
    for heading in headings:
        assert re.search(rf"(^|  ){heading}(  |$)", text, re.MULTILINE), heading


def test_what_is_piped_is_one_table(crowded: Any) -> None:
    lines = printed(crowded, 100_000)
    labels = [row["name"] for row in with_labels(crowded)[0]["policies"]]
    assert sum(line.startswith("policy  ") for line in lines) == 1
    assert any(line.split("  ")[1:] and all(label in line for label in labels) for line in lines)


def test_columns_that_belong_together_stay_together() -> None:
    console = Console(width=40, record=True, file=io.StringIO())
    columns = [
        Column("score", ["0.123456789"]),
        Column("wins", ["12.3456789%"], joined=True),
        Column("lowest", ["0.123456789"]),
        Column("with", ["somebody"], joined=True),
    ]
    print_columns("title", Column("who", ["a long name of a policy"]), columns, console)
    heads = [line.split() for line in console.export_text().splitlines() if "who" in line]
    assert heads == [["who", "score", "wins"], ["who", "lowest", "with"]]


def test_a_matrix_has_numbers_for_names_that_are_too_wide() -> None:
    def heads(width: int) -> list[str]:
        console = Console(width=width, record=True, file=io.StringIO())
        print_matrix("title", ["one", "a longer name"], [["1.0%", "2.0%"]] * 2, console)
        return console.export_text().splitlines()[2].split("  ")

    assert [head for head in heads(40) if head] == ["one", "a longer name"]
    assert [head.strip() for head in heads(30) if head] == ["1", "2"]


# ---------------------------------------------------------------------------- the page


def test_the_page_of_a_crowd_is_whole(crowded: Any) -> None:
    assert plots_of(as_html(crowded)) >= 7


@pytest.mark.parametrize("game", ["dream_factory", "toy"])
def test_a_matrix_of_eight_fits_a_phone(game: str, toy: type[SignalGame]) -> None:
    # The widest of the usual fonts has digits of 0.64 of its size, see .heat of the style.
    (size,) = re.findall(r"\.heat \{ font-size: (\d+)px; \}", style.STYLE)
    digit, room = 0.64 * int(size), 360 - 2 * (10 + 14 + 1)
    page = as_html(crowd(game, 2, 8, 4))
    title = "Who beats whom" if game == "dream_factory" else "Score"
    matrix = page[page.index(f"<h2>{title}</h2>") :]
    found = re.search(r"--columns:(\d+);--cell:(\d+)", matrix)
    assert found is not None
    columns, letters = map(int, found.groups())
    assert columns == 8
    assert columns * (letters * digit + 3) <= room


def test_labels_of_columns_stand_upright_where_they_are_wider_than_their_cells() -> None:
    def style_of(columns: list[str]) -> str:
        values = [[0.5] * len(columns)]
        found = re.findall(r'class="chart heat (\w+)"', heatmap(["a"], columns, values, str))
        return str(found[0])

    assert style_of(["one", "two"]) == "upright200"
    assert style_of(["entertainment"] * 4) == "upright440"
    assert style_of(["entertainment"] * 12) == "upright"
    assert style_of(["a label of many letters"]) == "upright"
    assert "@container (max-width: 439px) { .upright440 " in style.STYLE


@pytest.mark.parametrize(
    ("ends", "ticks"),
    [
        ((0.0, 1.0), ["0%", "20%", "40%", "60%", "80%", "100%"]),
        ((0.231, 0.243), ["23.5%", "24.0%"]),
        ((0.5, 0.5), ["48%", "49%", "50%", "51%", "52%"]),
    ],
)
def test_an_axis_has_round_numbers_without_digits_that_say_nothing(
    ends: tuple[float, float], ticks: list[str]
) -> None:
    plot = intervals([("a", ends[0], *ends)], "{:.1%}".format)
    assert re.findall(r'left:[\d.]+%">([^<]+)<', plot) == ticks


def test_texts_can_be_read_on_every_colour() -> None:
    for theme in (0, 1):
        pairs = re.findall(r":#(\w+);--on-\w+:#(\w+);", style._variables(theme))
        assert len(pairs) == style.SERIES + 5
        for ground, ink in pairs:
            assert style.contrast(style._rgb(ground), style._rgb(ink)) > 4.4, (theme, ground)
    for high in (False, True):
        for percent in range(101):
            ink, colour = style.heat(percent / 100, high)
            r, g, b, strength = (int(n) for n in re.findall(r"\d+", colour))
            for card, text in (
                ("ffffff", "ffffff" if ink else "1c2430"),
                ("1c222b", "ffffff" if ink else "e6e9ee"),
            ):
                mixed = [
                    a * strength / 100 + c * (1 - strength / 100)
                    for a, c in zip((r, g, b), style._rgb(card), strict=True)
                ]
                assert style.contrast(mixed, style._rgb(text)) > 3.9, (high, percent, card)
