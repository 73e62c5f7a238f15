"""Who plays a game that is continued: people, and policies that a file may name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.naming import module_of
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.records.files import read_records
from dreamfactory_env.records.format import replay_moves, start_of
from dreamfactory_env.utils.errors import OptionError, RecordError

#: What a person is called in records.
PERSON = "person"


def read_played(path: Path) -> dict[str, Any]:
    """Returns the one record of a file, verified; the game need not be over.

    Raises:
        GameError: The file cannot be read, or holds something else.
    """
    records = list(read_records(path))
    if len(records) != 1:
        raise RecordError(f"{path} has {len(records)} games, not the one that is played")
    replay_moves(records[0])
    return records[0]


def resumed_names(path: Path, agents: Callable[[Game], list[str]] | None) -> tuple[Game, list[str]]:
    """Returns the game of a file before its first move, and who plays it from now on.

    Args:
        path: The file.
        agents: Says who plays, as the user of a command has it; None for those of the record, where
            a name that would run code or open a file is refused.

    Raises:
        GameError: It cannot be continued so.
    """
    record = read_played(path)
    start = start_of(record)
    if agents is not None:
        return start, agents(start)
    for name in record["agents"]:
        if module_of(name) or name.endswith(SUFFIX):
            does = "would run code" if module_of(name) else "is a file"
            raise OptionError(
                f"the record names the policy {name!r}, which {does}; if you trust it, "
                "say who plays: --with"
            )
    return start, list(record["agents"])
