"""What a result says: the report of either kind of game."""

from __future__ import annotations

from dreamfactory_env.arena.analysis.competitive import competitive_report
from dreamfactory_env.arena.analysis.cooperative import cooperative_report
from dreamfactory_env.arena.report_types import Report
from dreamfactory_env.arena.results import Result


def make_report(result: Result, speeds: dict[str, float]) -> Report:
    """Returns the report of a result, as the game's utility asks for.

    Args:
        result: The games.
        speeds: How many decisions a second each policy makes.
    """
    if result.tournament.template.spec.shared:
        return cooperative_report(result, speeds)
    return competitive_report(result, speeds)
