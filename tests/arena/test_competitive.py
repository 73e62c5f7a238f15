"""The report of a zero-sum game: its figures, and how much luck there is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import Tournament
from dreamfactory_env.arena.analysis.competitive import competitive_report
from dreamfactory_env.arena.analysis.outcomes import places, win_shares
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.policies import Policy, Views, policy_named
from tests.arena.made import made_result

NAMES = ("random", "greedy", "builder")


def test_shared_wins_and_places_are_parts(result: Result) -> None:
    assert places(np.array([[5, 9, 5, 1]])).tolist() == [[2.5, 1, 2.5, 4]]
    shared = replace(result, won=np.array([[1, 1, 0], [0, 0, 1]]))
    assert win_shares(shared).tolist() == [[0.5, 0.5, 0], [0, 0, 1]]


def test_the_rank_key_orders_by_points_then_wins_and_puts_who_fouls_last() -> None:
    tournament = Tournament(policies=NAMES, players=3, deals=1)
    made = made_result(
        tournament,
        deal=[0, 0, 0],
        entrants=[[0, 1, 2]] * 3,
        scores=np.array([[5, 7, 7], [3, 2, 1], [9, 1, 1]], np.int32),
        won=np.array([[0, 0, 1], [1, 0, 0], [0, 1, 1]], np.int8),
        offender=[-1, -1, 0],
    )
    assert made.rank_key.argsort(axis=1).tolist()[:2] == [[0, 1, 2], [2, 1, 0]]
    assert made.rank_key[2].tolist() == [0, 1, 1]
    assert made.fouled.tolist() == [False, False, True]


def test_the_figures_are_those_of_the_games(result: Result, report: Any) -> None:
    assert (report["games"], report["deals"], report["complete"]) == (360, 120, True)
    shares, place = win_shares(result), places(result.rank_key)
    rows = {row["name"]: row for row in report["policies"]}
    order = [row["name"] for row in report["policies"]]
    assert order == ["builder", "greedy", "random"]
    for policy, name in enumerate(NAMES):
        mine = result.entrants == policy
        row = rows[name]
        assert row["seats"] == mine.sum() == 360
        assert row["win_rate"]["value"] == pytest.approx(shares[mine].mean())
        assert row["score"]["value"] == pytest.approx(result.scores[mine].mean())
        assert row["place"]["value"] == pytest.approx(place[mine].mean())
        assert row["decisions"] == result.decisions[policy]
        assert sum(row["places"]) == pytest.approx(1)
        for key in ("rating", "win_rate", "score", "place"):
            assert row[key]["low"] <= row[key]["value"] <= row[key]["high"]
    assert sum(row["win_rate"]["value"] for row in rows.values()) == pytest.approx(1)
    cells = report["before"]["cells"]
    for a, first in enumerate(order):
        for b, second in enumerate(order):
            if a == b:
                assert cells[a][b] is None
                continue
            mine, theirs = (
                result.rank_key[result.entrants == NAMES.index(name)] for name in (first, second)
            )
            ahead = (np.sign(mine - theirs) + 1).mean() / 2
            assert cells[a][b]["value"] == pytest.approx(ahead)
    for effect in report["effects"]:
        seen = [row["win_rate"]["value"] for row in effect["rows"]]
        assert len(seen) == {"seat": 3, "turn": 3, "studio": 5}[effect["title"]]
        assert np.mean(seen) == pytest.approx(1 / 3, abs=0.03)
    seats = [row["win_rate"]["value"] for row in report["effects"][0]["rows"]]
    assert seats == pytest.approx(shares.mean(axis=0).tolist())
    for spread in report["scores"]["shares"]:
        assert sum(spread) == pytest.approx(1)


class Slipping(Policy):
    """Plays like greedy, but now and then at random."""

    def __init__(self) -> None:
        game = DreamFactory(3, seed=0)
        self.greedy, self.random = policy_named("greedy", game), policy_named("random", game)

    def act_batch(self, views: Views) -> Array:
        slips = np.array([views[k].rng.random() < 0.01 for k in range(len(views))])
        return np.where(slips, self.random.act_batch(views), self.greedy.act_batch(views))


def _duplicate_factor(custom: dict[str, Policy], deals: int) -> float | None:
    names = ("greedy", *custom)
    lineup = (names[-1], "greedy", "greedy")
    tournament = Tournament(
        policies=names, players=3, deals=deals, lineups=(lineup,), custom=custom
    )
    found = competitive_report(Result.of(tournament, play_chunks(tournament)), {})
    return found["luck"]["duplicate"]["wins"]


def test_a_policy_against_itself_has_no_luck_left_in_a_deal() -> None:
    assert _duplicate_factor({"same": policy_named("greedy", DreamFactory(3, seed=0))}, 30) is None


def test_duplicate_play_removes_luck_between_policies_that_are_nearly_alike() -> None:
    factor = _duplicate_factor({"slipping": Slipping()}, 120)
    assert factor is not None
    assert factor > 1.3


def test_the_better_of_two_is_ahead_more_often_after_more_games(report: Any) -> None:
    pairs = {(pair["better"], pair["worse"]): pair for pair in report["luck"]["pairs"]}
    assert set(pairs) == {("builder", "greedy"), ("builder", "random"), ("greedy", "random")}
    near = pairs["builder", "greedy"]
    assert 0.5 < near["one_game"] < near["one_deal"] <= 1
    assert near["deals_to_be_sure"] >= 1
    before = report["before"]["cells"][0][1]["value"]
    assert near["one_game"] == pytest.approx(before)
