"""A report as one HTML file that needs nothing else: tables and plots."""

from __future__ import annotations

from html import escape

from dreamfactory_env.arena.report_types import Report
from dreamfactory_env.arena.reports.competitive import competitive_sections
from dreamfactory_env.arena.reports.cooperative import cooperative_sections
from dreamfactory_env.arena.reports.labelling import with_labels
from dreamfactory_env.arena.reports.style import STYLE


def as_html(report: Report) -> str:
    """Returns the page of a report."""
    state = "" if report["complete"] else ", not finished yet"
    head = f"Tournament of {report['title']}"
    summary = (
        f"{report['players']} players · {report['deals']:,} deals, each played on all seats · "
        f"{report['games']:,} games · {report['decisions']:,} decisions{state}. "
        "Intervals are 95 %, by deal."
    )
    if "utility" in report:
        body = cooperative_sections(*with_labels(report))
    else:
        body = competitive_sections(*with_labels(report))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(head)}</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(head)}</h1><p>{summary}</p>{''.join(body)}</main></body></html>\n"
    )
