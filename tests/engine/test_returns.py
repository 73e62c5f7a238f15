"""What a finished game is worth to each player, and what a position is worth on the way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.returns import (
    Payoff,
    Reward,
    write_illegal_returns,
    write_potentials,
    write_returns,
)
from tests.toy_game import SignalGame


def payoff_of(reward: str, *, shared: bool = False, shaping: float = 0.0) -> Payoff:
    return Payoff(shared, int(Reward[reward.upper()]), 50.0, shaping)


def worth(payoff: Payoff, scores: list[int], winners: list[int]) -> list[float]:
    won = np.zeros(len(scores), np.int8)
    won[winners] = 1
    out = np.empty(len(scores))
    write_returns(payoff, np.array(scores, np.int32), won, out)
    return [float(value) for value in out]


@pytest.mark.parametrize(
    ("reward", "scores", "winners", "expected"),
    [
        ("win", [10, 20], [1], [-1, 1]),
        ("win", [10, 20, 5], [1], [-0.5, 1, -0.5]),
        ("win", [20, 20, 5, 5], [0, 1], [0.5, 0.5, -0.5, -0.5]),
        ("win", [20, 20, 5, 5], [0], [1, -1 / 3, -1 / 3, -1 / 3]),
        ("win", [7, 7, 7], [0, 1, 2], [0, 0, 0]),
        ("rank", [10, 20], [1], [-1, 1]),
        ("rank", [10, 20, 5], [1], [0, 1, -1]),
        ("rank", [20, 20, 5], [0], [1, 0, -1]),
        ("rank", [20, 20, 5], [0, 1], [0.5, 0.5, -1]),
        ("rank", [20, 5, 5, 1], [0], [1, 0, 0, -1]),
        ("rank", [7, 7, 7], [0, 1, 2], [0, 0, 0]),
        ("score", [10, 60], [1], [-0.5, 0.5]),
        ("score", [0, 30, 60], [2], [-0.6, 0, 0.6]),
    ],
)
def test_returns_of_a_zero_sum_game(
    reward: str, scores: list[int], winners: list[int], expected: list[float]
) -> None:
    assert worth(payoff_of(reward), scores, winners) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("reward", "points", "won", "expected"),
    [
        ("win", 10, True, 1),
        ("win", 10, False, 0),
        ("win", 0, False, 0),
        ("score", 25, True, 0.5),
        ("score", 25, False, 0.5),
        ("score", 0, False, 0),
    ],
)
@pytest.mark.parametrize("players", [2, 3])
def test_returns_of_a_shared_game_are_the_same_for_all(
    players: int, reward: str, points: int, won: bool, expected: float
) -> None:
    winners = list(range(players)) if won else []
    found = worth(payoff_of(reward, shared=True), [points] * players, winners)
    assert found == [expected] * players


@settings(max_examples=300, deadline=None)
@given(scores=st.lists(st.integers(0, 150), min_size=2, max_size=5), reward=st.sampled_from(Reward))
def test_all_rewards_of_a_zero_sum_game_sum_to_zero(scores: list[int], reward: Reward) -> None:
    winners = [seat for seat, points in enumerate(scores) if points == max(scores)]
    found = worth(payoff_of(reward.name), scores, winners)
    assert sum(found) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_illegal_action_costs_one_and_the_others_share_it(players: int) -> None:
    out = np.empty(players)
    write_illegal_returns(payoff_of("rank"), 1, out)
    assert out[1] == -1
    assert out.sum() == pytest.approx(0)
    assert all(value == 1 / (players - 1) for seat, value in enumerate(out) if seat != 1)


def test_an_illegal_action_costs_all_seats_of_a_shared_game_one() -> None:
    for reward in ("win", "score"):
        out = np.empty(3)
        write_illegal_returns(payoff_of(reward, shared=True), 1, out)
        assert out.tolist() == [-1, -1, -1]


def test_potentials_are_the_weighted_score_so_far() -> None:
    points, out = np.array([60, 10, 50], np.int32), np.empty(3)
    write_potentials(payoff_of("win", shaping=0.5), points, out)
    assert out == pytest.approx([0.2, -0.3, 0.1])
    write_potentials(payoff_of("win", shared=True, shaping=0.5), points[[1, 1, 1]], out)
    assert out == pytest.approx([0.1, 0.1, 0.1])


def test_the_potential_is_the_score_so_far_and_tells_nothing_hidden() -> None:
    game = DreamFactory(3, seed=1)
    payoff = game.spec.payoff(shaping=0.5)
    assert game.potentials(payoff).tolist() == [0, 0, 0]
    game.state.money[:3] = [20, 10, 6]
    assert game.potentials(payoff) == pytest.approx([0.5 * m / 50 for m in (8, -2, -6)])
    redrawn = [game.resample_hidden(0, seed) for seed in range(20)]
    assert len({tuple(other.money) for other in redrawn}) > 5
    assert all(other.potentials(payoff)[0] == game.potentials(payoff)[0] for other in redrawn)


def test_a_shared_game_pays_all_seats_its_points_won_or_lost() -> None:
    game = SignalGame(3, seed=1, goal=2)
    payoffs = [game.spec.payoff("win"), game.spec.payoff("score", 1.0)]
    for _ in range(2):  # a right guess of each of the first two players
        assert game.to_move is not None
        game.play(int(game.states["deck"][0, game.states["hand"][0, game.to_move]]))
        assert game.potentials(payoffs[1]).tolist() == [game.scores()[0] / 2] * 3
    assert game.winners() == [0, 1, 2]
    assert [game.returns(payoff).tolist() for payoff in payoffs] == [[1.0] * 3] * 2
    lost = SignalGame(2, seed=1).play("signal player 1").play("stop")
    assert (lost.over, lost.winners(), lost.scores()) == (True, [], [0, 0])
    assert lost.returns(lost.spec.payoff("win")).tolist() == [0, 0]
    assert lost.returns(lost.spec.payoff("win"), 1).tolist() == [-1, -1]
