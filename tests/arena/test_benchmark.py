"""The benchmark: cells that can be stopped, for both kinds of games, and what is published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import OptionError
from dreamfactory_env.arena import duel
from dreamfactory_env.arena.benchmark import (
    MATRIX,
    RESPONSE,
    SEED,
    Benchmark,
    Cell,
    CellResult,
    page,
    picture,
)
from dreamfactory_env.arena.benchmark.cells import places_by_deal
from dreamfactory_env.arena.benchmark.data import as_text
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.games import GAMES
from dreamfactory_env.utils.errors import ConfigError
from tests.arena.made import made_result
from tests.paths import DOCS
from tests.toy_game import SignalGame


def without_times(cells: list[CellResult]) -> list[CellResult]:
    return [{**cell, "move_seconds": [None, None]} for cell in cells]


def read(path: Path) -> Any:
    """Returns the data of a file; plain data, whose parts tests look up by name."""
    return json.loads(path.read_text("utf-8"))


def test_places_are_counted_and_equal_ones_share_them() -> None:
    match = duel("greedy", ["greedy", "random"], players=3, games=6)
    keys = np.array([[9, 5, 1], [1, 9, 9], [5, 5, 1], [7, 7, 7], [3, 2, 8], [4, 4, 4]])
    result = made_result(
        match,
        deal=[0, 0, 0, 1, 1, 1],
        entrants=[[0, 1, 1], [0, 1, 1], [1, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]],
        scores=keys.astype(np.int32),
        won=np.zeros((6, 3), np.int8),
    )
    places, covariance = places_by_deal(result)
    by_deal = np.array(
        [
            [(1 + 0 + 1 / 2) / 3, 1 / 2 / 3, 1 / 3],
            [(1 / 3 + 0 + 1 / 3) / 3, (1 / 3 + 0 + 1 / 3) / 3, (1 / 3 + 1 + 1 / 3) / 3],
        ]
    )
    assert places == pytest.approx(by_deal.mean(axis=0))
    assert covariance == pytest.approx(np.cov(by_deal.T, ddof=1) / 2)


def test_cells_with_a_search_have_fewer_games_and_come_last(tmp_path: Path) -> None:
    benchmark = Benchmark(tmp_path / "new.json")
    cells = benchmark.matrix([2, 4], 1000, 90)
    assert len(cells) == 28 + 56
    searches = {"mcts:50", "mcts:50:pretrained"}
    slow = [cell for cell in cells if searches & {cell.row, cell.column}]
    assert cells[-len(slow) :] == slow
    assert {cell.games for cell in slow} == {90}
    assert {cell.games for cell in cells[: -len(slow)]} == {1000}
    clock = benchmark.against_the_clock([2, 5], 500)
    assert {cell.games for cell in clock} == {500}
    assert [(c.players, c.row, c.column) for c in clock] == [
        (players, row, column)
        for row, column in (
            ("pretrained", "mcts:0.2s"),
            ("mcts:0.2s:pretrained", "mcts:0.2s"),
            ("mcts:0.2s:pretrained", "pretrained"),
        )
        for players in (2, 5)
    ]


def test_a_file_keeps_the_seed_of_its_deals(tmp_path: Path) -> None:
    new = Benchmark(tmp_path / "new.json")
    cell = Cell(MATRIX, 2, "expert", "greedy", 40)
    first = new.play(cell)
    new.close()
    assert read(tmp_path / "new.json")["seed"] == SEED
    (tmp_path / "old.json").write_text(as_text({**new.data, "seed": 7, "cells": []}))
    old = Benchmark(tmp_path / "old.json")
    second = old.play(cell)
    old.close()
    assert read(tmp_path / "old.json")["seed"] == 7
    assert first is not None
    assert second is not None
    assert first["places"] != second["places"]  # of other deals
    (tmp_path / "bad.json").write_text(as_text({**new.data, "seed": -1}))
    with pytest.raises(ConfigError, match=r"seed: .*0 to 2\*\*63 - 1, not -1"):
        Benchmark(tmp_path / "bad.json")


def test_a_cell_that_was_stopped_is_resumed(tmp_path: Path) -> None:
    cell = Cell(MATRIX, 2, "tests.players:Sitter", "greedy", 12)
    whole = Benchmark(tmp_path / "whole.json").play(cell)
    done: list[int] = []

    def progress(count: int, deals: int) -> None:
        assert deals == 6
        done.append(count)

    cut = Benchmark(tmp_path / "cut.json")
    assert cut.play(cell, stop=lambda: 2 in done, progress=progress) is None
    assert not (tmp_path / "cut.json").exists()
    assert done == [0, 1, 2]
    again = Benchmark(tmp_path / "cut.json")
    result = again.play(cell, progress=progress)
    assert done == [0, 1, 2, 2, 3, 4, 5, 6]
    assert result is not None
    assert whole is not None
    assert without_times([result]) == without_times([whole])
    again.close()
    assert without_times(read(tmp_path / "cut.json")["cells"]) == without_times([whole])
    assert not (tmp_path / "cut.json.parts").exists()


# ---------------------------------------------------------------------------- shared games


def test_a_shared_game_has_cells_of_pairs_and_of_self_play(
    toy: type[SignalGame], tmp_path: Path
) -> None:
    benchmark = Benchmark(tmp_path / "toy.json", "toy")
    assert benchmark.data["policies"] == ["random", "helper", "mcts:50"]
    cells = benchmark.matrix(benchmark.game.spec.player_counts, 100, 60)
    assert len(cells) == 2 * (3 + 3)
    assert {(c.players, c.row, c.column, c.games) for c in cells if "mcts:50" not in (c.row,)} == {
        (players, row, column, 100)
        for players in (2, 3)
        for row, column in (("random", "random"), ("helper", "random"), ("helper", "helper"))
    }
    slow = {(c.players, c.row == c.column, c.games) for c in cells if c.row == "mcts:50"}
    assert slow == {(2, True, 30), (2, False, 60), (3, True, 20), (3, False, 30)}
    assert benchmark.against_the_clock([2, 3], 10) == []  # the game has no agents


@pytest.mark.parametrize(("players", "deals"), [(2, 12), (3, 8)])
def test_a_pair_has_all_seatings_equally_often_and_the_cell_is_their_mean(
    toy: type[SignalGame], tmp_path: Path, players: int, deals: int
) -> None:
    cell = Cell(MATRIX, players, "helper", "random", 23)
    tournament = cell.tournament("toy", {})
    result = Result.of(tournament, play_chunks(tournament))
    seatings, counts = np.unique(result.entrants, axis=0, return_counts=True)
    assert (len(seatings), set(counts.tolist())) == (2**players - 2, {24 // (2**players - 2)})
    benchmark = Benchmark(tmp_path / "toy.json", "toy")
    found = benchmark.play(cell)
    assert found is not None
    assert (found["games"], found["deals"]) == (24, deals)
    assert found["score"] == pytest.approx(result.scores[:, 0].mean() / 3, abs=1e-7)
    assert found["win_rate"] == pytest.approx(result.won[:, 0].mean(), abs=1e-7)
    assert 0 < found["score_half_width"] < 0.5
    assert not {"places", "covariance"} & set(found)
    assert read(tmp_path / "toy.json")["cells"] == [found]
    alone = benchmark.play(Cell(MATRIX, players, "helper", "helper", 23))
    assert alone is not None
    assert alone["games"] == alone["deals"] == 23


def test_the_page_of_a_shared_game_has_scores_and_no_ratings(
    toy: type[SignalGame], tmp_path: Path
) -> None:
    benchmark = Benchmark(tmp_path / "toy.json", "toy", options={"goal": 2})
    for cell in benchmark.matrix([2], 12, 4):
        benchmark.play(cell)
    benchmark.close()
    text = page(benchmark.data, "toy.json", benchmark.game)
    cells = {(cell["row"], cell["column"]): cell for cell in benchmark.data["cells"]}
    pair, alone = cells["helper", "random"], cells["helper", "helper"]
    shown = (
        f"{pair['score']:.3f} ± {pair['score_half_width']:.3f}<br>"
        f"{100 * pair['win_rate']:.1f} ± {100 * pair['half_width']:.1f}"
    )
    assert text.count(shown) == 2  # the matrix is symmetric
    others = [cells[names]["score"] for names in (("helper", "random"), ("mcts:50", "helper"))]
    lowest = "`random`" if others[0] <= others[1] else "`mcts:50`"
    own = f"{alone['score']:.3f} | {100 * alone['win_rate']:.1f} ± {100 * alone['half_width']:.1f}"
    row = f"{own} | {sum(others) / 2:.3f} | {min(others):.3f} | {lowest} | – |"
    assert f"| `helper` | {row}" in text
    assert "12 games in a cell" in text
    for words in ("rating |", "clock\n", "response\n", "fair share"):
        assert words not in text
    assert benchmark.data["ratings"] == {}
    # The options are those of the file.
    assert read(tmp_path / "toy.json")["config"] == {"goal": 2, "memory": False}
    assert Benchmark(tmp_path / "toy.json", "toy", options={"goal": 2}).changed() == []
    with pytest.raises(OptionError, match=r"its config is \{'goal': 2, .*\}, not None"):
        Benchmark(tmp_path / "toy.json", "toy")


def test_a_partner_that_was_trained_for_the_best_is_played_if_asked_for(
    toy: type[SignalGame], tmp_path: Path
) -> None:
    benchmark = Benchmark(tmp_path / "toy.json", "toy")
    assert benchmark.best == "helper"
    with pytest.raises(OptionError, match="'random' is no trained network"):
        benchmark.responses("random", 10)
    benchmark.play(Cell(RESPONSE, 2, "random", "helper", 10))
    text = page(benchmark.data, "toy.json", benchmark.game)
    assert "## Trained for the best\n" in text
    assert "| `random` | `helper` | 2 | " in text


# ---------------------------------------------------------------------------- what is published


PUBLISHED = [name for name in GAMES if (DOCS / name / "benchmark.json").exists()]


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_results_that_are_published_and_their_page_stay_as_they_are(name: str) -> None:
    path = DOCS / name / "benchmark.json"
    benchmark = Benchmark(path, name)
    benchmark.rate()
    listed = read(path)["policies"]
    assert benchmark.data["policies"][: len(listed)] == listed  # a new agent may not have played
    benchmark.data["policies"] = listed
    assert as_text(benchmark.data) == path.read_text("utf-8")
    assert benchmark.changed() == benchmark.absent() == []
    assert sorted(benchmark.data["cells"], key=benchmark._order) == benchmark.data["cells"]
    text = page(benchmark.data, path.name, benchmark.game)
    assert text == path.with_suffix(".md").read_text("utf-8")
    drawn = picture(benchmark.data, benchmark.game)
    assert drawn is None or drawn == path.with_suffix(".svg").read_text("utf-8")
