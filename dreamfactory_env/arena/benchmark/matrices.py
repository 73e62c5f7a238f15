"""The matrices of the benchmark of a shared game as a picture: who reaches what with whom."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.arena.benchmark.sections import Section, sections_of
from dreamfactory_env.arena.reports.style import shade
from dreamfactory_env.games.game import Game

CELL, LETTER, LINE, GAP = 44, 6.6, 16, 28
#: The names of columns are written aslant: so much of their length is their height.
SLANT = 0.72
STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#1c2430}.title{font-weight:600;font-size:13px}"
    ".value{text-anchor:middle}.name{text-anchor:end}"
)


def matrices(data: BenchmarkData, game: Game) -> str:
    """Returns the matrices of a shared game as SVG, those of a variant beside one another.

    A square is the mean score of two policies that share a table, the darker the higher, in the
    same shades throughout; on the diagonal a policy plays with itself.

    Args:
        data: What the file says.
        game: A game with the options that were played.
    """
    rows: dict[str, list[Section]] = {}
    for section in sections_of(data, game.pool):
        if section.names:
            rows.setdefault(section.variant, []).append(section)
    drawn, width, top = [], 0.0, float(GAP)
    for sections in rows.values():
        left, bottom = float(GAP), top
        for section in sections:
            body, size = _matrix(section, game.spec.score_range)
            drawn.append(f'<g transform="translate({left:.0f} {top:.0f})">{body}</g>')
            left += size[0] + GAP
            bottom = max(bottom, top + size[1])
        width, top = max(width, left), bottom + GAP
    box = f'viewBox="0 0 {width:.0f} {top:.0f}" width="{width:.0f}" height="{top:.0f}"'
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    content = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>\n<style>{STYLE}</style>\n{ground}\n'
        f"{content}\n</svg>\n"
    )


def _matrix(section: Section, ends: tuple[float, float]) -> tuple[str, tuple[float, float]]:
    """Returns the matrix of a section, and its width and height."""
    names = section.names
    longest = LETTER * max(map(len, names))
    x, y = longest + 8, LINE + SLANT * longest + 14
    parts = [f'<text class="title" y="{LINE - 4}">{escape(section.title)}</text>']
    for place, name in enumerate(names):
        middle = place * CELL + CELL / 2
        at = f"{x + middle:.1f} {y - 8:.1f}"
        parts.append(f'<text transform="translate({at}) rotate(-46)">{escape(name)}</text>')
        at = f'x="{x - 8:.1f}" y="{y + middle + 4:.1f}"'
        parts.append(f'<text class="name" {at}>{escape(name)}</text>')
    for row, one in enumerate(names):
        parts += _row(section, one, (x, y + row * CELL), ends)
    # Names that are written aslant reach beyond the last column.
    width = max(x + len(names) * CELL + SLANT * longest, 8.0 * len(section.title))
    return "".join(parts), (width, y + len(names) * CELL)


def _row(
    section: Section, one: str, corner: tuple[float, float], ends: tuple[float, float]
) -> Sequence[str]:
    """Returns the squares of a row, and their scores."""
    low, high = ends
    x, y = corner
    parts = []
    for place, other in enumerate(section.names):
        cell = section.cell(one, other)
        if cell is None:
            continue
        ink, ground = shade((cell["score"] - low) / (high - low))
        left = x + place * CELL
        words = escape(f"{one} with {other}: {cell['score']:.3f}, won {cell['win_rate']:.1%}")
        parts.append(
            f'<rect x="{left + 1:.1f}" y="{y + 1:.1f}" width="{CELL - 2}" height="{CELL - 2}" '
            f'rx="4" fill="{ground}"><title>{words}</title></rect>'
            f'<text class="value" x="{left + CELL / 2:.1f}" y="{y + CELL / 2 + 4:.1f}" '
            f'style="fill:{ink}">{cell["score"]:.2f}</text>'
        )
    return parts
