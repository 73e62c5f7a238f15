"""Ratings: the Plackett-Luce model fitted over whole tables."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.analysis.competitive import competitive_report
from dreamfactory_env.arena.analysis.ratings import SCALE, Choices, as_rating, strict_orders
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array


def test_two_players_are_rated_by_their_odds() -> None:
    entrants = np.tile([0, 1], (4000, 1))
    rank_key = np.array([[1, 0]] * 3000 + [[0, 1]] * 1000)
    theta = Choices(entrants, rank_key, 2).fit(np.ones(4000))
    assert theta[0] - theta[1] == pytest.approx(np.log(3), abs=0.002)
    assert as_rating(theta).mean() == pytest.approx(1500)
    difference = float(np.diff(as_rating(theta))[0])
    assert difference == pytest.approx(-400 * np.log10(3), abs=0.5)


def test_strengths_are_found_again_from_games_drawn_by_the_model() -> None:
    rng = np.random.default_rng(1)
    theta = np.array([0.0, 0.7, -0.4, 1.5, 0.2])
    entrants = np.array([rng.choice(5, 4, replace=False) for _ in range(20_000)])
    # Of exponential numbers with these rates the smallest comes first with just the odds wanted.
    rank_key = -rng.standard_exponential(entrants.shape) / np.exp(theta)[entrants]
    found = Choices(entrants, rank_key, 5).fit(np.ones(len(entrants)))
    assert np.abs((found - found.mean()) - (theta - theta.mean())).max() < 0.05


def test_the_fit_is_the_maximum_of_the_likelihood_with_ties_split() -> None:
    rng = np.random.default_rng(2)
    entrants = rng.integers(0, 3, (40, 3))  # a policy may sit twice at a table
    rank_key = rng.integers(0, 3, (40, 3))  # many ties
    weights = rng.random(40)
    theta = Choices(entrants, rank_key, 3).fit(weights)
    best = _likelihood(theta, entrants, rank_key, weights)
    for k in range(3):
        for step in (-0.01, 0.01):
            moved = theta.copy()
            moved[k] += step
            assert _likelihood(moved, entrants, rank_key, weights) < best


def _likelihood(theta: Array, entrants: Array, rank_key: Array, weights: Array) -> float:
    """Returns the likelihood by its definition: each game, each order it leaves open."""
    strength = np.exp(theta)
    total = float(np.log(strength / (1 + strength) ** 2).sum()) / 2  # a draw with an average player
    for who, stands, weight in zip(entrants, rank_key, weights, strict=True):
        orders = [
            order
            for order in permutations(range(3))
            if all(stands[a] >= stands[b] for a, b in pairwise(order))
        ]
        for order in orders:
            for place in range(2):
                left = [strength[who[seat]] for seat in order[place:]]
                total += weight / len(orders) * np.log(left[0] / sum(left))
    return total


def test_strengths_that_are_held_stay_and_the_others_are_fitted_to_them() -> None:
    entrants = np.array([[0, 1], [0, 2]] * 2000)
    rank_key = np.array([[1, 0], [1, 0], [1, 0], [0, 1]] * 1000)  # 100 % and 50 % won
    held = np.array([False, True, True])
    start = np.array([0.0, -2.0, 1.0])
    choices = Choices(entrants, rank_key, 3)
    theta = choices.fit(np.ones(len(entrants)), start, held=held)
    assert theta[1:].tolist() == [-2.0, 1.0]
    expected = [1 / (1 + np.exp(anchor - theta[0])) for anchor in (-2.0, 1.0)]
    assert sum(expected) == pytest.approx(1.5, abs=0.001)  # as often as it has won
    only = Choices(entrants[1::2], rank_key[1::2], 3).fit(np.ones(2000), start, held=held)
    assert only[0] == pytest.approx(1.0, abs=0.01)


def test_who_never_loses_has_a_finite_rating() -> None:
    entrants = np.tile([0, 1, 2], (500, 1))
    rank_key = np.tile([2, 1, 0], (500, 1))
    rating = as_rating(Choices(entrants, rank_key, 3).fit(np.ones(500)))
    assert rating[0] > rating[1] + 400
    assert rating[1] > rating[2] + 400
    assert np.abs(rating).max() < 10_000


def test_ratings_that_rest_on_the_prior_are_as_uncertain_as_it_is() -> None:
    found = []
    for games in (400, 1600):
        result = result_of_wins(games)
        rows = competitive_report(result, {})["policies"]
        row = next(row for row in rows if row["name"] == "greedy")
        found.append(row["rating"])
        assert row["win_rate"] is not None
        assert row["win_rate"]["value"] == 1
        assert 0.96 < row["win_rate"]["low"] < 1
        assert row["win_rate"]["high"] == 1
    assert all(rating["high"] - rating["low"] > 200 for rating in found)
    assert found[0]["high"] > found[1]["low"]


def result_of_wins(games: int) -> Result:
    """Returns a match of two players of which the first wins everything."""
    tournament = Tournament(policies=("greedy", "random"), players=2, deals=games // 2)
    result = Result.of(tournament, play_chunks(tournament))
    assert (result.won[result.entrants == 0] == 1).all()
    return result


def test_the_order_of_games_does_not_matter(result: Result) -> None:
    turned = np.arange(len(result.deal))[::-1]
    ones = np.ones(len(turned))
    one = Choices(result.entrants, result.rank_key, 3).fit(ones)
    other = Choices(result.entrants[turned], result.rank_key[turned], 3).fit(ones)
    assert np.allclose(one, other, atol=1e-9)


def test_ties_are_split_into_every_order() -> None:
    game, order, share = strict_orders(np.array([[3, 5, 4], [7, 9, 7], [1, 1, 1]]))
    found = {number: order[game == number].tolist() for number in range(3)}
    assert found[0] == [[1, 2, 0]]
    assert sorted(found[1]) == [[1, 0, 2], [1, 2, 0]]
    assert len(found[2]) == 6
    assert np.bincount(game, share).tolist() == pytest.approx([1, 1, 1])


def test_the_orders_of_ties_are_all_that_do_not_go_up() -> None:
    rank_key = np.random.default_rng(5).integers(0, 3, (200, 5))
    game, order, share = strict_orders(rank_key)
    for number, keys in enumerate(rank_key):
        open_orders = [
            list(seats)
            for seats in permutations(range(5))
            if all(keys[a] >= keys[b] for a, b in pairwise(seats))
        ]
        assert order[game == number].tolist() == open_orders
        assert share[game == number] == pytest.approx(1 / len(open_orders))


@pytest.mark.parametrize("tied", [6, 12, 40])
def test_large_ties_count_each_seat_at_each_place_equally_and_cost_little(tied: int) -> None:
    rank_key = np.zeros((300, tied + 2), np.int64)
    rank_key[:, 0], rank_key[:, 1] = 1, -1
    game, order, share = strict_orders(rank_key)
    assert len(game) == 300 * tied
    assert np.bincount(game, share) == pytest.approx(np.ones(300))
    mine = order[game == 7]
    assert (mine[:, 0] == 0).all()
    assert (mine[:, -1] == 1).all()
    for place in range(1, tied + 1):
        assert sorted(mine[:, place]) == list(range(2, tied + 2))
    entrants = np.tile(np.arange(tied + 2) % 3, (300, 1))
    assert np.isfinite(Choices(entrants, rank_key, 3).fit(np.ones(300))).all()


def test_ratings_are_in_the_scale_people_know() -> None:
    assert SCALE * np.log(10) == pytest.approx(400)
