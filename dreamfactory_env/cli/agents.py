"""The command ``dreamfactory describe``: what the file of a trained agent says."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from dreamfactory_env.cli.terminal import console
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.policies.network import SUFFIX, read_header, wanted_facts
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean


def describe_command(
    agent: Annotated[str, typer.Argument(help="A trained agent: its name, or its file.")],
) -> None:
    """Tell what the file of a trained agent says of itself; nothing in it is run."""
    kind = DreamFactory
    if agent not in kind.agents and not agent.endswith(SUFFIX):
        known = ", ".join([*kind.agents, f"file{SUFFIX}"])
        hint = did_you_mean(agent, kind.agents)
        raise OptionError(f"{agent!r} is no trained agent; known are {known}{hint}")
    path = kind.agents.get(agent, Path(agent))
    facts, shapes = read_header(path)
    numbers = sum(prod(shape) for shape in shapes.values())
    wrong = [key for key, wanted in wanted_facts(kind, facts).items() if facts.get(key) != wanted]
    table = Table(box=None, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in {
        "file": f"{path}, {path.stat().st_size / 1e6:.2f} MB, {numbers:,} numbers",
        "plays here": f"no, for its {', '.join(wrong)}" if wrong else "yes",
        **dict(sorted(facts.items())),
    }.items():
        # What a file says may be anything, also what a terminal would obey.
        shown = ["".join(c if c.isprintable() else "?" for c in text) for text in (key, value)]
        table.add_row(*(Text(text) for text in shown))
    console.print(table)
