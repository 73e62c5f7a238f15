"""Small plots as HTML, for a screen of any width.

The browser lays out all that is text (rows, labels, legends, numbers), so nothing is cut or lies
over something else, whatever the names and the font; what has a scale is drawn in per cent of the
width that is left. Colours are classes of the page, see ``style.py``, so that plots follow its
light and dark ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

from dreamfactory_env.arena.reports.style import SERIES, UPRIGHT, heat

#: What a number looks like.
Format = Callable[[float], str]

TICKS, MANY_TICKS = 5.5, 8  # steps of an axis beside labels, and of one over the whole width
MARGIN = 0.04  # of an axis beyond the values
CELL = 16  # letters that fit the widest cell of a heat map
LETTER = 7  # the width of a letter, about


def intervals(
    rows: Sequence[tuple[str, float, float, float]],
    form: Format,
    reference: float | None = None,
) -> str:
    """Returns values with their intervals, one below the other.

    Args:
        rows: Label, value and both ends of the interval of each.
        form: How numbers are written.
        reference: Where a line shows what would be even.
    """
    ends = [end for row in rows for end in row[2:]] + ([] if reference is None else [reference])
    margin = MARGIN * ((max(ends) - min(ends)) or abs(max(ends)) or 1)
    low, high = min(ends) - margin, max(ends) + margin
    ticks, at = _ticks(low, high, TICKS), _scale(low, high)
    behind = _grid(ticks, at)
    if reference is not None:
        behind += _upright_line("reference", at(reference))
    lines = []
    for label, value, least, most in rows:
        marks = (
            f'<line class="whisker" x1="{at(least)}" y1="50%" x2="{at(most)}" y2="50%"/>'
            f'<circle class="dot" cx="{at(value)}" cy="50%" r="5"/>'
        )
        body = f'<svg class="track">{behind}{marks}</svg><b>{escape(form(value))}</b>'
        tooltip = f"{label}: {form(value)} ({form(least)} to {form(most)})"
        lines.append(_row(label, body, tooltip))
    lines.append(_row("", f"{_axis(ticks, at, form)}<b></b>"))
    value_room = max(len(form(row[1])) for row in rows)
    return _chart("intervals", [row[0] for row in rows], lines, f"--value:{value_room + 1}ch")


def stacked(
    rows: Sequence[tuple[str, Sequence[float]]],
    names: Sequence[str],
    form: Format,
    colours: str = "s",
) -> str:
    """Returns bars that are made of parts, one below the other, with a legend above.

    Args:
        rows: Label and parts of each bar, none below 0.
        names: What the parts are.
        form: How numbers are written; one that does not fit its part is not shown.
        colours: ``s`` for parts of different kinds, ``o`` for parts from best to worst.
    """
    longest = max(sum(values) for _, values in rows) or 1
    lines = []
    for label, values in rows:
        parts = []
        for number, (name, value) in enumerate(zip(names, values, strict=True)):
            share, tooltip = 100 * value / longest, escape(f"{label}, {name}: {form(value)}")
            parts.append(
                f'<span class="{colours}{number % SERIES}" style="flex-basis:{share:.2f}%" '
                f'title="{tooltip}"><i>{escape(form(value))}</i></span>'
                if share
                else ""
            )
        lines.append(_row(label, "".join(parts)))
    return _legend(names, colours) + _chart("stacked", [row[0] for row in rows], lines)


def heatmap(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    form: Format,
    centre: float | None = None,
) -> str:
    """Returns a table of numbers with the cells shaded by value.

    Args:
        rows: Labels of the rows.
        columns: Labels of the columns.
        values: The numbers; None leaves a cell empty.
        form: How numbers are written.
        centre: What is neither good nor bad; without it the shades go from low to high.
    """
    known = [value for row in values for value in row if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    heads = "".join(f"<span><span>{escape(column)}</span></span>" for column in columns)
    lines = [_row("", heads, style="heads")]
    for label, row in zip(rows, values, strict=True):
        cells = []
        for column, value in zip(columns, row, strict=True):
            if value is None:
                cells.append("<span></span>")
                continue
            tooltip = escape(f"{label}, {column}: {form(value)}")
            ink, ground = heat(*_shade(value, low, high, centre))
            cells.append(
                f'<span class="{ink}" style="background:{ground}" title="{tooltip}">'
                f"{escape(form(value))}</span>"
            )
        lines.append(_row(label, "".join(cells)))
    widest = max((len(form(value)) for value in known), default=1)
    room = f"--columns:{len(columns)};--cell:{widest}"  # a cell is as wide as its number, at least
    return _chart(f"heat {_upright(rows, columns)}", rows, lines, room)


def _upright(rows: Sequence[str], columns: Sequence[str]) -> str:
    """Returns the class of a heat map by the width below which the labels of its columns stand."""
    longest = max(map(len, columns)) + 1
    if longest > CELL:
        return "upright"
    needed = LETTER * (max(map(len, rows)) + 2 + len(columns) * longest)
    return next((f"upright{width}" for width in UPRIGHT if width >= needed), "upright")


def curves(
    names: Sequence[str],
    series: Sequence[Sequence[float]],
    step: float,
    axis: str,
    form: Format,
    start: float = 0,
) -> str:
    """Returns how something is spread: a filled curve for each series over a common axis.

    Args:
        names: What the series are.
        series: Shares of bins of equal width.
        step: The width of a bin.
        axis: What is spread.
        form: How numbers of the axis are written.
        start: Where the first bin begins.
    """
    end = start + max(len(shares) for shares in series) * step
    ticks, at = _ticks(start, end, MANY_TICKS), _scale(start, end)
    peak = max(max(shares) for shares in series) or 1
    drawn = []
    for number, shares in enumerate(series):
        places = [start + (k + 0.5) * step for k in range(len(shares))]
        heights = [100 * (1 - share / peak) for share in shares]
        points = [(start, 100.0), *zip(places, heights, strict=True), (end, 100.0)]
        path = " ".join(f"{at(x).removesuffix('%')},{y:.2f}" for x, y in points)
        drawn.append(
            f'<polygon class="curve s{number % SERIES}" points="{path}">'
            f"<title>{escape(names[number])}</title></polygon>"
        )
    return (
        f'{_legend(names, "s")}<div class="spread"><svg class="track">{_grid(ticks, at)}'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">'
        f"{''.join(drawn)}</svg></svg>{_axis(ticks, at, form)}<small>{escape(axis)}</small></div>"
    )


# ---------------------------------------------------------------------------- pieces of plots


def _chart(kind: str, labels: Sequence[str], lines: Sequence[str], room: str = "") -> str:
    """Returns lines as a plot. All have the same room for labels, so all break or none does."""
    label = f"--label:{max(map(len, labels)) + 2}ch"
    return f'<div class="chart {kind}" style="{label};{room}">{"".join(lines)}</div>'


def _row(label: str, body: str, tooltip: str = "", style: str = "") -> str:
    title = f' title="{escape(tooltip)}"' if tooltip else ""
    return (
        f'<div class="row {style}"{title}><div class="label">{escape(label)}</div>'
        f'<div class="body">{body}</div></div>'
    )


def _legend(names: Sequence[str], colours: str) -> str:
    entries = "".join(
        f'<span><i class="{colours}{number % SERIES}"></i>{escape(name)}</span>'
        for number, name in enumerate(names)
    )
    return f'<div class="legend">{entries}</div>'


def _upright_line(style: str, x: str) -> str:
    return f'<line class="{style}" x1="{x}" y1="0" x2="{x}" y2="100%"/>'


def _grid(ticks: Sequence[float], at: Callable[[float], str]) -> str:
    return "".join(_upright_line("grid", at(tick)) for tick in ticks)


def _axis(ticks: Sequence[float], at: Callable[[float], str], form: Format) -> str:
    texts = [form(tick) for tick in ticks]
    unit = "%" if texts[0].endswith("%") else ""
    texts = [text.removesuffix(unit) for text in texts]
    while all("." in text and text[-1] in "0." for text in texts):  # digits that say nothing
        texts = [text[:-1] for text in texts]
    marks = [
        f'<span style="left:{at(tick)}">{escape(text + unit)}</span>'
        for tick, text in zip(ticks, texts, strict=True)
    ]
    return f'<div class="ticks">{"".join(marks)}</div>'


def _scale(low: float, high: float) -> Callable[[float], str]:
    """Returns the function from values to places on the page."""
    return lambda value: f"{100 * (value - low) / ((high - low) or 1):.2f}%"


def _ticks(low: float, high: float, most: float) -> list[float]:
    """Returns round numbers from one end to the other, two at least and hardly more than most."""
    size = 10 ** floor(log10((high - low) / most))
    step = next(size * m for m in (1, 2, 5, 10) if (high - low) / (size * m) <= most)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def _shade(value: float, low: float, high: float, centre: float | None) -> tuple[float, bool]:
    """Returns how strong the colour of a cell is, from 0 to 1, and whether its value is high."""
    if centre is None:
        return (value - low) / ((high - low) or 1), True
    reach = max(abs(high - centre), abs(low - centre)) or 1
    return abs(value - centre) / reach, value >= centre
