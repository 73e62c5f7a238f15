from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env.arena import run_tournament
from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.records.files import read_records
from dreamfactory_env.utils.errors import GameError
from dreamfactory_env.viewer.results import results_of
from tests.paths import DOCS


def tournament(folder: Path, **changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"policies": ("random", "greedy"), "players": 2, "deals": 6}
    found = run_tournament(Tournament(**{**values, **changes}), folder, processes=1)
    assert found is not None
    return dict(found)


def test_a_tournament_is_shown_with_the_figures_of_its_report(tmp_path: Path) -> None:
    report = tournament(tmp_path, records=True)
    found = results_of(tmp_path)
    assert found["title"] == "Tournament of Dream Factory"
    (section,) = found["sections"]
    (table,) = section["tables"]
    for row, policy in zip(table["rows"], report["policies"], strict=True):
        assert row["name"] == policy["name"]
        figures = [cell and cell["value"] for cell in row["cells"]]
        keys = ("rating", "win_rate", "score", "place")
        assert figures == [policy[key] and policy[key]["value"] for key in keys]
    (matrix,) = section["matrices"]
    assert matrix["names"] == report["before"]["policies"]
    values = [[cell and cell["value"] for cell in row] for row in matrix["cells"]]
    assert values == [[cell and cell["value"] for cell in row] for row in report["before"]["cells"]]
    # Where records were kept, all games of the policies are there.
    records = [record for file in found["files"] for record in read_records(file)]
    assert len(records) == report["games"]
    assert {name for record in records for name in record["agents"]} == {"random", "greedy"}
    assert results_of(tmp_path / "report.json") == found
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_shared_game_is_shown_as_cross_play(tmp_path: Path) -> None:
    options = {"game": "fabrique_a_reves", "policies": ("random", "nearest"), "deals": 4}
    report = tournament(tmp_path, **options)
    found = results_of(tmp_path)
    assert found["files"] == []
    score, wins = found["sections"][0]["matrices"]
    for matrix, key in ((score, "score"), (wins, "win_rate")):
        for row, told in zip(matrix["cells"], report["matrix"]["cells"], strict=True):
            assert [cell["value"] for cell in row] == [each[key]["value"] for each in told]
            assert [cell["games"] for cell in row] == [each["games"] for each in told]


@pytest.mark.parametrize("game", ["dream_factory", "faux_raccords"])
def test_a_benchmark_is_shown_with_its_cells(game: str) -> None:
    path = DOCS / game / "benchmark.json"
    data = json.loads(path.read_text())
    found = results_of(path)
    shared = game != "dream_factory"
    key = "score" if shared else "win_rate"
    cells = [cell for cell in data["cells"] if cell["part"] == "matrix"]
    shown = 0
    for section in found["sections"]:
        matrix = section["matrices"][0]
        for row, name in zip(matrix["cells"], matrix["names"], strict=True):
            for cell, other in zip(row, matrix["names"], strict=True):
                played = [
                    each
                    for each in cells
                    if f"{each['players']} players" in section["title"]
                    and all(str(v) in section["title"] for v in each.get("options", {}).values())
                    and (each["row"], each["column"]) == (name, other)
                ]
                if played:
                    shown += 1
                    assert cell["value"] == played[0][key]
                    assert cell["games"] == played[0]["games"]
    assert shown == len(cells)
    for section in found["sections"]:
        ratings = data["ratings"].get(section["title"].split()[0], [])
        told = [row["cells"][0]["value"] for table in section["tables"] for row in table["rows"]]
        assert told == [row["rating"] for row in ratings]


def test_with_two_players_a_cell_and_its_mirror_sum_to_one() -> None:
    found = results_of(DOCS / "dream_factory" / "benchmark.json")
    matrix = next(s for s in found["sections"] if s["title"] == "2 players")["matrices"][0]
    count = len(matrix["names"])
    for row in range(count):
        assert matrix["cells"][row][row] is None
        for column in range(row):
            both = matrix["cells"][row][column], matrix["cells"][column][row]
            assert sum(cell["value"] for cell in both if cell) in (0, pytest.approx(1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read as results"),
        ("[]", "must be an object"),
        ("{}", "is no report"),
        ('{"format": "dreamfactory-benchmark/1"}', "game"),
        ('{"format": "dreamfactory-benchmark/1", "game": "dream_factory"}', "missing"),
        ('{"utility": "shared", "title": 3}', "is no report"),
    ],
)
def test_what_is_no_result_is_refused_in_words(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(GameError, match=message):
        results_of(tmp_path)


def test_a_report_whose_matrix_does_not_fit_is_refused(tmp_path: Path) -> None:
    report = tournament(tmp_path)
    report["before"]["cells"].pop()
    (tmp_path / "report.json").write_text(json.dumps(report))
    with pytest.raises(GameError, match="as many rows and columns"):
        results_of(tmp_path)
    with pytest.raises(GameError, match="cannot be read"):
        results_of(tmp_path / "nowhere")
