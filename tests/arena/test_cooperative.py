"""The report of a shared game, on results made by hand whose right answers are known."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.analysis.cooperative import cooperative_report
from dreamfactory_env.arena.report_types import CooperativeReport, Estimate, Lowest
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array
from tests.arena.made import made_result
from tests.toy_game import SignalGame

#: What two policies reach together, in points of 3: the third is good alone and bad with others.
POINTS = np.array([[0, 1, 1], [1, 2, 0], [1, 0, 3]])
DEALS = 40


def crossplay(deals: int, points: Array, names: int = 3) -> Result:
    """Returns cross-play of two players in which each pair has the points of a table.

    Args:
        deals: How many.
        points: Of each pair, (policies, policies).
        names: How many policies play.
    """
    policies = ("random", "helper", "mcts:1")[:names]
    tournament = Tournament(policies=policies, game="toy", players=2, deals=deals)
    a_deal = np.array(list(product(range(names), repeat=2)))
    entrants = np.tile(a_deal, (deals, 1))
    deal = np.repeat(np.arange(deals), len(a_deal))
    reached = points[entrants[:, 0], entrants[:, 1]]
    scores = np.repeat(reached[:, None], 2, axis=1).astype(np.int32)
    return made_result(
        tournament, deal=deal, entrants=entrants, scores=scores, won=(scores == 3).astype(np.int8)
    )


def value(estimate: Estimate | Lowest | None) -> float:
    assert estimate is not None
    assert estimate["low"] <= estimate["value"] <= estimate["high"]
    return estimate["value"]


@pytest.fixture
def report(toy: type[SignalGame]) -> CooperativeReport:
    return cooperative_report(crossplay(DEALS, POINTS), {"helper": 9.0})


def test_the_matrix_is_what_each_pair_reaches_with_self_play_on_the_diagonal(
    report: CooperativeReport,
) -> None:
    names = report["matrix"]["policies"]
    assert (report["utility"], report["games"], report["deals"]) == ("shared", 9 * DEALS, DEALS)
    order = [("random", "helper", "mcts:1").index(name) for name in names]
    for row, a in zip(report["matrix"]["cells"], order, strict=True):
        for cell, b in zip(row, order, strict=True):
            assert cell is not None
            assert value(cell["score"]) == pytest.approx(POINTS[a, b] / 3)
            assert value(cell["win_rate"]) == (1 if POINTS[a, b] == 3 else 0)
            assert cell["games"] == (DEALS if a == b else 2 * DEALS)


def test_a_policy_is_judged_alone_by_the_mean_and_by_the_lowest_of_its_partners(
    report: CooperativeReport,
) -> None:
    rows = {row["name"]: row for row in report["policies"]}
    expected = {  # self-play, mean and lowest of cross-play, and with whom
        "random": (0, (1 + 1) / 6, 1 / 3, "helper"),
        "helper": (2 / 3, (1 + 0) / 6, 0, "mcts:1"),
        "mcts:1": (1, (1 + 0) / 6, 0, "helper"),
    }
    for name, (alone, mean, lowest, partner) in expected.items():
        self_play, cross_play = rows[name]["self_play"], rows[name]["cross_play"]
        assert self_play is not None
        assert cross_play is not None
        assert value(self_play["score"]) == pytest.approx(alone)
        assert value(cross_play["score"]) == pytest.approx(mean)
        assert value(cross_play["lowest_score"]) == pytest.approx(lowest)
        assert cross_play["lowest_score"]["high"] < lowest + 0.15
        assert cross_play["lowest_score"]["policies"] == [partner]
        assert value(cross_play["win_rate"]) == 0
        assert rows[name]["games"] == 5 * DEALS
    assert [row["name"] for row in report["policies"]] == ["random", "helper", "mcts:1"]
    assert [row["decisions_per_second"] for row in report["policies"]] == [None, 9.0, None]


def test_the_field_is_the_mean_and_the_lowest_of_all_pairs(report: CooperativeReport) -> None:
    field = report["field"]
    assert field is not None
    assert value(field["score"]) == pytest.approx((1 + 1 + 0) / 9)
    assert value(field["lowest_score"]) == 0
    assert field["lowest_score"]["policies"] == ["helper", "mcts:1"]


def test_one_policy_has_no_cross_play_and_no_seats_to_compare(toy: type[SignalGame]) -> None:
    report = cooperative_report(crossplay(5, POINTS, names=1), {})
    (row,) = report["policies"]
    assert row["self_play"] is not None
    assert (row["cross_play"], report["field"], report["effects"]) == (None, None, [])


def test_intervals_are_by_deal(toy: type[SignalGame]) -> None:
    """All games of a deal are lucky together: 3 or 0 points, with a chance of one half."""
    hits = 0
    widths = []
    for repeat in range(40):
        result = crossplay(60, np.full((3, 3), 3))
        lucky = np.random.default_rng(repeat).random(60) < 0.5
        scores = np.where(lucky[result.deal][:, None], result.scores, 0)
        made = made_result(
            result.tournament,
            deal=result.deal,
            entrants=result.entrants,
            scores=scores.astype(np.int32),
            won=(scores == 3).astype(np.int8),
        )
        field = cooperative_report(made, {})["field"]
        assert field is not None
        hits += field["score"]["low"] <= 0.5 <= field["score"]["high"]
        widths.append((field["score"]["high"] - field["score"]["low"]) / 2)
    assert hits >= 35  # 95 % of 40 are 38
    # 1.96 standard errors of 60 deals; 9 games a deal would make it a third of that.
    assert np.mean(widths) == pytest.approx(1.96 * 0.5 / np.sqrt(60), rel=0.2)


def test_the_lowest_partner_is_as_uncertain_as_the_choice_of_it(toy: type[SignalGame]) -> None:
    rng = np.random.default_rng(2)
    result = crossplay(200, POINTS)
    scores = np.repeat(rng.integers(0, 4, len(result.deal))[:, None], 2, axis=1)
    made = made_result(
        result.tournament,
        deal=result.deal,
        entrants=result.entrants,
        scores=scores.astype(np.int32),
        won=np.zeros_like(scores, np.int8),
    )
    row = cooperative_report(made, {})["policies"][0]
    assert row["cross_play"] is not None
    lowest = row["cross_play"]["lowest_score"]
    assert lowest["low"] < lowest["value"] < row["cross_play"]["score"]["value"]
    assert 0.02 < lowest["high"] - lowest["low"] < 0.15


def test_a_game_that_a_foul_has_ended_pays_minus_one_and_is_not_spread(
    toy: type[SignalGame],
) -> None:
    tournament = Tournament(policies=("random", "helper"), game="toy", players=2, deals=2)
    made = made_result(
        tournament,
        deal=[0, 0, 0, 0, 1, 1, 1, 1],
        entrants=[[0, 0], [0, 1], [1, 0], [1, 1]] * 2,
        scores=np.array([[1, 1], [3, 3], [2, 2], [0, 0]] * 2, np.int32),
        won=np.array([[0, 0], [1, 1], [0, 0], [0, 0]] * 2, np.int8),
        offender=[-1, -1, 1, -1, -1, -1, -1, -1],
    )
    report = cooperative_report(made, {})
    (pair,) = [row["cross_play"] for row in report["policies"] if row["name"] == "helper"]
    assert pair is not None
    assert value(pair["score"]) == pytest.approx((1 + 1 + 2 / 3 - 1) / 4)
    assert value(pair["win_rate"]) == pytest.approx(2 / 4)
    assert report["fouls"] == [
        {"policy": "random", "kind": "illegal", "games": 1, "example": "it cannot be"}
    ]
    spread = report["scores"]
    helper = report["matrix"]["policies"].index("helper")
    assert spread["cross_play"][helper] == pytest.approx([0, 0, 1 / 3, 2 / 3])
    assert spread["self_play"][helper] == [1, 0, 0, 0]
    assert (spread["start"], spread["width"]) == (0, 1)
    # Helper on seat 1 won twice; on seat 0 only the game without a foul counts.
    (effect,) = report["effects"]
    assert (effect["title"], effect["labels"]) == ("seat", ["0", "1"])
    first, second = (value(cell) for cell in effect["cells"][helper])
    assert first == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert second == pytest.approx((1 + 1 + 0 + 0) / 4)


def test_tables_of_more_than_two_policies_count_for_each_pair_at_them(
    toy: type[SignalGame],
) -> None:
    tournament = Tournament(
        policies=("random", "helper", "mcts:1"), game="toy", players=3, deals=2, lineups="mixed"
    )
    made = made_result(
        tournament,
        deal=[0, 1, 1],
        entrants=[[0, 1, 2], [0, 1, 1], [2, 2, 2]],
        scores=np.array([[3, 3, 3], [0, 0, 0], [2, 2, 2]], np.int32),
        won=np.array([[1, 1, 1], [0, 0, 0], [0, 0, 0]], np.int8),
    )
    report = cooperative_report(made, {})
    cells = {
        (a, b): cell
        for a, row in zip(report["matrix"]["policies"], report["matrix"]["cells"], strict=True)
        for b, cell in zip(report["matrix"]["policies"], row, strict=True)
    }
    found = {
        pair: cell and (cell["games"], round(3 * cell["score"]["value"], 6))
        for pair, cell in cells.items()
    }
    assert found["random", "helper"] == found["helper", "random"] == (2, 1.5)
    assert found["random", "mcts:1"] == found["helper", "mcts:1"] == (1, 3)
    assert found["mcts:1", "mcts:1"] == (1, 2)
    assert found["random", "random"] is found["helper", "helper"] is None


def test_the_kind_of_report_is_that_of_the_game(toy: type[SignalGame], result: Result) -> None:
    shared = make_report(crossplay(3, POINTS), {})
    assert "utility" in shared
    assert "utility" not in make_report(result, {})
    assert not {"luck", "before"} & set(shared)
