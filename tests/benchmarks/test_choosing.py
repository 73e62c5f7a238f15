"""The random player of the benchmarks: every legal action, each as often as the others."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.choosing import MOST_WORDS, WORD, Chooser

DRAWS = 40_000


@pytest.mark.parametrize(
    "legal",
    [[0], [119], [7, 8], [0, 1, 2, 63, 64, 118, 119], list(range(120))],
    ids=lambda legal: f"{len(legal)} from {legal[0]}",
)
def test_legal_actions_are_chosen_and_each_as_often(legal: list[int]) -> None:
    masks = np.zeros((DRAWS, 120), np.int8)
    masks[:, legal] = 1
    actions, counts = np.unique(Chooser(DRAWS)(masks), return_counts=True)
    assert actions.tolist() == legal
    share = DRAWS / len(legal)
    assert np.abs(counts - share).max() <= 5 * share**0.5


def test_a_mask_that_is_no_whole_words_is_chosen_from_alike() -> None:
    masks = np.zeros((2000, 202), np.int8)
    masks[:, [3, 200, 201]] = 1
    chooser = Chooser(2000)
    assert {*chooser(masks).tolist()} == {3, 200, 201}
    masks[:, 3] = 0
    assert {*chooser(masks).tolist()} == {200, 201}


def test_the_widest_mask_is_counted_right_and_a_wider_one_refused() -> None:
    widest = np.ones((2000, WORD * MOST_WORDS), np.int8)
    chosen = Chooser(2000)(widest)
    assert {*chosen.tolist()} <= {*range(WORD * MOST_WORDS)}
    assert chosen.max() > WORD * (MOST_WORDS - 1)
    with pytest.raises(AssertionError):
        Chooser(1)(np.ones((1, WORD * (MOST_WORDS + 1)), np.int8))


def test_two_choices_differ() -> None:
    masks = np.ones((64, 120), np.int8)
    chooser = Chooser(64)
    first = chooser(masks).copy()
    assert first.tolist() != chooser(masks).tolist()
