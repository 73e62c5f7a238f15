"""What a finished game is worth to each player."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.engine.returns import (
    Reward,
    check_shaping,
    reward_named,
    standing,
    utilities,
    utilities_of_foul,
)


def worth(kind: str, scores: list[int], winners: list[int]) -> list[float]:
    won = np.zeros(len(scores), np.int64)
    won[winners] = 1
    out = np.empty(len(scores))
    utilities(int(reward_named(kind)), np.array(scores, np.int64), won, out)
    return [float(value) for value in out]


@pytest.mark.parametrize(
    ("kind", "scores", "winners", "expected"),
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
def test_utilities(kind: str, scores: list[int], winners: list[int], expected: list[float]) -> None:
    assert worth(kind, scores, winners) == pytest.approx(expected)


@settings(max_examples=300, deadline=None)
@given(scores=st.lists(st.integers(0, 150), min_size=2, max_size=5), kind=st.sampled_from(Reward))
def test_all_kinds_are_zero_sum(scores: list[int], kind: Reward) -> None:
    winners = [seat for seat, points in enumerate(scores) if points == max(scores)]
    assert sum(worth(kind.name.lower(), scores, winners)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_foul_costs_one_and_the_others_share_it(players: int) -> None:
    out = np.empty(players)
    utilities_of_foul(1, out)
    assert out[1] == -1
    assert out.sum() == pytest.approx(0)
    assert all(value == 1 / (players - 1) for seat, value in enumerate(out) if seat != 1)


def test_the_potential_is_the_score_so_far_and_tells_nothing_hidden() -> None:
    game = DreamFactory(3, seed=1)
    assert standing(0.5, game).tolist() == [0, 0, 0]
    game.state.money[:3] = [20, 10, 6]
    assert standing(0.5, game) == pytest.approx([0.5 * m / 50 for m in (8, -2, -6)])
    redrawn = [game.resample_hidden(0, seed) for seed in range(20)]
    assert len({tuple(other.money) for other in redrawn}) > 5
    assert all(standing(0.5, other)[0] == standing(0.5, game)[0] for other in redrawn)


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "0.5", None, True])
def test_a_wrong_weight_of_shaping_is_refused(weight: Any) -> None:
    with pytest.raises(OptionError, match="shaping must be a number from 0"):
        check_shaping(weight)


def test_an_unknown_reward_is_refused() -> None:
    with pytest.raises(
        OptionError, match="one of win, rank, score, not 'scores'; did you mean 'sc"
    ):
        reward_named("scores")
