"""A picture of how strength grows."""

from __future__ import annotations

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from dreamfactory_env.learning.evaluation import Line, short_name


def draw_strength(lines: list[Line]) -> bytes:
    """Draws win rates over steps: a panel for each player count, a line for each opponent.

    Args:
        lines: The evaluations, at least one.

    Returns:
        The picture as PNG.
    """
    counts = list(dict.fromkeys(row["players"] for row in lines[-1]["results"]))
    figure = Figure(figsize=(5 * len(counts), 3.8), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(counts), squeeze=False)[0]
    for players, panel in zip(counts, panels, strict=True):
        for against in dict.fromkeys(row["against"] for row in lines[-1]["results"]):
            steps, rates, lows, highs = [], [], [], []
            for line in lines:
                for row in line["results"]:
                    if (row["players"], row["against"]) == (players, against):
                        steps.append(line["steps"])
                        rates.append(100 * row["win_rate"])
                        lows.append(100 * max(row["win_rate"] - row["half_width"], 0))
                        highs.append(100 * min(row["win_rate"] + row["half_width"], 1))
            (drawn,) = panel.plot(steps, rates, marker="o", markersize=3, label=short_name(against))
            panel.fill_between(steps, lows, highs, alpha=0.2, color=drawn.get_color(), linewidth=0)
        panel.axhline(100 / players, color="grey", linestyle=":", linewidth=1)
        panel.set(title=f"{players} players", xlabel="decisions of the learner", ylim=(0, 100))
        panel.set_ylabel("games won in %, even dotted")
        panel.xaxis.set_major_formatter(EngFormatter())
        panel.grid(alpha=0.3)
        panel.legend(title="against", loc="lower right", frameon=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()
