"""A report as one HTML file that needs nothing else: tables and plots."""

from __future__ import annotations

from dreamfactory_env.arena.report_types import Report
from dreamfactory_env.arena.reports.competitive import competitive_sections
from dreamfactory_env.arena.reports.cooperative import cooperative_sections
from dreamfactory_env.arena.reports.labelling import with_labels
from dreamfactory_env.arena.reports.markup import Html, html, join
from dreamfactory_env.arena.reports.style import STYLE


def as_html(report: Report) -> Html:
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
    return html(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<title>{head}</title><style>{style}</style></head>"
        "<body><main><h1>{head}</h1><p>{summary}</p>{body}</main></body></html>\n",
        head=head,
        style=Html(STYLE),
        summary=summary,
        body=join(body),
    )
