"""The sections of the page of a zero-sum game."""

from __future__ import annotations

from collections.abc import Mapping

from dreamfactory_env.arena.report_types import CompetitiveReport, Estimate
from dreamfactory_env.arena.reports import charts
from dreamfactory_env.arena.reports import page_parts as parts
from dreamfactory_env.arena.reports.markup import Html
from dreamfactory_env.arena.reports.page_parts import beside, figure, section
from dreamfactory_env.arena.reports.wording import duplicate_words, speed

FOUL = "Games that ended at once: who fouls loses, the others share the win."


def competitive_sections(report: CompetitiveReport, names: Mapping[str, str]) -> list[Html]:
    """Returns the sections of a report as HTML, in their order.

    Args:
        report: The report, with labels for policies.
        names: The names of those policies whose labels are others.
    """
    both = [_before(report), _places(report)]
    return [
        _policies(report, names),
        parts.fouls(report, FOUL),
        beside(_ratings(report), _wins(report)),
        *(both if len(report["policies"]) > parts.MOST_BESIDE else [beside(*both)]),
        _points(report),
        beside(*_effects(report), narrow=True),
        _luck(report),
        *parts.game_sections(report),
        parts.facts(report),
    ]


def _policies(report: CompetitiveReport, names: Mapping[str, str]) -> Html:
    rows = [
        [
            row["name"],
            figure(row["rating"], ".0f"),
            figure(row["win_rate"], ".1%"),
            figure(row["score"], ".1f"),
            figure(row["place"], ".2f"),
            speed(row["decisions_per_second"]),
        ]
        for row in report["policies"]
    ]
    columns = ("policy", "rating", "win rate", "points", "place", "decisions/s")
    return section("Policies", "", parts.table(columns, rows), parts.names(names))


def _interval(label: str, estimate: Estimate) -> tuple[str, float, float, float]:
    return label, estimate["value"], estimate["low"], estimate["high"]


def _ratings(report: CompetitiveReport) -> Html:
    rows = [_interval(row["name"], row["rating"]) for row in report["policies"]]
    text = "Plackett-Luce over whole tables; 400 points are odds of ten to one to come before."
    return section("Rating", text, charts.intervals(rows, parts.whole))


def _wins(report: CompetitiveReport) -> Html:
    even = 1 / report["players"]
    rows = [
        _interval(row["name"], row["win_rate"]) for row in report["policies"] if row["win_rate"]
    ]
    text = f"Shared wins count as parts. The line is an even share, {parts.percent(even)}."
    return section("Win rate", text, charts.intervals(rows, parts.percent, even))


def _before(report: CompetitiveReport) -> Html:
    names = report["before"]["policies"]
    cells = [[cell and cell["value"] for cell in row] for row in report["before"]["cells"]]
    text = "How often the policy of a row comes before that of a column at the same table, in %."
    plot = charts.heatmap(names, names, cells, parts.hundreds, 0.5)
    return section("Who beats whom", text, plot)


def _places(report: CompetitiveReport) -> Html:
    rows = [(row["name"], row["places"]) for row in report["policies"]]
    names = [f"place {place + 1}" for place in range(report["players"])]
    text = "How often each policy comes in at which place; equal ones count as the better place."
    return section("Places", text, charts.stacked(rows, names, parts.rounded, "o"))


def _points(report: CompetitiveReport) -> Html:
    names = [row["name"] for row in report["policies"]]
    spread = report["scores"]
    plot = charts.curves(names, spread["shares"], spread["width"], "points", parts.whole)
    return section("Points", "How the points at the end are spread.", plot)


def _effects(report: CompetitiveReport) -> list[Html]:
    even = 1 / report["players"]
    text = f"Whoever plays. Even is {parts.percent(even)}."
    sections = []
    for effect in report["effects"]:
        rows = [_interval(row["label"], row["win_rate"]) for row in effect["rows"]]
        plot = charts.intervals(rows, parts.percent, even)
        sections.append(section(f"Win rate by {effect['title']}", text, plot))
    return sections


def _luck(report: CompetitiveReport) -> Html:
    rows = [
        [
            f"{pair['better']}, {pair['worse']}",
            parts.percent(pair["one_game"]),
            parts.percent(pair["one_deal"]),
            "–" if pair["deals_to_be_sure"] is None else f"{pair['deals_to_be_sure']:,.0f}",
        ]
        for pair in report["luck"]["pairs"]
    ]
    columns = ("the better, the other", "after a game", "after a deal", "deals to be sure")
    text = (
        "How often the better of two is ahead of the other after one game, and after a deal that "
        "was played on all seats; and how many deals make it 95 % likely that the better is ahead."
    )
    gains = parts.paragraphs(duplicate_words(report))
    return section("Luck", text, parts.table(columns, rows) if rows else Html(), gains)
