"""The data of a benchmark, as its file has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from dreamfactory_env.arena.benchmark.cells import CellResult
from dreamfactory_env.arena.benchmark.ratings import RatingRow

FORMAT = "dreamfactory-benchmark/1"


class BenchmarkData(TypedDict):
    """Everything that the file has."""

    format: str
    package: str
    game: str
    version: str
    config: NotRequired[dict[str, Any]]  # of options that are not the default ones
    observation: NotRequired[str]  # where all variants have the same
    seed: int
    policies: list[str]
    cells: list[CellResult]
    ratings: dict[str, list[RatingRow]]


def as_text(data: Mapping[str, Any]) -> str:
    """Returns the data as JSON with a cell, or a rating, on each line."""

    def one_line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(values: list[Any], indent: str) -> str:
        inner = f",\n{indent} ".join(one_line(value) for value in values)
        return f"[\n{indent} {inner}\n{indent}]" if values else "[]"

    entries = []
    for key, value in data.items():
        if key == "cells":
            text = lines(value, " ")
        elif key == "ratings":
            counts = [f'  "{count}": {lines(rows, "  ")}' for count, rows in value.items()]
            text = "{\n" + ",\n".join(counts) + "\n }" if counts else "{}"
        else:
            text = one_line(value)
        entries.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(entries) + "\n}\n"
