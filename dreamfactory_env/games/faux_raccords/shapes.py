"""Where the places of the Film lie in a picture or a text, by their names (F6 to F9)."""

from __future__ import annotations

import re
from typing import NamedTuple

ROW_OF_A_LINE = 8  # cards of a line that are shown side by side
LINES_APART = 100  # rows from the first of line A to the first of line B


class Spot(NamedTuple):
    """A place as it is shown: x in half cards to the right, y in half cards down.

    Two that touch side by side are 2 apart in x, or 1 in a shape whose columns are shifted.
    """

    x: int
    y: int


def spot_of(mode: str, place: str) -> Spot:
    """Returns where a place lies that a move names."""
    numbers = [int(number) for number in re.findall(r"\d+", place)]
    if len(numbers) == 1:
        row, column = divmod(numbers[0] - 1, ROW_OF_A_LINE)
        return Spot(2 * column, 2 * row + (LINES_APART if place.startswith("B") else 0))
    first, second = numbers
    if mode == "series":
        return Spot(2 * (second - 1), 2 * (first - 1))
    if mode == "arcs":  # x is a column to the right and half a card down, y half a card up (F8)
        return Spot(first + second - 2, first - second)
    return Spot(2 * second + first - 3, -2 * (first - 1))  # each level lies half a card further


def outline_of(mode: str) -> list[Spot]:
    """Returns the places of the whole shape, as if its first cards lay at 1/1; none for lines."""
    if mode == "series":
        names = [f"{row}/{column}" for row in range(1, 5) for column in range(1, 5)]
    elif mode == "arcs":
        names = [f"{x}/{y}" for x in range(1, 5) for y in range(1, 5)]
    elif mode == "studio":
        names = [f"{level}/{k}" for level in range(1, 6) for k in range(1, 7 - level)]
    else:
        names = []
    return [spot_of(mode, name) for name in names]
