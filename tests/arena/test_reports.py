"""The forms of a report: tables on a terminal, data, and a page; and the commands that print it."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dreamfactory_env.arena import Tournament, duel, evaluate, run_tournament
from dreamfactory_env.arena.reports.charts import curves
from dreamfactory_env.arena.reports.html import as_html
from dreamfactory_env.arena.reports.markup import Html, html, join
from dreamfactory_env.arena.reports.terminal import print_evaluation, print_report
from tests.commands import assert_refused, run
from tests.toy_game import SignalGame


def plots_of(page: str) -> int:
    """Returns how many plots a page has; all are whole, and the page needs nothing else."""
    assert not re.search(r"(src|href)=|@import|url\(|<script", page)
    main = ElementTree.fromstring(page[page.index("<main>") : page.index("</body>")])
    for svg in main.iter("svg"):  # their parts lie within them, in per cent of a width
        assert svg.find(".//text") is None, "text that is scaled with a plot cannot be read"
        for mark in svg.iter():
            for key in ("x1", "x2", "cx", "cy"):
                assert 0 <= float(mark.attrib.get(key, "0").rstrip("%")) <= 100, mark.attrib
            for number in re.split("[ ,]", mark.attrib.get("points", "0")):
                assert 0 <= float(number) <= 100, mark.attrib
    for tick in main.iterfind(".//div[@class='ticks']/span"):
        assert 0 <= float(tick.attrib["style"].removeprefix("left:").rstrip("%")) <= 100
    charts = main.findall(".//div[@style]")
    for chart in charts:
        assert_fits(chart)
    return len(charts) + len(main.findall(".//div[@class='spread']"))


def assert_fits(chart: ElementTree.Element) -> None:
    """Checks that a plot leaves each label, value and cell the room that its text needs."""
    room = dict(part.split(":") for part in chart.attrib["style"].split(";") if part)
    rows = chart.findall("div")
    for row in rows:
        label, body = row.findall("div")
        assert len(label.text or "") < int(room["--label"].removesuffix("ch"))
        if "stacked" in chart.attrib["class"]:
            widths = [part.attrib["style"].removeprefix("flex-basis:")[:-1] for part in body]
            assert sum(map(float, widths)) <= 100.1
        elif "intervals" in chart.attrib["class"]:
            texts = [value.text or "" for value in body.findall("b")]
            assert max(map(len, texts)) < int(room["--value"].removesuffix("ch"))
        else:
            assert len(body) == int(room["--columns"])
            assert max(len(cell.text or "") for cell in body) <= int(room["--cell"])


def printed_by(print_it: Any, *arguments: Any) -> str:
    """Returns what is printed, all spaces alike."""
    console = Console(width=130, record=True, file=io.StringIO())
    print_it(*arguments, console)
    return " ".join(console.export_text().split())


def test_the_terminal_shows_every_part(report: Any) -> None:
    console = Console(width=110, record=True, file=io.StringIO())
    print_report(report, console)
    printed = " ".join(console.export_text().split())
    for part in (
        "360 games of Dream Factory with 3 players, 120 deals,",
        "policy rating win rate points place decisions/s",
        "1,234,567",
        "3.2",
        "How often the policy of a row comes before that of a column",
        "studio 1",
        "the better, the other after a game after a deal deals to be sure",
        "Measured by wins, the games of a deal",
        "films finished",
        "best director",
        "points from awards",
        "Mean price by round and location Hollywood City 1",
    ):
        assert part in printed, part
    assert "Fouls" not in printed


def test_the_page_needs_nothing_else_and_its_plots_are_whole(report: Any) -> None:
    page = as_html(report)
    assert plots_of(page) == 11
    for title in ("Rating", "Win rate", "Who beats whom", "Places", "Points", "Luck", "Awards won"):
        assert f"<h2>{title}</h2>" in page
    assert "<h2>Fouls</h2>" not in page


def test_names_cannot_break_the_page(report: Any) -> None:
    name = "<u>&'\""
    text = json.dumps(report).replace('"greedy"', json.dumps(name))
    page = as_html(json.loads(text))
    assert "<u>" not in page
    assert plots_of(page) == 11


def hostile(data: Any) -> Any:
    """Returns data with markup at the end of every text in it."""
    if isinstance(data, dict):
        return {key: hostile(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [hostile(value) for value in data]
    return f"{data}<script>alert('\"')</script>" if isinstance(data, str) else data


def test_no_text_of_a_report_reaches_the_page_as_markup(report: Any) -> None:
    foul = {"policy": "greedy", "kind": "illegal", "games": 3, "example": "no"}
    page = as_html(hostile({**report, "fouls": [foul]}))
    assert page.count("&lt;script&gt;") > 100
    assert "illegal&lt;script&gt;" in page  # the kind of a foul among them
    assert plots_of(page) == 11  # which finds a script, too


def test_markup_escapes_whatever_is_no_html() -> None:
    made = html("<p title='{title}'>{text} {number:.1f}{inner}</p>", title="'", text="<&>",
                number=0.25, inner=html("<b>{x}</b>", x='"'))  # fmt: skip
    assert made == "<p title='&#x27;'>&lt;&amp;&gt; 0.2<b>&quot;</b></p>"
    assert join([made[:2], Html("<b>"), "<b>"]) == "&lt;p<b>&lt;b&gt;"


def test_one_deal_of_one_policy_has_a_report(tmp_path: Path) -> None:
    alone = Tournament(policies=("greedy",), players=2, deals=1)
    report = run_tournament(alone, tmp_path, processes=1)
    assert report is not None
    assert report["games"] == 1
    assert "luck" in report
    assert report["luck"]["pairs"] == []
    assert json.loads((tmp_path / "report.json").read_text()) == report
    print_report(report, Console(file=io.StringIO()))


# ---------------------------------------------------------------------------- shared games


@pytest.fixture
def shared(toy: type[SignalGame], tmp_path: Path) -> tuple[Any, str]:
    """Returns report and page of a shared game in which one policy fouls."""
    policies = ("random", "helper", "tests.players:WrongShape")
    tournament = Tournament(policies=policies, game="toy", players=2, deals=12)
    report = run_tournament(tournament, tmp_path, processes=1)
    assert json.loads((tmp_path / "report.json").read_text()) == report
    return report, (tmp_path / "report.html").read_text("utf-8")


def test_the_terminal_shows_a_shared_game_by_pairs(shared: tuple[Any, str]) -> None:
    report, _ = shared
    printed = printed_by(print_report, report)
    helper = next(row for row in report["policies"] if row["name"] == "helper")
    score, rate = (helper["self_play"][key]["value"] for key in ("score", "win_rate"))
    for part in (
        "108 games of Signals with 2 players, 12 deals,",
        "policy self-play wins cross-play wins lowest with decisions/s",
        f"helper {score:.3f} ±",
        "-1.000 ±",
        "Over all pairs, cross-play reaches ",
        "The lowest pair is ",
        "self-play on the diagonal",
        f"{score:.3f} ({rate:.0%})",
        "Score of the games in which a policy has a seat",
        "WrongShape is tests.players:WrongShape",
        f"WrongShape error {report['fouls'][0]['games']} act_batch answers",
    ):
        assert part in printed, part
    for part in ("rating", "Luck", "What a game looks like"):
        assert part not in printed


def test_the_page_of_a_shared_game_has_the_matrix_as_a_heat_map(shared: tuple[Any, str]) -> None:
    report, page = shared
    assert plots_of(page) == 7
    score = report["matrix"]["cells"][0][1]["score"]["value"]
    first, second = (name.split(":")[-1] for name in report["matrix"]["policies"][:2])
    assert f'title="{first}, {second}: {score:.3f}"' in page
    for title in ("Policies", "Fouls", "Score", "Win rate", "Self-play", "Cross-play"):
        assert f"<h2>{title}</h2>" in page
    assert "lost for all at the table" in page
    assert as_html(report) == page


def test_one_policy_with_itself_has_a_report(toy: type[SignalGame], tmp_path: Path) -> None:
    alone = Tournament(policies=("helper",), game="toy", players=3, deals=1)
    report = run_tournament(alone, tmp_path, processes=1)
    assert report is not None
    assert report["games"] == 1
    assert "Over all pairs" not in printed_by(print_report, report)


def test_an_evaluation_is_printed_as_the_game_is_judged(toy: type[SignalGame]) -> None:
    found = evaluate(duel("helper", ["random"], game="toy", games=40), processes=1)
    assert re.match(
        r"helper with random, 2 players: score \d\.\d{3} ± \d\.\d{3}, win rate \d+\.\d\d% ± "
        r"\d+\.\d\d% 40 games, 20 deals; after ±: 95 % intervals by deal$",
        printed_by(print_evaluation, found, "helper", "random"),
    )
    found = evaluate(duel("greedy", ["random"], players=2, games=40), processes=1)
    assert re.match(
        r"greedy wins \d+\.\d\d% ± \d+\.\d\d% against random, 2 players; even would be 50.00% "
        r"40 games, 20 deals; points \d+\.\d ±\d+\.\d, place \d\.\d\d ±\d\.\d\d; after ±: 95 %",
        printed_by(print_evaluation, found, "greedy", "random"),
    )


def test_a_spread_may_begin_below_nothing() -> None:
    plot = curves(["a"], [[0.2, 0.8]], 5, "points", "{:.0f}".format, start=-7)
    texts = re.findall(r">(-?\d+)</span>", plot)
    assert texts == ["-6", "-4", "-2", "0", "2"]
    assert plots_of(f"<main>{plot}</main></body>") == 1


# ---------------------------------------------------------------------------- the commands


def test_the_commands_play_and_report(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(
        "policies: [random, greedy]\nplayers: 2\ndeals: 20\nrecords: true\n"
    )
    finished = run("tournament", "small.yaml", "--processes", "1", cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    folder = tmp_path / "runs" / "small"
    assert "report: runs/small/report.html" in finished.stdout
    assert {path.name for path in folder.iterdir()} == {
        *("result.jsonl", "report.json", "report.html", "times.json", "records"),
    }
    again = run("tournament", "small.yaml", cwd=tmp_path)
    assert again.returncode == 0
    outputs = (finished.stdout, again.stdout)
    tables = [out.split("Policies")[1].split("How often")[0] for out in outputs]
    assert [line.split()[:-1] for line in tables[0].splitlines()] == [
        line.split()[:-1] for line in tables[1].splitlines()
    ]
    records = folder / "records" / "000000.jsonl.zst"
    verified = run("replay", str(records), cwd=tmp_path)
    assert ": 40 games verified, 0 wrong" in verified.stdout
    found = run(
        "evaluate",
        "greedy",
        "--against",
        "random",
        "--games",
        "4000",
        "--until",
        "±2%",
        "--processes",
        "1",
        cwd=tmp_path,
    )
    assert re.match(
        r"greedy wins \d+\.\d\d% ± \d\.\d\d% against random, 4 players; even would", found.stdout
    )
    assert "too few" not in found.stderr
    few = run(
        "evaluate",
        "greedy",
        "--against",
        "builder",
        "--games",
        "8",
        "--until",
        "0.001",
        "--processes",
        "1",
        cwd=tmp_path,
    )
    assert "8 games are too few for 0.001; raise --games" in few.stderr


def test_commands_that_cannot_be_are_refused_in_one_message(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("policies: [randon]\n")
    bad = {
        "tournament missing.yaml": "missing.yaml: 1 mistake\n  cannot be read",
        "tournament bad.yaml": "bad.yaml: 1 mistake\n  line 1, policies: unknown policy 'randon'",
        "evaluate exprt": "unknown policy 'exprt'; known are .*did you mean 'expert'",
        "evaluate greedy --until 7": "--until must be a share such as ±1% or 0.01, not '7'",
        "evaluate greedy --processes 0": "processes must be a whole number from 1 up, not 0",
    }
    assert_refused(bad, tmp_path)
