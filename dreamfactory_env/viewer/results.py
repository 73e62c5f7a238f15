"""Results for the page: ratings and matrices of a tournament's folder or a benchmark's file.

Whatever it is, a page gets plain data in one form::

    {"title": "…", "about": ["…"], "files": ["…"], "sections": [
      {"title": "4 players", "tables": [{"title", "about", "columns": ["rating"], "rows": [
          {"name", "label", "cells": [{"value", "low", "high", "kind": "rating"} or None]}]}],
       "matrices": [{"title", "about", "names", "labels", "kind": "percent",
          "cells": [[{"value", "low", "high", "games"} or None]]}]}]}

``kind`` says how figures are written: ``rating``, ``percent``, ``score`` or ``points``. ``files``
are the records of the games, if they were kept: there a cell of a matrix leads to the games at
which the policies of its row and its column sat together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict

from dreamfactory_env.arena.benchmark.data import FORMAT as BENCHMARK
from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.arena.benchmark.reading import MAX_BYTES, read_results
from dreamfactory_env.arena.benchmark.sections import Section, sections_of
from dreamfactory_env.arena.report_types import BeforeMatrix, PartnerRow, PolicyRow, TeamMatrix
from dreamfactory_env.arena.tournament import RECORDS, REPORT
from dreamfactory_env.games import game_named
from dreamfactory_env.policies.labels import labels_of
from dreamfactory_env.utils.errors import ConfigError, OptionError
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.utils.typed import check_typed
from dreamfactory_env.utils.validation import shown
from dreamfactory_env.utils.yaml_lines import Document

Results = dict[str, Any]
#: A section with more policies than this is not drawn.
MAX_POLICIES = 200


class _Facts(TypedDict):
    """What every report has that a page shows."""

    title: str
    players: int
    deals: int
    games: int
    complete: bool


class _Competitive(_Facts):
    policies: list[PolicyRow]
    before: BeforeMatrix


class _Cooperative(_Facts):
    policies: list[PartnerRow]
    matrix: TeamMatrix


def results_of(path: Path) -> Results:
    """Returns the results of a tournament's folder, of its ``report.json``, or of a benchmark.

    Args:
        path: The folder or the file; it may be anybody's, and nothing that it names is run.

    Raises:
        GameError: It cannot be read, or is none of these.
    """
    file = path / REPORT if path.is_dir() else path
    data = _read(file)
    if data.get("format") == BENCHMARK:
        return _benchmark(file, data)
    return {**_report(file, data), "files": [str(each) for each in records_of(file.parent)]}


def records_of(folder: Path) -> list[Path]:
    """Returns the files of the records that a tournament has kept, in their order."""
    return sorted((folder / RECORDS).glob("*.jsonl.zst"))


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES >> 20} MiB")
        data = read_json(text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"{path} cannot be read as results: {reason}") from error
    if not isinstance(data, dict):
        raise OptionError(f"{path} has no results: it must be an object, not {shown(data)}")
    return data


def _estimate(found: Any, **more: Any) -> dict[str, Any] | None:
    """Returns a figure with the ends of its interval, None if there is none."""
    if found is None:
        return None
    return {"value": found["value"], "low": found["low"], "high": found["high"], **more}


# ---------------------------------------------------------------------------- tournaments


def _report(path: Path, data: dict[str, Any]) -> Results:
    shared = data.get("utility") == "shared"
    kind: Any = _Cooperative if shared else _Competitive
    wanted = {
        key: data[key] for key in kind.__annotations__ | _Facts.__annotations__ if key in data
    }
    document = Document(wanted)
    check_typed(document, kind, wanted)
    if not document.problems:
        _check_square(document, wanted["matrix" if shared else "before"])
    if document.problems:
        raise ConfigError(f"{path} is no report of a tournament", document.problems[:20])
    names = [row["name"] for row in wanted["policies"]]
    labels = labels_of(names)
    state = "" if wanted["complete"] else "; it is not finished yet"
    section = (_cooperative if shared else _competitive)(wanted, labels)
    return {
        "title": f"Tournament of {wanted['title']}",
        "about": [
            f"{wanted['players']} players, {wanted['deals']:,} deals, {wanted['games']:,} games"
            f"{state}. Intervals are 95 %, by deal."
        ],
        "sections": [section],
    }


def _check_square(document: Document, matrix: dict[str, Any]) -> None:
    """Reports a matrix that has not a row and a column for each policy."""
    count = len(matrix["policies"])
    if count > MAX_POLICIES:
        document.report((), f"more than {MAX_POLICIES} policies")
    if [len(row) for row in matrix["cells"]] != [count] * count:
        document.report((), f"a matrix of {count} policies has as many rows and columns")


def _competitive(report: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
    columns = {"rating": "rating", "win_rate": "percent", "score": "points", "place": "points"}
    rows = [
        {
            "name": row["name"],
            "label": labels[row["name"]],
            "cells": [_estimate(row[key], kind=kind) for key, kind in columns.items()],
        }
        for row in report["policies"]
    ]
    table = {
        "title": "Policies",
        "about": "Ratings by Plackett-Luce over whole tables; 400 points are odds of ten to one "
        "to come before another. They hold for this field only.",
        "columns": ["rating", "win rate", "points", "place"],
        "rows": rows,
    }
    names = report["before"]["policies"]
    matrix = {
        "title": "Who beats whom",
        "about": "How often the policy of a row comes before that of a column at the same table.",
        "names": names,
        "labels": [labels.get(name, name) for name in names],
        "kind": "percent",
        "cells": [[_estimate(cell) for cell in row] for row in report["before"]["cells"]],
    }
    return {"title": "", "tables": [table], "matrices": [matrix]}


def _cooperative(report: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
    rows = []
    for row in report["policies"]:
        cells = []
        for part in (row["self_play"], row["cross_play"]):
            for key, kind in (("score", "score"), ("win_rate", "percent")):
                cells.append(_estimate(part and part[key], kind=kind))
        rows.append({"name": row["name"], "label": labels[row["name"]], "cells": cells})
    table = {
        "title": "Policies",
        "about": "Mean score and wins: alone with itself, and over all partners.",
        "columns": ["self-play", "wins", "cross-play", "wins"],
        "rows": rows,
    }
    names, cells = report["matrix"]["policies"], report["matrix"]["cells"]
    matrices = [
        {
            "title": title,
            "about": "Two policies at one table, in all seatings; self-play on the diagonal.",
            "names": names,
            "labels": [labels.get(name, name) for name in names],
            "kind": kind,
            "cells": [
                [cell and _estimate(cell[key], games=cell["games"]) for cell in row]
                for row in cells
            ],
        }
        for title, key, kind in (("Score", "score", "score"), ("Wins", "win_rate", "percent"))
    ]
    return {"title": "", "tables": [table], "matrices": matrices}


# ---------------------------------------------------------------------------- benchmarks


def _benchmark(path: Path, data: dict[str, Any]) -> Results:
    game_cls = game_named(data.get("game"))
    checked: BenchmarkData = read_results(path, BenchmarkData, game_cls.spec)  # type: ignore[assignment]
    sections = sections_of(checked, game_cls.pool)
    shared = game_cls.spec.shared
    about = (
        "Two policies share the seats of a table in all ways; self-play on the diagonal."
        if shared
        else "One policy of the row alone at a table of the column's policy: how often it wins."
    )
    return {
        "title": f"Benchmark of {game_cls.spec.title}",
        "about": [f"{about} Intervals are 95 %, by deal."],
        "files": [],
        "sections": [
            _benchmark_section(checked, section, shared)
            for section in sections
            if len(section.names) <= MAX_POLICIES
        ],
    }


def _benchmark_section(data: BenchmarkData, section: Section, shared: bool) -> dict[str, Any]:
    labels = labels_of(section.names)
    tables = []
    ratings = data["ratings"].get(str(section.players), [])
    if ratings:
        rows = [
            {
                "name": row["name"],
                "label": labels.get(row["name"], row["name"]),
                "cells": [
                    {"value": row["rating"], "low": row["low"], "high": row["high"]}
                    | {"kind": "rating"}
                ],
            }
            for row in ratings
        ]
        about = "Plackett-Luce, fitted to all cells of the player count."
        tables = [{"title": "Ratings", "about": about, "columns": ["rating"], "rows": rows}]
    matrices = [_benchmark_matrix(section, labels, "win_rate", "half_width", shared)]
    if shared:
        matrices.insert(0, _benchmark_matrix(section, labels, "score", "score_half_width", shared))
    if section.ceiling and shared:
        reached = section.ceiling["score"]
        matrices[0]["about"] += f" A policy that sees everything reaches {reached:.3f}."
    return {"title": section.title, "tables": tables, "matrices": matrices}


def _benchmark_matrix(
    section: Section, labels: dict[str, str], key: str, width: str, shared: bool
) -> dict[str, Any]:
    """Returns a matrix; in a shared game, and with two players, a cell is that of both orders."""
    played = {(cell["row"], cell["column"]): cell for cell in section.cells}
    rows = []
    for row in section.names:
        cells: list[dict[str, Any] | None] = []
        for column in section.names:
            found, other = played.get((row, column)), played.get((column, row))
            if found is None and other is not None and (shared or section.players == 2):
                cells.append(_from_cell(other, key, width, mirrored=not shared))
            else:
                cells.append(found and _from_cell(found, key, width))
        rows.append(cells)
    wins = key == "win_rate"
    return {
        "title": "Wins" if wins else "Score",
        "about": "How often they win." if shared and wins else "",
        "names": section.names,
        "labels": [labels[name] for name in section.names],
        "kind": "percent" if wins else "score",
        "cells": rows,
    }


def _from_cell(cell: Any, key: str, width: str, *, mirrored: bool = False) -> dict[str, Any]:
    value, half = 1 - cell[key] if mirrored else cell[key], cell[width]
    return {"value": value, "low": value - half, "high": value + half, "games": cell["games"]}
