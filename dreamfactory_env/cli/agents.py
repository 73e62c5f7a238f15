"""The command ``dreamfactory describe``: what the file of a trained agent says."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from dreamfactory_env.cli.options import OptionTexts, read_options, with_groups
from dreamfactory_env.cli.terminal import console
from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named, new_game
from dreamfactory_env.policies.network import SUFFIX, expected_facts, read_header
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean


@dataclass(frozen=True)
class AgentGame:
    """The game that an agent is to play."""

    game: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which game; that of the file if not given."),
    ] = None
    options: OptionTexts = None


@with_groups
def describe_command(
    agent: Annotated[str, typer.Argument(help="A trained agent: its name, or its file.")],
    *,
    chosen: AgentGame,
) -> None:
    """Show what the file of a trained agent says of itself; nothing in it is run."""
    path = _path_of(agent, chosen.game or DEFAULT_GAME)
    facts, shapes = read_header(path)
    named = facts.get("game", "")
    name = chosen.game or (named if named in GAMES else DEFAULT_GAME)
    game = new_game(name, read_options(chosen.options, game_named(name).spec))
    expected = expected_facts(game, facts)
    wrong = [key for key, value in expected.items() if facts.get(key) != value]
    numbers = sum(prod(shape) for shape in shapes.values())
    table = Table(box=None, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in {
        "file": f"{path}, {path.stat().st_size / 1e6:.2f} MB, {numbers:,} numbers",
        "plays here": f"no, for its {', '.join(wrong)}" if wrong else "yes",
        **dict(sorted(facts.items())),
    }.items():
        table.add_row(Text(key), Text(value))
    console.print(table)


def _path_of(agent: str, game: str) -> Path:
    """Returns the file of an agent: one that comes with a game, or the file itself.

    Raises:
        GameError: There is no such game, or no such agent.
    """
    agents = game_named(game).agents
    if agent not in agents and not agent.endswith(SUFFIX):
        known = ", ".join([*agents, f"file{SUFFIX}"])
        hint = did_you_mean(agent, agents)
        raise OptionError(f"{agent!r} is no trained agent of {game}; known are {known}{hint}")
    return agents.get(agent, Path(agent))
