"""The sections of the page of a shared game."""

from __future__ import annotations

from collections.abc import Mapping

from dreamfactory_env.arena.report_types import CooperativeReport, CrossPlay, TeamResult
from dreamfactory_env.arena.reports import charts
from dreamfactory_env.arena.reports import page_parts as parts
from dreamfactory_env.arena.reports.markup import Html, html
from dreamfactory_env.arena.reports.page_parts import beside, figure, section
from dreamfactory_env.arena.reports.wording import field_words, speed

FOUL = "Games that ended at once, and were lost for all at the table."


def cooperative_sections(report: CooperativeReport, names: Mapping[str, str]) -> list[Html]:
    """Returns the sections of a report as HTML, in their order.

    Args:
        report: The report, with labels for policies.
        names: The names of those policies whose labels are others.
    """
    matrices = _matrices(report)
    return [
        _policies(report, names),
        parts.fouls(report, FOUL),
        *(matrices if len(report["policies"]) > parts.MOST_BESIDE else [beside(*matrices)]),
        beside(*_means(report)),
        *_points(report),
        *_effects(report),
        *parts.game_sections(report),
        parts.facts(report),
    ]


def _policies(report: CooperativeReport, names: Mapping[str, str]) -> Html:
    columns = ("policy", "self-play", "wins", "cross-play", "wins", "lowest", "with", "decisions/s")
    rows = [
        [
            row["name"],
            *_both(row["self_play"]),
            *_both(row["cross_play"]),
            *_lowest(row["cross_play"]),
            speed(row["decisions_per_second"]),
        ]
        for row in report["policies"]
    ]
    text = (
        "Mean score and win rate: alone with itself, over all partners, and the score with the "
        "partner with whom it is lowest."
    )
    field = parts.paragraphs(field_words(report))
    return section("Policies", text, parts.table(columns, rows), parts.names(names), field)


def _both(result: TeamResult | CrossPlay | None) -> list[str]:
    if result is None:
        return ["–", "–"]
    return [figure(result["score"], ".3f"), figure(result["win_rate"], ".1%")]


def _lowest(cross_play: CrossPlay | None) -> list[str]:
    if cross_play is None:
        return ["–", "–"]
    lowest = cross_play["lowest_score"]
    return [
        figure(lowest, ".3f"),
        html('<span class="name">{names}</span>', names=", ".join(lowest["policies"])),
    ]


def _matrices(report: CooperativeReport) -> list[Html]:
    names, cells = report["matrix"]["policies"], report["matrix"]["cells"]
    scores = [[cell and cell["score"]["value"] for cell in row] for row in cells]
    rates = [[cell and cell["win_rate"]["value"] for cell in row] for row in cells]
    text = "Two policies at one table, in all seatings; self-play on the diagonal."
    return [
        section("Score", text, charts.heatmap(names, names, scores, parts.thousandth)),
        section("Win rate", f"{text} In %.", charts.heatmap(names, names, rates, parts.hundreds)),
    ]


def _means(report: CooperativeReport) -> list[Html]:
    """Returns the scores of self-play and cross-play with their intervals."""
    rows = report["policies"]
    alone = [(row["name"], row["self_play"]["score"]) for row in rows if row["self_play"]]
    cross = [(row["name"], row["cross_play"]["score"]) for row in rows if row["cross_play"]]
    sections = []
    for title, scores in (("Self-play", alone), ("Cross-play", cross)):
        if scores:
            marks = [(name, e["value"], e["low"], e["high"]) for name, e in scores]
            plot = charts.intervals(marks, parts.thousandth)
            sections.append(section(title, "Mean score.", plot))
    return sections


def _points(report: CooperativeReport) -> list[Html]:
    names = [row["name"] for row in report["policies"]]
    spread = report["scores"]
    sections = []
    for title, shares in (
        ("Points in self-play", spread["self_play"]),
        ("Points in cross-play", spread["cross_play"]),
    ):
        if any(map(any, shares)):
            plot = charts.curves(
                *(names, shares, spread["width"], "points", parts.whole), start=spread["start"]
            )
            text = "How the points at the end are spread, without games that a foul has ended."
            sections.append(section(title, text, plot))
    return sections


def _effects(report: CooperativeReport) -> list[Html]:
    names = report["matrix"]["policies"]
    sections = []
    for effect in report["effects"]:
        cells = [[cell and cell["value"] for cell in row] for row in effect["cells"]]
        plot = charts.heatmap(names, effect["labels"], cells, parts.thousandth)
        text = f"Mean score of the games in which a policy has that {effect['title']}."
        sections.append(section(f"Score by {effect['title']}", text, plot))
    return sections
