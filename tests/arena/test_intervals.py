"""Intervals by deal, and the ratios of sums that figures are."""

from __future__ import annotations

import numpy as np
import pytest

from dreamfactory_env.arena.analysis.bootstrap import interval, mean_by_deal, weightings
from dreamfactory_env.arena.analysis.estimates import DealSums, estimate_of
from dreamfactory_env.arena.analysis.outcomes import wins_by_deal
from dreamfactory_env.arena.results import Result


def test_intervals_by_deal_hold_what_they_promise() -> None:
    rng = np.random.default_rng(3)
    deals, repeats = 60, 400
    hits = 0
    widths = []
    for _ in range(repeats):
        luck = rng.uniform(0, 0.6, (deals, 1))  # common to the four games of a deal
        values = rng.random((deals, 4)) < luck
        mean, half = mean_by_deal(values.sum(axis=1), np.full(deals, 4))
        hits += abs(mean - 0.3) < half
        widths.append(half)
    assert 0.93 < hits / repeats < 0.995
    normal = 1.96 * np.sqrt((0.03 + 0.18 / 4) / deals)
    assert normal < np.mean(widths) < 1.3 * normal
    assert mean_by_deal(np.array([1.0]), np.array([4])) == (0.25, float("inf"))


def test_who_has_won_all_deals_is_not_taken_for_certain() -> None:
    won = np.full(30, 2.0)
    mean, half = mean_by_deal(won, np.full(30, 2))
    assert mean == 1
    assert 0.1 < half < 0.15  # one who wins 88 % wins 30 deals of 30 with a chance of 2.2 %
    assert mean_by_deal(won * 0, np.full(30, 2))[1] == pytest.approx(half)
    assert mean_by_deal(np.full(3000, 2.0), np.full(3000, 2))[1] < 0.002


def test_the_bootstrap_agrees_with_the_normal_interval(result: Result) -> None:
    won, sat = wins_by_deal(result, 1)
    mean, half = mean_by_deal(won, sat)
    samples = np.array([(w @ won) / (w @ sat) for w in weightings(len(won), 1)])
    low, high = interval(samples)
    assert 0.7 * half < (high - low) / 2 < half  # which is that of the wider side
    assert low < mean < high


def test_a_mean_between_other_ends_is_the_same_on_another_scale() -> None:
    rng = np.random.default_rng(6)
    totals, counts = rng.random(40) * 3, np.full(40, 3)
    mean, half = mean_by_deal(totals, counts)
    other, wide = mean_by_deal(7 * totals - 2 * counts, counts, (-2.0, 5.0))
    assert (other, wide) == pytest.approx((7 * mean - 2, 7 * half))
    narrow = mean_by_deal(np.full(30, 2.0), np.full(30, 2), (0.0, 1.0))
    assert mean_by_deal(np.full(30, 2.0), np.full(30, 2), (0.9, 1.0))[1] < narrow[1] / 5


def test_ratios_are_those_of_the_sums_and_their_intervals_hold_by_deal() -> None:
    rng = np.random.default_rng(4)
    hits = 0
    for seed in range(60):
        deal = np.repeat(np.arange(50) + 100, 4)
        values = (rng.random(200) < np.repeat(rng.uniform(0, 0.6, 50), 4)).astype(float)
        sums = DealSums(deal, seed)
        sums.add("terms", np.zeros((200, 1), np.int64), 2, np.ones((200, 1)))
        sums.add("value", np.zeros((200, 1), np.int64), 2, values[:, None])
        ratios = sums.ratios("value", "terms", (0.0, 1.0))
        assert ratios.value[0] == pytest.approx(values.mean())
        found, nothing = ratios.estimates()
        assert nothing is None  # the other category has no terms
        assert found is not None
        assert found["low"] <= found["value"] <= found["high"]
        hits += found["low"] <= 0.3 <= found["high"]
    assert hits >= 53  # 95 % of 60 are 57


def test_sets_of_games_may_overlap() -> None:
    deal = np.array([3, 3, 5, 5])
    sets = np.array([[True, True, False, False], [True, False, True, True]])
    sums = DealSums(deal, 1)
    sums.add_sets("games", sets, np.ones(4))
    sums.add_sets("value", sets, np.array([1.0, 3.0, 5.0, 9.0]))
    assert sums.ratios("value", "games").value.tolist() == [2, 5]


def test_a_figure_lies_within_its_interval() -> None:
    assert estimate_of(3.0, np.arange(2.0)) == {"value": 3.0, "low": 0.025, "high": 3.0}
