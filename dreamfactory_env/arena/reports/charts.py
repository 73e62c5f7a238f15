"""Small plots as HTML, for a screen of any width.

The browser lays out all that is text (rows, labels, legends, numbers), so nothing is cut or lies
over something else, whatever the names and the font; what has a scale is drawn in per cent of the
width that is left. Colours are classes of the page, see ``style.py``, so that plots follow its
light and dark ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10

from dreamfactory_env.arena.reports.markup import Html, html, join
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
) -> Html:
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
        behind = join([behind, _upright_line("reference", at(reference))])
    lines = []
    for label, value, least, most in rows:
        body = html(
            '<svg class="track">{behind}'
            '<line class="whisker" x1="{least}" y1="50%" x2="{most}" y2="50%"/>'
            '<circle class="dot" cx="{at}" cy="50%" r="5"/></svg><b>{value}</b>',
            behind=behind,
            least=at(least),
            most=at(most),
            at=at(value),
            value=form(value),
        )
        tooltip = f"{label}: {form(value)} ({form(least)} to {form(most)})"
        lines.append(_row(label, body, tooltip))
    lines.append(_row("", html("{axis}<b></b>", axis=_axis(ticks, at, form))))
    value_room = max(len(form(row[1])) for row in rows)
    return _chart("intervals", [row[0] for row in rows], lines, f"--value:{value_room + 1}ch")


def stacked(
    rows: Sequence[tuple[str, Sequence[float]]],
    names: Sequence[str],
    form: Format,
    colours: str = "s",
) -> Html:
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
            share = 100 * value / longest
            if not share:
                continue
            parts.append(
                html(
                    '<span class="{colours}{number}" style="flex-basis:{share:.2f}%" '
                    'title="{tooltip}"><i>{value}</i></span>',
                    colours=colours,
                    number=number % SERIES,
                    share=share,
                    tooltip=f"{label}, {name}: {form(value)}",
                    value=form(value),
                )
            )
        lines.append(_row(label, join(parts)))
    return join([_legend(names, colours), _chart("stacked", [row[0] for row in rows], lines)])


def heatmap(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    form: Format,
    centre: float | None = None,
) -> Html:
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
    heads = [html("<span><span>{column}</span></span>", column=column) for column in columns]
    lines = [_row("", join(heads), style="heads")]
    for label, row in zip(rows, values, strict=True):
        cells = []
        for column, value in zip(columns, row, strict=True):
            if value is None:
                cells.append(html("<span></span>"))
                continue
            ink, ground = heat(*_shade(value, low, high, centre))
            cells.append(
                html(
                    '<span class="{ink}" style="background:{ground}" title="{tooltip}">'
                    "{value}</span>",
                    ink=ink,
                    ground=ground,
                    tooltip=f"{label}, {column}: {form(value)}",
                    value=form(value),
                )
            )
        lines.append(_row(label, join(cells)))
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
) -> Html:
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
            html(
                '<polygon class="curve s{number}" points="{path}"><title>{name}</title></polygon>',
                number=number % SERIES,
                path=path,
                name=names[number],
            )
        )
    return html(
        '{legend}<div class="spread"><svg class="track">{grid}'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">'
        "{drawn}</svg></svg>{ticks}<small>{axis}</small></div>",
        legend=_legend(names, "s"),
        grid=_grid(ticks, at),
        drawn=join(drawn),
        ticks=_axis(ticks, at, form),
        axis=axis,
    )


# ---------------------------------------------------------------------------- pieces of plots


def _chart(kind: str, labels: Sequence[str], lines: Sequence[Html], room: str = "") -> Html:
    """Returns lines as a plot. All have the same room for labels, so all break or none does."""
    return html(
        '<div class="chart {kind}" style="--label:{label}ch;{room}">{lines}</div>',
        kind=kind,
        label=max(map(len, labels)) + 2,
        room=room,
        lines=join(lines),
    )


def _row(label: str, body: Html, tooltip: str = "", style: str = "") -> Html:
    return html(
        '<div class="row {style}"{title}><div class="label">{label}</div>'
        '<div class="body">{body}</div></div>',
        style=style,
        title=html(' title="{tooltip}"', tooltip=tooltip) if tooltip else "",
        label=label,
        body=body,
    )


def _legend(names: Sequence[str], colours: str) -> Html:
    entries = [
        html(
            '<span><i class="{colours}{number}"></i>{name}</span>',
            colours=colours,
            number=number % SERIES,
            name=name,
        )
        for number, name in enumerate(names)
    ]
    return html('<div class="legend">{entries}</div>', entries=join(entries))


def _upright_line(style: str, x: str) -> Html:
    return html('<line class="{style}" x1="{x}" y1="0" x2="{x}" y2="100%"/>', style=style, x=x)


def _grid(ticks: Sequence[float], at: Callable[[float], str]) -> Html:
    return join(_upright_line("grid", at(tick)) for tick in ticks)


def _axis(ticks: Sequence[float], at: Callable[[float], str], form: Format) -> Html:
    texts = [form(tick) for tick in ticks]
    unit = "%" if texts[0].endswith("%") else ""
    texts = [text.removesuffix(unit) for text in texts]
    while all("." in text and text[-1] in "0." for text in texts):  # digits that say nothing
        texts = [text[:-1] for text in texts]
    marks = [
        html('<span style="left:{at}">{text}</span>', at=at(tick), text=text + unit)
        for tick, text in zip(ticks, texts, strict=True)
    ]
    return html('<div class="ticks">{marks}</div>', marks=join(marks))


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
