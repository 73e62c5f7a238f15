"""Reports with short labels in place of the names of policies."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeVar

from dreamfactory_env.arena.report_types import CompetitiveReport, CooperativeReport, Report
from dreamfactory_env.policies.labels import labels_of

Either = TypeVar("Either", CompetitiveReport, CooperativeReport)


def with_labels(report: Either) -> tuple[Either, dict[str, str]]:
    """Returns a report in which policies are called by their labels, for people to read.

    Only ``tournament``, what was asked for, keeps the names.

    Returns:
        The report, and the names of those policies whose labels are others, by label.
    """
    labels = labels_of(row["name"] for row in report["policies"])
    shown = deepcopy(report)
    for row in shown["policies"]:
        row["name"] = labels[row["name"]]
    for foul in shown["fouls"]:
        foul["policy"] = labels[foul["policy"]]
    _label_the_rest(shown, labels)
    return shown, {label: name for name, label in labels.items() if label != name}


def _label_the_rest(report: Report, labels: dict[str, str]) -> None:
    """Puts labels into what only one kind of reports has."""
    if "utility" in report:
        matrix = report["matrix"]
        for cross_play in (report["field"], *(row["cross_play"] for row in report["policies"])):
            for lowest in (
                (cross_play["lowest_score"], cross_play["lowest_win_rate"]) if cross_play else ()
            ):
                lowest["policies"] = [labels[name] for name in lowest["policies"]]
        matrix["policies"] = [labels[name] for name in matrix["policies"]]
    else:
        before = report["before"]
        before["policies"] = [labels[name] for name in before["policies"]]
        for pair in report["luck"]["pairs"]:
            pair["better"], pair["worse"] = labels[pair["better"]], labels[pair["worse"]]
