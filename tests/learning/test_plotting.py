"""The plot of strength: who plays is written beside the curves, never over them."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from dreamfactory_env.learning.evaluation_lines import as_metrics, in_words
from dreamfactory_env.learning.plotting import strength_figure

SHORT = ["random", "greedy"]
LONG = [
    "expert",
    "runs/wide/agent.safetensors",
    "runs/deep/agent.safetensors",
    *(f"runs/a_run_with_quite_a_long_name_{k}.safetensors" for k in range(5)),
]


def line(steps: int, players: list[int], others: list[str], *, shared: bool = False) -> Any:
    """Returns an evaluation in which all is won, so that curves are everywhere in their panels."""
    figures = {"win_rate": min(steps / 1e5, 1), "half_width": 0.05, "stats": {}}
    if shared:
        figures |= {"score": steps / 1e5, "score_half_width": 0.1}
    results = [{"players": n, "others": name, **figures} for n in players for name in others]
    return {"timesteps": steps, "results": results}


@pytest.mark.parametrize("others", [SHORT, LONG])
@pytest.mark.parametrize("players", [[4], [2, 3, 4, 5]])
@pytest.mark.parametrize("shared", [False, True])
def test_the_legend_is_whole_and_beside_the_panels(
    players: list[int], others: list[str], shared: bool
) -> None:
    lines = [line(steps, players, others, shared=shared) for steps in (0, 50_000, 100_000)]
    figure = strength_figure(lines)
    figure.draw_without_rendering()
    assert isinstance(figure.canvas, FigureCanvasAgg)
    renderer = figure.canvas.get_renderer()  # type: ignore[no-untyped-call]
    (legend,) = figure.legends
    box = legend.get_window_extent(renderer)
    assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
    assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1
    assert len(figure.axes) == len(players) * (1 + shared)
    for panel in figure.axes:
        assert panel.get_legend() is None
        assert panel.get_window_extent(renderer).height > 350
        around = panel.get_tightbbox(renderer)
        assert around is not None
        assert not box.overlaps(around)


def test_files_of_one_name_in_two_folders_are_told_apart_everywhere() -> None:
    found = line(1000, [2], LONG[:3])
    (legend,) = strength_figure([found]).legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "expert",
        "wide/agent",
        "deep/agent",
    ]
    assert "against wide/agent, " in in_words(found)
    assert "strength/2_players_against_deep/agent" in as_metrics(found)
