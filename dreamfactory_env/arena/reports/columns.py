"""Tables of figures on a terminal of any width: what is too wide goes on below, nothing is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

#: A label of more letters may be broken into lines, if more columns fit beside it then.
LABEL = 14
GAP = 2


@dataclass(frozen=True)
class Column:
    """A column of figures.

    Attributes:
        head: What stands above it.
        cells: The figures.
        joined: Whether it must stand beside the one before it.
    """

    head: str
    cells: Sequence[str]
    joined: bool = False

    @property
    def width(self) -> int:
        """How many letters wide it is."""
        return max(map(cell_len, (self.head, *self.cells)))


def print_columns(title: str, labels: Column, columns: Sequence[Column], console: Console) -> None:
    """Prints a table, in several parts one below the other if the console is too narrow.

    Args:
        title: What stands above it.
        labels: What stands at the left of every part.
        columns: The figures.
        console: Where to print.
    """
    console.print(f"\n{title}", style="bold")
    label, parts = _parts(labels, columns, console.width)
    for number, part in enumerate(parts):
        if number:
            console.print()
        table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
        table.add_column(labels.head, width=label, overflow="fold")
        for column in part:
            table.add_column(column.head, justify="right", no_wrap=True)
        for row in zip(labels.cells, *(column.cells for column in part), strict=True):
            table.add_row(*row)
        console.print(table)


def print_matrix(
    title: str, names: Sequence[str], cells: Sequence[Sequence[str]], console: Console
) -> None:
    """Prints a table with the same names at its rows and columns.

    Where the names are too wide to stand above the columns, numbers stand there.

    Args:
        title: What stands above it.
        names: The names.
        cells: The figures, row by row.
        console: Where to print.
    """
    labels = Column("", names)
    columns = [Column(*pair) for pair in zip(names, zip(*cells, strict=True), strict=True)]
    if len(_parts(labels, columns, console.width)[1]) > 1:
        labels = Column("", [f"{number} {name}" for number, name in enumerate(names, 1)])
        columns = [Column(str(number), c.cells) for number, c in enumerate(columns, 1)]
    print_columns(title, labels, columns, console)


def _parts(labels: Column, columns: Sequence[Column], width: int) -> tuple[int, list[list[Column]]]:
    """Returns the width of the labels, and the columns that stand beside one another."""
    parts = _packed(columns, width - labels.width)
    narrow = _packed(columns, width - min(labels.width, LABEL))
    if len(narrow) == len(parts):
        return labels.width, parts
    used = max(sum(GAP + column.width for column in part) for part in narrow)
    return min(labels.width, max(width - used, LABEL)), narrow


def _packed(columns: Sequence[Column], room: int) -> list[list[Column]]:
    """Returns columns in parts, each as wide as the room allows, but of one column at least."""
    groups: list[list[Column]] = []
    for column in columns:
        if column.joined:
            groups[-1].append(column)
        else:
            groups.append([column])
    parts: list[list[Column]] = [[]]
    for group in groups:
        needed = sum(GAP + column.width for column in parts[-1] + group)
        if parts[-1] and needed > room:
            parts.append([])
        parts[-1] += group
    return parts
