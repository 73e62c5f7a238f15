"""What the arena says about games: ratings, intervals, luck, and the three forms of a report."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import Tournament, run_tournament
from dreamfactory_env.arena.analysis import make_report, places, win_shares, wins_by_deal
from dreamfactory_env.arena.bootstrap import interval, mean_by_deal, weightings
from dreamfactory_env.arena.html import as_html
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.ratings import SCALE, Choices, as_rating, strict_orders
from dreamfactory_env.arena.report import print_report
from dreamfactory_env.arena.results import Result
from dreamfactory_env.arena.worker import decisions_per_second
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.policies import Policy, Views, policy_named
from tests.commands import assert_refused, run

NAMES = ("random", "greedy", "builder")
TOURNAMENT = Tournament(policies=NAMES, players=3, deals=120, seed=2)


@pytest.fixture(scope="module")
def result() -> Result:
    return Result.of(TOURNAMENT, play_chunks(TOURNAMENT))


@pytest.fixture(scope="module")
def report(result: Result) -> dict[str, Any]:
    return make_report(result, {"random": 1234567.0, "greedy": 3.21})


# ---------------------------------------------------------------------------- ratings


def test_two_players_are_rated_by_their_odds() -> None:
    entrants = np.tile([0, 1], (4000, 1))
    standing = np.array([[1, 0]] * 3000 + [[0, 1]] * 1000)
    theta = Choices(entrants, standing, 2).fit(np.ones(4000))
    assert theta[0] - theta[1] == pytest.approx(np.log(3), abs=0.002)
    assert as_rating(theta).mean() == pytest.approx(1500)
    difference = float(np.diff(as_rating(theta))[0])
    assert difference == pytest.approx(-400 * np.log10(3), abs=0.5)


def test_strengths_are_found_again_from_games_drawn_by_the_model() -> None:
    rng = np.random.default_rng(1)
    theta = np.array([0.0, 0.7, -0.4, 1.5, 0.2])
    entrants = np.array([rng.choice(5, 4, replace=False) for _ in range(20_000)])
    # Of exponential numbers with these rates the smallest comes first with just the odds wanted.
    standing = -rng.standard_exponential(entrants.shape) / np.exp(theta)[entrants]
    found = Choices(entrants, standing, 5).fit(np.ones(len(entrants)))
    assert np.abs((found - found.mean()) - (theta - theta.mean())).max() < 0.05


def test_the_fit_is_the_maximum_of_the_likelihood_with_ties_split() -> None:
    rng = np.random.default_rng(2)
    entrants = rng.integers(0, 3, (40, 3))  # a policy may sit twice at a table
    standing = rng.integers(0, 3, (40, 3))  # many ties
    weights = rng.random(40)
    theta = Choices(entrants, standing, 3).fit(weights)
    best = _likelihood(theta, entrants, standing, weights)
    for k in range(3):
        for step in (-0.01, 0.01):
            moved = theta.copy()
            moved[k] += step
            assert _likelihood(moved, entrants, standing, weights) < best


def _likelihood(theta: Array, entrants: Array, standing: Array, weights: Array) -> float:
    """Returns the likelihood by its definition: each game, each order it leaves open."""
    strength = np.exp(theta)
    total = float(np.log(strength / (1 + strength) ** 2).sum()) / 2  # a draw with an average player
    for who, stands, weight in zip(entrants, standing, weights, strict=True):
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
    standing = np.array([[1, 0], [1, 0], [1, 0], [0, 1]] * 1000)  # 100 % and 50 % won
    held = np.array([False, True, True])
    start = np.array([0.0, -2.0, 1.0])
    choices = Choices(entrants, standing, 3)
    theta = choices.fit(np.ones(len(entrants)), start, held=held)
    assert theta[1:].tolist() == [-2.0, 1.0]
    expected = [1 / (1 + np.exp(anchor - theta[0])) for anchor in (-2.0, 1.0)]
    assert sum(expected) == pytest.approx(1.5, abs=0.001)  # as often as it has won
    only = Choices(entrants[1::2], standing[1::2], 3).fit(np.ones(2000), start, held=held)
    assert only[0] == pytest.approx(1.0, abs=0.01)


def test_who_never_loses_has_a_finite_rating() -> None:
    entrants = np.tile([0, 1, 2], (500, 1))
    standing = np.tile([2, 1, 0], (500, 1))
    rating = as_rating(Choices(entrants, standing, 3).fit(np.ones(500)))
    assert rating[0] > rating[1] + 400
    assert rating[1] > rating[2] + 400
    assert np.abs(rating).max() < 10_000


def test_ratings_that_rest_on_the_prior_are_as_uncertain_as_it_is() -> None:
    found = []
    for games in (400, 1600):
        result = result_of_wins(games)
        row = next(r for r in make_report(result, {})["policies"] if r["name"] == "greedy")
        found.append(row["rating"])
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
    one = Choices(result.entrants, result.standing, 3).fit(ones)
    other = Choices(result.entrants[turned], result.standing[turned], 3).fit(ones)
    assert np.allclose(one, other, atol=1e-9)


def test_ties_are_split_into_every_order() -> None:
    game, order, share = strict_orders(np.array([[3, 5, 4], [7, 9, 7], [1, 1, 1]]))
    found = {number: order[game == number].tolist() for number in range(3)}
    assert found[0] == [[1, 2, 0]]
    assert sorted(found[1]) == [[1, 0, 2], [1, 2, 0]]
    assert len(found[2]) == 6
    assert np.bincount(game, share).tolist() == pytest.approx([1, 1, 1])


# ---------------------------------------------------------------------------- intervals and sums


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


def test_shared_wins_and_places_are_parts() -> None:
    assert places(np.array([[5, 9, 5, 1]])).tolist() == [[2.5, 1, 2.5, 4]]
    shared = Result(**{**dict.fromkeys(Result.__dataclass_fields__, None), "won": np.eye(2)})  # type: ignore[arg-type]
    shared = replace(shared, won=np.array([[1, 1, 0], [0, 0, 1]]))
    assert win_shares(shared).tolist() == [[0.5, 0.5, 0], [0, 0, 1]]


def test_the_figures_are_those_of_the_games(result: Result, report: dict[str, Any]) -> None:
    assert (report["games"], report["deals"], report["complete"]) == (360, 120, True)
    shares, place = win_shares(result), places(result.standing)
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
                result.standing[result.entrants == NAMES.index(name)] for name in (first, second)
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


# ---------------------------------------------------------------------------- luck


class Slipping(Policy):
    """Plays like greedy, but now and then at random."""

    def __init__(self) -> None:
        self.greedy = policy_named("greedy", DreamFactory)
        self.random = policy_named("random", DreamFactory)

    def act_batch(self, views: Views) -> Array:
        slips = np.array([views[k].rng.random() < 0.01 for k in range(len(views))])
        return np.where(slips, self.random.act_batch(views), self.greedy.act_batch(views))


def _duplicate_factor(custom: dict[str, Policy], deals: int) -> float | None:
    names = ("greedy", *custom)
    lineup = (names[-1], "greedy", "greedy")
    tournament = Tournament(
        policies=names, players=3, deals=deals, lineups=(lineup,), custom=custom
    )
    found = make_report(Result.of(tournament, play_chunks(tournament)), {})
    factor: float | None = found["luck"]["duplicate"]["wins"]
    return factor


def test_a_policy_against_itself_has_no_luck_left_in_a_deal() -> None:
    assert _duplicate_factor({"same": policy_named("greedy", DreamFactory)}, 30) is None


def test_duplicate_play_removes_luck_between_policies_that_are_nearly_alike() -> None:
    factor = _duplicate_factor({"slipping": Slipping()}, 120)
    assert factor is not None
    assert factor > 1.3


def test_the_better_of_two_is_ahead_more_often_after_more_games(report: dict[str, Any]) -> None:
    pairs = {(pair["better"], pair["worse"]): pair for pair in report["luck"]["pairs"]}
    assert set(pairs) == {("builder", "greedy"), ("builder", "random"), ("greedy", "random")}
    near = pairs["builder", "greedy"]
    assert 0.5 < near["one_game"] < near["one_deal"] <= 1
    assert near["deals_to_be_sure"] >= 1
    before = report["before"]["cells"][0][1]["value"]
    assert near["one_game"] == pytest.approx(before)


# ---------------------------------------------------------------------------- the three forms


def test_the_terminal_shows_every_part(report: dict[str, Any]) -> None:
    console = Console(width=110, record=True, file=io.StringIO())
    print_report(report, console)
    told = " ".join(console.export_text().split())
    for part in (
        "360 games of Dream Factory with 3 players, 120 deals,",
        "policy rating win rate points place decisions/s",
        "1,234,567",
        "3.2",
        "How often the policy of a row comes before that of a column",
        "studio 1",
        "the better the other after a game after a deal deals to be sure",
        "Measured by wins, the games of a deal",
        "films finished",
        "best director",
        "points from awards",
        "Mean price by round and location Hollywood City 1",
    ):
        assert part in told, part
    assert "Fouls" not in told


def test_the_page_needs_nothing_else_and_its_plots_are_whole(report: dict[str, Any]) -> None:
    page = as_html(report)
    assert not re.search(r"(src|href)=|@import|url\(|<script", page)
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(plots) == 11
    for plot in plots:
        tree = ElementTree.fromstring(plot)
        width, height = (float(n) for n in tree.attrib["viewBox"].split()[2:])
        for mark in tree.iter():
            for key, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
                if key in mark.attrib:
                    assert 0 <= float(mark.attrib[key]) <= most, (mark.tag, mark.attrib)
    for title in ("Rating", "Win rate", "Who beats whom", "Places", "Points", "Luck", "Awards won"):
        assert f"<h2>{title}</h2>" in page
    assert "<h2>Fouls</h2>" not in page


def test_names_cannot_break_the_page(report: dict[str, Any]) -> None:
    name = "<b>&'\""
    text = json.dumps(report).replace('"greedy"', json.dumps(name))
    page = as_html(json.loads(text))
    assert "<b>" not in page
    for plot in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(plot)


def test_one_deal_of_one_policy_has_a_report(tmp_path: Path) -> None:
    alone = Tournament(policies=("greedy",), players=2, deals=1)
    report = run_tournament(alone, tmp_path, processes=1)
    assert report is not None
    assert report["games"] == 1
    assert report["luck"]["pairs"] == []
    assert json.loads((tmp_path / "report.json").read_text()) == report
    print_report(report, Console(file=io.StringIO()))


def test_speeds_are_measured() -> None:
    assert decisions_per_second(TOURNAMENT, "random", seconds=0.01) > 1000


def test_ratings_are_in_the_scale_people_know() -> None:
    assert SCALE * np.log(10) == pytest.approx(400)


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
    shown = [out.split("Policies")[1].split("How often")[0] for out in outputs]
    assert [line.split()[:-1] for line in shown[0].splitlines()] == [
        line.split()[:-1] for line in shown[1].splitlines()
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
