"""What pools of agents reach: with themselves, between their seeds, and with other policies."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean

from dreamfactory_env.arena.benchmark.cells import CellResult
from dreamfactory_env.arena.benchmark.markdown import table_row
from dreamfactory_env.arena.benchmark.sections import Section

POOLS = """
## Pools

What agents of a pool reach, on average over seeds and pairs of seeds, and how much of it is lost
with a partner from another seed: those who have learned what things mean lose nothing, those who
have agreed on something among themselves lose it. The interval of a mean is the mean of the
intervals, which is the widest that it can be.

{table}
"""


def pools_of(sections: Iterable[Section]) -> str:
    """Returns the section about pools, nothing if there are none."""
    found = [(section, maker) for section in sections for maker in section.seeds]
    if not found:
        return ""
    others = [
        name
        for name in dict.fromkeys(name for section, _ in found for name in section.single)
        if any(_with(section, maker, name) for section, maker in found)
    ]
    heads = ["", "pool", "self-play", "between seeds", "lost", *(f"with `{n}`" for n in others)]
    lines = [table_row(heads), "|---|---|" + "---:|" * (len(heads) - 2)]
    for section, maker in found:
        names = section.seeds[maker]
        alone, between = section.self_play(names), section.between(names)
        columns = [_score(alone), _score(between), _lost(alone, between)]
        columns += [_score(_with(section, maker, name)) for name in others]
        lines.append(table_row([section.title, f"`{maker}`", *columns]))
    return POOLS.format(table="\n".join(lines))


def _with(section: Section, maker: str, other: str) -> list[CellResult]:
    """Returns the cells of a maker's seeds with another policy."""
    found = (section.cell(name, other) for name in section.seeds[maker])
    return [cell for cell in found if cell is not None]


def _score(cells: list[CellResult]) -> str:
    if not cells:
        return "–"
    return (
        f"{mean(c['score'] for c in cells):.3f} ± {mean(c['score_half_width'] for c in cells):.3f}"
    )


def _lost(alone: list[CellResult], between: list[CellResult]) -> str:
    """Returns how much lower the score between seeds is than that of self-play."""
    if not alone or not between:
        return "–"
    lost = mean(c["score"] for c in alone) - mean(c["score"] for c in between)
    return f"{lost:.3f}"
