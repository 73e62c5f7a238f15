"""Losange and pyramid (F8 to F10): the sets of slots agree with plain sets of coordinates."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from dreamfactory_env.games.faux_raccords import geometry
from dreamfactory_env.games.faux_raccords.state import WIDTH, Mode

Cell = tuple[int, int]
Cells = frozenset[Cell]


def slot_of(mode: Mode, cell: Cell) -> int:
    return (cell[0] - (mode == Mode.STUDIO)) * WIDTH + cell[1]


def bits_of(mode: Mode, cells: Cells) -> int:
    return sum(1 << slot_of(mode, cell) for cell in cells)


def cells_of(mode: Mode, bits: int) -> Cells:
    first = int(mode == Mode.STUDIO)
    return frozenset(
        (slot // WIDTH + first, slot % WIDTH) for slot in range(63) if bits >> slot & 1
    )


def touches(mode: Mode, one: Cell, other: Cell) -> bool:
    step = (other[0] - one[0], other[1] - one[1])
    return step in {(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)}


def is_whole(mode: Mode, cells: Cells) -> bool:
    if not cells:
        return True
    if mode == Mode.STUDIO:
        if sum(level == 1 for level, _ in cells) > 5:
            return False
        for level, index in cells:
            if level > 1 and not {(level - 1, index), (level - 1, index + 1)} <= cells:
                return False
    else:
        for axis in range(2):
            numbers = [cell[axis] for cell in cells]
            if max(numbers) - min(numbers) > 3:
                return False
    reached = {next(iter(cells))}
    while True:
        more = {c for c in cells - reached if any(touches(mode, c, other) for other in reached)}
        if not more:
            return reached == cells
        reached |= more


def can_be_put(mode: Mode, cells: Cells, cell: Cell) -> bool:
    """Tells whether F8 or F9 let a card be put."""
    if not cells:
        return cell == (1, 1)
    if cell in cells or not any(touches(mode, cell, other) for other in cells):
        return False
    if mode == Mode.STUDIO:
        level, index = cell
        if level == 1:
            return sum(other[0] == 1 for other in cells) < 5
        return {(level - 1, index), (level - 1, index + 1)} <= cells
    both = cells | {cell}
    return all(max(c[k] for c in both) - min(c[k] for c in both) <= 3 for k in range(2))


def places(mode: Mode, cells: Cells) -> set[Cell]:
    around = [(a, b) for a in range(-1, 7) for b in range(-1, 8)]
    return {cell for cell in around if can_be_put(mode, cells, cell)}


def mending(mode: Mode, cells: Cells, cards: int) -> set[Cell]:
    found = set()
    for cell in places(mode, cells):
        after = cells | {cell}
        ends = [after] if cards == 1 else [after | {more} for more in places(mode, after)]
        if any(is_whole(mode, end) for end in ends):
            found.add(cell)
    return found


def anchored(mode: Mode, cells: Cells) -> Cells:
    """Returns cards by their names: the least coordinates that are counted are 1."""
    if not cells:
        return cells
    down = 0 if mode == Mode.STUDIO else min(a for a, _ in cells) - 1
    left = min(b for _, b in cells) - 1
    return frozenset((a - down, b - left) for a, b in cells)


def random_films(mode: Mode, count: int) -> list[Cells]:
    """Returns whole Films of all sizes, grown at random."""
    rng = random.Random(count)
    films = []
    for _ in range(count):
        cells: Cells = frozenset()
        for _ in range(rng.randint(0, 16 if mode == Mode.ARCS else 15)):
            cells = anchored(mode, cells | {rng.choice(sorted(places(mode, cells)))})
        films.append(cells)
    return films


BOTH = pytest.mark.parametrize("mode", [Mode.ARCS, Mode.STUDIO])


@BOTH
def test_places_are_those_of_the_rules_and_keep_the_film_whole(mode: Mode) -> None:
    full = {Mode.ARCS: geometry.LOSANGE, Mode.STUDIO: geometry.PYRAMID}[mode]
    sizes = set()
    for cells in random_films(mode, 150):
        sizes.add(len(cells))
        bits = bits_of(mode, cells)
        expected = places(mode, cells)
        assert cells_of(mode, geometry.open_places(mode, bits)) == expected
        assert bool(expected) == (len(cells) < full)
        assert all(is_whole(mode, cells | {cell}) for cell in expected)
        assert geometry.is_whole(mode, bits)
    assert full in sizes


@BOTH
def test_a_card_may_leave_if_the_rest_is_whole(mode: Mode) -> None:
    for cells in random_films(mode, 80):
        expected = {cell for cell in cells if is_whole(mode, cells - {cell})}
        leaving = geometry.cards_that_may_leave(mode, bits_of(mode, cells))
        assert cells_of(mode, leaving) == expected
        assert bool(expected) == bool(cells)


@BOTH
@pytest.mark.parametrize("taken", [1, 2])
def test_an_editor_puts_cards_where_the_film_can_be_made_whole(mode: Mode, taken: int) -> None:
    rng = random.Random(taken)
    broken = 0
    for cells in random_films(mode, 120):
        if len(cells) < taken:
            continue
        for _ in range(4):
            left = anchored(mode, cells - {*rng.sample(sorted(cells), taken)})
            expected = mending(mode, left, taken)
            found = geometry.mending_places(mode, bits_of(mode, left), taken)
            assert cells_of(mode, found) == expected
            assert expected  # there is always a way
            broken += not is_whole(mode, left)
            for cell in expected if taken == 2 else ():  # and then a second one
                after = anchored(mode, left | {cell})
                second = geometry.mending_places(mode, bits_of(mode, after), 1)
                assert cells_of(mode, second) == mending(mode, after, 1) != set()
    assert broken > 50


@BOTH
def test_names_begin_at_one_after_a_card_has_left(mode: Mode) -> None:
    for cells in random_films(mode, 60):
        for cell in cells:
            left = cells - {cell}
            bits = bits_of(mode, left)
            shift = geometry.gap_shift(mode, bits)
            assert cells_of(mode, bits >> shift) == anchored(mode, left)


@pytest.mark.parametrize(
    "move", [geometry.with_gap, geometry.without_gap], ids=["with gap", "without gap"]
)
def test_lines_move_by_one_and_leave_the_other_line_alone(move: Callable[[int, int], int]) -> None:
    rng = random.Random(1)
    for _ in range(300):
        lines = [[rng.random() < 0.5 for _ in range(rng.randint(1, 20))] for _ in range(2)]
        bits = sum(1 << (32 * k + p) for k in range(2) for p, on in enumerate(lines[k]) if on)
        line = rng.randrange(2)
        place = rng.randrange(len(lines[line]))
        if move is geometry.with_gap:
            lines[line].insert(place, False)
        else:
            del lines[line][place]
        after = sum(1 << (32 * k + p) for k in range(2) for p, on in enumerate(lines[k]) if on)
        assert move(bits, 32 * line + place) == after
