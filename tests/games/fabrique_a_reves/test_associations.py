"""Associations (M1) and minds (M2), against the formulas in plain Python."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.associations import (
    DEVIATION_OF_BYTES,
    MEAN_OF_BYTES,
    RAISED,
    RECIPROCAL,
    RECIPROCAL_SHIFT,
    association_tables,
    associations,
    mind_adds,
)
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import standard_lexicon
from dreamfactory_env.games.fabrique_a_reves.state import MAX_NOISE
from dreamfactory_env.games.fabrique_a_reves.vectors import standard_vectors
from tests.games.fabrique_a_reves.test_lexicon import EXAMPLE


def plain_associations(thoughts: list[list[int]], dreams: list[list[int]]) -> list[list[int]]:
    """Returns the formula of M1 as it is printed, with Python's numbers."""

    def times(a: list[int], b: list[int]) -> int:
        return sum(x * y for x, y in zip(a, b, strict=True))

    n, m = len(thoughts), len(dreams)
    everything = sum(times(s, j) for s, j in product(thoughts, dreams))
    c = [
        [
            n * m * times(t, i)
            - n * sum(times(t, j) for j in dreams)
            - m * sum(times(s, i) for s in thoughts)
            + everything
            for i in dreams
        ]
        for t in thoughts
    ]
    z = sum(abs(x) for row in c for x in row) // (n * m)
    return [[(48 * x + z) // (2 * z) if z else 0 for x in row] for row in c]


@pytest.fixture(scope="module")
def tables() -> Array:
    return association_tables(standard_lexicon(), standard_vectors())


@pytest.mark.rule("M1")
@pytest.mark.parametrize("seed", range(30))
def test_associations_are_those_of_the_formula(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, m, largest = random.integers(1, 9), random.integers(1, 7), random.choice([1, 5, 127])
    thoughts = random.integers(-largest, largest, (n, 3), np.int8, endpoint=True)
    dreams = random.integers(-largest, largest, (m, 3), np.int8, endpoint=True)
    found = associations(thoughts, dreams)
    assert found.dtype == np.int64
    assert found.tolist() == plain_associations(thoughts.tolist(), dreams.tolist())


@pytest.mark.rule("M1")
def test_the_largest_vectors_do_not_overflow() -> None:
    thoughts, dreams = np.full((528, 128), 127, np.int8), np.full((128, 128), 127, np.int8)
    thoughts[::2] = -128
    dreams[::2] = -128
    found = associations(thoughts, dreams)
    assert np.unique(found).tolist() == [-24, 24]


@pytest.mark.rule("M1")
def test_without_any_difference_all_associations_are_0() -> None:
    assert not associations(np.ones((4, 3), np.int8), np.ones((5, 3), np.int8)).any()


@pytest.mark.rule("M1")
def test_tables_have_the_numbers_of_each_theme_and_nothing_beyond_its_dreams(tables: Array) -> None:
    lexicon, vectors = standard_lexicon(), standard_vectors()
    assert tables.dtype == np.int16
    assert tables.shape == (51, 528, 128)
    lists = [*(theme.dreams for theme in lexicon.themes), lexicon.free]
    for table, names in zip(tables.astype(np.int64), lists, strict=True):
        assert not table[:, len(names) :].any()
        assert abs(np.abs(table[:, : len(names)]).mean() - 24) < 0.1
        assert abs(table[:, : len(names)].mean()) < 0.1
    (place,) = (k for k, theme in enumerate(lexicon.themes) if theme.id == "electric")
    thoughts, dreams = (
        vectors[[lexicon.rows[name] for name in names]]
        for names in (lexicon.thoughts, lexicon.themes[place].dreams)
    )
    alone = associations(thoughts, dreams)
    assert tables[place, :, : len(dreams)].tolist() == alone.tolist()
    with pytest.raises(ValueError, match="read-only"):
        tables[0, 0, 0] = 1


@pytest.mark.rule("M1")
@pytest.mark.parametrize("answer", EXAMPLE)
def test_each_answer_of_the_printed_example_is_one_of_the_two_closest(
    answer: str, tables: Array
) -> None:
    lexicon = standard_lexicon()
    (place,) = (k for k, theme in enumerate(lexicon.themes) if theme.id == "electric")
    dreams = lexicon.themes[place].dreams
    thoughts = [lexicon.thoughts.index(word) for word in EXAMPLE[answer]]
    sums = tables[place, thoughts, : len(dreams)].astype(np.int64).sum(axis=0)
    closest = sorted(range(len(dreams)), key=lambda k: (-sums[k], k))[:2]
    assert answer in [dreams[k] for k in closest]


@pytest.mark.rule("M2")
def test_what_a_mind_adds_is_that_of_the_spec() -> None:
    assert [mind_adds(np.uint64(7), 0, i, 24) for i in range(4)] == [11, -27, -5, -7]
    assert [mind_adds(np.uint64(7), 0, i, 0) for i in range(4)] == [0, 0, 0, 0]


@pytest.mark.rule("M2")
@pytest.mark.parametrize("mind", [0, 7, 2**53 - 1])
def test_what_a_mind_adds_is_that_of_the_formula(mind: int) -> None:
    def splitmix64(counter: int) -> int:
        z = (mind + (counter + 1) * 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    for thought, place, noise in product((0, 3, 527), (0, 1, 127), (1, 24, 100)):
        total = sum(splitmix64(thought * 128 + place).to_bytes(8, "little"))
        expected = (total - 1020) * noise // 209
        assert mind_adds(np.uint64(mind), thought, place, noise) == expected


@pytest.mark.rule("M2")
def test_the_division_is_exact_for_every_sum_and_noise() -> None:
    total, noise = np.arange(8 * 255 + 1), np.arange(MAX_NOISE + 1)[:, None]
    raised = (total - MEAN_OF_BYTES) * noise + RAISED * DEVIATION_OF_BYTES
    found = (raised * RECIPROCAL >> RECIPROCAL_SHIFT) - RAISED
    assert (found == (total - 1020) * noise // 209).all()


@pytest.mark.rule("M2")
def test_minds_differ_by_the_noise() -> None:
    added = [mind_adds(np.uint64(5), t, i, 24) for t in range(60) for i in range(128)]
    assert abs(np.mean(added) + 0.5) < 1  # rounded down
    assert abs(np.std(added) - 24) < 1
