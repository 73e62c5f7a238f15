"""A picture of how strength grows."""

from __future__ import annotations

import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from dreamfactory_env.learning.evaluation_lines import Line, measure_of, short_name

#: The keys of an interval's half width.
HALF_WIDTHS = {"win_rate": "half_width", "score": "score_half_width"}


def draw_strength(lines: list[Line]) -> bytes:
    """Draws evaluations over steps: a column of panels for each player count.

    Win rates are drawn, and above them scores if the game is a shared one; a line for each policy
    that has the other seats.

    Args:
        lines: The evaluations, at least one.

    Returns:
        The picture as PNG.
    """
    counts = list(dict.fromkeys(row["players"] for row in lines[-1]["results"]))
    shared = measure_of(lines[-1]) == "score"
    measures = ["score", "win_rate"] if shared else ["win_rate"]
    size = 5 * len(counts), 3.8 * len(measures)
    figure = Figure(figsize=size, dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(measures), len(counts), squeeze=False)
    for measure, row in zip(measures, panels, strict=True):
        for players, panel in zip(counts, row, strict=True):
            for others in dict.fromkeys(row["others"] for row in lines[-1]["results"]):
                _draw_line(panel, lines, measure, (players, others))
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
            title = "with" if shared else "against"
            panel.legend(title=title, loc="lower right", frameon=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _draw_line(panel: Any, lines: list[Line], measure: str, which: tuple[int, str]) -> None:
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
    (drawn,) = panel.plot(steps, values, marker="o", markersize=3, label=short_name(which[1]))
    panel.fill_between(steps, lows, highs, alpha=0.2, color=drawn.get_color(), linewidth=0)
