"""A picture of how strength grows."""

from __future__ import annotations

import io
from math import ceil
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from dreamfactory_env.learning.evaluation_lines import Line, measure_of, others_of

#: The keys of an interval's half width.
HALF_WIDTHS = {"win_rate": "half_width", "score": "score_half_width"}
#: The size of a panel; what the legend needs for its title, a line, a mark and a letter. Inches.
PANEL = 5.0, 3.8
LEGEND_TITLE, LEGEND_LINE, LEGEND_MARK, LETTER = 0.35, 0.22, 0.75, 0.095


def draw_strength(lines: list[Line]) -> bytes:
    """Draws evaluations over steps, see :func:`strength_figure`.

    Args:
        lines: The evaluations, at least one.

    Returns:
        The picture as PNG.
    """
    buffer = io.BytesIO()
    strength_figure(lines).savefig(buffer, format="png")
    return buffer.getvalue()


def strength_figure(lines: list[Line]) -> Figure:
    """Returns a figure with a column of panels for each player count, and a legend below them.

    Win rates are drawn, and above them scores if the game is a shared one; a line for each policy
    that has the other seats.

    Args:
        lines: The evaluations, at least one.
    """
    counts = list(dict.fromkeys(row["players"] for row in lines[-1]["results"]))
    shared = measure_of(lines[-1]) == "score"
    measures = ["score", "win_rate"] if shared else ["win_rate"]
    labels = others_of(lines[-1])
    width = PANEL[0] * len(counts)
    per_line = _per_line(list(labels.values()), width)
    below = LEGEND_TITLE + LEGEND_LINE * ceil(len(labels) / per_line)
    size = width, PANEL[1] * len(measures) + below
    figure = Figure(figsize=size, dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(measures), len(counts), squeeze=False)
    for measure, row in zip(measures, panels, strict=True):
        for players, panel in zip(counts, row, strict=True):
            drawn = [_draw_line(panel, lines, measure, (players, others)) for others in labels]
            if not shared:
                panel.axhline(100 / players, color="grey", linestyle=":", linewidth=1)
            panel.set(title=f"{players} players", xlabel="decisions of the learner")
            if measure == "win_rate":
                panel.set(ylim=(0, 100))
                panel.set_ylabel("games won in %" + ("" if shared else ", even dotted"))
            else:
                panel.set_ylabel("score")
            panel.xaxis.set_major_formatter(EngFormatter())
            panel.grid(alpha=0.3)
    # Below the panels there is no curve that a legend could hide.
    figure.legend(
        drawn,
        labels.values(),
        title="with" if shared else "against",
        loc="outside lower center",
        ncols=per_line,
        frameon=False,
    )
    return figure


def _per_line(labels: list[str], width: float) -> int:
    """Returns how many labels a line of the legend has room for."""
    longest = LEGEND_MARK + LETTER * max(map(len, labels))
    return max(min(len(labels), int(width / longest)), 1)


def _draw_line(panel: Any, lines: list[Line], measure: str, which: tuple[int, str]) -> Any:
    """Draws a measure over steps with its interval, of a player count and who else plays."""
    least, most, scale = (0.0, 1.0, 100) if measure == "win_rate" else (-1e9, 1e9, 1)
    steps, values, lows, highs = [], [], [], []
    for line in lines:
        for row in line["results"]:
            if (row["players"], row["others"]) == which:
                value, half = row[measure], row[HALF_WIDTHS[measure]]
                steps.append(line["timesteps"])
                values.append(scale * value)
                lows.append(scale * max(value - half, least))
                highs.append(scale * min(value + half, most))
    (drawn,) = panel.plot(steps, values, marker="o", markersize=3)
    panel.fill_between(steps, lows, highs, alpha=0.2, color=drawn.get_color(), linewidth=0)
    return drawn
