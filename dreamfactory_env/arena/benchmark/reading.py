"""The results of a benchmark, read from a file that may be anybody's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dreamfactory_env.arena.benchmark.cells import PARTS
from dreamfactory_env.games.game import check_seed
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.utils.errors import ConfigError, OptionError
from dreamfactory_env.utils.json_text import read_json
from dreamfactory_env.utils.typed import check_typed
from dreamfactory_env.utils.validation import shown
from dreamfactory_env.utils.yaml_lines import Document

#: A larger file is none of a benchmark; the shipped ones have some hundred kilobytes.
MAX_BYTES = 16 << 20
#: Shares of places sum up to 1 but for rounding.
ROUNDING = 1e-3


def read_results(path: Path, kind: Any, spec: GameSpec) -> dict[str, Any]:
    """Reads the results of a benchmark.

    Args:
        path: The file.
        kind: The TypedDict of everything in it.
        spec: Of the game.

    Raises:
        GameError: It cannot be read, or has mistakes; all of them are named.
    """
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES >> 20} MiB")
        document = Document(read_json(text))
        if not isinstance(document.data, dict):
            raise ValueError(f"it must be an object, not {shown(document.data)}")
    except (OSError, ValueError) as error:
        raise OptionError(f"{path} cannot be read as a benchmark: {error}") from error
    check_typed(document, kind, document.data)
    if not document.problems:
        _check_sense(document, spec)
    if document.problems:
        raise ConfigError(str(path), document.problems)
    data: dict[str, Any] = document.data
    return data


def _check_sense(document: Document, spec: GameSpec) -> None:
    """Reports what is of the right type and still cannot be."""
    data = document.data
    if data["game"] != spec.name:
        return  # whoever asked for another game says so
    if len(set(data["policies"])) < len(data["policies"]) or "" in data["policies"]:
        document.report(("policies",), "has a policy twice, or one without a name")
    try:
        check_seed(data["seed"])
    except OptionError as error:
        document.report(("seed",), str(error))
    counts = [str(players) for players in spec.player_counts]
    for players in data["ratings"]:
        if players not in counts:
            document.report(("ratings",), f"there are no games of {shown(players)} players")
    seen = set()
    for place, cell in enumerate(data["cells"]):
        _check_cell(document, place, cell, spec)
        which = [cell[key] for key in ("part", "players", "row", "column")]
        key = json.dumps([*which, cell.get("options")], sort_keys=True)
        if key in seen:
            document.report(("cells", place), "is there twice")
        seen.add(key)


def variant_number(spec: GameSpec, options: dict[str, Any]) -> int | None:
    """Returns which variant some options are, counted from 0; None if they are none."""
    known = [dict(variant) for variant in spec.variants or ((),)]
    return known.index(options) if options in known else None


def _check_cell(document: Document, place: int, cell: dict[str, Any], spec: GameSpec) -> None:
    """Reports what is wrong with a cell whose values are of the right types."""

    def report(name: str, expected: str) -> None:
        found = shown(cell.get(name))
        document.report(("cells", place, name), f"must be {expected}, not {found}")

    players = cell["players"]
    if cell["part"] not in PARTS:
        report("part", f"one of {', '.join(PARTS)}")
    if players not in spec.player_counts:
        report("players", f"{spec.min_players} to {spec.max_players}")
        return
    if variant_number(spec, cell.get("options", {})) is None:
        names = ", ".join(spec.variant_options)
        report("options", f"values of {names} that are measured" if names else "left out")
    for name in ("row", "column"):
        if not cell[name]:
            report(name, "the name of a policy")
    for name, least in (("games", 1), ("deals", 1), ("fouls", 0)):
        if cell[name] < least:
            report(name, f"at least {least}")
    if not 0 <= cell["win_rate"] <= 1:
        report("win_rate", "from 0 to 1")
    if cell["half_width"] < 0:
        report("half_width", "at least 0")
    for name in ("move_seconds", "fingerprints"):
        if len(cell[name]) != 2:
            report(name, "a list of two, for row and column")
    if any(seconds is not None and seconds < 0 for seconds in cell["move_seconds"]):
        report("move_seconds", "at least 0")
    needed = ("score", "score_half_width") if spec.shared else ("places", "covariance")
    for name in needed:
        if name not in cell:
            document.report(("cells", place), f"{name!r} is missing")
    if "places" in cell:
        shares = cell["places"]
        rest = abs(sum(shares) - 1) if len(shares) == players and min(shares) >= 0 else 1
        if rest > ROUNDING:
            report("places", f"{players} shares that sum up to 1")
    if "covariance" in cell:
        rows = cell["covariance"]
        square = [len(row) for row in rows] == [players] * players
        if not square or any(abs(number) > 1 for row in rows for number in row):
            report("covariance", f"{players} rows of {players} numbers from -1 to 1")
