"""How a command shows its result: for people or for programs, with or without progress."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.progress import Progress

from dreamfactory_env.cli.terminal import progress_bar


@dataclass(frozen=True)
class ResultOptions:
    """How a result is shown."""

    json: Annotated[
        bool,
        typer.Option("--json", help="Print the result as JSON, and nothing else there."),
    ] = False
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress, only the result.")
    ] = False

    def progress(self, what: str, unit: str) -> Progress:
        """Returns a progress bar; one that is never shown if nobody wants it."""
        bar = progress_bar(what, unit)
        bar.disable = self.quiet
        return bar


def print_json(data: Any) -> None:
    """Prints data as JSON; a number that JSON does not know, such as infinity, becomes null."""
    print(json.dumps(_finite(data), indent=1, allow_nan=False), file=sys.stdout)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
