"""Small plots as SVG text, to stand within a page.

Colours of text, lines and series are classes and variables of the page, see ``page_parts.py``, so
that plots follow its light and dark colours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

#: What a number looks like.
Format = Callable[[float], str]

#: The widths of plots that have a third, a half or the whole of the page.
THIRD, HALF, WHOLE = 290, 440, 950
ROW = 26
LETTER = 6.6  # the width of a letter, about
TICK = 70  # room for a number of an axis
AXIS = 28  # room below a plot for its axis
SERIES = 8  # how many colours the page has


def intervals(
    rows: Sequence[tuple[str, float, float, float]],
    form: Format,
    width: float,
    reference: float | None = None,
) -> str:
    """Returns values with their intervals, one below the other.

    Args:
        rows: Label, value and both ends of the interval of each.
        form: How numbers are written.
        width: Of the plot.
        reference: Where a line shows what would be even.
    """
    left, right = _room([row[0] for row in rows]), 58
    ends = [end for row in rows for end in row[2:]] + ([] if reference is None else [reference])
    ticks = _ticks(min(ends), max(ends), (width - left - right) / TICK)
    at = _scale(ticks[0], ticks[-1], left, width - right)
    height = ROW * len(rows)
    parts = _axis(ticks, at, height, form)
    if reference is not None:
        x = at(reference)
        parts.append(f'<line class="reference" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height}"/>')
    for place, (label, value, low, high) in enumerate(rows):
        y = ROW * (place + 0.5)
        tooltip = f"{label}: {form(value)} ({form(low)} to {form(high)})"
        parts.append(f"<g><title>{escape(tooltip)}</title>")
        parts.append(_text(left - 10, y, label, "end"))
        parts.append(
            f'<line class="whisker" x1="{at(low):.1f}" y1="{y}" x2="{at(high):.1f}" y2="{y}"/>'
        )
        parts.append(f'<circle class="dot" cx="{at(value):.1f}" cy="{y}" r="5"/>')
        parts.append(_text(width, y, form(value), "end", "value"))
        parts.append("</g>")
    return _svg(height + AXIS, parts, width)


def stacked(
    rows: Sequence[tuple[str, Sequence[float]]],
    names: Sequence[str],
    form: Format,
    width: float,
    colours: str = "s",
) -> str:
    """Returns bars that are made of parts, one below the other, with a legend above.

    Args:
        rows: Label and parts of each bar, none below 0.
        names: What the parts are.
        form: How numbers are written.
        width: Of the plot.
        colours: ``s`` for parts of different kinds, ``o`` for parts from best to worst.
    """
    left, top = _room([label for label, _ in rows]), 30
    longest = max(sum(values) for _, values in rows)
    at = _scale(0, longest or 1, left, width)
    parts = _legend(names, left, colours)
    for place, (label, values) in enumerate(rows):
        y = top + ROW * place
        parts.append(_text(left - 10, y + ROW / 2, label, "end"))
        before = 0.0
        for number, (name, value) in enumerate(zip(names, values, strict=True)):
            x, wide = at(before), at(before + value) - at(before)
            tooltip = escape(f"{label}, {name}: {form(value)}")
            parts.append(
                f'<g><title>{tooltip}</title><rect class="fill {colours}{number % SERIES}" '
                f'x="{x:.1f}" y="{y + 3}" width="{max(wide - 1, 0):.1f}" height="{ROW - 6}"/>'
            )
            if wide > LETTER * len(form(value)) + 4:
                style = f"inside {colours}{number % SERIES}"
                parts.append(_text(x + wide / 2, y + ROW / 2, form(value), "middle", style))
            parts.append("</g>")
            before += value
    return _svg(top + ROW * len(rows), parts, width)


def heatmap(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    form: Format,
    width: float,
    centre: float | None = None,
) -> str:
    """Returns a table of numbers with the cells shaded by value.

    Args:
        rows: Labels of the rows.
        columns: Labels of the columns.
        values: The numbers; None leaves a cell empty.
        form: How numbers are written.
        width: Of the plot, at most.
        centre: What is neither good nor bad; without it the shades go from low to high.
    """
    known = [value for row in values for value in row if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    left = _room(rows)
    longest = LETTER * max(len(label) for label in columns)
    cell = min((width - left) / len(columns), 110)
    slanted = longest > cell
    if slanted:  # the last label leans out of the table
        cell = min((width - left - 0.7 * longest) / len(columns), 110)
    top = 24 if not slanted else 20 + 0.6 * longest
    parts = []
    for place, label in enumerate(columns):
        x = left + cell * (place + 0.5)
        if slanted:
            turn = f'transform="rotate(-38 {x:.1f} {top - 8:.1f})"'
            parts.append(_text(x, top - 8, label, "start", "", turn))
        else:
            parts.append(_text(x, top - 12, label, "middle"))
    for place, (label, row) in enumerate(zip(rows, values, strict=True)):
        y = top + ROW * place
        parts.append(_text(left - 10, y + ROW / 2, label, "end"))
        for column, value in enumerate(row):
            if value is None:
                continue
            x = left + cell * column
            fill, ink = _shade(value, low, high, centre)
            tooltip = escape(f"{label}, {columns[column]}: {form(value)}")
            parts.append(
                f'<g><title>{tooltip}</title><rect x="{x + 1:.1f}" y="{y + 1:.1f}" rx="3" '
                f'width="{cell - 2:.1f}" height="{ROW - 2}" fill="{fill}"/>'
                f'<text x="{x + cell / 2:.1f}" y="{y + ROW / 2:.1f}" text-anchor="middle" '
                f'dominant-baseline="central" style="fill:{ink}">{form(value)}</text></g>'
            )
    return _svg(top + ROW * len(rows) + 4, parts, width)


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
    left, right, top, height, width = 16, 16, 34, 190, WHOLE
    bins = max(len(shares) for shares in series)
    end = start + bins * step
    ticks = _ticks(start, end, 10)
    at = _scale(start, end, left, width - right)
    peak = max(max(shares) for shares in series) or 1
    floor_ = top + height
    parts = _legend(names, left, "s")
    parts += _axis([tick for tick in ticks if start <= tick <= end], at, floor_, form, top)
    parts.append(_text(width - right, top, axis, "end", "soft"))
    for number, shares in enumerate(series):
        points: list[tuple[float, float]] = [(at(start), floor_)]
        points += [
            (at(start + (k + 0.5) * step), floor_ - height * share / peak)
            for k, share in enumerate(shares)
        ]
        points.append((at(end), floor_))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        tooltip = escape(names[number])
        parts.append(
            f'<polygon class="curve s{number % SERIES}" points="{path}"><title>{tooltip}</title>'
            "</polygon>"
        )
    return _svg(floor_ + AXIS, parts, width)


# ---------------------------------------------------------------------------- pieces of plots


def _svg(height: float, parts: Sequence[str], width: float) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" style="max-width:{width:.0f}px" '
        f'role="img">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str, style: str = "", more: str = "") -> str:
    return (
        f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'dominant-baseline="central" {more}>{escape(text)}</text>'
    )


def _legend(names: Sequence[str], left: float, colours: str) -> list[str]:
    parts, x = [], left
    for number, name in enumerate(names):
        parts.append(
            f'<rect class="fill {colours}{number % SERIES}" x="{x:.1f}" y="5" width="12" '
            'height="12" rx="2"/>'
        )
        parts.append(_text(x + 18, 11, name, "start"))
        x += 36 + LETTER * len(name)
    return parts


def _axis(
    ticks: Sequence[float],
    at: Callable[[float], float],
    bottom: float,
    form: Format,
    top: float = 0,
) -> list[str]:
    parts = []
    for tick in ticks:
        x = at(tick)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(_text(x, bottom + 14, form(tick), "middle", "soft"))
    return parts


def _room(labels: Sequence[str]) -> float:
    """Returns the room that labels need at the left."""
    return 20 + LETTER * max(len(label) for label in labels)


def _scale(low: float, high: float, left: float, right: float) -> Callable[[float], float]:
    """Returns the function from values to places on the page."""
    return lambda value: left + (value - low) / ((high - low) or 1) * (right - left)


def _ticks(low: float, high: float, most: float) -> list[float]:
    """Returns round numbers that enclose both ends, about ``most`` of them."""
    span = (high - low) or abs(high) or 1
    size = 10 ** floor(log10(span / most))
    step = next(size * m for m in (1, 2, 5, 10) if span / (size * m) <= most)
    first = floor(low / step + 1e-9)
    last = max(ceil(high / step - 1e-9), first + 1)
    return [number * step for number in range(first, last + 1)]


#: The ends and the middle of the shades: low, neutral, high.
_LOW, _NEUTRAL, _HIGH = (205, 92, 62), (238, 240, 243), (38, 105, 166)


def _shade(value: float, low: float, high: float, centre: float | None) -> tuple[str, str]:
    """Returns the colour of a cell and of the number in it."""
    if centre is None:
        part, end = (value - low) / ((high - low) or 1), _HIGH
    else:
        reach = max(abs(high - centre), abs(low - centre)) or 1
        part, end = abs(value - centre) / reach, _HIGH if value >= centre else _LOW
    mixed = [round(a + (b - a) * part) for a, b in zip(_NEUTRAL, end, strict=True)]
    ink = "#fff" if part > 0.55 else "#1c2430"
    return f"rgb({mixed[0]},{mixed[1]},{mixed[2]})", ink
