"""The Film of Faux Raccords in its shapes, for the referee: F4 to F10, F18 and F21."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

Cell = tuple[int, int]


@dataclass(eq=False)
class Laid:
    """A card that lies in the Film or is in the editor's hand, with all that is on it."""

    card: str
    face_up: bool = False
    claps: set[int] = field(default_factory=set)  # the seats whose Clap is on it
    hints: list[tuple[int, str]] = field(default_factory=list)  # whose, and good or bad


class Film(ABC):
    """What the shapes have in common. Places go by their names of this moment (F5)."""

    @abstractmethod
    def lying(self) -> dict[str, Laid]:
        """Returns the cards that lie there, by the names of their places, in order."""

    @abstractmethod
    def room(self) -> list[str]:
        """Returns the places at which a card may be put."""

    @abstractmethod
    def put(self, place: str, laid: Laid) -> None:
        """Puts a card at one of these places."""

    @abstractmethod
    def take(self, place: str) -> Laid:
        """Takes the card that lies at a place."""

    @abstractmethod
    def replace(self, place: str, laid: Laid) -> Laid:
        """Lays a card where another lies, and returns that one."""

    @abstractmethod
    def touching(self, laid: Laid) -> list[Laid]:
        """Returns the cards that touch a card that lies there."""

    @abstractmethod
    def copy(self) -> Film:
        """Returns another Film with the same cards."""

    @abstractmethod
    def rising(self) -> Iterator[tuple[Laid, Laid]]:
        """Yields the pairs of cards of which the second must have the higher value (F21)."""

    @abstractmethod
    def has_size(self) -> bool:
        """Says whether it has exactly the cards that it should have (F3, F21)."""

    @abstractmethod
    def is_due(self, number: int, cut: int) -> bool:
        """Says whether a hazard is due that has not happened (F3, F18).

        Args:
            number: Which hazard of the set-up, from 0.
            cut: How many cards are in the Cut.
        """

    def genres(self) -> list[list[Laid]]:
        """Returns the cards that count for each pair of moods (F22)."""
        return [list(self.lying().values())]

    def whole(self) -> bool:
        """Says whether it is whole (F10); only some shapes can be broken."""
        return True

    def may_leave(self, place: str) -> bool:
        """Says whether the Film is whole without the card at a place (F10)."""
        trial = self.copy()
        trial.take(place)
        return trial.whole()

    def room_for(self, more: int) -> list[str]:
        """Returns where an editor may put a card (F16).

        Args:
            more: How many cards are to be put after it; then the Film must be whole.
        """
        return list(self._room_for(more))

    def _room_for(self, more: int) -> Iterator[str]:
        for place in self.room():
            trial = self.copy()
            trial.put(place, Laid("any"))
            if trial.whole() if not more else any(trial._room_for(more - 1)):
                yield place


class Lines(Film):
    """One line, or the lines A and B (F6)."""

    def __init__(
        self, letters: tuple[str, ...], aim: int, due: tuple[tuple[str, int], ...]
    ) -> None:
        """Begins with empty lines.

        Args:
            letters: The letter of each line, nothing if there is one only.
            aim: How many cards are to be in each line.
            due: The line of each hazard, and the number of cards at which it is due.
        """
        self.lines: dict[str, list[Laid]] = {letter: [] for letter in letters}
        self.aim = aim
        self.due = due

    def _at(self, place: str) -> tuple[list[Laid], int]:
        letter = place[0] if place[0].isalpha() else ""
        return self.lines[letter], int(place.removeprefix(letter)) - 1

    def lying(self) -> dict[str, Laid]:
        return {
            f"{letter}{number}": laid
            for letter, line in self.lines.items()
            for number, laid in enumerate(line, start=1)
        }

    def room(self) -> list[str]:  # from 1 to one more than there are cards
        return [
            f"{letter}{number}"
            for letter, line in self.lines.items()
            for number in range(1, len(line) + 2)
        ]

    def put(self, place: str, laid: Laid) -> None:
        line, index = self._at(place)
        line.insert(index, laid)

    def take(self, place: str) -> Laid:
        line, index = self._at(place)
        return line.pop(index)

    def replace(self, place: str, laid: Laid) -> Laid:
        line, index = self._at(place)
        line[index], old = laid, line[index]
        return old

    def touching(self, laid: Laid) -> list[Laid]:
        found = []
        for line in self.lines.values():
            for left, right in pairwise(line):
                if laid in (left, right):
                    found.append(right if laid is left else left)
        return found

    def copy(self) -> Film:
        other = Lines(tuple(self.lines), self.aim, self.due)
        other.lines = {letter: list(line) for letter, line in self.lines.items()}
        return other

    def rising(self) -> Iterator[tuple[Laid, Laid]]:
        for line in self.lines.values():
            yield from pairwise(line)

    def has_size(self) -> bool:
        return all(len(line) == self.aim for line in self.lines.values())

    def is_due(self, number: int, cut: int) -> bool:
        letter, cards = self.due[number]
        return len(self.lines[letter]) >= cards

    def genres(self) -> list[list[Laid]]:
        return list(self.lines.values())


class Cells(Film):
    """Cards on cells, each with two coordinates; the names count from some origin."""

    aim = 16

    def __init__(self) -> None:
        """Begins with an empty Film."""
        self.cells: dict[Cell, Laid] = {}

    @abstractmethod
    def origin(self) -> Cell:
        """Returns the cell whose name is 0/0."""

    @abstractmethod
    def around(self, cell: Cell) -> list[Cell]:
        """Returns the cells that touch a cell."""

    def names(self, cells: Iterable[Cell]) -> list[str]:
        """Returns the names that cells have now."""
        first, second = self.origin()
        return [f"{one - first}/{other - second}" for one, other in cells]

    def cell(self, name: str) -> Cell:
        """Returns the cell that has a name now."""
        first, second = self.origin()
        one, other = map(int, name.split("/"))
        return one + first, other + second

    def lying(self) -> dict[str, Laid]:
        cells = sorted(self.cells)
        return {name: self.cells[cell] for name, cell in zip(self.names(cells), cells, strict=True)}

    def put(self, place: str, laid: Laid) -> None:
        self.cells[self.cell(place)] = laid

    def take(self, place: str) -> Laid:
        return self.cells.pop(self.cell(place))

    def replace(self, place: str, laid: Laid) -> Laid:
        cell = self.cell(place)
        self.cells[cell], old = laid, self.cells[cell]
        return old

    def touching(self, laid: Laid) -> list[Laid]:
        (here,) = (cell for cell in self.cells if self.cells[cell] is laid)
        return [self.cells[cell] for cell in self.around(here) if cell in self.cells]

    def copy(self) -> Film:
        other = type(self)()
        other.cells = dict(self.cells)
        return other

    def has_size(self) -> bool:
        return len(self.cells) == self.aim

    def one_piece(self) -> bool:
        """Says whether every card can be reached from every other, from touch to touch."""
        reached: set[Cell] = set()
        waiting = list(self.cells)[:1]
        while waiting:
            cell = waiting.pop()
            if cell in self.cells and cell not in reached:
                reached.add(cell)
                waiting += self.around(cell)
        return reached == set(self.cells)

    def free_touching(self) -> list[Cell]:
        """Returns the free cells that touch a card; cell 1/1 if there is none."""
        if not self.cells:
            return [(1, 1)]
        found = {near for cell in self.cells for near in self.around(cell)}
        return sorted(found - set(self.cells))


class Series(Cells):
    """The grid of the series (F7), on which the hazards lie, too."""

    lie = ((2, 2), (2, 3), (3, 2), (3, 3))

    def __init__(self) -> None:
        """Begins with the hazards only."""
        super().__init__()
        self.blocked: set[Cell] = set(self.lie)  # by hazards

    def copy(self) -> Film:
        other = super().copy()
        assert isinstance(other, Series)
        other.blocked = set(self.blocked)
        return other

    def origin(self) -> Cell:
        return 0, 0

    def around(self, cell: Cell) -> list[Cell]:
        row, column = cell
        return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]

    def room(self) -> list[str]:
        cells = [(row, column) for row in range(1, 5) for column in range(1, 5)]
        return self.names(c for c in cells if c not in self.cells and c not in self.blocked)

    def rising(self) -> Iterator[tuple[Laid, Laid]]:
        for number in range(1, 5):
            row = [self.cells[cell] for cell in sorted(self.cells) if cell[0] == number]
            column = [self.cells[cell] for cell in sorted(self.cells) if cell[1] == number]
            yield from pairwise(row)
            yield from pairwise(column)

    def is_due(self, number: int, cut: int) -> bool:
        return all(
            cell in self.cells or cell in self.blocked for cell in self.around(self.lie[number])
        )


class Arcs(Cells):
    """The losange (F8), as a grid that stands on its corner."""

    span = 4

    def origin(self) -> Cell:
        if not self.cells:
            return 0, 0
        return min(x for x, _ in self.cells) - 1, min(y for _, y in self.cells) - 1

    def around(self, cell: Cell) -> list[Cell]:
        x, y = cell
        right, left = [(x + 1, y), (x, y + 1)], [(x - 1, y), (x, y - 1)]
        return [*right, *left, (x + 1, y - 1), (x - 1, y + 1)]

    def fits(self) -> bool:
        """Says whether there is a losange with all cards in it."""
        return all(
            max(numbers, default=0) - min(numbers, default=0) < self.span
            for numbers in ([x for x, _ in self.cells], [y for _, y in self.cells])
        )

    def room(self) -> list[str]:
        found = []
        for cell in self.free_touching():
            trial = Arcs()
            trial.cells = {**self.cells, cell: Laid("any")}
            if trial.fits():
                found.append(cell)
        return self.names(found)

    def whole(self) -> bool:
        return self.one_piece() and self.fits()

    def rising(self) -> Iterator[tuple[Laid, Laid]]:
        for (x, y), laid in self.cells.items():
            for right in ((x + 1, y), (x, y + 1)):
                if right in self.cells:
                    yield laid, self.cells[right]

    def is_due(self, number: int, cut: int) -> bool:
        return cut >= (4, 5, 6)[number]


class Studio(Cells):
    """The pyramid (F9); cells are a level and an index."""

    aim = 15
    base = 5

    def origin(self) -> Cell:
        return 0, min((index for _, index in self.cells), default=1) - 1

    def around(self, cell: Cell) -> list[Cell]:
        level, index = cell
        beside = [(level, index - 1), (level, index + 1)]
        above = [(level + 1, index - 1), (level + 1, index)]
        return [*beside, *self.supports(cell), *above]

    @staticmethod
    def supports(cell: Cell) -> list[Cell]:
        """Returns the cells on which a cell rests."""
        level, index = cell
        return [(level - 1, index), (level - 1, index + 1)] if level > 1 else []

    def level(self, level: int) -> list[Laid]:
        """Returns the cards of a level."""
        return [self.cells[cell] for cell in sorted(self.cells) if cell[0] == level]

    def room(self) -> list[str]:
        found = []
        for cell in self.free_touching():
            if cell[0] == 1:
                fits = len(self.level(1)) < self.base
            else:
                fits = cell[0] > 1 and all(below in self.cells for below in self.supports(cell))
            if fits:
                found.append(cell)
        return self.names(found)

    def whole(self) -> bool:
        supported = all(below in self.cells for cell in self.cells for below in self.supports(cell))
        return supported and self.one_piece() and len(self.level(1)) <= self.base

    def rising(self) -> Iterator[tuple[Laid, Laid]]:
        return iter(())  # values do not count

    def is_due(self, number: int, cut: int) -> bool:
        return len(self.level(number + 1)) >= self.base - number
