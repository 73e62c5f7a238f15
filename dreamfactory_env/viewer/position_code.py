"""A position as Python that reproduces it, to be copied into a script or a notebook."""

from __future__ import annotations

from typing import Any


def start_code(record: dict[str, Any]) -> str:
    """Returns the Python that makes the game of a record before its first move.

    What a record says stands there as literals only, so running it runs nothing of the record's.

    Args:
        record: It has been replayed, so its values are plain data.
    """
    name, config = record["game"], record["config"]
    how = (
        f"from_setup({config!r}, {record['setup']!r})"
        if record["seed"] is None
        else f"from_config({config!r}, seed={record['seed']!r})"
    )
    return f"from dreamfactory_env.games import game_named\n\ngame = game_named({name!r}).{how}\n"


def position_code(record: dict[str, Any], frame: int) -> str:
    """Returns the Python that makes the position of a record after some of its moves.

    Args:
        record: It has been replayed.
        frame: How many of its moves were played.
    """
    return start_code(record) + moves_code([action for _, action, _ in record["moves"][:frame]])


def moves_code(actions: list[int]) -> str:
    """Returns the Python that plays actions; the page has the same function."""
    return f"for action in {actions!r}:\n    game.play(action)\n" if actions else ""
