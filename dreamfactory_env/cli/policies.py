"""The command ``dreamfactory policies``: who can play a game, by name."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from dreamfactory_env.cli.terminal import console
from dreamfactory_env.games import DEFAULT_GAME, game_named
from dreamfactory_env.policies.network import SUFFIX


def policies_command(
    game: Annotated[str, typer.Option(metavar="NAME", help="Which game.")] = DEFAULT_GAME,
) -> None:
    """List who can play a game, by the names that all commands and files understand."""
    game_cls = game_named(game)
    spec = game_cls.spec
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for place, name in enumerate(spec.ladder):
        ends = {0: ", the weakest", len(spec.ladder) - 1: ", the strongest of them"}
        table.add_row(name, f"scripted{ends.get(place, '')}")
    for name, path in game_cls.agents.items():
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        table.add_row(name, f"a trained network, {size}; see `dreamfactory describe {name}`")
    guide = next(iter(game_cls.agents), f"agent{SUFFIX}")
    for name, meaning in {
        "mcts:500": "a tree search with that many iterations for a move",
        "mcts:1s": "a tree search with that time for a move; a part of a second, too: mcts:0.2s",
        f"mcts:1s:{guide}": "the same, with a network that says what is tried first",
        f"agent{SUFFIX}": "the network of a file, which `dreamfactory export` writes",
        "module:Class": "a class of your own; its module may be in this folder",
    }.items():
        table.add_row(name, Text(meaning))
    console.print(f"{spec.title}, --game {spec.name}:")
    console.print(table)
