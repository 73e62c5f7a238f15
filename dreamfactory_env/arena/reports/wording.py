"""Sentences and numbers that the terminal and the page write in the same words."""

from __future__ import annotations

from dreamfactory_env.arena.report_types import CompetitiveReport, CooperativeReport


def speed(per_second: float | None) -> str:
    """Returns decisions a second with no more digits than they are worth."""
    if per_second is None:
        return "–"
    return f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.2g}"


def duplicate_words(report: CompetitiveReport) -> list[str]:
    """Returns what duplicate play is worth, a sentence for each measure."""
    gains = report["luck"]["duplicate"]
    return [
        f"Measured by {measure}, the games of a deal played on all seats leave "
        f"{1 / factor:.0%} of the variance that as many games of different deals have: "
        f"they tell as much as {factor:.2f} times as many."
        for measure, factor in (("wins", gains["wins"]), ("points", gains["points"]))
        if factor is not None
    ]


def field_words(report: CooperativeReport) -> list[str]:
    """Returns what all pairs of policies reach, a sentence; none if there is no pair."""
    field = report["field"]
    if field is None:
        return []
    score, win_rate, lowest = field["score"], field["win_rate"], field["lowest_score"]
    return [
        f"Over all pairs, cross-play reaches {score['value']:.3f} ({score['low']:.3f} to "
        f"{score['high']:.3f}) and wins {win_rate['value']:.1%} ({win_rate['low']:.1%} to "
        f"{win_rate['high']:.1%}). The lowest pair is {' with '.join(lowest['policies'])}: "
        f"{lowest['value']:.3f} ({lowest['low']:.3f} to {lowest['high']:.3f})."
    ]
