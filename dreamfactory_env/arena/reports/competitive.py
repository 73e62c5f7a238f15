"""The sections of the page of a zero-sum game."""

from __future__ import annotations

from html import escape

from dreamfactory_env.arena.report_types import CompetitiveReport, Estimate
from dreamfactory_env.arena.reports import page_parts as parts
from dreamfactory_env.arena.reports import svg
from dreamfactory_env.arena.reports.page_parts import figure, section
from dreamfactory_env.arena.reports.wording import duplicate_words, speed

FOUL = "Games that ended at once: who fouls loses, the others share the win."


def competitive_sections(report: CompetitiveReport) -> list[str]:
    """Returns the sections of a report as HTML, in their order."""
    return [
        _policies(report),
        parts.fouls(report, FOUL),
        '<div class="pair">',
        _ratings(report),
        _wins(report),
        "</div>",
        '<div class="pair">',
        _before(report),
        _places(report),
        "</div>",
        _points(report),
        '<div class="three">',
        *_effects(report),
        "</div>",
        _luck(report),
        *parts.game_sections(report),
        parts.facts(report),
    ]


def _policies(report: CompetitiveReport) -> str:
    rows = [
        [
            escape(row["name"]),
            figure(row["rating"], ".0f"),
            figure(row["win_rate"], ".1%"),
            figure(row["score"], ".1f"),
            figure(row["place"], ".2f"),
            speed(row["decisions_per_second"]),
        ]
        for row in report["policies"]
    ]
    columns = ("policy", "rating", "win rate", "points", "place", "decisions/s")
    return section("Policies", "", parts.table(columns, rows))


def _interval(label: str, estimate: Estimate) -> tuple[str, float, float, float]:
    return label, estimate["value"], estimate["low"], estimate["high"]


def _ratings(report: CompetitiveReport) -> str:
    rows = [_interval(row["name"], row["rating"]) for row in report["policies"]]
    text = "Plackett-Luce over whole tables; 400 points are odds of ten to one to come before."
    return section("Rating", text, svg.intervals(rows, parts.whole, svg.HALF))


def _wins(report: CompetitiveReport) -> str:
    even = 1 / report["players"]
    rows = [
        _interval(row["name"], row["win_rate"]) for row in report["policies"] if row["win_rate"]
    ]
    text = f"Shared wins count as parts. The line is an even share, {parts.percent(even)}."
    return section("Win rate", text, svg.intervals(rows, parts.percent, svg.HALF, even))


def _before(report: CompetitiveReport) -> str:
    names = report["before"]["policies"]
    cells = [[cell and cell["value"] for cell in row] for row in report["before"]["cells"]]
    text = "How often the policy of a row comes before that of a column at the same table."
    plot = svg.heatmap(names, names, cells, parts.percent, svg.HALF, 0.5)
    return section("Who beats whom", text, plot)


def _places(report: CompetitiveReport) -> str:
    rows = [(row["name"], row["places"]) for row in report["policies"]]
    names = [f"place {place + 1}" for place in range(report["players"])]
    text = "How often each policy comes in at which place; equal ones count as the better place."
    return section("Places", text, svg.stacked(rows, names, parts.rounded, svg.HALF, "o"))


def _points(report: CompetitiveReport) -> str:
    names = [row["name"] for row in report["policies"]]
    spread = report["scores"]
    plot = svg.curves(names, spread["shares"], spread["width"], "points", parts.whole)
    return section("Points", "How the points at the end are spread.", plot)


def _effects(report: CompetitiveReport) -> list[str]:
    even = 1 / report["players"]
    text = f"Whoever plays. Even is {parts.percent(even)}."
    sections = []
    for effect in report["effects"]:
        rows = [_interval(row["label"], row["win_rate"]) for row in effect["rows"]]
        plot = svg.intervals(rows, parts.percent, svg.THIRD, even)
        sections.append(section(f"Win rate by {effect['title']}", text, plot))
    return sections


def _luck(report: CompetitiveReport) -> str:
    rows = [
        [
            escape(pair["better"]),
            escape(pair["worse"]),
            parts.percent(pair["one_game"]),
            parts.percent(pair["one_deal"]),
            "–" if pair["deals_to_be_sure"] is None else f"{pair['deals_to_be_sure']:,.0f}",
        ]
        for pair in report["luck"]["pairs"]
    ]
    columns = ("the better", "the other", "after a game", "after a deal", "deals to be sure")
    text = (
        "How often the better of two is ahead of the other after one game, and after a deal that "
        "was played on all seats; and how many deals make it 95 % likely that the better is ahead."
    )
    gains = "".join(f"<p>{escape(sentence)}</p>" for sentence in duplicate_words(report))
    return section("Luck", text, parts.table(columns, rows) if rows else "", gains)
